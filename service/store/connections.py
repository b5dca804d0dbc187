"""The way to the store's servers: one bounded repeat, and one kind of failure."""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, Final, Protocol, TypeAlias

from redis.exceptions import (
    AskError,
    ClusterDownError,
    MasterDownError,
    MovedError,
    NoScriptError,
    ReadOnlyError,
    RedisError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import TimeoutError as NoAnswer

from service.games.ports import StoreUnavailable
from service.store.addresses import Host, address_of, connector, node_connector
from service.store.cluster import Cluster
from service.store.line import Command
from service.store.pool import Pool

LIMIT_SECONDS: Final = 4.5
"""Time within which a call ends, so that callers have their answer within 5."""
LEAST_PATIENCE: Final = 0.25

_MAY_PASS: Final = (
    ConnectionLost,
    NoAnswer,
    ReadOnlyError,
    MasterDownError,
    TryAgainError,
    MovedError,
    ClusterDownError,
)

Observe: TypeAlias = Callable[[float, bool], None]


class Servers(Protocol):
    """Where keys are kept."""

    def pool_for(self, key: str) -> Pool:
        """Return the pool of the server that keeps a key."""

    def pool_of(self, host: Host) -> Pool:
        """Return the pool of a server."""

    def pools(self) -> tuple[Pool, ...]:
        """Return a pool for each server that keeps keys."""

    def doubt(self) -> None:
        """Take what is known of the servers for outdated."""

    def close(self) -> None:
        """Close every line that is not in use."""


class OneServer:
    """A single server, or the one that sentinels name at the time."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def pool_for(self, _key: str) -> Pool:
        """Return the pool of the server."""
        return self._pool

    def pool_of(self, _host: Host) -> Pool:
        """Return the pool of the server."""
        return self._pool

    def pools(self) -> tuple[Pool, ...]:
        """Return the pool of the server."""
        return (self._pool,)

    def doubt(self) -> None:
        """Close every line that is not in use: what broke one of them may have broken all."""
        self._pool.close()

    close = doubt


class Connections:
    """Connections to what a URL names, made when first needed; threads and greenlets share them.

    ``timeout_seconds`` bounds the wait for a free connection, for connecting and for an answer,
    each by itself; ``pool_size`` the connections to each server. Nothing is connected before the
    first call, so a worker may be forked after this was built. ``observe`` is told of each trip its
    seconds and whether it failed.
    """

    def __init__(
        self,
        url: str,
        *,
        timeout_seconds: float,
        pool_size: int,
        observe: Observe | None = None,
    ) -> None:
        self._timeout = min(timeout_seconds, LIMIT_SECONDS)
        # A trip waits for a free connection, to connect and for the answer; what that leaves of the
        # limit is for a first trip that failed.
        spare = LIMIT_SECONDS - 2 * self._timeout
        self._patience = min(self._timeout, max(spare / 2, LEAST_PATIENCE))
        self._repeat_within = max(spare - self._patience, LEAST_PATIENCE)
        self._pool_size = pool_size
        self._observe = observe
        self._servers = self._servers_of(url)

    @property
    def in_use(self) -> int:
        """How many connections are being spoken over."""
        return sum(pool.in_use for pool in self._known())

    @property
    def left_alone(self) -> int:
        """How many servers are left alone because they failed again and again."""
        return sum(pool.breaker.open for pool in self._known())

    def call(self, key: str, *commands: Command) -> list[Any]:
        """Send commands on a key in one trip and return their replies, once more if that may help.

        The commands have to be harmless when the server gets them twice.

        :raises NoScriptError: if a script is not loaded.
        :raises StoreUnavailable: if the server cannot be reached, is slow or refuses.
        """
        repeat_until = monotonic() + self._repeat_within
        try:
            try:
                return self._trip(key, commands)
            except _MAY_PASS:
                if monotonic() > repeat_until:
                    raise
                self._servers.doubt()
                if monotonic() > repeat_until:
                    raise
                return self._trip(key, commands)
        except NoScriptError:
            raise
        except RedisError as error:
            raise unavailable(error) from error

    def call_each(self, commands: Sequence[tuple[str, Command]]) -> list[Any]:
        """Send commands on many keys, a trip to each server that keeps some; replies in order.

        :raises StoreUnavailable: as ``call`` does.
        """
        replies: list[Any] = [None] * len(commands)
        for places in self._by_server([key for key, _ in commands]):
            key = commands[places[0]][0]
            for place, reply in zip(
                places, self.call(key, *(commands[place][1] for place in places)), strict=True
            ):
                replies[place] = reply
        return replies

    def pools(self) -> tuple[Pool, ...]:
        """Return the pool of each server that keeps keys.

        :raises StoreUnavailable: if a cluster's nodes do not answer.
        """
        try:
            return self._servers.pools()
        except RedisError as error:
            raise unavailable(error) from error

    def close(self) -> None:
        """Close every connection that is not in use; the next call opens new ones."""
        self._servers.close()

    def _servers_of(self, url: str) -> Servers:
        address = address_of(url)
        if address.kind == "cluster":
            return Cluster(
                address,
                lambda host: self._pool(node_connector(address, host, self._timeout)),
            )
        return OneServer(self._pool(connector(url, timeout_seconds=self._timeout)))

    def _pool(self, connect: Callable[[], Any]) -> Pool:
        return Pool(connect, patience_seconds=self._patience, most=self._pool_size)

    def _known(self) -> tuple[Pool, ...]:
        try:
            return self._servers.pools()
        except RedisError:
            return ()

    def _by_server(self, keys: Sequence[str]) -> list[list[int]]:
        try:
            pools = [self._servers.pool_for(key) for key in keys]
        except RedisError as error:
            raise unavailable(error) from error
        groups: dict[int, list[int]] = {}
        for place, pool in enumerate(pools):
            groups.setdefault(id(pool), []).append(place)
        return list(groups.values())

    def _trip(self, key: str, commands: Sequence[Command]) -> list[Any]:
        if self._observe is None:
            return self._asked(key, commands)
        began = monotonic()
        try:
            replies = self._asked(key, commands)
        except NoScriptError:
            raise
        except RedisError:
            self._observe(monotonic() - began, True)  # the hook takes no names
            raise
        self._observe(monotonic() - began, False)
        return replies

    def _asked(self, key: str, commands: Sequence[Command]) -> list[Any]:
        """Return the replies; a slot that was moved, or is being moved, is asked for there."""
        try:
            return self._servers.pool_for(key).trip(commands)
        except AskError as elsewhere:
            if isinstance(elsewhere, MovedError):
                self._servers.doubt()
            asking = [each for command in commands for each in (("ASKING",), command)]
            pool = self._servers.pool_of((elsewhere.host, elsewhere.port))
            return pool.trip(asking)[1::2]


def unavailable(error: RedisError) -> StoreUnavailable:
    """Return a failure of the server as the store's own."""
    return StoreUnavailable(
        f"The store did not do as it was asked ({type(error).__name__}: {error}). If that was a "
        "write, it is unknown whether it was applied; repeat the operation to learn that."
    )
