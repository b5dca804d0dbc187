"""Who asks, under which key, under which id: the headers of a request, read strictly."""

import re
from secrets import token_hex
from typing import Final

from service.api.problems import Problem

SHORTEST_SECRET: Final = 22
LONGEST_KEY: Final = 255

_BEARER: Final = re.compile(r"[Bb][Ee][Aa][Rr][Ee][Rr] +(okg_[A-Za-z0-9._~-]{1,240})")
_QUOTED: Final = re.compile(r'"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"')
_BARE: Final = re.compile(r"[\x21\x23-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_REQUEST_ID: Final = re.compile(r"(?!ok[gt]_)[A-Za-z0-9._-]{1,128}")  # no token, no ticket


def bearer(authorization: str | None) -> str | None:
    """Return the seat token of an Authorization header.

    :raises Problem: token_invalid if there is one that is not ``Bearer okg_…``.
    """
    if authorization is None:
        return None
    found = _BEARER.fullmatch(authorization.strip(" \t"))
    if not found:
        raise Problem(
            "token_invalid",
            "Authorization is not `Bearer okg_…`: send the token that creating or joining the "
            "game returned, unchanged.",
        )
    return found[1]


def idempotency_key(value: str | None, *, secret: bool = False) -> str | None:
    """Return the key of a request without its quotes.

    :raises Problem: malformed_request if it is not 1 to 255 printable ASCII characters, or, where
        the key is a secret, has fewer than 22.
    """
    if value is None:
        return None
    key = _unquoted(value.strip(" \t"))
    if key is None or not 0 < len(key) <= LONGEST_KEY:
        raise Problem(
            "malformed_request",
            f"Idempotency-Key takes 1 to {LONGEST_KEY} printable ASCII characters, bare or in "
            "double quotes, such as a UUID.",
        )
    if secret and len(key) < SHORTEST_SECRET:
        raise Problem(
            "malformed_request",
            f"Idempotency-Key has {len(key)} characters; here it stands for the caller and must "
            f"be a secret of at least {SHORTEST_SECRET}, such as a UUID.",
        )
    return key


def _unquoted(value: str) -> str | None:
    if quoted := _QUOTED.fullmatch(value):
        return re.sub(r"\\(.)", r"\1", quoted[1])
    return value if _BARE.fullmatch(value) else None


def request_id(value: str | None) -> str:
    """Return the caller's request id if it is a plain word of 1 to 128 characters, else a new one.

    It is logged, so what looks like a token or a ticket is none.

    >>> request_id("abc-1")
    'abc-1'
    """
    if value and _REQUEST_ID.fullmatch(value):
        return value
    return token_hex(16)
