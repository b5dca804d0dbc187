"""One connection of a process that hears of every commit of the games that are followed there."""

import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as NoAnswer

from service.games.ports import StoreUnavailable
from service.store.addresses import connector

QUIET_SECONDS: Final = 5.0
"""After so long without a word the server is asked whether it is still there."""
FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 1.0


class _Watch:
    """One watched channel; ``confirmed`` once the server tells of all later commits."""

    def __init__(self, heard: Callable[[], None]) -> None:
        self.heard = heard
        self.confirmed = threading.Event()


class RedisFeed:
    """A ``Feed`` over what the commit script publishes; threads and greenlets may share it.

    It connects for the first watch and from then on stays connected: a connection that is lost or
    silent is replaced, and every game then counts as changed. ``timeout_seconds`` bounds each wait.
    ``failed`` is told of every error that is not the server's; the connection is replaced then too.
    """

    def __init__(
        self,
        url: str,
        *,
        timeout_seconds: float,
        quiet_seconds: float = QUIET_SECONDS,
        failed: Callable[[Exception], None] = lambda _error: None,
    ) -> None:
        self._timeout = timeout_seconds
        self._quiet = quiet_seconds
        self._failed = failed
        self._new_connection = connector(url, timeout_seconds=timeout_seconds)
        self._lock = threading.Lock()
        self._watches: dict[str, _Watch] = {}
        self._unconfirmed: deque[_Watch] = deque()
        self._connection: Any = None
        self._listener: threading.Thread | None = None
        self._closed = threading.Event()

    def watch(self, game_id: str, heard: Callable[[], None]) -> Callable[[], None]:
        """Call ``heard`` after each commit of the game that is made once this has returned.

        :raises StoreUnavailable: if the server does not confirm it in time.
        """
        watch, channel = _Watch(heard), channel_of(game_id)
        with self._lock:
            self._watches[channel] = watch
            self._start()
            self._send("SUBSCRIBE", channel)
        if not watch.confirmed.wait(self._timeout):
            self._unwatch(channel, watch)
            raise StoreUnavailable("The store does not tell of changes; repeat the request.")
        return lambda: self._unwatch(channel, watch)

    def close(self) -> None:
        """Stop listening and close the connection."""
        self._closed.set()
        with self._lock:
            if self._connection:
                self._connection.disconnect()
        if self._listener:
            self._listener.join()

    def _unwatch(self, channel: str, watch: _Watch) -> None:
        with self._lock:
            if self._watches.get(channel) is watch:
                del self._watches[channel]
                self._send("UNSUBSCRIBE", channel)

    def _start(self) -> None:
        if self._listener is None:
            self._listener = threading.Thread(target=self._listen, name="feed", daemon=True)
            self._listener.start()

    def _send(self, command: str, *channels: str) -> None:
        """Send a command; without a connection the next one begins with all that is watched."""
        if self._connection is None:
            return
        if command == "SUBSCRIBE":
            self._unconfirmed += (self._watches[channel] for channel in channels)
        try:
            self._connection.send_command(command, *channels)
        except RedisError:
            self._connection.disconnect()  # the listener notices

    def _listen(self) -> None:
        pause = FIRST_PAUSE
        while not self._closed.is_set():
            try:
                connection = self._connect()
                pause = FIRST_PAUSE
                self._hear_all(connection)
            except RedisError:
                self._disconnect()
            except Exception as error:  # noqa: BLE001  # every stream of the process hangs on this
                self._disconnect()
                self._failed(error)
                pause = LONGEST_PAUSE
            self._closed.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _connect(self) -> Any:
        connection = self._new_connection()
        with self._lock:
            self._connection = connection
            self._unconfirmed.clear()
            if self._watches:
                self._send("SUBSCRIBE", *self._watches)
        return connection

    def _disconnect(self) -> None:
        with self._lock:
            if self._connection:
                self._connection.disconnect()
            self._connection = None

    def _hear_all(self, connection: Any) -> None:
        """Take what the server says until the connection ends or falls silent."""
        asked = False
        while not self._closed.is_set():
            try:
                said = connection.read_response(
                    timeout=self._timeout if asked else self._quiet, disconnect_on_error=False
                )
            except NoAnswer:
                if asked:
                    raise
                with self._lock:
                    self._send("PING")
                asked = True
                continue
            asked = False
            self._take(said)

    def _take(self, said: list[Any]) -> None:
        if said[0] == b"message":
            watch = self._watches.get(said[1].decode())
            if watch:
                watch.heard()
        elif said[0] == b"subscribe":
            # The server confirms in the order of asking.
            watch = self._unconfirmed.popleft()
            if watch.confirmed.is_set():
                watch.heard()  # commits went unheard while there was no connection
            watch.confirmed.set()


def channel_of(game_id: str) -> str:
    """Return the channel of a game, as the commit script names it."""
    return f"okg:{{{game_id}}}:feed"
