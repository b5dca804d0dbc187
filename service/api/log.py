"""Log lines: one JSON object each, written so that nobody waits for whoever reads them."""

import os
import traceback
from collections import deque
from collections.abc import Callable
from select import POLLOUT
from threading import Lock, Thread
from time import sleep
from typing import Any, BinaryIO, Final, Protocol, cast

import msgspec
import structlog
from gevent.monkey import get_original

LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40, "critical": 50}
STANDARD_OUTPUT: Final = 1
ROOM: Final = 10_000
"""How many lines wait for a reader who has stopped; later ones are lost, and counted."""
PAUSE_SECONDS: Final = 0.05

# gevent's own poll goes round its loop each time, and this one never waits.
_new_poll: Final = get_original("select", "poll")


class Sink(Protocol):
    """Where lines go."""

    def write(self, line: bytes, /) -> object:
        """Take one line with its end."""

    def flush(self) -> object:
        """Let nothing of it linger."""


class Lines:
    """A descriptor that takes lines at once, or later where it is full; it never raises.

    A pipe that says it is writable takes a line of up to ``PIPE_BUF`` bytes whole without a wait.
    ``lost`` is called for each line that could not be kept.
    """

    def __init__(self, descriptor: int, lost: Callable[[], None] = lambda: None) -> None:
        self._descriptor = descriptor
        self._lost = lost
        self._poll = _new_poll()
        self._poll.register(descriptor, POLLOUT)
        self._waiting: deque[bytes] = deque()
        self._drained = True
        self._lock = Lock()

    def write(self, line: bytes, /) -> None:
        """Write a line, or keep it where the descriptor is full."""
        if self._waiting or not self._poll.poll(0):
            self._keep(line)
        else:
            self._put(line)

    def flush(self) -> None:
        """Do nothing: no line is held back that could be written."""

    def _put(self, line: bytes) -> None:
        try:
            os.write(self._descriptor, line)
        except OSError:  # a disk that is full, a reader who has gone: games go on
            self._lost()

    def _keep(self, line: bytes) -> None:
        with self._lock:
            if len(self._waiting) >= ROOM:
                self._lost()
                return
            self._waiting.append(line)
            if self._drained:
                self._drained = False
                Thread(target=self._drain, name="log", daemon=True).start()

    def _drain(self) -> None:
        while True:
            while not self._poll.poll(0):
                sleep(PAUSE_SECONDS)
            with self._lock:
                if not self._waiting:
                    self._drained = True
                    return
                line = self._waiting.popleft()
            self._put(line)


class Log:
    """Writes what is of a level or above."""

    def __init__(self, level: str, sink: Sink) -> None:
        self._write = sink.write
        self._tells_of_requests = LEVELS[level] <= LEVELS["info"]
        self._events = structlog.wrap_logger(
            structlog.BytesLogger(cast("BinaryIO", sink)),  # all of it that is used
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
                structlog.processors.JSONRenderer(serializer=_encode),
            ],
            wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        ).bind()

    def request(self, line: msgspec.Struct) -> None:
        """Write the line of a request, of level info.

        It is the one line that every request pays for, and structlog's way would cost ten times as
        much.
        """
        if self._tells_of_requests:
            self._write(_encoder.encode(line) + b"\n")

    def warning(self, event: str, **fields: Any) -> None:
        """Write that something needs a look."""
        self._events.warning(event, **fields)

    def error(self, event: str, **fields: Any) -> None:
        """Write that something failed."""
        self._events.error(event, **fields)


def log_failure(log: Log, error: Exception, request_id: str | None = None) -> None:
    """Log an error of ours by its type and its places alone; its text may hold secrets."""
    frames = traceback.extract_tb(error.__traceback__)
    log.error(
        "failure",
        request_id=request_id,
        error=type(error).__name__,
        places=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    )


def _encode(line: dict[str, Any], **_: object) -> bytes:
    return _encoder.encode(line)


_encoder: Final = msgspec.json.Encoder()
