"""When a server that fails is left alone, and when it is asked again."""

import pytest

from service.store import pool
from service.store.pool import PAUSE_SECONDS, TRIES, Breaker, LeftAloneError


class Hands:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1_000.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Hands:
    hands = Hands()
    monkeypatch.setattr(pool, "monotonic", lambda: hands.now)
    return hands


@pytest.fixture
def failing(clock: Hands) -> Breaker:
    breaker = Breaker()
    for _ in range(TRIES):
        clock.now += 0.01
        breaker.admit()
        breaker.failed()
    assert breaker.open
    return breaker


def test_a_server_that_fails_is_left_alone_for_a_moment(clock: Hands, failing: Breaker) -> None:
    clock.now += PAUSE_SECONDS - 0.01
    with pytest.raises(LeftAloneError):
        failing.admit()


def test_one_caller_tries_again(clock: Hands, failing: Breaker) -> None:
    clock.now += PAUSE_SECONDS
    failing.admit()
    with pytest.raises(LeftAloneError):
        failing.admit()


def test_a_server_that_answers_is_asked_by_all(clock: Hands, failing: Breaker) -> None:
    clock.now += PAUSE_SECONDS
    failing.admit()
    failing.succeeded()
    assert not failing.open
    failing.admit()
    failing.admit()


def test_a_caller_that_never_comes_back_does_not_keep_the_others_away(
    clock: Hands, failing: Breaker
) -> None:
    clock.now += PAUSE_SECONDS
    failing.admit()
    clock.now += PAUSE_SECONDS
    failing.admit()


def test_failures_that_do_not_follow_each_other_leave_it_in_use(clock: Hands) -> None:
    breaker = Breaker()
    for _ in range(2 * TRIES):
        clock.now += 0.01
        breaker.failed()
        breaker.succeeded()
        breaker.admit()
