"""One connection to the service, kept open, that turns every outcome into an answer."""

import http.client
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self
from urllib.parse import urlsplit

from tests.answers import seen
from tests.chaos.ledger import Attempt
from tests.witness import witness

GIVE_UP_SECONDS: Final = 12.0
IDLE_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Request:
    """A request that can be sent again unchanged."""

    method: str
    path: str
    token: str = ""
    body: Mapping[str, object] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """An attempt with what it brought: the JSON body, empty where none came."""

    attempt: Attempt
    body: Mapping[str, Any]

    @property
    def game(self) -> Mapping[str, Any] | None:
        """The view in the answer, if it has one."""
        view: Mapping[str, Any] = self.body.get("game") or self.body
        return view if "etag" in view else None


class Caller:
    """Sends requests one after the other to the service at ``url``; never raises for a lost one."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._link = http.client.HTTPConnection(
            parts.hostname or "", parts.port, timeout=GIVE_UP_SECONDS
        )
        self._used = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give up the connection; the next request opens a new one."""
        self._link.close()

    def send(self, request: Request) -> Answer:
        """Send a request once, over a new connection where the last one was lost."""
        began = time.monotonic()
        if began - self._used > IDLE_SECONDS:  # the service gives up what idles for 5 seconds
            self._link.close()
        try:
            self._ask(request)
            reply = self._link.getresponse()
            said = reply.read()
        except (OSError, http.client.HTTPException):
            self._link.close()
            return Answer(Attempt(began, time.monotonic(), 0), {})
        self._used = time.monotonic()
        witness(seen(request.method, request.path, reply.status, reply.getheaders(), said))
        body = json.loads(said) if said else {}
        return Answer(
            Attempt(
                began,
                self._used,
                reply.status,
                version=(body.get("game") or body).get("version", 0),
                replayed=reply.headers["Idempotency-Replayed"] == "true",
                retry_after=reply.headers["Retry-After"] is not None,
            ),
            body,
        )

    def _ask(self, request: Request) -> None:
        headers = {"Accept": "application/json, application/problem+json", **request.headers}
        if request.token:
            headers["Authorization"] = f"Bearer {request.token}"
        body = None
        if request.method == "POST":
            headers["Content-Type"] = "application/json"
            body = json.dumps(request.body or {})
        self._link.request(request.method, request.path, body, headers)
