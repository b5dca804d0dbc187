import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError

from service.games.ports import Applied, Replayed, StoreUnavailable
from service.store.addresses import connector
from service.store.line import Line
from service.store.redis_store import RedisGameStore
from tests.servers import StoreServer
from tests.store.factory import a_creation, a_move
from tests.store.proxy import FaultyProxy

PATIENCE_SECONDS = 5


class Connected:
    """A connection of redis-py as a line needs it."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def _get_socket(self) -> socket.socket:
        return self._end


GREENLETS = """
from gevent import monkey, pool
monkey.patch_all()
import sys
from service.store.redis_store import RedisGameStore
from tests.store.factory import a_creation, a_move
store = RedisGameStore(sys.argv[1], timeout_seconds=4, pool_size=2)
created = a_creation()
store.commit(created)
outcomes = pool.Pool(20).map(store.commit, [a_move(created.record) for _ in range(20)])
print(sorted(type(outcome).__name__ for outcome in outcomes).count("Applied"))
store.close()
"""


@pytest.fixture
def proxy(store_url: str) -> Iterator[FaultyProxy]:
    with FaultyProxy(Path(store_url.removeprefix("unix://"))) as running:
        yield running


@pytest.fixture
def far_store(proxy: FaultyProxy) -> Iterator[RedisGameStore]:
    """A store behind the proxy, with a connection that is open already."""
    opened = RedisGameStore(proxy.url, timeout_seconds=0.3, pool_size=2)
    opened.results("warm")
    yield opened
    opened.close()


def test_a_commit_whose_reply_was_lost_is_repeated_and_not_doubled(
    store: RedisGameStore, proxy: FaultyProxy, far_store: RedisGameStore
) -> None:
    created = a_creation()
    store.commit(created)
    commit = a_move(created.record)
    proxy.faults.append("cut after")
    assert far_store.commit(commit) == Replayed(commit.operation, commit.record)
    assert store.events(commit.record.game_id, 1, 10).events == commit.events


def test_a_commit_that_never_arrived_is_repeated(
    store: RedisGameStore, proxy: FaultyProxy, far_store: RedisGameStore
) -> None:
    created = a_creation()
    proxy.faults.append("cut before")
    assert far_store.commit(created) == Applied()
    assert store.events(created.record.game_id, 0, 10).events == created.events


@pytest.mark.parametrize("fault", ["cut after", "silence"])
def test_whoever_repeats_after_an_unknown_outcome_learns_that_it_was_applied(
    store: RedisGameStore, proxy: FaultyProxy, far_store: RedisGameStore, fault: str
) -> None:
    created = a_creation()
    proxy.faults.extend([fault, fault])  # type: ignore[list-item]
    with pytest.raises(StoreUnavailable):
        far_store.commit(created)
    assert far_store.commit(created) == Replayed(created.operation, created.record)
    assert store.events(created.record.game_id, 0, 10).events == created.events


def test_whoever_repeats_a_commit_that_never_arrived_has_it_applied(
    store: RedisGameStore, proxy: FaultyProxy, far_store: RedisGameStore
) -> None:
    created = a_creation()
    proxy.faults.extend(["cut before", "cut before"])
    with pytest.raises(StoreUnavailable):
        far_store.commit(created)
    assert store.load(created.record.game_id) is None
    assert far_store.commit(created) == Applied()


def test_a_reply_that_comes_too_late_answers_no_later_call(
    proxy: FaultyProxy, far_store: RedisGameStore
) -> None:
    games = [a_creation() for _ in range(3)]
    for created in games:
        far_store.commit(created)
    for created in games:
        proxy.faults.append("silence")
        loaded = far_store.load(created.record.game_id)
        assert loaded is not None
        assert loaded.record == created.record


def test_a_pool_that_is_used_up_says_so(proxy: FaultyProxy) -> None:
    store = RedisGameStore(proxy.url, timeout_seconds=0.3, pool_size=1)
    store.results("warm")
    proxy.faults.extend(["silence"] * 40)
    failures: list[str] = []

    def ask() -> None:
        try:
            store.results("any")
        except StoreUnavailable as error:
            failures.append(str(error))

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_SECONDS)
    store.close()
    assert len(failures) == 6
    assert any("no connection was free" in failure for failure in failures)


CALLS: dict[str, Callable[[RedisGameStore], object]] = {
    "load": lambda store: store.load("G", "operation"),
    "commit": lambda store: store.commit(a_creation()),
    "events": lambda store: store.events("G", 0, 10),
    "round": lambda store: store.round("G", 1),
    "results": lambda store: store.results("G"),
    "check": lambda store: store.check(),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("timeout_seconds", [0.1, 4.0])
def test_a_server_that_is_away_is_reported_at_once(
    tmp_path: Path, call: str, timeout_seconds: float
) -> None:
    for url in (f"unix://{tmp_path}/no.sock", "redis://127.0.0.1:1"):
        store = RedisGameStore(url, timeout_seconds=timeout_seconds, pool_size=2)
        begun = time.monotonic()
        with pytest.raises(StoreUnavailable, match="ConnectionError"):
            CALLS[call](store)
        assert time.monotonic() - begun < PATIENCE_SECONDS


@pytest.mark.parametrize("timeout_seconds", [0.1, 1.0, pytest.param(4.0, marks=pytest.mark.slow)])
def test_a_server_that_says_nothing_is_given_up_in_time(
    proxy: FaultyProxy, timeout_seconds: float
) -> None:
    store = RedisGameStore(proxy.url, timeout_seconds=timeout_seconds, pool_size=2)
    proxy.faults.extend(["silence"] * 4)
    begun = time.monotonic()
    with pytest.raises(StoreUnavailable, match="TimeoutError"):
        store.load("G")
    assert time.monotonic() - begun < PATIENCE_SECONDS
    store.close()


def test_what_was_acknowledged_survives_the_server_and_so_does_the_store(tmp_path: Path) -> None:
    server = StoreServer(tmp_path, durability="always").start()
    store = RedisGameStore(server.url, timeout_seconds=2, pool_size=2)
    try:
        created = a_creation()
        store.commit(created)
        commit = a_move(created.record)
        store.commit(commit)
        server.kill()
        with pytest.raises(StoreUnavailable):
            store.load(created.record.game_id)
        server.start()
        loaded = store.load(created.record.game_id, commit.operation.id)
        assert loaded is not None
        assert (loaded.record, loaded.applied) == (commit.record, commit.operation)
        assert store.commit(commit) == Replayed(commit.operation, commit.record)
    finally:
        store.close()
        server.close()


def test_a_primary_turned_replica_takes_no_commit(store: RedisGameStore, server: Redis) -> None:
    created = a_creation()
    store.commit(created)
    commit = a_move(created.record)
    server.replicaof("127.0.0.1", "1")
    try:
        with pytest.raises(StoreUnavailable, match="read only replica"):
            store.commit(commit)
        with pytest.raises(StoreUnavailable, match="read only replica"):
            store.check()
    finally:
        server.replicaof("NO", "ONE")
    assert store.commit(commit) == Applied()


def test_a_store_connects_when_first_asked() -> None:
    RedisGameStore("redis://127.0.0.1:1", timeout_seconds=1, pool_size=1).close()


@pytest.mark.slow
def test_greenlets_share_a_store(store_url: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", GREENLETS, store_url],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == "1"


def test_however_many_connections_break_another_one_is_made(store_url: str) -> None:
    new_connection = connector(store_url, timeout_seconds=2)
    for _ in range(300):
        line = Line(new_connection())
        assert line.exchange([["PING"]]) == [b"PONG"]
        line.close()


def test_idle_connections_that_broke_are_not_tried_one_by_one(
    store_url: str, server: Redis
) -> None:
    with closing(RedisGameStore(store_url, timeout_seconds=2, pool_size=8)) as store:
        for _ in range(30):
            with ThreadPoolExecutor(8) as pool:
                list(pool.map(store.results, ["any"] * 32))
            server.client_kill_filter(_type="normal", skipme=True)
            assert store.results("any") == ()


@pytest.mark.parametrize("said", ["LOADING it is reading", "OOM", "NOAUTH", "MASTERDOWN", "WHAT"])
def test_an_error_of_any_kind_is_raised(said: str) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        line = Line(Connected(ours))
        theirs.sendall(f"+OK\r\n-{said}\r\n".encode())
        with pytest.raises(RedisError):
            line.exchange([["PING"], ["PING"]])
