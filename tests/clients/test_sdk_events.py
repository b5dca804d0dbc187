"""A game is followed event by event, each once and in order, whatever the network does."""

from collections.abc import Iterable
from itertools import count

import pytest

from oklahoma_gin import (
    Client,
    Event,
    EventStream,
    GameNotFound,
    MalformedRequest,
    Problem,
    Seat,
    Snapshot,
    StoreUnavailable,
    TokenInvalid,
    TransportError,
    UnexpectedAnswerError,
)
from oklahoma_gin._place import Viewer
from tests.clients.http_stub import Reply, Streamed, Stub
from tests.clients.samples import (
    GAME_ID,
    TOKEN,
    event_json,
    frame,
    last_event_json,
    page_json,
    problem_json,
    snapshot_json,
    view_json,
)

HELLO = b"retry: 1000\n\n"
OVER = Reply(200, view_json(20))
ON = Reply(200, view_json(17, result=None))
NOT_HERE = Reply(404, problem_json("not_found", 404))


def stream(*shown: dict[str, object], ending: str = "cut") -> Streamed:
    """A connection that tells these objects, each in a piece of its own."""
    return Streamed(pieces=(HELLO, *map(frame, shown)), ending=ending)  # type: ignore[arg-type]


def last_page(version: int) -> Reply:
    return Reply(200, page_json(version, last_event_json(version)))


def told(events: Iterable[Event | Snapshot]) -> list[tuple[str, int]]:
    return [(event.type, event.version) for event in events]


def paths(stub: Stub) -> list[str]:
    return [asked.target.removeprefix(f"/v1/games/{GAME_ID}") for asked in stub.asked]


def test_events_are_told_until_the_game_ends(stub: Stub, seat: Seat) -> None:
    drew = event_json(18, card="TD", source="stock", seat=0)
    stub.will_answer(stream(drew, event_json(19, "discarded"), last_event_json(20), ending="hold"))
    stub.will_answer(last_page(20))
    first, *rest = seat.events()
    assert isinstance(first, Event)
    assert (first.card, first.source, first.seat) == ("TD", "stock", 0)
    assert told(rest) == [("discarded", 19), ("knocked", 20)]
    assert paths(stub) == ["/stream?after=17", "/events?after=19&limit=100"]
    (asked, _) = stub.asked
    assert asked.headers["Authorization"] == f"Bearer {TOKEN}"
    assert asked.headers["Accept"] == "text/event-stream"
    assert asked.headers["Accept-Encoding"] == "identity"


def test_what_was_logged_after_the_end_is_told_too(stub: Stub, seat: Seat) -> None:
    stub.will_answer(stream(last_event_json(18)))
    stub.will_answer(
        Reply(200, page_json(19, last_event_json(18), event_json(19, "rematched"))),
        Reply(200, page_json(19, event_json(19, "rematched"))),
    )
    assert told(seat.events()) == [("knocked", 18), ("rematched", 19)]


def test_a_cut_stream_is_resumed_after_the_last_event(
    stub: Stub, seat: Seat, pauses: list[float]
) -> None:
    half = frame(event_json(19))[:20]
    stub.will_answer(Streamed(pieces=(HELLO, frame(event_json(18)), half), ending="cut"))
    stub.will_answer(stream(event_json(19), last_event_json(20)), last_page(20))
    assert told(seat.events()) == [("drew", 18), ("drew", 19), ("knocked", 20)]
    assert paths(stub)[:2] == ["/stream?after=17", "/stream"]
    assert stub.asked[1].headers["Last-Event-ID"] == "18-4c1d2e3f"
    assert pauses == [1.0]


def test_what_has_been_seen_is_dropped(stub: Stub, seat: Seat) -> None:
    again = [event_json(version) for version in range(15, 20)]
    stub.will_answer(stream(*again), stream(*again, last_event_json(20)), last_page(20))
    assert told(seat.events()) == [("drew", 18), ("drew", 19), ("knocked", 20)]


def test_a_snapshot_is_told_with_its_view_and_followed_on_from(stub: Stub, seat: Seat) -> None:
    stub.will_answer(stream(snapshot_json(40)), stream(event_json(41), last_event_json(42)))
    stub.will_answer(last_page(42))
    snapshot, *rest = seat.events()
    assert isinstance(snapshot, Snapshot)
    assert (snapshot.version, snapshot.game.version) == (40, 40)
    assert told(rest) == [("drew", 41), ("knocked", 42)]
    assert stub.asked[1].headers["Last-Event-ID"] == "40-4c1d2e3f"


def test_a_snapshot_of_another_history_may_lead_back(stub: Stub, seat: Seat) -> None:
    stub.will_answer(stream(snapshot_json(5), event_json(6), last_event_json(7)), last_page(7))
    assert told(seat.events()) == [("snapshot", 5), ("drew", 6), ("knocked", 7)]


def test_a_gap_is_filled_from_the_log(stub: Stub, seat: Seat) -> None:
    stub.will_answer(stream(event_json(20), last_event_json(21)))
    stub.will_answer(
        Reply(200, page_json(20, event_json(18), event_json(19), event_json(20))),
        Reply(200, page_json(20, event_json(20))),
        last_page(21),
    )
    assert told(seat.events()) == [("drew", 18), ("drew", 19), ("drew", 20), ("knocked", 21)]


def test_a_server_that_goes_down_is_left_for_another(
    stub: Stub, seat: Seat, pauses: list[float]
) -> None:
    stub.will_answer(stream(event_json(18), {"type": "reconnect"}, ending="end"), ON)
    stub.will_answer(Reply(200, page_json(18, event_json(18))))
    stub.will_answer(stream(last_event_json(19)), last_page(19))
    assert told(seat.events()) == [("drew", 18), ("knocked", 19)]
    assert pauses == [1.0]


def test_retry_sets_the_pause(stub: Stub, seat: Seat, pauses: list[float]) -> None:
    stub.will_answer(Streamed(pieces=(b"retry: 250\n\n",)), stream(last_event_json(18)))
    stub.will_answer(last_page(18))
    assert told(seat.events()) == [("knocked", 18)]
    assert pauses == [0.25]


@pytest.mark.parametrize("empty", [Reply(204), stream(ending="end")])
def test_a_game_that_is_over_and_known_has_no_events(stub: Stub, seat: Seat, empty: Reply) -> None:
    stub.will_answer(empty, OVER, Reply(200, page_json(20)))
    assert told(seat.events(after=20)) == []
    assert paths(stub)[1:] == ["", "/events?after=20&limit=100"]


def rematched(version: int) -> dict[str, object]:
    return event_json(version, "rematched")


def test_who_lingers_is_told_of_the_rematch(stub: Stub, seat: Seat) -> None:
    stub.will_answer(stream(last_event_json(18), rematched(19), ending="hold"), last_page(19))
    assert told(seat.events(linger=60)) == [("knocked", 18), ("rematched", 19)]
    assert paths(stub) == ["/stream?after=17&linger=60", "/events?after=18&limit=100"]


def test_who_lingers_comes_back_after_the_end(stub: Stub, seat: Seat) -> None:
    played = Reply(200, view_json(18, rematch_game_id=None))
    stub.will_answer(stream(last_event_json(18), ending="end"), played)
    stub.will_answer(stream(rematched(19), ending="hold"), last_page(19))
    assert told(seat.events(linger=60)) == [("knocked", 18), ("rematched", 19)]
    assert paths(stub)[-2] == "/stream?linger=60"


def test_lingering_ends_where_there_is_no_more_to_follow(stub: Stub, seat: Seat) -> None:
    played = Reply(200, view_json(20, rematch_game_id=None))
    stub.will_answer(Reply(204), played, Reply(200, page_json(20)))
    assert told(seat.events(after=20, linger=60)) == []


def test_lingering_ends_in_time(stub: Stub) -> None:
    with Client(stub.url, clock=count(0, 60).__next__) as client:
        stub.will_answer(stream(last_event_json(18), ending="hold"), last_page(18))
        assert told(client.events(GAME_ID, after=17, linger=60)) == [("knocked", 18)]


def test_events_may_be_asked_from_the_first(stub: Stub, seat: Seat) -> None:
    stub.will_answer(stream(event_json(1, "created"), last_event_json(2)), last_page(2))
    assert told(seat.events(after=0)) == [("created", 1), ("knocked", 2)]
    assert paths(stub)[0] == "/stream?after=0"


@pytest.mark.parametrize("chunked", [True, False])
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_bytes_may_come_one_by_one_with_any_line_end(
    stub: Stub, seat: Seat, end: str, chunked: bool
) -> None:
    name = "Zoë 🂡\u2028\u2029"
    text = b": hello" + 2 * end.encode()
    text += frame(event_json(18, "joined", name=name), end) + frame(last_event_json(19), end)
    pieces = tuple(text[at : at + 1] for at in range(len(text)))
    stub.will_answer(Streamed(pieces=pieces, chunked=chunked, ending="hold"), last_page(19))
    joined, _ = seat.events()
    assert isinstance(joined, Event)
    assert joined.name == name


def test_a_spectator_begins_with_the_game_as_it_stands(stub: Stub, client: Client) -> None:
    stub.will_answer(Reply(200, view_json(30, result=None, you=None)))
    stub.will_answer(stream(last_event_json(31)), last_page(31))
    assert told(client.events(GAME_ID, invite="a b")) == [("snapshot", 30), ("knocked", 31)]
    assert paths(stub)[:2] == ["?invite=a+b", "/stream?invite=a+b&after=30"]
    assert all("Authorization" not in asked.headers for asked in stub.asked)


def test_a_spectator_of_a_finished_game_is_shown_it_and_no_more(stub: Stub, client: Client) -> None:
    stub.will_answer(OVER, Reply(200, page_json(20)))
    assert told(client.events(GAME_ID)) == [("snapshot", 20)]


def test_a_renewed_token_is_sent_from_then_on(stub: Stub, seat: Seat) -> None:
    renewed = {"game": view_json(18, result=None), "seat": 0, "token": "okg_other"}
    stub.will_answer(
        stream(event_json(18)), Reply(200, renewed), stream(last_event_json(19)), last_page(19)
    )
    events = seat.events()
    next(events)
    assert seat.renew_token() == "okg_other"
    assert told(events) == [("knocked", 19)]
    assert stub.asked[2].headers["Authorization"] == "Bearer okg_other"


@pytest.mark.parametrize(
    "status, code, kind",
    [(401, "token_invalid", TokenInvalid), (404, "game_not_found", GameNotFound)],
)
def test_a_refusal_ends_it(
    stub: Stub, seat: Seat, status: int, code: str, kind: type[Problem]
) -> None:
    stub.will_answer(stream(event_json(18)), Reply(status, problem_json(code, status)))
    events = seat.events()
    assert next(events).version == 18
    with pytest.raises(kind):
        next(events)


def test_a_request_that_is_wrong_is_not_repeated(stub: Stub, seat: Seat) -> None:
    stub.will_answer(Reply(400, problem_json("malformed_request", 400)))
    with pytest.raises(MalformedRequest):
        next(seat.events())


def test_pauses_double_and_are_bounded_and_a_sign_of_life_ends_that(
    stub: Stub, seat: Seat, pauses: list[float]
) -> None:
    away = Reply(503, problem_json("store_unavailable", 503), {"Retry-After": "2"})
    stub.will_answer(away, Reply(502, b"<html>"), *[Reply(cut=True)] * 4, stream(event_json(18)))
    stub.will_answer(Reply(cut=True), stream(last_event_json(19)), last_page(19))
    assert told(seat.events()) == [("drew", 18), ("knocked", 19)]
    assert pauses == [3.0, 2.0, 4.0, 8.0, 15.0, 15.0, 1.0, 2.0]


def test_pauses_vary(stub: Stub) -> None:
    pauses: list[float] = []
    with Client(stub.url, sleep=pauses.append, jitter=lambda: 0.0) as client:
        stub.will_answer(Reply(cut=True), stream(last_event_json(18)), last_page(18))
        assert told(client.events(GAME_ID, after=17)) == [("knocked", 18)]
    assert pauses == [0.5]


@pytest.mark.parametrize(
    "lost, kind",
    [
        (Reply(cut=True), TransportError),
        (Reply(503, problem_json("store_unavailable", 503)), StoreUnavailable),
    ],
)
def test_it_gives_up_when_nothing_is_reached_for_long(
    stub: Stub, seat: Seat, pauses: list[float], lost: Reply, kind: type[Exception]
) -> None:
    stub.will_answer(*[lost] * 31)
    with pytest.raises(kind):
        next(seat.events())
    assert len(pauses) == 30


@pytest.mark.parametrize("data", ["{", "[]", '{"id": "18-a"}', '{"id": "18-a", "version": "18"}'])
def test_a_frame_that_cannot_be_read_says_what_to_check(stub: Stub, seat: Seat, data: str) -> None:
    stub.will_answer(Streamed(pieces=(f"data: {data}\n\n".encode(),)))
    with pytest.raises(UnexpectedAnswerError, match=r"read as Event .*as new as the service"):
        next(seat.events())


def test_it_can_be_closed_by_another_thread_while_it_waits(stub: Stub, seat: Seat) -> None:
    events = seat.events()
    stub.will_answer(
        Streamed(pieces=(HELLO, frame(event_json(18))), ending="hold", then=events.close)
    )
    assert told(events)[:1] in ([("drew", 18)], [])
    assert list(events) == []


def test_it_ends_when_it_is_closed(stub: Stub, seat: Seat, pauses: list[float]) -> None:
    stub.will_answer(stream(event_json(18), event_json(19), ending="hold"))
    with seat.events() as events:
        for event in events:
            assert event.version == 18
            events.close()
    assert list(events) == []
    assert pauses == []


def test_closed_before_it_began_it_asks_nothing(stub: Stub, seat: Seat) -> None:
    events = seat.events()
    events.close()
    assert list(events) == []
    assert stub.asked == []


def test_a_pause_ends_when_it_is_closed(stub: Stub) -> None:
    with Client(stub.url, jitter=lambda: 1.0) as client:
        events = client.events(GAME_ID, after=17)
        stub.will_answer(Streamed(pieces=(b"retry: 60000\n\n",), then=events.close))
        assert list(events) == []


def silent(client: Client) -> EventStream:
    """Events that wait a tenth of a second for a sign of life."""
    viewer = Viewer(GAME_ID, lambda: TOKEN)
    return EventStream(client._requestor, viewer, 17, silence=0.1)


def test_a_stream_that_falls_silent_is_taken_up_again(
    stub: Stub, client: Client, pauses: list[float]
) -> None:
    stub.will_answer(stream(event_json(18), ending="hold"))
    stub.will_answer(stream(last_event_json(19)), last_page(19))
    assert told(silent(client)) == [("drew", 18), ("knocked", 19)]
    assert pauses == [1.0]


@pytest.mark.parametrize("withheld", [Streamed(ending="hold"), Streamed(ending="hold", mute=True)])
def test_a_proxy_that_keeps_the_stream_back_is_polled_through(
    stub: Stub, client: Client, withheld: Streamed
) -> None:
    stub.will_answer(
        withheld, Reply(200, view_json(18)), last_page(18), last_page(18), last_page(18)
    )
    assert told(silent(client)) == [("knocked", 18)]
    assert paths(stub)[1:3] == ["", "/events?after=17&limit=100"]


def test_a_refusal_that_is_cut_short_is_asked_again(
    stub: Stub, client: Client, pauses: list[float]
) -> None:
    stub.will_answer(Reply(401, problem_json("token_invalid", 401), torn=True))
    stub.will_answer(stream(last_event_json(18)), last_page(18))
    assert told(client.events(GAME_ID, after=17)) == [("knocked", 18)]
    assert pauses == [1.0]
