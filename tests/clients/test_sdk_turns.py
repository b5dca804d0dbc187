"""Waiting for a turn by long-polls, and claiming the time of who is late."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from oklahoma_gin import Client, OklahomaGinError, Problem, Seat, WaitTimeout
from tests.clients.http_stub import Reply, Stub
from tests.clients.samples import GAME_ID, TOKEN, problem_json, round_json, view_json

DEADLINE = datetime(2030, 1, 2, 3, 6, tzinfo=UTC).timestamp()


class Clock:
    """A clock that its owner's pauses move on."""

    def __init__(self) -> None:
        self.now = DEADLINE - 60
        self.pauses: list[float] = []

    def __call__(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def waiter(stub: Stub, clock: Clock) -> Iterator[Seat]:
    """Seat 0 while seat 1 is on turn, at version 17."""
    with Client(stub.url, sleep=clock.pause, clock=clock, jitter=lambda: 1.0) as client:
        stub.will_answer(Reply(200, {"game_id": GAME_ID, "seat": 0, "game": others_turn(17)}))
        seat = client.seat(TOKEN)
        stub.asked.clear()
        yield seat


def at_turn(version: int, turn: int | None, **changes: object) -> dict[str, object]:
    on_table = {**round_json(), "turn": turn}
    return view_json(version, **{"round": on_table, "actions": {}, "result": None, **changes})


def others_turn(version: int) -> dict[str, object]:
    return at_turn(version, 1)


def targets(stub: Stub) -> list[str]:
    return [
        f"{asked.method} {asked.target.removeprefix(f'/v1/games/{GAME_ID}')}"
        for asked in stub.asked
    ]


def test_the_view_comes_as_soon_as_it_is_ones_turn(stub: Stub, waiter: Seat, clock: Clock) -> None:
    stub.will_answer(
        Reply(304), Reply(304), Reply(200, others_turn(18)), Reply(200, at_turn(19, 0))
    )
    view = waiter.wait_for_turn()
    assert view is waiter.game
    assert view.version == 19
    assert targets(stub) == ["GET ", "GET ?wait=25", "GET ?wait=25", "GET ?wait=25"]
    assert clock.pauses == [0.2]


@pytest.mark.parametrize(
    "view",
    [
        at_turn(18, 0),
        at_turn(18, None, actions={"deal": True}),
        at_turn(18, None, round=None, actions={"deal": True}),
        at_turn(18, None, result=view_json()["result"]),
    ],
)
def test_a_turn_a_deal_and_the_end_are_waited_for(
    stub: Stub, waiter: Seat, view: dict[str, object]
) -> None:
    stub.will_answer(Reply(200, view))
    assert waiter.wait_for_turn().version == 18


def test_a_timeout_is_kept_and_is_an_error_of_its_own(stub: Stub, waiter: Seat) -> None:
    stub.will_answer(*[Reply(304)] * 4)
    with pytest.raises(WaitTimeout, match=r"Seat 0 was not on turn within 0\.5 seconds"):
        waiter.wait_for_turn(0.5)
    assert targets(stub)[1] == "GET ?wait=1"
    assert issubclass(WaitTimeout, OklahomaGinError)
    assert issubclass(WaitTimeout, TimeoutError)


def test_nobody_is_claimed_unless_told_to(stub: Stub, waiter: Seat, clock: Clock) -> None:
    clock.now = DEADLINE + 9
    stub.will_answer(Reply(304), Reply(200, at_turn(18, 0)))
    waiter.wait_for_turn()
    assert targets(stub) == ["GET ", "GET ?wait=25"]


def test_who_is_late_is_claimed_once_the_deadline_has_passed(
    stub: Stub, waiter: Seat, clock: Clock
) -> None:
    clock.now = DEADLINE - 0.1
    stub.will_answer(Reply(304), Reply(304), Reply(200, at_turn(20, 0)))
    assert waiter.wait_for_turn(claim=True).version == 20
    assert targets(stub) == ["GET ", "GET ?wait=1", "POST /claim"]
    assert stub.asked[-1].headers["If-Match"] == '"17-9f3c1a2b.0"'


@pytest.mark.parametrize(
    "status, code", [(412, "stale_version"), (409, "wrong_phase"), (409, "game_over")]
)
def test_a_claim_that_comes_too_late_is_no_error(
    stub: Stub, waiter: Seat, clock: Clock, status: int, code: str
) -> None:
    clock.now = DEADLINE + 1
    stub.will_answer(Reply(304), Reply(status, problem_json(code, status, game=at_turn(18, 0))))
    assert waiter.wait_for_turn(claim=True).version == 18


def test_a_claim_that_comes_too_early_is_made_again_a_second_later(
    stub: Stub, waiter: Seat, clock: Clock
) -> None:
    clock.now = DEADLINE + 1
    early = problem_json("deadline_not_passed", 409, game=others_turn(17))
    stub.will_answer(Reply(304), Reply(409, early), Reply(200, at_turn(19, 0)))
    assert waiter.wait_for_turn(claim=True).version == 19
    assert clock.pauses == [1.0]


def test_any_other_refusal_of_a_claim_is_raised(stub: Stub, waiter: Seat, clock: Clock) -> None:
    clock.now = DEADLINE + 1
    stub.will_answer(Reply(304), Reply(401, problem_json("token_invalid", 401)))
    with pytest.raises(Problem):
        waiter.wait_for_turn(claim=True)
