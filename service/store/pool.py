"""The connections to one server: a bounded number, and a pause when the server is away."""

from collections.abc import Sequence
from contextlib import suppress
from threading import Condition
from time import monotonic
from typing import Any, Final

from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import NoScriptError
from redis.exceptions import TimeoutError as NoAnswer

from service.store.addresses import Connect
from service.store.line import Command, Line

TRIES: Final = 3
"""So many trips in a row have to fail before the server is left alone."""
PAUSE_SECONDS: Final = 0.5
"""How long it is left alone before one caller tries again."""


class LeftAloneError(ConnectionLost):
    """The server failed again and again; for a moment nobody asks it."""


class Breaker:
    """Lets a server that fails rest, so that a dead one costs its callers no time.

    ``failures`` counts those since it last answered.
    """

    def __init__(self) -> None:
        self.failures = 0
        self._until = 0.0

    @property
    def open(self) -> bool:
        """Whether the server is left alone."""
        return self.failures >= TRIES

    def admit(self) -> None:
        """Let a caller through, one at a time where the server has failed.

        :raises LeftAloneError: if it is not time to try again.
        """
        if self.failures < TRIES:
            return
        now = monotonic()
        if now < self._until:
            raise LeftAloneError(f"failed {self.failures} times, asked again soon")
        self._until = now + PAUSE_SECONDS

    def succeeded(self) -> None:
        """Note that the server answered."""
        self.failures = 0

    def failed(self) -> None:
        """Note that it could not be reached, or did not answer."""
        self.failures += 1
        self._until = monotonic() + PAUSE_SECONDS


class Pool:
    """Lines to one server, made when first needed and shared by threads or greenlets.

    ``patience_seconds`` bounds the wait for a free one, ``most`` how many there are.
    """

    def __init__(self, connect: Connect, *, patience_seconds: float, most: int) -> None:
        self._connect = connect
        self._patience = patience_seconds
        self._most = most
        self._open = 0
        self._idle: list[Line] = []
        self._waiting = 0
        self._changed = Condition()
        self.breaker = Breaker()

    @property
    def in_use(self) -> int:
        """How many lines are being spoken over."""
        return self._open - len(self._idle)

    def trip(self, commands: Sequence[Command]) -> list[Any]:
        """Send the commands in one trip and return their replies.

        :raises RedisError: for the first error among the replies, or if the server did not answer.
        """
        self.breaker.admit()
        line = self._take()
        try:
            replies = line.exchange(commands)
        except NoScriptError:
            self._put(line)
            raise
        except BaseException as error:
            if isinstance(error, ConnectionLost | NoAnswer):
                self.breaker.failed()
            # An unread reply would answer the next call, and a replica never becomes writable.
            self._drop(line)
            raise
        self.breaker.succeeded()
        self._put(line)
        return replies

    def close(self) -> None:
        """Close every line that is not in use; the next trip makes new ones."""
        with suppress(IndexError):
            while True:
                self._drop(self._idle.pop())

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
                raise NoAnswer("no connection was free in time; raise REDIS_POOL_SIZE")
            if self._idle:
                return self._idle.pop()
            self._open += 1
        try:
            return Line(self._connect())
        except BaseException:
            self._shrink()
            self.breaker.failed()
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
