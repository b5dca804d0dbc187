"""Streams as bytes: server-sent events, and the same objects as lines of JSON.

Whatever players wrote is inside JSON, and JSON has no line ends of its own here, so that no reader,
however it splits lines, can be told of an event that did not happen.
"""

import select
import socket
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from service.api.render import encode, renderer
from service.api.schemas.pages import EventSchema
from service.api.schemas.responses import GameSchema
from service.api.schemas.shown import moment
from service.games.stream import Stream, Told

SSE: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"
RETRY_MILLIS: Final = 1_000

# JSON leaves these as they are, and some readers take them for line ends.
_LINE_ENDS: Final = (("\x85", rb"\u0085"), ("\u2028", rb"\u2028"), ("\u2029", rb"\u2029"))
_RECONNECT: Final[Mapping[str, Any]] = {"type": "reconnect"}

Frame: TypeAlias = Callable[[Mapping[str, Any]], bytes]


@dataclass(frozen=True, slots=True)
class Framing:
    """How a stream is written down: what it opens with, a sign of life, and each object."""

    media: str
    hello: bytes
    heartbeat: bytes
    frame: Frame


def one_line(shown: Mapping[str, Any]) -> bytes:
    """Return an object as JSON without any character that some reader ends a line at."""
    text = encode(shown)
    for character, escaped in _LINE_ENDS:
        text = text.replace(character.encode(), escaped)
    return text


def _sse(shown: Mapping[str, Any]) -> bytes:
    place = f"id: {shown['id']}\n" if "id" in shown else ""
    return f"{place}event: {shown['type']}\ndata: ".encode() + one_line(shown) + b"\n\n"


def _ndjson(shown: Mapping[str, Any]) -> bytes:
    return one_line(shown) + b"\n"


FRAMINGS: Final[Mapping[str, Framing]] = {
    framing.media: framing
    for framing in (
        Framing(SSE, f"retry: {RETRY_MILLIS}\n\n".encode(), b":\n\n", _sse),
        Framing(NDJSON, b"", b"\n", _ndjson),
    )
}


class StreamBody:
    """A stream as the body of a response; closing it gives the viewer's place up.

    ``delivered`` is told the time of what was written last, in milliseconds since 1970 UTC.
    """

    def __init__(
        self,
        stream: Stream,
        framing: Framing,
        *,
        with_view: bool,
        hung_up: Callable[[], bool] = lambda: False,
        delivered: Callable[[int], None] = lambda _at: None,
    ) -> None:
        self._stream = stream
        self._chunks = _chunks(stream, framing, hung_up, delivered, with_view=with_view)

    def __iter__(self) -> Iterator[bytes]:
        return self._chunks

    def close(self) -> None:
        """Give the place up, whether anything was read or not."""
        self._stream.close()


def hung_up_of(environ: Mapping[str, Any]) -> Callable[[], bool]:
    """Return the test of whether a request's sender has closed the connection, where one can look.

    Without it a reader who has gone is noticed only by the second write after that.
    """
    connection = environ.get("gunicorn.socket")

    def hung_up() -> bool:
        if connection is None:
            return False
        try:
            poll = select.poll()
            poll.register(connection, select.POLLIN)
            return bool(poll.poll(0)) and not connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    return hung_up


def _chunks(
    stream: Stream,
    framing: Framing,
    hung_up: Callable[[], bool],
    delivered: Callable[[int], None],
    *,
    with_view: bool,
) -> Iterator[bytes]:
    if framing.hello:
        yield framing.hello
    for told in stream:
        if told:
            yield _written(told, framing, with_view=with_view)
            delivered(told.at)
        elif hung_up():
            return
        else:
            yield framing.heartbeat
    if stream.reconnect:
        yield framing.frame(_RECONNECT)


def _written(told: Told, framing: Framing, *, with_view: bool) -> bytes:
    """Return what a viewer is told at once, written down once for all with the same eyes."""
    name = (framing.media, with_view)
    made: bytes = told.once(
        name, lambda: b"".join(map(framing.frame, _objects(told, with_view=with_view)))
    )
    return made


def _objects(told: Told, *, with_view: bool) -> Iterator[dict[str, Any]]:
    events = told.events()
    if not events:
        yield _snapshot(told)
    render = renderer(EventSchema)
    for logged in events:
        shown = render(logged)
        if with_view and logged is events[-1]:
            shown["game"] = renderer(GameSchema)(told.view())
        yield shown


def _snapshot(told: Told) -> dict[str, Any]:
    view = told.view()
    return {
        "id": told.id,
        "version": view.version,
        "at": moment(told.at),
        "type": "snapshot",
        "seat": None,
        "game": renderer(GameSchema)(view),
    }
