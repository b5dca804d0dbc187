"""Answers outside the contract are found, whichever way a test gets them."""

import json
from typing import Any

import pytest
from flask import Response

from service.api.answers import PROBLEM_JSON
from service.api.streaming import NDJSON, SSE
from tests.answers import Frames, Seen, faults, frame_faults, seen
from tests.api.client import Table, client_over
from tests.clients.samples import event_json, page_json, problem_json, snapshot_json, view_json
from tests.witness import taken

GAME = "/v1/games/b7Qm3xT9uKcW2_zA"
ID = ("X-Request-Id", "a-request")

pytestmark = pytest.mark.plants_answers


def an_answer(
    target: str = GAME,
    status: int = 200,
    body: Any = None,
    *headers: tuple[str, str],
    method: str = "GET",
    media: str = "application/json",
) -> Seen:
    content = b"" if body is None else json.dumps(body).encode()
    return seen(method, target, status, [ID, ("Content-Type", media), *headers], content)


def a_problem(code: str, status: int, *headers: tuple[str, str]) -> Seen:
    return an_answer(GAME, status, problem_json(code, status), *headers, media=PROBLEM_JSON)


SOUND = [
    an_answer(body=view_json()),
    an_answer("/v1/games/x%2Fy", 404, problem_json("not_found", 404), media=PROBLEM_JSON),
    an_answer(GAME, 304, None, ("ETag", '"17-9f3c1a2b.0"')),
    an_answer(f"{GAME}/events?after=1", 200, page_json(18, event_json(18))),
    an_answer(GAME, 200, None, method="HEAD"),
    an_answer("/v1/games", 204, None, method="OPTIONS"),
    a_problem("token_invalid", 401, ("WWW-Authenticate", "Bearer")),
    a_problem("store_unavailable", 503, ("Retry-After", "1")),
    seen("GET", "/v1/games\x00", 400, [("Content-Type", "text/html")], b"<h1>Bad Request</h1>"),
]


def test_sound_answers_pass() -> None:
    assert [fault for answer in SOUND for fault in faults(answer)] == []


BAD = {
    "the contract has only": an_answer(GAME, 418, {}),
    "it has no X-Request-Id": seen(
        "GET", GAME, 200, [("Content-Type", "application/json")], json.dumps(view_json()).encode()
    ),
    "it has no Retry-After": a_problem("store_unavailable", 503),
    "it has no WWW-Authenticate": a_problem("token_invalid", 401),
    "its type is 'text/plain'": an_answer(body=view_json(), media="text/plain"),
    'version: "seventeen" is not of type': an_answer(body={**view_json(), "version": "seventeen"}),
    "Additional properties": an_answer(body=view_json(deck=[])),
    "is a required property": an_answer(body={}),
    "its body is no JSON": seen("GET", GAME, 200, [ID, ("Content-Type", "application/json")], b"{"),
    "the contract names no 'over_the_moon'": a_problem("over_the_moon", 404),
    "it has a body": an_answer(body=view_json(), method="HEAD"),
    "neither 404 nor 405": an_answer("/v1/nowhere", 200, {}),
}


@pytest.mark.parametrize("fault", BAD)
def test_an_answer_outside_the_contract_is_found(fault: str) -> None:
    assert any(fault in each for each in faults(BAD[fault]))


SOUND_FRAMES: list[dict[str, object]] = [event_json(3), snapshot_json(3), {"type": "reconnect"}]


@pytest.mark.parametrize("media", [SSE, NDJSON])
def test_the_objects_of_a_stream_are_read_however_it_is_cut(media: str) -> None:
    def written(shown: dict[str, object]) -> bytes:
        place = f"id: {shown['id']}\n" if "id" in shown else ""
        line = json.dumps(shown)
        sse = f"{place}event: {shown['type']}\ndata: {line}\n\n:\n\n"
        return (sse if media == SSE else f"{line}\n\n").encode()

    sound = b"".join(map(written, SOUND_FRAMES))
    bad = written(event_json(4, card=9)) + written({"type": "snapshot", "version": 4})
    for size in (1, 7, 10_000):
        frames = Frames(media)
        whole = sound + bad
        told = [
            list(frames.take(whole[start : start + size])) for start in range(0, len(whole), size)
        ]
        found = [fault for faults_of_chunk in told for fault in faults_of_chunk]
        assert any(fault.startswith("card: 9 is not of type") for fault in found)
        assert any("required property" in fault for fault in found)
        assert not any(list(frame_faults(shown)) for shown in SOUND_FRAMES)


def test_a_frame_that_is_named_otherwise_is_found() -> None:
    event = event_json(3)
    text = f"id: 9-4c1d2e3f\nevent: drew\ndata: {json.dumps(event)}\n\n"
    [fault] = Frames(SSE).take(text.encode())
    assert fault.startswith("event drew 9-4c1d2e3f holds another")


def test_the_test_client_is_watched() -> None:
    table = Table(client_over())
    assert taken() == []
    table.client.app.after_request_funcs[None].insert(0, _without_its_id)  # it runs last
    table.view()
    assert taken() == [f"GET {table.path} answered 200: it has no X-Request-Id"]


def _without_its_id(response: Response) -> Response:
    del response.headers["X-Request-Id"]
    return response


def test_a_stream_of_the_test_client_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(client_over())
    bad = b'event: drew\ndata: {"type": "drew"}\n\n'
    monkeypatch.setattr("service.api.resources.streams.StreamBody", lambda *_, **__: iter([bad]))
    response = table.client.get(f"{table.path}/stream")
    assert taken() == []
    response.get_data()
    response.close()
    assert any(each.startswith("a frame of a stream: ") for each in taken())
