"""The store where sentinels name the primary, where replicas have to know, and on a cluster."""

import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from service.games.ports import Applied, Loaded, Replayed, StoreUnavailable
from service.games.record import GameRecord
from service.store.connections import Connections
from service.store.counters import RedisCounters
from service.store.feed import RedisFeed
from service.store.line import Command
from service.store.redis_store import RedisGameStore
from service.store.scan import game_ids
from tests.store.factory import a_creation, a_move
from tests.topologies import RunningCluster, Watched, clustered, wait_until, watched

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

PATIENCE = 30


@pytest.fixture
def pair() -> Iterator[Watched]:
    with watched() as running:
        yield running


@pytest.fixture(scope="module")
def cluster() -> Iterator[RunningCluster]:
    with clustered() as running:
        yield running


def opened(url: str, wait_replicas: int = 1) -> RedisGameStore:
    return RedisGameStore(url, timeout_seconds=1, pool_size=4, wait_replicas=wait_replicas)


def created(store: RedisGameStore) -> GameRecord:
    commit = a_creation()
    assert store.commit(commit) == Applied()
    return commit.record


def until_it_answers(store: RedisGameStore, game_id: str) -> GameRecord:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            loaded = store.load(game_id)
        except StoreUnavailable:
            time.sleep(0.01)
        else:
            assert loaded
            return loaded.record
    raise AssertionError("the store did not come back")


def test_what_was_acknowledged_outlives_the_primary(pair: Watched) -> None:
    with closing(opened(pair.url)) as store, closing(opened(pair.url, 0)) as lax:
        move = a_move(created(store))
        assert store.commit(move) == Applied()
        pair.fail_over()
        assert until_it_answers(store, move.record.game_id) == move.record
        assert lax.commit(move) == Replayed(move.operation, move.record)


def test_a_store_waits_for_as_many_replicas_as_it_is_told(pair: Watched) -> None:
    with closing(opened(pair.url)) as strict, closing(opened(pair.url, 0)) as lax:
        record = created(strict)
        pair.replicas[0].kill()
        move = a_move(record)
        with pytest.raises(StoreUnavailable, match="0 of 1 replicas"):
            strict.commit(move)
        with pytest.raises(StoreUnavailable, match="0 of 1 replicas"):
            strict.commit(move)
        with pytest.raises(StoreUnavailable, match="0 of 1 replicas"):
            strict.load(record.game_id, move.operation.id)
        assert lax.commit(move) == Replayed(move.operation, move.record)
        pair.bring_back()
        assert strict.commit(move) == Replayed(move.operation, move.record)


def test_a_repetition_is_confirmed_by_the_server_that_has_the_operation(
    pair: Watched, store: RedisGameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(opened(pair.url)) as strict:
        created = a_creation()
        move = a_move(created.record)
        strict.commit(created)
        store.commit(created)
        store.commit(move)
        connections = strict._connections
        former_then_new = iter((store._connections.call, connections.call))

        def call(key: str, *commands: Command) -> list[Any]:
            return next(former_then_new)(key, *commands)

        monkeypatch.setattr(connections, "call", call)
        assert strict.load(move.record.game_id, move.operation.id) == Loaded(created.record, None)


def test_a_primary_that_became_a_replica_is_left(pair: Watched) -> None:
    with closing(opened(pair.url, 0)) as store:
        record = created(store)
        pair.swap()
        assert store.commit(a_move(record)) == Applied()


def test_a_feed_goes_on_at_the_new_primary(pair: Watched) -> None:
    with (
        closing(opened(pair.url, 0)) as store,
        closing(RedisFeed(pair.url, timeout_seconds=1)) as feed,
    ):
        record = created(store)
        heard: list[int] = []
        feed.watch(record.game_id, lambda: heard.append(1))
        pair.fail_over()
        record = until_it_answers(store, record.game_id)
        wait_until(lambda: _moves_and_hears(store, record.game_id, heard), "moves are heard of")


def _moves_and_hears(store: RedisGameStore, game_id: str, heard: list[int]) -> bool:
    store.commit(a_move(until_it_answers(store, game_id)))
    return bool(heard)


def test_a_cluster_keeps_games_at_all_of_its_nodes(cluster: RunningCluster) -> None:
    with closing(opened(cluster.url)) as store:
        records = [created(store) for _ in range(40)]
        assert (
            len({id(store._connections._servers.pool_for(f"okg:{{{r.game_id}}}")) for r in records})
            == 3
        )
        assert store.load_all([record.game_id for record in records]) == tuple(records)
        store.check()
        with closing(Connections(cluster.url, timeout_seconds=1, pool_size=1)) as connections:
            assert {record.game_id for record in records} <= set(game_ids(connections))
    counters = RedisCounters(cluster.url)
    assert [counters.add("somebody", 60) for _ in range(3)] == [1, 2, 3]


def test_a_feed_hears_of_moves_at_any_node(cluster: RunningCluster) -> None:
    with (
        closing(opened(cluster.url)) as store,
        closing(RedisFeed(cluster.url, timeout_seconds=1)) as feed,
    ):
        heard: list[str] = []
        records = [created(store) for _ in range(12)]
        for record in records:
            feed.watch(record.game_id, lambda game_id=record.game_id: heard.append(game_id))  # type: ignore[misc]
        for record in records:
            assert store.commit(a_move(record)) == Applied()
        wait_until(
            lambda: set(heard) == {record.game_id for record in records},
            "every move is heard of",
        )


def test_a_slot_that_was_moved_is_found(cluster: RunningCluster) -> None:
    with closing(opened(cluster.url)) as store:
        record = created(store)
        servers: Any = store._connections._servers
        masters = list(servers._masters)
        servers._masters.append(servers._masters.pop(0))  # every slot is looked for elsewhere
        assert store.commit(a_move(record)) == Applied()
        assert servers._masters == masters


def test_a_cluster_fails_over(cluster: RunningCluster) -> None:
    with closing(opened(cluster.url)) as store:
        moves = [a_move(created(store)) for _ in range(30)]
        for move in moves:
            assert store.commit(move) == Applied()
        cluster.fail_over()
        for move in moves:
            assert until_it_answers(store, move.record.game_id) == move.record


def test_a_server_that_is_away_costs_no_time() -> None:
    with closing(opened("redis+sentinel://127.0.0.1:1/games")) as store:
        for _ in range(50):
            with pytest.raises(StoreUnavailable):
                store.load("any")
        assert store._connections.left_alone == 1
