"""Streams over HTTP: which kind is sent, with what headers, and what is refused."""

import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from werkzeug.test import TestResponse

from service.api.factory import create_app
from service.api.log import Log as ServiceLog
from service.api.metrics import Metrics
from service.api.services import Services
from service.api.streaming import NDJSON, SSE
from service.games.stream import Pace
from tests.api.client import Client, Log, Table
from tests.games.table import games_over
from tests.streams.following import MemoryFeed, PublishingStore, followers_over, streams_over
from tests.streams.reading import Message, messages


class House:
    """An app over a store in memory, whose streams last no longer than they are told."""

    def __init__(
        self, *, lasts: float = 0.0, most: int = 10, metrics: Metrics | None = None
    ) -> None:
        feed = MemoryFeed()
        games = games_over(PublishingStore(feed))
        self.log = Log()
        self.followers = followers_over(games._store, feed, most)
        self.streams = streams_over(games, self.followers, Pace(0.01, lasts))
        services = Services(
            games,
            ServiceLog("info", self.log.stream),
            self.streams,
            sandbox=True,
            metrics=metrics or Metrics(),
        )
        self.client = Client(create_app(services))
        self.table = Table(self.client)

    @property
    def path(self) -> str:
        return f"{self.table.path}/stream"


@pytest.fixture
def house() -> House:
    return House()


def read(response: TestResponse) -> list[Message]:
    assert response.status_code == 200, response.get_data(as_text=True)
    told = messages([response.get_data()])
    response.close()
    return told


def test_a_stream_is_sent_as_events(house: House) -> None:
    response = house.client.get(house.path, token=house.table.tokens[0])
    assert response.mimetype == SSE
    assert response.headers["Cache-Control"] == "private, no-cache, no-transform"
    assert response.headers["X-Accel-Buffering"] == "no"
    assert "Content-Length" not in response.headers
    snapshot, reconnect = read(response)
    assert snapshot.type == "snapshot"
    assert snapshot.id == snapshot.json["id"]
    assert snapshot.json["game"] == house.table.view(0)
    assert (reconnect.type, reconnect.id) == ("reconnect", snapshot.id)


@pytest.mark.parametrize(
    "accept, media",
    [
        ("text/event-stream", SSE),
        ("application/x-ndjson", NDJSON),
        ("application/x-ndjson, text/event-stream;q=0.5", NDJSON),
        ("application/x-ndjson; charset=utf-8, text/event-stream;q=0.5", NDJSON),
        ("text/event-stream; charset=utf-8", SSE),
        ("*/*", SSE),
        ("application/*", NDJSON),
    ],
)
def test_accept_chooses_the_kind(house: House, accept: str, media: str) -> None:
    assert house.client.get(house.path, headers={"Accept": accept}).mimetype == media


def test_what_is_neither_is_not_acceptable(house: House) -> None:
    response = house.client.get(house.path, headers={"Accept": "application/json"})
    assert response.status_code == 406


def test_lines_hold_the_same_objects(house: House) -> None:
    sse = read(house.client.get(f"{house.path}?after=0&include=view"))
    headers = {"Accept": NDJSON}
    lines = house.client.get(f"{house.path}?after=0&include=view", headers=headers)
    first, *rest = [json.loads(line) for line in lines.get_data().splitlines() if line]
    assert first["type"] == "snapshot"
    assert rest == [message.json for message in sse]


def test_the_view_comes_with_the_last_event_of_a_commit(house: House) -> None:
    told = read(house.client.get(f"{house.path}?after=0&include=view"))
    assert [(each.type, "game" in each.json) for each in told] == [
        ("created", False),
        ("joined", True),
        ("reconnect", False),
    ]
    assert told[1].json["game"] == house.table.view(None)


def test_events_are_those_of_the_log(house: House) -> None:
    house.table.move(0, "deal")
    for seat in (0, 1, None):
        token = None if seat is None else house.table.tokens[seat]
        told = read(house.client.get(f"{house.path}?after=0", token=token))
        log = house.client.get(f"{house.table.path}/events?limit=100", token=token).get_json()
        assert [each.json for each in told[:-1]] == log["events"]


def test_last_event_id_comes_before_after(house: House) -> None:
    log = house.client.get(f"{house.table.path}/events").get_json()["events"]
    headers = {"Last-Event-ID": log[0]["id"]}
    told = read(house.client.get(f"{house.path}?after=2", headers=headers))
    assert [each.type for each in told] == ["joined", "reconnect"]
    again = read(house.client.get(f"{house.path}?after={log[0]['id']}"))
    assert [each.type for each in again] == ["joined", "reconnect"]


@pytest.mark.parametrize(
    "query, headers",
    [
        ("?after=x", {}),
        ("?after=-1", {}),
        ("?after=1&after=2", {}),
        ("?include=everything", {}),
        ("?after=99999999999999999", {}),
        ("", {"Last-Event-ID": "x"}),
    ],
)
def test_a_bad_position_is_malformed(house: House, query: str, headers: dict[str, str]) -> None:
    response = house.client.get(f"{house.path}{query}", headers=headers)
    assert (response.status_code, response.get_json()["code"]) == (400, "malformed_request")


def test_a_reader_who_knows_all_of_a_finished_game_is_told_to_stop(house: House) -> None:
    house.table.move(0, "deal")
    house.table.move(1, "resign")
    told = read(house.client.get(f"{house.path}?after=0"))
    assert told[-1].type == "resigned"
    last = told[-1].id
    stops = [
        house.client.get(house.path, headers={"Last-Event-ID": last}),
        house.client.get(f"{house.path}?after={last}"),
        house.client.get(f"{house.path}?after={told[-1].json['version']}"),
    ]
    assert [(stop.status_code, stop.get_data()) for stop in stops] == [(204, b"")] * 3
    assert house.followers.places == 0


def test_who_lingers_is_told_to_stop_after_the_rematch(house: House) -> None:
    house.table.move(0, "deal")
    house.table.move(1, "resign")
    path = f"{house.path}?after={house.table.view()['version']}&linger=600"
    assert [each.type for each in read(house.client.get(path))] == ["reconnect"]
    house.table.move(1, "rematch")
    [rematched] = read(house.client.get(path))
    assert rematched.type == "rematched"
    assert house.client.get(path, headers={"Last-Event-ID": rematched.id}).status_code == 204


@pytest.mark.parametrize("linger", ["601", "-1", "x"])
def test_the_time_to_linger_is_bounded(house: House, linger: str) -> None:
    assert house.client.get(f"{house.path}?linger={linger}").status_code == 400


def test_a_head_takes_no_place(house: House) -> None:
    house.client.send("HEAD", house.path).close()
    assert house.followers.places == 0


def open_stream(house: House, **words: Any) -> tuple[TestResponse, Iterator[bytes]]:
    """Return a stream that is read as it comes."""
    response = house.client.app.test_client().get(house.path, buffered=False, **words)
    return response, response.iter_encoded()


def test_a_stream_is_live_and_closing_it_gives_its_place_up() -> None:
    house = House(lasts=60.0)
    response, chunks = open_stream(house)
    assert next(chunks) == b"retry: 1000\n\n"
    assert b"event: snapshot\n" in next(chunks)
    house.table.move(0, "deal")
    told = b""
    while b"event: dealt\n" not in told:
        told += next(chunks)
    assert house.followers.places == 1
    response.close()
    assert house.followers.places == 0


def test_too_many_streams_are_told_to_come_back() -> None:
    house = House(lasts=60.0, most=1)
    response, _ = open_stream(house)
    for path, headers in (
        (house.path, {}),
        (f"{house.table.path}?wait=9", {"If-None-Match": "*"}),
        (f"{house.table.path}/events?after=2&wait=9", {}),
    ):
        refused = house.client.get(path, headers=headers)
        assert (refused.status_code, refused.get_json()["code"]) == (503, "too_many_streams")
        assert int(refused.headers["Retry-After"]) > 0
    response.close()
    assert open_stream(house)[0].status_code == 200


def test_a_stopping_server_starts_no_stream_and_holds_no_request(house: House) -> None:
    house.client.app.extensions["drain"]()
    refused = house.client.get(house.path)
    assert (refused.status_code, refused.get_json()["code"]) == (503, "draining")
    held = house.client.get(f"{house.table.path}?wait=25", headers={"If-None-Match": "*"})
    assert held.status_code == 304
    page = house.client.get(f"{house.table.path}/events?after=2&wait=25")
    assert page.get_json()["events"] == []


def test_a_ticket_replaces_the_token_in_the_address(house: House) -> None:
    token = house.table.tokens[1]
    made = house.client.post(f"{house.table.path}/stream-tickets", token=token).get_json()
    told = read(house.client.get(f"{house.path}?ticket={made['ticket']}"))
    assert told[0].json["game"] == house.table.view(1)
    refused = house.client.get(f"{house.path}?ticket={made['ticket'][:-1]}.")
    assert (refused.status_code, refused.get_json()["code"]) == (401, "token_invalid")
    assert made["ticket"] not in house.log.text()
    assert house.client.get(f"{house.table.path}?ticket={made['ticket']}").get_json()["you"] is None


def test_a_ticket_is_refused_on_a_stale_view(house: House) -> None:
    response = house.client.post(
        f"{house.table.path}/stream-tickets",
        token=house.table.tokens[0],
        headers={"If-Match": '"1-00000000.0"'},
    )
    assert (response.status_code, response.get_json()["code"]) == (412, "stale_version")


def test_waiting_needs_a_tag_that_still_holds(house: House) -> None:
    path, token = f"{house.table.path}?wait=25", house.table.tokens[0]
    assert house.client.get(path, token=token).status_code == 200
    other = house.client.get(path, token=token, headers={"If-None-Match": '"1-00000000.0"'})
    assert other.status_code == 200
    assert other.get_json() == house.table.view(0)


@pytest.mark.parametrize("wait", ["26", "-1", "1.5", "x"])
def test_the_time_to_wait_is_bounded(house: House, wait: str) -> None:
    assert house.client.get(f"{house.table.path}?wait={wait}").status_code == 400


@pytest.mark.parametrize("gone", [True, False])
def test_a_reader_who_hung_up_is_noticed_where_it_is_quiet(gone: bool) -> None:
    house = House(lasts=0.05)
    here, there = socket.socketpair()
    with here, there:
        if gone:
            there.close()
        environ = {"gunicorn.socket": here}
        told = house.client.app.test_client().get(house.path, environ_overrides=environ)
        assert (b"event: reconnect" in told.get_data()) != gone


def test_a_stream_is_logged_as_a_request(house: House) -> None:
    house.client.get(house.path, headers={"X-Request-Id": "followed-1"})
    [line] = [line for line in house.log.text().splitlines() if "followed-1" in line]
    assert json.loads(line)["operation"] == "streamGame"
    assert json.loads(line)["game_id"] == house.table.game_id
