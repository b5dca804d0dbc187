"""The body of an answer that goes on, read as it comes, and hung up from any thread."""

from collections.abc import Iterator
from contextlib import suppress

import requests
from urllib3.exceptions import ReadTimeoutError

from oklahoma_gin.errors import TransportError


class SilenceError(TransportError):
    """Nothing came for as long as the server may be silent."""


class Wire:
    """An open stream; iterating gives its bytes as they arrive and ends where the server ended it.

    Raises `SilenceError`, or `TransportError` where it was cut.
    """

    def __init__(self, response: requests.Response) -> None:
        self._response = response

    @property
    def media_type(self) -> str:
        """The type of the body, without parameters."""
        return self._response.headers.get("Content-Type", "").partition(";")[0].strip().lower()

    @property
    def is_empty(self) -> bool:
        """Whether the server says that there is nothing to follow."""
        return self._response.status_code == 204

    def __iter__(self) -> Iterator[bytes]:
        # What is not sent in chunks gives no sign where a piece ends but the bytes themselves.
        chunked = self._response.headers.get("Transfer-Encoding", "").lower() == "chunked"
        try:
            yield from self._response.iter_content(chunk_size=None if chunked else 1)
        except requests.RequestException as lost:
            silent = isinstance(next(iter(lost.args), None), ReadTimeoutError)
            kind = SilenceError if silent else TransportError
            raise kind(
                f"The stream was {'silent for too long' if silent else 'cut'}; it is followed on "
                "from where it stopped."
            ) from lost

    def hang_up(self) -> None:
        """Wake whoever reads; with urllib3 before 2.3 the next heartbeat has to do it."""
        with suppress(AttributeError, OSError, RuntimeError, ValueError):
            self._response.raw.shutdown()

    def close(self) -> None:
        """Give the connection up."""
        self._response.close()
