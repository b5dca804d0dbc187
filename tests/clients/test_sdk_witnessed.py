"""What the SDK's tests are told is what the contract has, and what it gets of a service is seen."""

from collections.abc import Iterator

import pytest
import requests

from oklahoma_gin import Client
from tests.answers import FRAME, PROBLEM, SNAPSHOT, schema_faults
from tests.clients.http_stub import Reply, Streamed, Stub
from tests.clients.samples import (
    GAME_ID,
    event_json,
    frame,
    last_event_json,
    moved_json,
    page_json,
    problem_json,
    snapshot_json,
    view_json,
)
from tests.witness import taken, unwatch, watch

SAMPLES = {
    "/components/schemas/Game": view_json(),
    "/components/schemas/EventPage": page_json(18, event_json(17), last_event_json(18)),
    "/components/schemas/Moved": moved_json(18, event_json(18)),
    FRAME: event_json(3, "drew", source="stock", card="7S"),
    SNAPSHOT: snapshot_json(3),
    PROBLEM: problem_json("stale_version", 412),
}


@pytest.mark.parametrize("pointer", SAMPLES)
def test_the_samples_are_of_the_contract(pointer: str) -> None:
    assert list(schema_faults(pointer, SAMPLES[pointer])) == []


@pytest.fixture
def watched(stub: Stub) -> Iterator[Stub]:
    watch(stub.url)
    yield stub
    unwatch(stub.url)


@pytest.mark.plants_answers
def test_an_answer_that_the_sdk_gets_is_seen(watched: Stub, client: Client) -> None:
    watched.will_answer(Reply(200, view_json(), {"Content-Type": "application/json"}))
    assert client.view(GAME_ID).version == 17
    assert taken() == [f"GET /v1/games/{GAME_ID} answered 200: it has no X-Request-Id"]


@pytest.mark.plants_answers
def test_a_stream_that_the_sdk_follows_is_seen(watched: Stub, client: Client) -> None:
    bad, last = event_json(18, seat="one"), last_event_json(19)
    watched.will_answer(Streamed(pieces=(frame(event_json(18)), frame(bad), frame(last))))
    with client.events(GAME_ID, after=17) as events, pytest.raises(Exception, match="as Event"):
        list(events)
    found = taken()
    assert found[0].endswith("it has no X-Request-Id")
    assert any(each.startswith("a frame of a stream: seat: ") for each in found)


def test_what_is_not_watched_is_not_seen(stub: Stub) -> None:
    stub.will_answer(Reply(418, {}))
    requests.get(stub.url, timeout=5)
    assert taken() == []
