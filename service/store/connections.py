"""The way to the store's server: a bounded pool, one bounded repeat, one kind of failure."""

from collections.abc import Sequence
from time import monotonic
from typing import Any, Final, TypeAlias

from redis.backoff import NoBackoff
from redis.connection import BlockingConnectionPool, ConnectionInterface
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import (
    MasterDownError,
    NoScriptError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import TimeoutError as NoAnswer
from redis.retry import Retry

from service.games.ports import StoreUnavailable

Argument: TypeAlias = bytes | str | int
Command: TypeAlias = Sequence[Argument]

LIMIT_SECONDS: Final = 4.5
"""Time after which nothing new is begun for a call, so that callers have their answer within 5."""

_MAY_PASS: Final = (ConnectionLost, NoAnswer, ReadOnlyError, MasterDownError, TryAgainError)


class Connections:
    """Connections to one server, made when first needed and shared by threads or greenlets.

    ``timeout_seconds`` bounds the wait for a free connection, for connecting and for an answer,
    each by itself. Nothing is connected before the first call, so a worker may be forked after
    this was built.
    """

    def __init__(self, url: str, *, timeout_seconds: float, pool_size: int) -> None:
        self._timeout = min(timeout_seconds, LIMIT_SECONDS)
        # Any: redis-py ships types, but not for its pools and connections.
        self._pool: Any = BlockingConnectionPool.from_url(
            url,
            max_connections=pool_size,
            timeout=min(self._timeout, LIMIT_SECONDS - self._timeout),
            socket_timeout=self._timeout,
            socket_connect_timeout=self._timeout,
            retry=Retry(NoBackoff(), 0),  # one layer repeats, the one below, which knows the time
            protocol=2,
            driver_info=None,
        )

    def call(self, *commands: Command) -> list[Any]:
        """Send the commands in one trip and return their replies, repeating the trip at most once.

        The commands have to be harmless when the server gets them twice.

        :raises NoScriptError: if a script is not loaded.
        :raises StoreUnavailable: if the server cannot be reached, is slow or refuses.
        """
        repeat_until = monotonic() + LIMIT_SECONDS - 2 * self._timeout
        try:
            try:
                return self._trip(commands)
            except _MAY_PASS:
                if monotonic() > repeat_until:
                    raise
                return self._trip(commands)
        except NoScriptError:
            raise
        except RedisError as error:
            raise StoreUnavailable(
                f"The store did not do as it was asked ({type(error).__name__}: {error}). Whether "
                "a write was applied is unknown; repeat the operation to learn that."
            ) from error

    def close(self) -> None:
        """Close every connection; the next call opens new ones."""
        self._pool.disconnect()

    def _trip(self, commands: Sequence[Command]) -> list[Any]:
        connection = self._pool.get_connection()
        try:
            connection.send_packed_command(connection.pack_commands(commands))
            replies = [_reply(connection) for _ in commands]
            for reply in replies:
                if isinstance(reply, ResponseError):
                    raise reply
        except NoScriptError:
            raise
        except BaseException:
            # An unread reply would answer the next call, and a replica never becomes writable.
            connection.disconnect()
            raise
        else:
            return replies
        finally:
            self._pool.release(connection)


def _reply(connection: ConnectionInterface) -> object:
    try:
        return connection.read_response()
    except ResponseError as error:
        return error
