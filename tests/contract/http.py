"""HTTP by raw sockets, so that nothing is mended on the way, and every secret is remembered."""

import json
import re
import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPResponse
from typing import Any
from urllib.parse import urlsplit

from tests.answers import seen
from tests.witness import witness

Headers = Iterable[tuple[str, str | bytes]]
Body = bytes | str | Mapping[str, Any] | None

PATIENCE_SECONDS = 10
SHORTEST_SECRET = 8

_TOKEN = re.compile(rb"okg_[\w-]{20,}")
_GIVEN = re.compile(rb'"invite":"([^"]+)"')
_SENT = (
    re.compile(rb'"(?:invite|entropy|name)":\s*"((?:[^"\\]|\\.)+)"'),
    re.compile(rb"\r\n(?:idempotency-key|authorization): (.+?)\r\n", re.IGNORECASE),
    re.compile(rb"[?&]invite=([^& ]+)"),
)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as it came: header names keep their order, values are Latin-1."""

    status: int
    headers: tuple[tuple[str, str], ...]
    content: bytes

    def header(self, name: str) -> str | None:
        """Return the one header of that name, or nothing."""
        found = [value for each, value in self.headers if each.lower() == name.lower()]
        assert len(found) < 2, f"{name} came {len(found)} times"
        return found[0] if found else None

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    @property
    def code(self) -> str | None:
        """The code of a problem."""
        code: str | None = self.json["code"] if self.is_problem else None
        return code

    @property
    def is_problem(self) -> bool:
        return self.header("Content-Type") == "application/problem+json"

    @property
    def replayed(self) -> bool:
        return self.header("Idempotency-Replayed") == "true"


@dataclass(slots=True)
class Wire:
    """Sends each request over a connection of its own, so that every worker gets some.

    ``address`` is a loopback URL or the path of a unix socket; ``secrets`` is what no log may hold.
    """

    address: str
    secrets: set[bytes] = field(default_factory=set)

    def get(self, path: str, token: str | None = None, *headers: tuple[str, str]) -> Answer:
        return self.ask("GET", path, _with_token(token, headers))

    def post(
        self,
        path: str,
        body: Body = None,
        token: str | None = None,
        *headers: tuple[str, str | bytes],
    ) -> Answer:
        """Post a body as JSON; without one there is no Content-Type either."""
        typed = (("Content-Type", "application/json"),) if body is not None else ()
        return self.ask("POST", path, _with_token(token, (*typed, *headers)), body)

    def ask(self, method: str, path: str, headers: Headers = (), body: Body = None) -> Answer:
        """Send one well-framed request with exactly these headers and read its answer."""
        answer = self.raw(request_bytes(method, path, headers, body), method)
        witness(seen(method, path, answer.status, answer.headers, answer.content))
        return answer

    def raw(self, sent: bytes, method: str = "GET") -> Answer:
        """Send bytes on a new connection and read one answer."""
        with self.connect() as link:
            link.sendall(sent)
            self._remember(sent, _TOKEN, *_SENT)
            return self.read(link, method)

    def read(self, link: socket.socket, method: str = "GET") -> Answer:
        """Read one answer from a connection."""
        response = HTTPResponse(link, method=method)
        response.begin()
        answer = Answer(response.status, tuple(response.getheaders()), response.read())
        self._remember(answer.content, _TOKEN, _GIVEN)
        return answer

    def everything(self, sent: bytes) -> bytes:
        """Send bytes on a new connection and return all that comes until it is closed."""
        came = b""
        with self.connect() as link, suppress(ConnectionError):
            link.sendall(sent)
            while more := link.recv(65_536):
                came += more
        return came

    def connect(self) -> socket.socket:
        """Return a new connection, which waits ten seconds for an answer and no longer."""
        if self.address.startswith("/"):
            return _connected(self.address)
        parts = urlsplit(self.address)
        return socket.create_connection((parts.hostname or "", parts.port or 80), PATIENCE_SECONDS)

    def _remember(self, seen: bytes, *kinds: re.Pattern[bytes]) -> None:
        for kind in kinds:
            self.secrets.update(each for each in kind.findall(seen) if len(each) >= SHORTEST_SECRET)


def _connected(path: str) -> socket.socket:
    link = socket.socket(socket.AF_UNIX)
    link.settimeout(PATIENCE_SECONDS)
    try:
        link.connect(path)
    except OSError:
        link.close()
        raise
    return link


def request_bytes(method: str, path: str, headers: Headers = (), body: Body = None) -> bytes:
    """Return a request framed by Content-Length unless the headers frame it otherwise."""
    content = _content(body)
    framed = {name.lower() for name, _ in headers} & {"content-length", "transfer-encoding"}
    length = [("Content-Length", str(len(content)))] if body is not None and not framed else []
    lines = [f"{method} {path} HTTP/1.1".encode("latin-1"), b"Host: table", b"Connection: close"]
    lines += [name.encode("latin-1") + b": " + _latin(value) for name, value in (*headers, *length)]
    return b"\r\n".join((*lines, b"", content))


def _latin(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode("latin-1")


def _content(body: Body) -> bytes:
    if body is None:
        return b""
    if isinstance(body, bytes):
        return body
    return (body if isinstance(body, str) else json.dumps(body)).encode()


def _with_token(token: str | None, headers: Headers) -> Headers:
    return (*([("Authorization", f"Bearer {token}")] if token else []), *headers)
