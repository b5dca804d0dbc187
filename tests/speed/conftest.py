"""The app over a real store, with chance that repeats itself."""

from collections.abc import Iterator

import pytest
from flask import Flask
from redis import Redis

from service.store.redis_store import RedisGameStore
from tests.api.client import client_over
from tests.games.table import games_over
from tests.servers import client_of, start_store
from tests.speed.playing import Playing


@pytest.fixture(scope="module")
def store_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with start_store(tmp_path_factory.mktemp("store")) as url:
        yield url


@pytest.fixture
def server(store_url: str) -> Iterator[Redis]:
    """A plain client, to look at the server behind the store's back."""
    with client_of(store_url) as client:
        client.flushall()
        yield client


@pytest.fixture
def workers(store_url: str) -> Iterator[tuple[Flask, Flask]]:
    """Two workers on one store, each with a memory of its own."""
    stores = [RedisGameStore(store_url, timeout_seconds=2, pool_size=4) for _ in range(2)]
    one, other = (client_over(games_over(store)).app for store in stores)
    yield one, other
    for store in stores:
        store.close()


@pytest.fixture
def playing(workers: tuple[Flask, Flask], server: Redis) -> Playing:
    """A game of 40 moves, after which everything that is made once has been made."""
    assert server.dbsize() == 0
    game = Playing(workers[0])
    game.start()
    for _ in range(40):
        game.move()
    return game
