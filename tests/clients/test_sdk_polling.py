"""Where no stream can be had, the same events come by long-polls."""

import pytest

from oklahoma_gin import Client, GameNotFound, Seat, Snapshot, TokenInvalid
from tests.clients.http_stub import Reply, Streamed, Stub
from tests.clients.samples import (
    GAME_ID,
    event_json,
    frame,
    last_event_json,
    page_json,
    problem_json,
    view_json,
)
from tests.clients.test_sdk_events import paths, told

NO_STREAM = Reply(404, problem_json("not_found", 404))
UNCHANGED = Reply(304)


def view(version: int) -> Reply:
    return Reply(200, view_json(version, result=None))


def over(version: int) -> Reply:
    return Reply(200, view_json(version))


def page(*events: dict[str, object], version: int, first_version: int = 1) -> Reply:
    return Reply(200, page_json(version, *events, first_version=first_version))


@pytest.mark.parametrize(
    "refusal",
    [
        NO_STREAM,
        Reply(404, b"<html>"),
        Reply(405, problem_json("method_not_allowed", 405)),
        Reply(406, problem_json("not_acceptable", 406)),
        Reply(501, b""),
        Reply(200, b"<html>", {"Content-Type": "text/html"}),
    ],
)
def test_events_come_by_long_polls(stub: Stub, seat: Seat, refusal: Reply) -> None:
    eighteen, last = event_json(18), last_event_json(19)
    stub.will_answer(refusal, view(17), UNCHANGED)
    stub.will_answer(view(18), page(eighteen, version=18), page(eighteen, version=18))
    stub.will_answer(over(19), page(eighteen, last, version=19), page(last, version=19))
    stub.will_answer(page(last, version=19))
    assert told(seat.events()) == [("drew", 18), ("knocked", 19)]
    assert paths(stub) == [
        "/stream?after=17",
        "",
        "?wait=25",
        "?wait=25",
        "/events?after=17&limit=100",
        "/events?after=17&limit=100",
        "?wait=25",
        "/events?after=17&limit=100",
        "/events?after=18&limit=100",
        "/events?after=18&limit=100",
    ]
    assert "If-None-Match" not in stub.asked[1].headers
    assert stub.asked[3].headers["If-None-Match"] == '"17-9f3c1a2b.0"'


def test_an_unchanged_poll_is_not_followed_at_once(
    stub: Stub, seat: Seat, pauses: list[float]
) -> None:
    stub.will_answer(NO_STREAM, view(17), UNCHANGED, UNCHANGED, over(17))
    stub.will_answer(page(version=17))
    assert told(seat.events()) == []
    assert pauses == [0.2, 0.2, 0.2, 0.2]


def test_a_server_with_too_many_streams_is_polled_and_asked_again(stub: Stub, seat: Seat) -> None:
    full = Reply(503, problem_json("too_many_streams", 503), {"Retry-After": "9"})
    eighteen, last = event_json(18), last_event_json(19)
    stub.will_answer(full, view(18), page(eighteen, version=18), page(eighteen, version=18))
    stub.will_answer(Streamed(pieces=(frame(last),)), page(last, version=19))
    assert told(seat.events()) == [("drew", 18), ("knocked", 19)]
    assert paths(stub)[-2] == "/stream"


def test_a_log_that_has_forgotten_the_place_gives_a_snapshot(stub: Stub, seat: Seat) -> None:
    stub.will_answer(NO_STREAM, view(1200), page(event_json(201), version=1200, first_version=201))
    stub.will_answer(view(1200), page(version=1200, first_version=201))
    stub.will_answer(over(1201), page(last_event_json(1201), version=1201))
    stub.will_answer(*[page(last_event_json(1201), version=1201)] * 2)
    snapshot, last = seat.events()
    assert isinstance(snapshot, Snapshot)
    assert (snapshot.type, snapshot.version, last.version) == ("snapshot", 1200, 1201)


def test_another_history_is_noticed_by_the_events_id(stub: Stub, seat: Seat) -> None:
    lost = event_json(18)
    other = event_json(18, "discarded", id="18-00000000")
    last = last_event_json(19)
    stub.will_answer(NO_STREAM, view(18), page(lost, version=18), page(lost, version=18))
    stub.will_answer(view(19), page(other, last, version=19))
    stub.will_answer(over(19), page(version=19), page(version=19))
    assert told(seat.events()) == [("drew", 18), ("snapshot", 19)]


def test_a_history_that_was_cut_short_gives_a_snapshot(stub: Stub, client: Client) -> None:
    stub.will_answer(NO_STREAM, view(5), page(version=5), view(5), page(version=5))
    stub.will_answer(over(5), page(version=5))
    assert told(client.events(GAME_ID, after=9)) == [("snapshot", 5)]


@pytest.mark.parametrize(
    "status, code, kind",
    [(401, "token_invalid", TokenInvalid), (404, "game_not_found", GameNotFound)],
)
def test_a_refused_poll_ends_it(
    stub: Stub, seat: Seat, status: int, code: str, kind: type[Exception]
) -> None:
    stub.will_answer(NO_STREAM, Reply(status, problem_json(code, status)))
    with pytest.raises(kind):
        next(seat.events())


def test_a_poll_that_is_lost_is_asked_again(stub: Stub, seat: Seat) -> None:
    away = [Reply(503, problem_json("store_unavailable", 503))] * 4
    stub.will_answer(NO_STREAM, *away, over(17), page(version=17))
    assert told(seat.events()) == []


def test_who_lingers_polls_no_longer_than_that_for_the_rematch(stub: Stub) -> None:
    ended, rematched = last_event_json(18), event_json(19, "rematched")
    played = Reply(200, view_json(18, rematch_game_id=None))
    stub.will_answer(NO_STREAM, played, page(ended, version=18), page(ended, version=18))
    stub.will_answer(Reply(200, view_json(19, rematch_game_id="g2")))
    stub.will_answer(page(ended, rematched, version=19), *[page(rematched, version=19)] * 2)
    with Client(stub.url, sleep=lambda _seconds: None, clock=lambda: 5.0) as client:
        events = client.events(GAME_ID, after=17, linger=7)
        assert told(events) == [("knocked", 18), ("rematched", 19)]
    assert [path for path in paths(stub) if "wait" in path] == ["?wait=7"]
