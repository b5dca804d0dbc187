"""The one place where a body is read: bounded, strict, and parsed once."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import IO, Any, Final, NoReturn

from flask import Request
from gevent import Timeout
from gunicorn.http.errors import ParseException
from marshmallow import ValidationError
from marshmallow.exceptions import SCHEMA

from service.api.problems import Problem
from service.api.schemas.requests import Body

JSON: Final = "application/json"
LARGEST: Final = 16 * 1024
PATIENCE_SECONDS: Final = 5
DEEPEST: Final = 32
LARGEST_INTEGER: Final = 2**53

_STRINGS: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


def read_object(request: Request) -> dict[str, Any] | None:
    """Return the JSON object of a request, none where the body is empty.

    :raises Problem: body_too_large, unsupported_media_type or malformed_request.
    """
    content = _content(request)
    if not content:
        return None
    _check_media_type(request)
    return parse_object(content)


def parse_object(content: bytes) -> dict[str, Any]:
    """Return the JSON object that the bytes are.

    :raises Problem: malformed_request, with a sentence for each way to be so.
    """
    text = _text(content)
    _check_depth(text)
    try:
        parsed = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        malformed(f"The body is not JSON: {error}.")
    if not isinstance(parsed, dict):
        malformed('The body is JSON, but not an object: send {"field": value, …}.')
    if _SURROGATE.search(text):
        _check_surrogates(parsed)
    return parsed


def fingerprint(parsed: Mapping[str, Any] | None) -> str:
    """Return the SHA-256 (hex) of a body, whatever its spacing, escapes and order of fields."""
    return hashlib.sha256(_CANONICAL.encode(parsed or {}).encode()).hexdigest()


def validated(schema: Body, parsed: dict[str, Any] | None) -> Mapping[str, Any]:
    """Return what the fields of a body stand for.

    :raises Problem: malformed_request for an empty body where a field is required, else
        invalid_rules or invalid_request with every fault.
    """
    if parsed is None:
        required = [name for name, field in schema.fields.items() if field.required]
        if required:
            malformed(f"The body is empty: send a JSON object with {', '.join(required)}.")
    try:
        loaded: Mapping[str, Any] = schema.load(parsed or {})
    except ValidationError as error:
        raise _invalid(faults_in(error)) from error
    return loaded


def faults_in(error: ValidationError) -> tuple[tuple[str, str], ...]:
    """Return every fault as a JSON Pointer and a sentence."""
    return tuple(_faults(error.messages, ""))


def malformed(detail: str) -> NoReturn:
    """Refuse a request that cannot be read."""
    raise Problem("malformed_request", detail)


def _content(request: Request) -> bytes:
    announced = request.content_length
    if announced is not None and announced > LARGEST:
        _too_large()
    try:
        with Timeout(PATIENCE_SECONDS, TimeoutError("the body did not come in time")):
            content = _chunks(request.stream) if announced is None else _whole(request, announced)
    except (OSError, ParseException):  # chunks that break off, that are none, or that stay away
        malformed(
            f"The body did not come whole within {PATIENCE_SECONDS} seconds; send it again, all "
            "of its chunks well-formed."
        )
    if announced not in (None, len(content)):
        malformed(f"The body ended after {len(content)} of {announced} bytes; send it whole.")
    return content


def _whole(request: Request, size: int) -> bytes:
    """Return so many bytes of the body; Werkzeug's own stream would only count them too."""
    content: bytes = request.environ["wsgi.input"].read(size)
    return content


def _chunks(stream: IO[bytes]) -> bytes:
    content = b""
    while chunk := stream.read(LARGEST + 1 - len(content)):
        content += chunk
        if len(content) > LARGEST:
            _too_large()
    return content


def _too_large() -> NoReturn:
    raise Problem("body_too_large", f"The body has more than {LARGEST} bytes; send fewer.")


def _check_media_type(request: Request) -> None:
    sent = request.content_type or "no Content-Type"
    if sent != JSON and not _is_json(request):
        raise Problem(
            "unsupported_media_type",
            f"The body came as {sent[:80]}; send JSON in UTF-8 as application/json.",
        )
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise Problem(
            "unsupported_media_type", "The body is encoded; send it without Content-Encoding."
        )


def _is_json(request: Request) -> bool:
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    return request.mimetype == JSON and charset in ("utf-8", "utf8")


def _text(content: bytes) -> str:
    if content.startswith(b"\xef\xbb\xbf"):
        malformed("The body begins with a byte order mark; send JSON without one.")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        malformed(f"The body is not UTF-8: byte {error.start} is wrong; send JSON in UTF-8.")


def _check_depth(text: str) -> None:
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    depth = 0
    for character in _STRINGS.sub("", text):
        depth += (character in "[{") - (character in "]}")
        if depth > DEEPEST:
            malformed(f"The body is nested more than {DEEPEST} deep; no request needs as much.")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        malformed(f"The body names {json.dumps(twice)[:40]} twice in one object; name it once.")
    return members


def _integer(digits: str) -> int:
    value = int(digits) if len(digits) <= 17 else LARGEST_INTEGER + 1
    if abs(value) > LARGEST_INTEGER:
        malformed(f"The integer {digits[:24]} is beyond 2^53, which JSON cannot carry safely.")
    return value


def _number(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        malformed(f"The number {digits[:24]} is too large for JSON's numbers.")
    return value


def _constant(name: str) -> NoReturn:
    malformed(f"{name} is not JSON; send a number, or leave the field out.")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_distinct,
    parse_int=_integer,
    parse_float=_number,
    parse_constant=_constant,
)
_CANONICAL: Final = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _check_surrogates(parsed: object) -> None:
    try:
        json.dumps(parsed, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        malformed("A \\ud800 to \\udfff escape stands alone; send whole characters.")


def _faults(messages: Any, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(messages, Mapping):
        for key, inner in messages.items():
            whole = key == SCHEMA and isinstance(inner, list)
            yield from _faults(inner, pointer if whole else f"{pointer}/{_escaped(key)}")
    else:
        for detail in messages:
            yield pointer, detail


def _escaped(key: object) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")


def _invalid(faults: tuple[tuple[str, str], ...]) -> Problem:
    of_rules = all(pointer.startswith("/rules/") for pointer, _ in faults)
    named = "; ".join(f"{pointer}: {detail}" for pointer, detail in faults[:3])
    more = f" (and {len(faults) - 3} more)" if len(faults) > 3 else ""
    code = "invalid_rules" if of_rules else "invalid_request"
    return Problem(code, f"{named}{more}", faults=faults)
