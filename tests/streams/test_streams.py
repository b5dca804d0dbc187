"""One viewer's stream: where it begins, when it ends and who may have it."""

from dataclasses import replace
from random import Random

import pytest

from service.games.access import Caller
from service.games.stream import Pace, Position, Told
from service.rules.moves import Resign
from tests.games.playing import code_of
from tests.streams.following import Seen, begins_with, heard


@pytest.fixture
def seen() -> Seen:
    return Seen()


def test_without_a_position_a_stream_begins_with_the_game_whole(seen: Seen) -> None:
    first = next(iter(seen.open()))
    assert first is not None
    assert first.events() == ()
    assert first.view() == seen.table.look(0)


def test_a_stream_can_be_resumed_at_every_position(seen: Seen) -> None:
    seen.table.deal()
    seen.table.go_on(Random(1))
    events = seen.table.events()
    last = len(events)
    assert begins_with(seen.open(0, Position(0))) == list(range(1, last + 1))
    for logged in events[:-1]:
        later = list(range(logged.version + 1, last + 1))
        assert begins_with(seen.open(0, Position(logged.version))) == later
        assert begins_with(seen.open(0, Position(logged.version, logged.id))) == later
    assert begins_with(seen.open(0, Position(last))) == []
    assert begins_with(seen.open(0, Position(last, events[-1].id))) == []


@pytest.mark.parametrize(
    "position",
    [
        pytest.param(Position(1), id="older than the log"),
        pytest.param(Position(0), id="before a log that was trimmed"),
        pytest.param(Position(99), id="ahead of the game"),
        pytest.param(Position(4, "4-another"), id="of another history"),
        pytest.param(Position(5, "5-another"), id="the last version of another history"),
    ],
)
def test_a_position_that_leads_nowhere_gets_one_snapshot_and_goes_on(
    seen: Seen, position: Position
) -> None:
    table = seen.table
    table.deal()
    table.go_on(Random(1))
    table.go_on(Random(1))
    del table.events()[:2]
    stream = seen.open(0, position)
    told = iter(stream)
    first = next(told)
    assert first is not None
    assert first.events() == ()
    table.go_on(Random(1))
    later = heard(told, table.record.version)
    assert [logged.version for each in later for logged in each.events()] == [6]


def test_a_quiet_stream_gives_signs_of_life(seen: Seen) -> None:
    told = iter(seen.open(0, Position(seen.table.record.version)))
    assert [next(told), next(told)] == [None, None]


def test_a_stream_ends_after_the_event_that_ends_the_game(seen: Seen) -> None:
    seen.table.deal()
    stream = seen.open()
    told = iter(stream)
    assert next(told)
    seen.table.move(Resign(), 1)
    [*quiet, last] = list(told)
    assert not any(quiet)
    assert last is not None
    assert last.events()[-1].event.game_result
    assert not stream.reconnect


def test_the_stream_of_a_finished_game_tells_what_is_missing_and_ends(seen: Seen) -> None:
    seen.table.deal()
    seen.table.move(Resign(), 1)
    version = seen.table.record.version
    behind, whole = seen.open(0, Position(version - 1)), seen.open()
    assert [len(told.events()) for told in behind if told] == [1]
    assert [len(told.events()) for told in whole if told] == [0]
    assert not behind.exhausted or not behind.reconnect
    done = seen.open(0, Position(version))
    assert done.exhausted
    assert list(done) == []


def finished(seen: Seen) -> None:
    seen.table.deal()
    seen.table.move(Resign(), 1)


def test_a_stream_that_lingers_tells_of_the_rematch_and_ends(seen: Seen) -> None:
    stream = seen.open(1, linger=60.0)
    told = iter(stream)
    assert next(told)
    finished(seen)
    ended = heard(told, seen.table.record.version)[-1]
    assert ended.events()[-1].event.game_result
    assert next(told) is None
    seen.table.games.rematch(seen.table.game_id, seen.table.ask(0))
    [*quiet, last] = list(told)
    assert not any(quiet)
    assert last is not None
    assert last.events()[-1].event.type == "rematched"
    assert last.view().rematch_game_id
    assert not stream.reconnect


def test_a_stream_lingers_no_longer_than_it_was_asked_to(seen: Seen) -> None:
    finished(seen)
    stream = seen.open(0, Position(seen.table.record.version), linger=0.03)
    assert not stream.exhausted
    assert not any(stream)
    assert not stream.reconnect


def test_the_time_to_linger_counts_from_the_last_event(seen: Seen) -> None:
    finished(seen)
    known = Position(seen.table.record.version)
    seen.table.clock.millis += 9_999
    assert not seen.open(0, known, linger=10.0).exhausted
    seen.table.clock.millis += 1
    assert seen.open(0, known, linger=10.0).exhausted


def test_where_no_rematch_can_come_a_stream_does_not_linger(seen: Seen) -> None:
    table = seen.table
    finished(seen)
    table.games.rematch(table.game_id, table.ask(0))
    assert seen.open(0, Position(table.record.version), linger=10.0).exhausted
    cancelled = Seen()
    cancelled.table.games.leave(cancelled.table.game_id, cancelled.table.ask(0))
    assert cancelled.open(1, Position(cancelled.table.record.version), linger=10.0).exhausted


@pytest.mark.parametrize("why", ["its time is over", "the server stops"])
def test_a_stream_that_lingers_asks_to_reconnect(why: str) -> None:
    seen = Seen(pace=Pace(heartbeat=0.01, lasts=0.03))
    finished(seen)
    stream = seen.open(0, Position(seen.table.record.version), linger=60.0)
    if why == "the server stops":
        seen.streams.drain()
    assert not any(stream)
    assert stream.reconnect


def test_a_stream_asks_to_reconnect_after_its_time() -> None:
    seen = Seen(pace=Pace(heartbeat=0.01, lasts=0.03))
    stream = seen.open(0, Position(2))
    assert not any(stream)
    assert stream.reconnect


def test_a_stream_asks_to_reconnect_when_the_server_stops(seen: Seen) -> None:
    stream = seen.open()
    told = iter(stream)
    assert next(told)
    seen.streams.drain()
    assert list(told) == []
    assert stream.reconnect
    assert code_of(seen.open) == "draining"


@pytest.mark.parametrize("how", ["renewed", "left"])
def test_a_stream_ends_with_the_token_that_opened_it(seen: Seen, how: str) -> None:
    stream, other = seen.open(1), seen.open(0)
    told, told_to_other = iter(stream), iter(other)
    assert next(told)
    table = seen.table
    if how == "renewed":
        table.games.renew_token(table.game_id, table.ask(1))
    else:
        table.games.leave(table.game_id, table.ask(1))
    assert not any(told)
    assert not stream.reconnect
    assert code_of(lambda: seen.open(1)) == "token_invalid"
    assert len(heard(told_to_other, table.record.version)) == 2


def test_viewers_with_the_same_eyes_share_what_is_made_for_them(seen: Seen) -> None:
    streams = [iter(seen.open(seat)) for seat in (None, None, 0)]
    for stream in streams:
        next(stream)
    seen.table.deal()
    told: list[Told] = [heard(stream, seen.table.record.version)[-1] for stream in streams]
    made = [each.once("words", object) for each in told]
    assert made[0] is made[1]
    assert made[0] is not made[2]


def test_a_refused_stream_takes_no_place(seen: Seen) -> None:
    assert code_of(lambda: seen.streams.open(seen.table.game_id, Caller("okg_x"))) == (
        "token_invalid"
    )
    assert code_of(lambda: seen.streams.open("nowhere", Caller())) == "game_not_found"
    assert seen.followers.places == 0


def test_following_writes_nothing(seen: Seen) -> None:
    seen.table.deal()
    commits = len(seen.table.store.commits)
    record = replace(seen.table.record)
    for position in (None, Position(0), Position(9)):
        next(iter(seen.open(0, position)))
    seen.streams.wait(seen.table.game_id, seen.caller(0), lambda _etag: True, 0)
    seen.ticket()
    assert len(seen.table.store.commits) == commits
    assert seen.table.record == record
