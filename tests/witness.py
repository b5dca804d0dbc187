"""Sees every answer of the service that a test gets, and remembers those outside the contract.

The clients that tests use are watched where their answers arrive: Flask's test client, and
``requests``, beneath the SDK too, for the addresses that are named to ``watch``. What reads its
socket itself calls ``witness``.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.answers import STREAMS, Frames, Seen, faults, seen

_found: list[str] = []
_addresses: set[str] = set()


def watch(url: str) -> None:
    """Have the answers from an address witnessed, whoever asks by ``requests``."""
    _addresses.add(urlsplit(url).netloc)


def unwatch(url: str) -> None:
    """Leave an address to whoever is given it next."""
    _addresses.discard(urlsplit(url).netloc)


def witness(answer: Seen) -> None:
    """Remember what is wrong with an answer."""
    place = f"{answer.method} {answer.target} answered {answer.status}"
    _found.extend(f"{place}: {fault}" for fault in faults(answer))


def witness_frames(frames: Frames, chunk: bytes) -> None:
    """Remember what is wrong with what a chunk of a stream completes."""
    _found.extend(f"a frame of a stream: {fault}" for fault in frames.take(chunk))


def taken() -> list[str]:
    """Return what was wrong since the last call."""
    found = _found.copy()
    _found.clear()
    return found


class _Chunks:
    """The chunks of a stream that the test client reads, witnessed as they pass."""

    def __init__(self, chunks: Any, media: str) -> None:
        self._chunks = chunks
        self._frames = Frames(media)

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            witness_frames(self._frames, chunk)
            yield chunk

    def close(self) -> None:
        if hasattr(self._chunks, "close"):
            self._chunks.close()


def _of_the_test_client(response: TestResponse) -> None:
    media = response.mimetype or ""
    asked = response.request
    goes_on = media in STREAMS and asked.method != "HEAD"
    content = None if goes_on else response.get_data()
    query = asked.query_string.decode("latin-1")
    target = f"{asked.path}?{query}" if query else asked.path
    witness(
        seen(asked.method, target, response.status_code, list(response.headers.items()), content)
    )
    if goes_on:
        response.response = _Chunks(response.response, media)


def _of_requests(response: requests.Response) -> None:
    asked, media = response.request, response.headers.get("Content-Type", "").partition(";")[0]
    goes_on = media in STREAMS
    content = None if goes_on else response.content
    headers = {
        name: value for name, value in response.headers.items() if name != "Content-Encoding"
    }
    witness(
        seen(asked.method or "", asked.path_url, response.status_code, headers.items(), content)
    )
    if goes_on:
        _tap(response, Frames(media))


def _tap(response: requests.Response, frames: Frames) -> None:
    read = response.iter_content

    def iter_content(*how: Any, **named: Any) -> Iterator[bytes]:
        for chunk in read(*how, **named):
            witness_frames(frames, chunk)
            yield chunk

    response.iter_content = iter_content  # type: ignore[method-assign]


@contextmanager
def watching() -> Iterator[None]:
    """Watch for as long as the context lasts."""
    open_, send = FlaskClient.open, requests.Session.send

    def opened(self: FlaskClient, *asked: Any, **named: Any) -> TestResponse:
        response = open_(self, *asked, **named)
        _of_the_test_client(response)
        return response

    def sent(
        self: requests.Session, request: requests.PreparedRequest, **named: Any
    ) -> requests.Response:
        response = send(self, request, **named)
        if urlsplit(response.url).netloc in _addresses:
            _of_requests(response)
        return response

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FlaskClient, "open", opened)
        patch.setattr(requests.Session, "send", sent)
        yield
