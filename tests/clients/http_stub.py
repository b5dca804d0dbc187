"""A loopback HTTP server that plays back scripted replies and keeps what it was asked."""

import json
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal, TypeAlias, cast

Ending: TypeAlias = Literal["end", "cut", "hold"]


def nothing() -> None:
    """Do nothing."""


@dataclass(frozen=True)
class Asked:
    """One request as it came off the wire."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def fields(self) -> object:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """One scripted reply; `cut` hangs up before it, `torn` in the middle of its body."""

    status: int = 200
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    torn: bool = False

    def encoded(self) -> bytes:
        if self.body is None:
            return b""
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass(frozen=True)
class Streamed(Reply):
    """A reply in pieces, sent one by one; then it ends, is cut, or is held till the client goes.

    ``then`` is called, on the server's thread, before that. Without ``chunked`` only the end of the
    connection ends it.
    """

    pieces: tuple[bytes, ...] = ()
    ending: Ending = "cut"
    then: Callable[[], None] = nothing
    chunked: bool = True
    media: str = "text/event-stream"
    mute: bool = False


class Stub(ThreadingHTTPServer):
    """Answers each request with the next of `replies`; `asked` lists the requests so far."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.replies: deque[Reply] = deque()
        self.asked: list[Asked] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def will_answer(self, *replies: Reply) -> None:
        self.replies.extend(replies)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one segment, or Nagle's algorithm holds the body back

    def do_GET(self) -> None:
        self._play_back()

    def do_POST(self) -> None:
        self._play_back()

    def log_message(self, *_args: object) -> None:
        """Keep the test output clean."""

    def _play_back(self) -> None:
        stub = cast(Stub, self.server)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        stub.asked.append(Asked(self.command, self.path, dict(self.headers.items()), body))
        reply = stub.replies.popleft()
        if isinstance(reply, Streamed):
            self._stream(reply)
        elif reply.cut:
            self.close_connection = True
        else:
            self._send(reply, reply.encoded())

    def _send(self, reply: Reply, content: bytes) -> None:
        self.send_response_only(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if reply.torn else content)
        self.close_connection = self.close_connection or reply.torn

    def _stream(self, reply: Streamed) -> None:
        if not reply.mute:
            self._send_head(reply)
            for piece in reply.pieces:
                self._send_piece(piece, chunked=reply.chunked)
        reply.then()
        if reply.ending == "hold":
            self.connection.recv(1)
        elif reply.ending == "end" and reply.chunked:
            self.wfile.write(b"0\r\n\r\n")
        self.close_connection = True

    def _send_head(self, reply: Streamed) -> None:
        self.send_response_only(reply.status)
        self.send_header("Content-Type", reply.media)
        if reply.chunked:
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.flush()

    def _send_piece(self, piece: bytes, *, chunked: bool) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece)
        self.wfile.flush()
