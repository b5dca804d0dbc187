"""The nodes of a cluster: which of them keeps a key, asked again whenever that is in doubt."""

from bisect import bisect_right
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any, Final

from redis.crc import key_slot
from redis.exceptions import RedisError

from service.store.addresses import Address, Host
from service.store.pool import Pool

AGAIN_SECONDS: Final = 0.25
"""The map is not asked for more often than this, however many callers doubt it."""
MAP_SECONDS: Final = 0.5
"""After so long no further node is asked for it; the next time begins with others."""

PoolAt = Callable[[Host], Pool]


class Cluster:
    """Pools by node; the map of the slots comes from any node that answers."""

    def __init__(self, address: Address, pool_at: PoolAt) -> None:
        self._seeds = address.hosts
        self._pool_at = pool_at
        self._pools: dict[Host, Pool] = {}
        self._ends: list[int] = []  # the first slots beyond each range, rising
        self._masters: list[Host] = []
        self._again = 0.0
        self._lock = Lock()

    def pool_for(self, key: str) -> Pool:
        """Return the pool of the node that keeps a key.

        :raises RedisError: if no node answers, or none keeps it.
        """
        if not self._masters:
            self._read_map()
        place = bisect_right(self._ends, key_slot(key.encode()))
        if place >= len(self._masters):
            raise RedisError(f"no node of the cluster keeps the slot of {key}")
        return self.pool_of(self._masters[place])

    def pool_of(self, host: Host) -> Pool:
        """Return the pool of a node."""
        with self._lock:
            if host not in self._pools:
                self._pools[host] = self._pool_at(host)
            return self._pools[host]

    def pools(self) -> tuple[Pool, ...]:
        """Return a pool for each node that keeps keys."""
        if not self._masters:
            self._read_map()
        return tuple(self.pool_of(host) for host in dict.fromkeys(self._masters))

    def doubt(self) -> None:
        """Ask for the map again, unless that was done a moment ago; the old one stays meanwhile."""
        now = monotonic()
        if now >= self._again:
            self._again = now + AGAIN_SECONDS
            self._read_map()

    def close(self) -> None:
        """Close every line that is not in use."""
        for pool in tuple(self._pools.values()):
            pool.close()

    def _read_map(self) -> None:
        until = monotonic() + MAP_SECONDS
        wrong: RedisError = RedisError("the cluster names no node")
        for host in self._by_health():
            try:
                [ranges] = self.pool_of(host).trip([["CLUSTER", "SLOTS"]])
            except RedisError as error:
                self.pool_of(host).close()
                wrong = error
                if monotonic() > until:
                    break
            else:
                self._take_map(ranges, host)
                return
        raise wrong

    def _by_health(self) -> list[Host]:
        """Return every node ever heard of, those that failed least first."""
        known = dict.fromkeys((*self._masters, *self._pools, *self._seeds))
        return sorted(known, key=lambda host: self.pool_of(host).breaker.failures)

    def _take_map(self, ranges: list[Any], asked: Host) -> None:
        named = sorted((last + 1, _host(master, asked)) for _, last, master, *_ in ranges)
        self._ends = [end for end, _ in named]
        self._masters = [host for _, host in named]


def _host(node: list[Any], asked: Host) -> Host:
    """Return a node's address; one without a name is at the address that was asked."""
    name = (node[0] or b"").decode()
    return (name if name and name != "?" else asked[0], int(node[1]))
