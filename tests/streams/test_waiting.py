"""Answers that wait until a game changes, and no longer than they were asked to."""

import threading
from collections.abc import Callable

import pytest

from service.games.pages import EventPage
from tests.streams.following import PATIENCE, Seen, code_or_answer


@pytest.fixture
def seen() -> Seen:
    return Seen()


class Waiting:
    """A request that waits, in a thread of its own."""

    def __init__(self, seen: Seen, ask: Callable[[], object]) -> None:
        self.answers: list[object] = []
        self._thread = threading.Thread(target=lambda: self.answers.append(code_or_answer(ask)))
        self._thread.start()
        while self._thread.is_alive() and not seen.followers.places:
            self._thread.join(0.001)

    def answer(self) -> object:
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        return self.answers[0]


def for_a_view(seen: Seen, seat: int | None, seconds: float = PATIENCE) -> Waiting:
    """Wait for another view than the seat has now."""
    etag, caller = seen.table.look(seat).etag, seen.caller(seat)
    streams, game_id = seen.streams, seen.table.game_id
    return Waiting(seen, lambda: streams.wait(game_id, caller, etag.__eq__, seconds).view())


def for_events(
    seen: Seen, seat: int | None, seconds: float = PATIENCE, *, after: int | None = None
) -> Waiting:
    """Wait for events after those that there are, with the view that they lead to."""
    known = seen.table.record.version if after is None else after
    asked = (seen.table.game_id, seen.caller(seat), known, 100, seconds)
    return Waiting(seen, lambda: seen.streams.events(*asked, with_view=True))


def page_after(seen: Seen, version: int, seat: int | None) -> EventPage:
    """Return the events after a version without waiting."""
    games = seen.table.games
    return games.events(seen.table.game_id, seen.caller(seat), version, 100, with_view=True)


def test_waiting_ends_with_the_change(seen: Seen) -> None:
    waiting = for_a_view(seen, 0)
    seen.table.deal()
    assert waiting.answer() == seen.table.look(0)
    assert seen.followers.places == 0


def test_waiting_ends_in_time_without_a_change(seen: Seen) -> None:
    assert for_a_view(seen, None, 0.02).answer() == seen.table.look(None)


def test_waiting_ends_when_the_server_stops(seen: Seen) -> None:
    waiting = for_a_view(seen, 0)
    seen.streams.drain()
    assert waiting.answer() == seen.table.look(0)


def test_waiting_ends_with_the_token(seen: Seen) -> None:
    waiting = for_a_view(seen, 1)
    seen.table.games.renew_token(seen.table.game_id, seen.table.ask(1))
    assert waiting.answer() == "token_invalid"


def test_a_change_before_the_waiting_began_is_not_missed(seen: Seen) -> None:
    before = seen.table.look(0)
    seen.table.deal()
    sight = seen.streams.wait(seen.table.game_id, seen.caller(0), before.etag.__eq__, PATIENCE)
    assert sight.view() == seen.table.look(0)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_waiting_for_events_ends_with_the_next_commit(seen: Seen, seat: int | None) -> None:
    before = seen.table.record.version
    waiting = for_events(seen, seat)
    seen.table.deal()
    page = waiting.answer()
    assert page == page_after(seen, before, seat)
    assert isinstance(page, EventPage)
    assert [logged.event.type for logged in page.events] == ["dealt"]
    assert page.view == seen.table.look(seat)
    assert seen.followers.places == 0


@pytest.mark.parametrize("after", [0, 1, 99])
def test_who_knows_another_version_is_not_held(seen: Seen, after: int) -> None:
    page = for_events(seen, 0, after=after).answer()
    assert page == page_after(seen, after, 0)


def test_waiting_for_events_ends_in_time_without_one(seen: Seen) -> None:
    page = for_events(seen, None, 0.02).answer()
    assert isinstance(page, EventPage)
    assert (page.events, page.version) == ((), 2)
    assert page.view == seen.table.look(None)


def test_waiting_for_events_ends_when_the_server_stops(seen: Seen) -> None:
    waiting = for_events(seen, 0)
    seen.streams.drain()
    page = waiting.answer()
    assert isinstance(page, EventPage)
    assert page.events == ()


def test_waiting_for_events_ends_with_the_token(seen: Seen) -> None:
    waiting = for_events(seen, 1)
    seen.table.games.renew_token(seen.table.game_id, seen.table.ask(1))
    assert waiting.answer() == "token_invalid"


def test_a_page_that_does_not_lead_to_the_version_has_no_view(seen: Seen) -> None:
    seen.table.deal()
    asked = (seen.table.game_id, seen.caller(0))
    first = seen.table.games.events(*asked, 0, 2, with_view=True)
    second = seen.table.games.events(*asked, 2, 2, with_view=True)
    assert (first.version, first.view) == (3, None)
    assert second.view == seen.table.look(0)
