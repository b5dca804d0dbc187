"""Counters for the rate limits, kept where the games are kept and shared by all workers."""

from typing import Final

from service.games.ports import StoreUnavailable
from service.store.connections import Connections

PREFIX: Final = "okg:rate"
PATIENCE_SECONDS: Final = 0.25
"""A limiter is not worth a longer wait."""
POOL_SIZE: Final = 64
_ADD: Final = b"""
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if redis.call('TTL', KEYS[1]) < 0 then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
end
return count
"""


class RedisCounters:
    """Counters that all workers share; nothing is connected before the first is used."""

    def __init__(self, url: str) -> None:
        self._connections = Connections(url, timeout_seconds=PATIENCE_SECONDS, pool_size=POOL_SIZE)

    def add(self, name: str, seconds: int, amount: int = 1) -> int:
        """Return the count under a name, which is forgotten some seconds after it was first used.

        A trip whose answer is lost may count twice.

        :raises StoreUnavailable: if the server does not answer in time.
        """
        key = f"{PREFIX}:{name}"
        try:
            [count] = self._connections.call(key, ["EVAL", _ADD, 1, key, amount, seconds])
        except StoreUnavailable as error:
            raise StoreUnavailable(f"The rate limits cannot be counted: {error}") from error
        return int(count)
