"""Counters over a real server: shared, forgotten in time, and honest when the server is away."""

import pytest
from redis import Redis

from service.games.ports import StoreUnavailable
from service.store.counters import PREFIX, RedisCounters


def test_two_workers_count_together(store_url: str) -> None:
    one, other = RedisCounters(store_url), RedisCounters(store_url)
    counts = [counters.add("together", 60) for counters in (one, other, one)]
    assert counts == [1, 2, 3]
    assert one.add("together", 60, -1) == 2


def test_a_counter_is_forgotten_in_time(store_url: str, server: Redis) -> None:
    RedisCounters(store_url).add("forgotten", 60)
    assert 0 < int(server.ttl(f"{PREFIX}:forgotten")) <= 60


def test_a_server_that_is_away_is_told_of() -> None:
    counters = RedisCounters("unix:///nowhere/store.sock")
    with pytest.raises(StoreUnavailable, match=r"cannot be counted"):
        counters.add("away", 60)
