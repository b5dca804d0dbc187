"""The one place that speaks HTTP: paths, headers, time-outs, repeats."""

import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.cookiejar import DefaultCookiePolicy
from math import isfinite
from typing import TypeVar
from urllib.parse import quote, urlsplit

import requests
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase

from oklahoma_gin._answers import problem_of, retry_after, value_of
from oklahoma_gin._version import __version__
from oklahoma_gin._wire import SilenceError, Wire
from oklahoma_gin.errors import Problem, TransportError

T = TypeVar("T")

UNSURE_STATUSES = frozenset({502, 503, 504})
FIRST_PAUSE = 0.1
LONGEST_BACK_OFF = 5.0
LONGEST_RETRY_AFTER = 30.0
POOLED_CONNECTIONS = 64
_LOST = (
    requests.ConnectionError,
    requests.Timeout,
    requests.exceptions.ChunkedEncodingError,
    requests.exceptions.ContentDecodingError,
)


@dataclass(frozen=True, slots=True)
class Call:
    """One request that may be sent again unchanged; `wait` is how long the server may hold it.

    With `silence` the answer is a stream, and that is how long nothing may come; all in seconds.
    """

    method: str
    path: tuple[str, ...]
    token: str | None = field(default=None, repr=False)
    body: Mapping[str, object] | None = field(default=None, repr=False)
    query: Mapping[str, str | int | float | None] = field(default_factory=dict, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    wait: float = 0.0
    silence: float | None = None


class _Bearer(AuthBase):
    """Named on every call, tokenless ones too, or requests would send what a .netrc holds."""

    def __init__(self, token: str | None) -> None:
        self.token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self.token is not None:
            request.headers["Authorization"] = f"Bearer {self.token}"
        return request


class Requestor:
    """Sends calls to one service and repeats those whose outcome is unknown.

    May be shared by threads: the connection pool locks itself, and no cookie is ever kept.
    """

    def __init__(
        self,
        base_url: str,
        *,
        timeout: float,
        retries: int,
        sleep: Callable[[float], None] | None = None,
        jitter: Callable[[], float] = random.random,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._base_url = _checked_url(base_url)
        self._timeout = _checked_timeout(timeout)
        self._retries = _checked_retries(retries)
        self._sleep = sleep
        self.jitter = jitter
        self.clock = clock
        self._session = _session()

    def close(self) -> None:
        """Drop the pooled connections."""
        self._session.close()

    def fetch(self, kind: type[T], call: Call) -> T:
        """The answer as a `kind`; raises `Problem`, `TransportError`, `UnexpectedAnswerError`."""
        return _read(kind, self._response(call))

    def fetch_changed(self, kind: type[T], call: Call) -> T | None:
        """As `fetch`, with None for 304, nothing new."""
        response = self._response(call)
        return None if response.status_code == 304 else _read(kind, response)

    def open(self, call: Call) -> Wire:
        """The stream of a call, tried once; it has to be closed.

        Raises `Problem`, `SilenceError` where no answer began, `TransportError`.
        """
        url = self._url(call)
        outcome = self._attempt(url, call)
        if isinstance(outcome, requests.ReadTimeout):
            raise SilenceError(f"No answer to {call.method} {url} began in time.") from outcome
        response = _answered(outcome, f"{call.method} {url}", 1)
        if 200 <= response.status_code < 300:
            return Wire(response)
        with response:
            raise _refusal(response)

    def pause(self, seconds: float, unless: threading.Event | None = None) -> None:
        """Let seconds pass, fewer where `unless` is set meanwhile."""
        if self._sleep is not None:
            self._sleep(seconds)
        elif unless is not None:
            unless.wait(seconds)
        else:
            time.sleep(seconds)

    def _response(self, call: Call) -> requests.Response:
        """The first answer that is certain, or the last one when the repeats are used up."""
        url = self._url(call)
        attempt = 0
        while True:
            outcome = self._attempt(url, call)
            pause = self._pause(outcome, attempt)
            attempt += 1
            if pause is None:
                return _answered(outcome, f"{call.method} {url}", attempt)
            self.pause(pause)

    def _url(self, call: Call) -> str:
        return self._base_url + "".join(f"/{_segment(part)}" for part in call.path)

    def _attempt(self, url: str, call: Call) -> requests.Response | requests.RequestException:
        try:
            return self._session.request(
                call.method,
                url,
                params=dict(call.query),
                json=call.body,
                headers=dict(call.headers),
                auth=_Bearer(call.token),
                timeout=(self._timeout, call.silence or self._timeout + call.wait),
                stream=call.silence is not None,
                allow_redirects=False,
            )
        except requests.RequestException as failure:
            return failure

    def _pause(
        self, outcome: requests.Response | requests.RequestException, attempt: int
    ) -> float | None:
        """Seconds before the next attempt; None where `outcome` has to stand."""
        if attempt >= self._retries or not _is_unsure(outcome):
            return None
        asked = (retry_after(outcome) if isinstance(outcome, requests.Response) else None) or 0.0
        if asked > LONGEST_RETRY_AFTER:
            return None
        back_off = min(LONGEST_BACK_OFF, FIRST_PAUSE * 2.0**attempt)
        return asked + back_off * (0.5 + self.jitter() / 2)


def _read(kind: type[T], response: requests.Response) -> T:
    if not 200 <= response.status_code < 300:
        raise problem_of(response)
    return value_of(kind, response)


def _refusal(response: requests.Response) -> Problem | TransportError:
    """The problem of an answer whose body has not been read yet, if it can be."""
    try:
        return problem_of(response)
    except requests.RequestException:
        return TransportError(f"The {response.status_code} answer was cut. Try again.")


def _is_unsure(outcome: requests.Response | requests.RequestException) -> bool:
    if isinstance(outcome, requests.Response):
        return outcome.status_code in UNSURE_STATUSES
    return isinstance(outcome, _LOST) and not isinstance(outcome, requests.exceptions.SSLError)


def _answered(
    outcome: requests.Response | requests.RequestException, target: str, attempts: int
) -> requests.Response:
    if isinstance(outcome, requests.Response):
        return outcome
    raise TransportError(
        f"No answer to {target} in {attempts} attempt(s), the last ended by "
        f"{type(outcome).__name__}. Check that the service runs at this address and is reachable."
    ) from outcome


def _session() -> requests.Session:
    session = requests.Session()
    session.headers["User-Agent"] = f"oklahoma-gin-python/{__version__}"
    session.headers["Accept"] = "application/json, application/problem+json"
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    adapter = HTTPAdapter(pool_maxsize=POOLED_CONNECTIONS)
    session.mount("http://", adapter)
    session.mount("https://", adapter)
    return session


def _segment(part: str) -> str:
    """One path segment, quoted; `.` and `..` would climb however they are quoted."""
    if part in ("", ".", ".."):
        raise ValueError(f"{part!r} cannot be part of an address; pass a game id of the service.")
    return quote(part, safe="")


def _checked_url(base_url: str) -> str:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(
            f"base_url {base_url!r} is not the address of a service; "
            "pass one such as 'http://127.0.0.1:8000', without query or fragment."
        )
    return base_url.rstrip("/")


def _checked_timeout(timeout: float) -> float:
    if not (isfinite(timeout) and timeout > 0):
        raise ValueError(f"timeout is {timeout!r}; pass a finite number of seconds above 0.")
    return timeout


def _checked_retries(retries: int) -> int:
    if retries < 0:
        raise ValueError(f"retries is {retries!r}; pass how often to repeat a call, 0 for never.")
    return retries
