"""Streams of the real service: two workers, a Redis that restarts, cuts, and a stop."""

import json
import random
import signal
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests

from oklahoma_gin import Client, Seat
from service.api.streaming import SSE
from tests.answers import Frames, seen
from tests.e2e.audit import Follower
from tests.e2e.players import play_out, seat_all
from tests.e2e.service import Service
from tests.servers import StoreServer, client_of
from tests.streams.reading import Message, Reader
from tests.witness import witness, witness_frames

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

PATIENCE = 30
STREAMS = 120
GAMES = 10


class Line:
    """One connection with a stream on it."""

    def __init__(self, url: str, path: str, seat: Seat | None = None, last_id: str = "") -> None:
        self._connection = HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE)
        headers = {"Authorization": f"Bearer {seat.token}"} if seat else {}
        if last_id:
            headers["Last-Event-ID"] = last_id
        self._connection.request("GET", path, headers=headers)
        self.response: HTTPResponse = self._connection.getresponse()
        witness(seen("GET", path, self.response.status, self.response.getheaders(), None))
        self.reader = Reader()
        self._frames = Frames(SSE)

    def messages(self) -> Iterator[Message]:
        while line := self.response.readline():
            witness_frames(self._frames, line)
            yield from self.reader.take(line)

    def until(self, kind: str) -> Message:
        return next(message for message in self.messages() if message.type == kind)

    def close(self) -> None:
        self.response.close()
        self._connection.close()


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreServer]:
    server = StoreServer(tmp_path_factory.mktemp("store"), durability="always").start()
    yield server
    server.close()


@pytest.fixture(scope="module")
def service(redis: StoreServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    directory = tmp_path_factory.mktemp("service")
    with Service(directory, WEB_CONCURRENCY="2", REDIS_URL=redis.url) as running:
        yield running


@pytest.fixture
def seats(service: Service) -> Iterator[list[Seat]]:
    with Client(service.url) as client:
        yield seat_all(client)


def stream_of(seat: Seat, after: int | None = None) -> str:
    return f"/v1/games/{seat.game_id}/stream" + (f"?after={after}" if after is not None else "")


def log_of(seat: Seat) -> list[str]:
    ids: list[str] = []
    while page := seat.events_page(after=len(ids), limit=100).events:
        ids += [event.id for event in page]
    return ids


def followed(url: str, seat: Seat, watching: Seat | None, seed: int) -> list[str]:
    """Return the ids that a viewer gets who is cut off at random and comes back."""
    dice = random.Random(seed)
    ids: list[str] = []
    over = False
    while not over:
        last = ids[-1] if ids else ""
        line = Line(url, stream_of(seat, 0), watching, last)
        for message, _ in zip(line.messages(), range(dice.randint(1, 60)), strict=False):
            assert message.type != "snapshot"
            ids.append(message.id)
            over = "game_result" in message.json
        line.close()
    return ids


def test_streams_through_reconnects_equal_the_log(service: Service, seats: list[Seat]) -> None:
    viewers = [seats[0], seats[1], None, None]
    with ThreadPoolExecutor(len(viewers)) as pool:
        told = [
            pool.submit(followed, service.url, seats[0], viewer, seed)
            for seed, viewer in enumerate(viewers)
        ]
        play_out(seats)
        log = log_of(seats[0])
        assert [each.result(PATIENCE) for each in told] == [log] * len(viewers)


def by_long_polls(seat: Seat) -> list[str]:
    """Return the ids of all events, each page waited for with the view that it leads to."""
    ids: list[str] = []
    over = False
    while not over:
        page = seat.events_page(after=len(ids), limit=100, wait=10, with_view=True)
        ids += [event.id for event in page.events]
        assert (page.game is None) == (len(ids) < page.version)
        if page.game:
            assert page.game.version == len(ids)
            over = page.game.result is not None
    return ids


def test_one_request_a_change_tells_the_whole_log(service: Service, seats: list[Seat]) -> None:
    with Client(service.url) as client, ThreadPoolExecutor(2) as pool:
        others = [client.seat(seat.token) for seat in seats]
        told = [pool.submit(by_long_polls, seat) for seat in others]
        play_out(seats)
        assert [each.result(PATIENCE) for each in told] == [log_of(seats[0])] * 2


def test_a_game_is_watched_from_the_lobby_to_its_rematch(service: Service) -> None:
    with Client(service.url) as client:
        host = client.create_game("Ann", bots=["easy"], deal=True)
        assert [event.type for event in host.opening[:3]] == ["created", "joined", "dealt"]
        [found] = [game for game in client.games_to_watch() if game.game_id == host.game_id]
        assert (found.status, found.title, found.options) == ("playing", "Oklahoma Gin", {})
        with client.events(found.game_id, after=0, linger=60) as events:
            assert next(events).type == "created"
            host.resign()
            told = [next(event for event in events if event.type == "resigned")]
            assert host.game_id not in {game.game_id for game in client.games_to_watch()}
            host.rematch()
            told += events
        assert [event.type for event in told] == ["resigned", "rematched"]


def among_bots(url: str, number: int) -> int:
    """Play a game with three bots while somebody follows it, and return how many events it had."""
    with Client(url) as client:
        preset = ("oklahoma-open", "oklahoma-penalties")[number % 2]
        host = client.create_game("Ann", seats=4, preset=preset, turn_seconds=604_800)
        for bot in range(3):
            host.add_bot(("easy", "medium")[bot % 2])
        log = Follower(host)
        with ThreadPoolExecutor(1) as pool:
            told = pool.submit(followed, url, host, (host, None)[number % 2], number)
            play_out([host], number, log.catch_up)
            log.check()
            assert told.result(PATIENCE) == [event.id for event in log.events]
        return len(log.events)


def test_ten_games_with_bots_are_followed_through_reconnects(service: Service) -> None:
    with ThreadPoolExecutor(GAMES) as pool:
        assert all(pool.map(among_bots, [service.url] * GAMES, range(GAMES)))


def test_connections_to_redis_grow_with_workers_and_not_with_streams(
    service: Service, redis: StoreServer, seats: list[Seat]
) -> None:
    with client_of(redis.url) as client:
        lines = [Line(service.url, stream_of(seats[0], 0)) for _ in range(STREAMS)]
        listening = client.client_list(_type="pubsub")
        assert 0 < len(listening) <= 2
        assert len(client.client_list()) < STREAMS / 4
        seats[1].deal()
        assert Counter(line.until("dealt").id for line in lines).most_common()[0][1] == STREAMS
        for line in lines:
            line.close()


def test_a_redis_that_restarts_costs_no_event(
    service: Service, redis: StoreServer, seats: list[Seat]
) -> None:
    lines = [Line(service.url, stream_of(seats[0], 0)) for _ in range(6)]
    for line in lines:
        line.until("joined")
    redis.kill()
    redis.start()
    seats[1].deal()
    assert len({line.until("dealt").id for line in lines}) == 1
    for line in lines:
        line.close()


def test_waiting_requests_are_answered_by_both_workers(service: Service, seats: list[Seat]) -> None:
    path = f"{service.url}/v1/games/{seats[0].game_id}"
    headers = {"Authorization": f"Bearer {seats[0].token}"}
    etag = requests.get(path, headers=headers, timeout=PATIENCE).headers["ETag"]

    def wait(_: int) -> requests.Response:
        asked = {**headers, "If-None-Match": etag}
        return requests.get(f"{path}?wait=25", headers=asked, timeout=PATIENCE)

    with ThreadPoolExecutor(8) as pool:
        answers = [pool.submit(wait, number) for number in range(8)]
        line = Line(service.url, stream_of(seats[0], 0))
        line.until("joined")
        seats[1].deal()
        bodies = {answer.result(PATIENCE).text for answer in answers}
        assert [json.loads(body)["version"] for body in bodies] == [3]
        line.close()


@pytest.fixture(scope="module")
def small(redis: StoreServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with Service(
        tmp_path_factory.mktemp("small"),
        WEB_CONCURRENCY="1",
        REDIS_URL=redis.url,
        STREAM_SECONDS="1",
        MAX_STREAMS="2",
    ) as running:
        yield running


def test_a_stream_asks_to_reconnect_after_its_time_and_nobody_else_finds_a_place(
    small: Service,
) -> None:
    with Client(small.url) as client:
        seat = client.create_game("Ann")
        lines = [Line(small.url, stream_of(seat, 0)) for _ in range(2)]
        refused = requests.get(f"{small.url}{stream_of(seat)}", timeout=PATIENCE)
        assert (refused.status_code, refused.json()["code"]) == (503, "too_many_streams")
        assert refused.headers["Retry-After"] == "1"
        for line in lines:
            assert [message.type for message in line.messages()] == ["created", "reconnect"]
            line.close()
        again = Line(small.url, stream_of(seat))
        assert again.until("snapshot").json["game"]["game_id"] == seat.game_id
        again.close()


def test_a_stop_ends_streams_and_waiting_requests_before_anything_else(
    redis: StoreServer, tmp_path: Path
) -> None:
    with Service(tmp_path, WEB_CONCURRENCY="2", REDIS_URL=redis.url) as stopping:
        with Client(stopping.url) as client:
            seat = client.create_game("Ann")
        lines = [Line(stopping.url, stream_of(seat, 0)) for _ in range(10)]
        path = f"/v1/games/{seat.game_id}"
        etag = requests.get(stopping.url + path, timeout=PATIENCE).headers["ETag"]
        with ThreadPoolExecutor(1) as pool:
            held = pool.submit(
                requests.get,
                f"{stopping.url}{path}?wait=25",
                headers={"If-None-Match": etag, "Connection": "close"},
                timeout=PATIENCE,
            )
            for line in lines:
                line.until("created")
            assert stopping.process is not None
            stopping.process.send_signal(signal.SIGTERM)
            for line in lines:
                assert [message.type for message in line.messages()] == ["reconnect"]
                line.close()
            assert held.result(PATIENCE).status_code == 304
        assert stopping.process.wait(PATIENCE) == 0
        assert "graceful timeout" not in stopping.log
