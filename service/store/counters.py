"""Counters for the rate limits, in the store's server and by the library ``limits``."""

from typing import Any, Final

from limits.errors import StorageError
from limits.storage import RedisStorage
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.games.ports import StoreUnavailable

PREFIX: Final = "okg:rate"
PATIENCE_SECONDS: Final = 0.25
"""A limiter is not worth a longer wait."""


class RedisCounters:
    """Counters that all workers share; nothing is connected before the first is used."""

    def __init__(self, url: str) -> None:
        # Any: the library's types leave out what it hands on to redis-py.
        options: dict[str, Any] = {
            "socket_timeout": PATIENCE_SECONDS,
            "socket_connect_timeout": PATIENCE_SECONDS,
            "retry": Retry(NoBackoff(), 0),
        }
        self._storage = RedisStorage(url, key_prefix=PREFIX, wrap_exceptions=True, **options)

    def add(self, name: str, seconds: int, amount: int = 1) -> int:
        """Return the count under a name, which is forgotten some seconds after it was first used.

        :raises StoreUnavailable: if the server does not answer in time.
        """
        try:
            return self._storage.incr(name, seconds, amount)
        except StorageError as error:
            raise StoreUnavailable(f"The rate limits cannot be counted: {error}") from error
