"""Following a game: its events as they happen, each once and in order, on a bad network too."""

import json
import threading
from collections.abc import Generator, Iterator
from contextlib import suppress
from math import ceil
from types import TracebackType
from typing import Final, Self, TypeVar

from oklahoma_gin._decode import decode
from oklahoma_gin._place import Place, Viewer
from oklahoma_gin._requestor import Requestor
from oklahoma_gin._sse import Frame, Parser
from oklahoma_gin._wire import SilenceError, Wire
from oklahoma_gin.errors import (
    GameNotFound,
    Problem,
    TooManyStreams,
    TransportError,
    UnexpectedAnswerError,
)
from oklahoma_gin.models import Event
from oklahoma_gin.records import Snapshot

Told = TypeVar("Told", Event, Snapshot)

EVENT_STREAM: Final = "text/event-stream"
SILENCE: Final = 20.0  # seconds; a heartbeat comes every 15 at most
LONGEST_HOLD: Final = 25
FIRST_PAUSE: Final = 1.0
IDLE_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 15.0
MOST_FAILURES: Final = 30
NO_STREAM: Final = frozenset({404, 405, 406, 501})
PASSING: Final = frozenset({429, 500, 502, 503, 504})


class EventStream(Iterator[Event | Snapshot]):
    """The events of one game after a version, as one viewer may see them; ends with the game.

    Follows by server-sent events, and by long-polls where no stream can be had. A lost connection
    is taken up where it stopped, after pauses that double and vary; an event comes once. A
    `Snapshot` stands where the events in between cannot be had, and first where no version is
    given. Raises the `Problem` of a token that opens nothing (401) or of a game that is not there
    (404), and the last failure when nothing was reached 30 times in a row. With `linger` it goes on
    until the `rematched` event, or for so many seconds after the game.
    """

    def __init__(
        self,
        requestor: Requestor,
        viewer: Viewer,
        version: int | None = None,
        *,
        linger: int = 0,
        silence: float = SILENCE,
    ) -> None:
        self._requestor = requestor
        self._viewer = viewer
        self._linger = linger or None
        self._place = Place(requestor, viewer, version, linger)
        self._silence = silence
        self._retry = FIRST_PAUSE
        self._failures = 0
        self._can_stream = True
        self._closed = threading.Event()
        self._wire: Wire | None = None
        self._told = self._follow()

    def __next__(self) -> Event | Snapshot:
        return next(self._told)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
        with suppress(ValueError):  # another thread reads, and gives the connection up itself
            self._told.close()

    def close(self) -> None:
        """End the iteration, from any thread: a stream at once, a long-poll when it returns."""
        self._closed.set()
        wire = self._wire
        if wire is not None:
            wire.hang_up()

    def _follow(self) -> Generator[Event | Snapshot, None, None]:
        while not self._closed.is_set():
            try:
                yield from self._next_part()
                if self._place.over:
                    yield from self._place.log()
                    return
            except (Problem, TransportError) as failure:
                self._back_off(failure)

    def _next_part(self) -> Iterator[Event | Snapshot]:
        """One connection's events, or one poll's."""
        if self._place.version is None:
            yield self._place.snapshot()
            return
        wire = self._open() if self._can_stream else None
        if wire is None:
            yield from self._poll()
        else:
            yield from self._stream(wire)

    def _open(self) -> Wire | None:
        """The stream from the place on; None where there is none to be had, now or at all."""
        headers = {"Accept": EVENT_STREAM, "Accept-Encoding": "identity"}
        if self._place.id:
            headers["Last-Event-ID"] = self._place.id
        after = None if self._place.id else self._place.version
        call = self._viewer.call(
            "stream",
            query={"after": after, "linger": self._linger},
            headers=headers,
            silence=self._silence,
        )
        try:
            wire = self._requestor.open(call)
        except TooManyStreams:
            return None
        except SilenceError:
            self._can_stream = False
            return None
        except Problem as problem:
            if problem.status not in NO_STREAM or isinstance(problem, GameNotFound):
                raise
            self._can_stream = False
            return None
        if wire.is_empty or wire.media_type == EVENT_STREAM:
            return wire
        wire.close()
        self._can_stream = False
        return None

    def _stream(self, wire: Wire) -> Iterator[Event | Snapshot]:
        """Read one connection to its end, and look whether the game has ended too."""
        self._wire = wire
        try:
            yield from self._read(wire)
        finally:
            self._wire = None
            wire.close()
        if not self._is_done():
            yield from self._place.look(wait=0)
        if wire.is_empty:
            self._place.stop_lingering()
        if not self._is_done() and self._can_stream:
            self._rest(self._retry)

    def _is_done(self) -> bool:
        return self._place.over or self._closed.is_set()

    def _read(self, wire: Wire) -> Iterator[Event | Snapshot]:
        """The events of a connection; one on which nothing at all arrives is held by a proxy."""
        parser = Parser()
        heard = False
        try:
            for piece in wire:
                if self._closed.is_set():
                    return
                heard, self._failures = True, 0
                for frame in parser.feed(piece):
                    yield from self._take(frame)
                self._retry = FIRST_PAUSE if parser.retry is None else parser.retry
                if self._place.over:
                    return
        except SilenceError:
            if heard:
                raise
            self._can_stream = False

    def _take(self, frame: Frame) -> Iterator[Event | Snapshot]:
        if frame.event == "snapshot":
            yield self._place.arrive(_read_as(Snapshot, frame))
        elif frame.event != "reconnect":
            yield from self._place.pass_event(_read_as(Event, frame))

    def _poll(self) -> Iterator[Event | Snapshot]:
        before = self._place.version
        yield from self._place.look(wait=ceil(min(LONGEST_HOLD, self._place.left)))
        self._failures = 0
        if self._place.version == before:
            self._rest(IDLE_PAUSE)

    def _back_off(self, failure: Problem | TransportError) -> None:
        """Pause after a failure that may pass; raises one that will not."""
        if self._closed.is_set():
            return
        lasting = isinstance(failure, Problem) and failure.status not in PASSING
        if lasting or self._failures >= MOST_FAILURES:
            raise failure
        asked = (failure.retry_after if isinstance(failure, Problem) else None) or 0.0
        self._rest(asked + min(LONGEST_PAUSE, self._retry * 2.0**self._failures))
        self._failures += 1

    def _rest(self, seconds: float) -> None:
        self._requestor.pause(seconds * (0.5 + self._requestor.jitter() / 2), unless=self._closed)


def _read_as(kind: type[Told], frame: Frame) -> Told:
    try:
        return decode(kind, json.loads(frame.data))
    except ValueError as unread:
        raise UnexpectedAnswerError(
            f"A frame of the event stream cannot be read as {kind.__name__} ({unread}). "
            "Check that this SDK is as new as the service."
        ) from unread
