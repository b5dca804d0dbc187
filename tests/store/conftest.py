"""A server for the tests of the store, and a store on it."""

from collections.abc import Iterator

import pytest
from redis import Redis

from service.store.redis_store import RedisGameStore
from tests.servers import client_of, start_store


@pytest.fixture(scope="session")
def store_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with start_store(tmp_path_factory.mktemp("store")) as url:
        yield url


@pytest.fixture
def store(store_url: str) -> Iterator[RedisGameStore]:
    opened = RedisGameStore(store_url, timeout_seconds=2, pool_size=8)
    yield opened
    opened.close()


@pytest.fixture
def server(store_url: str) -> Iterator[Redis]:
    """A plain client, to look at the server behind the store's back."""
    with client_of(store_url) as client:
        yield client
