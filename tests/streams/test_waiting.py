"""Answers that wait until a game changes, and no longer than they were asked to."""

import threading

import pytest

from tests.streams.following import PATIENCE, Seen, code_or_view


@pytest.fixture
def seen() -> Seen:
    return Seen()


class Waiting:
    """A request that waits, in a thread of its own."""

    def __init__(self, seen: Seen, seat: int | None, seconds: float = PATIENCE) -> None:
        view = seen.table.look(seat)
        self.answers: list[object] = []

        def wait() -> None:
            self.answers.append(
                code_or_view(
                    lambda: seen.streams.wait(
                        seen.table.game_id, seen.caller(seat), view.etag.__eq__, seconds
                    ).view()
                )
            )

        self._thread = threading.Thread(target=wait)
        self._thread.start()
        while self._thread.is_alive() and not seen.followers.places:
            self._thread.join(0.001)

    def answer(self) -> object:
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        return self.answers[0]


def test_waiting_ends_with_the_change(seen: Seen) -> None:
    waiting = Waiting(seen, 0)
    seen.table.deal()
    assert waiting.answer() == seen.table.look(0)
    assert seen.followers.places == 0


def test_waiting_ends_in_time_without_a_change(seen: Seen) -> None:
    assert Waiting(seen, None, 0.02).answer() == seen.table.look(None)


def test_waiting_ends_when_the_server_stops(seen: Seen) -> None:
    waiting = Waiting(seen, 0)
    seen.streams.drain()
    assert waiting.answer() == seen.table.look(0)


def test_waiting_ends_with_the_token(seen: Seen) -> None:
    waiting = Waiting(seen, 1)
    seen.table.games.renew_token(seen.table.game_id, seen.table.ask(1))
    assert waiting.answer() == "token_invalid"


def test_a_change_before_the_waiting_began_is_not_missed(seen: Seen) -> None:
    before = seen.table.look(0)
    seen.table.deal()
    sight = seen.streams.wait(seen.table.game_id, seen.caller(0), before.etag.__eq__, PATIENCE)
    assert sight.view() == seen.table.look(0)
