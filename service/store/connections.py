"""The way to the store's server: a bounded pool, one bounded repeat, one kind of failure."""

from collections.abc import Sequence
from contextlib import suppress
from threading import Condition
from time import monotonic
from typing import Any, Final

from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import (
    MasterDownError,
    NoScriptError,
    ReadOnlyError,
    RedisError,
    TryAgainError,
)
from redis.exceptions import TimeoutError as NoAnswer

from service.games.ports import StoreUnavailable
from service.store.line import Command, Line, connector

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
        self._connection = connector(url, timeout_seconds=self._timeout)
        self._patience = min(self._timeout, LIMIT_SECONDS - self._timeout)
        self._most = pool_size
        self._open = 0
        self._idle: list[Line] = []
        self._waiting = 0
        self._changed = Condition()

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
                self.close()  # what broke one of them may have broken all
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
        """Close every connection that is not in use; the next call opens new ones."""
        with suppress(IndexError):
            while True:
                self._drop(self._idle.pop())

    def _trip(self, commands: Sequence[Command]) -> list[Any]:
        line = self._take()
        try:
            replies = line.exchange(commands)
        except NoScriptError:
            self._put(line)
            raise
        except BaseException:
            # An unread reply would answer the next call, and a replica never becomes writable.
            self._drop(line)
            raise
        self._put(line)
        return replies

    def _take(self) -> Line:
        """Return a line that nobody uses, a new one where there is room for it."""
        try:
            return self._idle.pop()
        except IndexError:
            pass
        with self._changed:
            self._waiting += 1
            try:
                found = self._changed.wait_for(self._has_room, self._patience)
            finally:
                self._waiting -= 1
            if not found:
                raise ConnectionLost("no connection was free in time; raise REDIS_POOL_SIZE")
            if self._idle:
                return self._idle.pop()
            self._open += 1
        try:
            return Line(self._connection())
        except BaseException:
            self._shrink()
            raise

    def _has_room(self) -> bool:
        return bool(self._idle) or self._open < self._most

    def _put(self, line: Line) -> None:
        self._idle.append(line)
        if self._waiting:
            with self._changed:
                self._changed.notify()

    def _drop(self, line: Line) -> None:
        line.close()
        self._shrink()

    def _shrink(self) -> None:
        with self._changed:
            self._open -= 1
            self._changed.notify()
