"""Server-sent events off the wire, by the HTML standard ("Interpreting an event stream").

Bytes are split at line ends and only then decoded, so a character cut in two by the network is
whole again, and U+2028, which ends no line here, stays inside its data.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Frame:
    """One dispatched event; `id` is the last one sent, by this frame or an earlier one."""

    event: str
    data: str
    id: str


class Parser:
    """Takes a stream in pieces, cut anywhere; `retry` is in seconds, once the server names it."""

    def __init__(self) -> None:
        self.retry: float | None = None
        self._rest = b""
        self._begun = False
        self._after_cr = False
        self._id = ""
        self._event = ""
        self._lines: list[str] = []

    def feed(self, piece: bytes) -> Iterator[Frame]:
        """The frames that the piece completes."""
        for line in self._whole_lines(piece):
            if line:
                self._take(line)
                continue
            frame = self._dispatched()
            if frame is not None:
                yield frame

    def _whole_lines(self, piece: bytes) -> list[str]:
        if not piece:
            return []
        if self._after_cr:
            piece = piece.removeprefix(b"\n")
        self._after_cr = piece.endswith(b"\r")
        buffered = self._rest + piece
        if not self._begun:
            if _BOM.startswith(buffered):
                self._rest = buffered
                return []
            buffered = buffered.removeprefix(_BOM)
            self._begun = True
        *lines, self._rest = _LINE_END.split(buffered)
        return [line.decode("utf-8", "replace") for line in lines]

    def _take(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._lines.append(value)
        elif name == "event":
            self._event = value
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry = int(value) / 1000

    def _dispatched(self) -> Frame | None:
        """What an empty line ends; without data it is nothing."""
        frame = Frame(self._event or "message", "\n".join(self._lines), self._id)
        has_data = bool(self._lines)
        self._event, self._lines = "", []
        return frame if has_data else None
