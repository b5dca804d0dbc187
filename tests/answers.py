"""What an answer may be: its status, headers, type and body, and each frame of a stream."""

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any, Final
from urllib.parse import unquote

from jsonschema_rs import Draft202012Validator
from werkzeug.datastructures import Headers

from service.api.answers import PROBLEM_JSON
from service.api.factory import all_operations
from service.api.operation import JSON
from service.api.spec import document
from service.api.streaming import NDJSON, SSE

STREAMS: Final = (SSE, NDJSON)
PROBLEM: Final = "/components/schemas/Problem"
FRAME: Final = "/components/schemas/Frame"
SNAPSHOT: Final = "/components/schemas/Snapshot"

# What the HTTP server refuses itself never reaches the service, and is a page of its own.
_SERVERS_OWN: Final = (400, 413, 414, 431, 501, 505)


@dataclass(frozen=True, slots=True)
class Seen:
    """One answer as it came; without ``content`` its body is not read yet, or goes on."""

    method: str
    target: str
    status: int
    headers: Headers
    content: bytes | None

    @property
    def media(self) -> str:
        return self.headers.get("Content-Type", "").partition(";")[0].strip().lower()

    @property
    def json(self) -> Any:
        packed = self.headers.get("Content-Encoding") == "gzip"
        content = self.content or b""
        return json.loads(gzip.decompress(content) if packed else content)


def seen(
    method: str, target: str, status: int, headers: Iterable[tuple[str, str]], content: bytes | None
) -> Seen:
    """Return an answer whose headers are found in whatever case they are asked for."""
    return Seen(method, target, status, Headers(list(headers)), content)


@cache
def strict_contract() -> dict[str, Any]:
    """Return the contract with every object closed, so that an undocumented field is noticed."""
    contract = deepcopy(document(all_operations()))
    schemas = contract["components"]["schemas"]
    for name, schema in schemas.items():
        if name != "Problem":
            schema["additionalProperties"] = False
    frame = schemas["Frame"] = deepcopy(schemas["Event"])
    frame["properties"]["game"] = {"$ref": "#/components/schemas/Game"}
    schemas["Snapshot"] = {**frame, "required": [*frame["required"], "game"]}
    return contract


@cache
def validator(pointer: str) -> Draft202012Validator:
    """Return the validator of a schema at a JSON Pointer into the contract."""
    contract = schema = strict_contract()
    for part in pointer.split("/")[1:]:
        schema = schema[part.replace("~1", "/").replace("~0", "~")]
    named = {"schemas": contract["components"]["schemas"]}
    return Draft202012Validator({**schema, "components": named}, validate_formats=True)


def escaped(part: str) -> str:
    """Return a name as a JSON Pointer holds it."""
    return part.replace("~", "~0").replace("/", "~1")


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the contract's paths, plain ones first, each with the pattern of its requests."""
    paths = sorted(strict_contract()["paths"], key=lambda each: each.count("{"))
    aliases = [(each.path, each.alias) for each in all_operations() if each.alias]
    written = [*((path, path) for path in paths), *aliases]
    return tuple(
        (path, re.compile(re.sub(r"{\w+}", "[^/]+", like), re.DOTALL)) for path, like in written
    )


@cache
def _operations(path: str) -> tuple[str, Mapping[str, Any]]:
    for template, pattern in _patterns():
        if pattern.fullmatch(path):
            return template, strict_contract()["paths"][template]
    return "", {}


def faults(answer: Seen) -> Iterator[str]:
    """Yield a sentence for each way in which an answer is not one of the contract's."""
    method = "get" if answer.method == "HEAD" else answer.method.lower()
    if method == "options" or _is_the_servers_own(answer):
        return
    template, operations = _operations(unquote(answer.target.partition("?")[0]))
    if method in operations:
        place = f"/paths/{escaped(template)}/{method}/responses/{answer.status}"
        yield from _documented(answer, operations[method]["responses"], place)
    elif answer.status == 308:  # to the alias of an operation
        yield from _lacking(answer, ("X-Request-Id", "Location"))
    elif answer.status not in (404, 405):
        yield "the contract has no such operation, and this is neither 404 nor 405"
    else:
        yield from _lacking(answer, ("X-Request-Id",))
        yield from _invalid(answer, PROBLEM)


def _is_the_servers_own(answer: Seen) -> bool:
    own = answer.status in _SERVERS_OWN and answer.media == "text/html"
    return own and "X-Request-Id" not in answer.headers


def _documented(answer: Seen, responses: Mapping[str, Any], place: str) -> Iterator[str]:
    documented = responses.get(str(answer.status))
    if documented is None:
        yield f"the contract has only {', '.join(responses)} here"
        return
    yield from _lacking(answer, documented.get("headers", {}))
    content = documented.get("content")
    if content is None:
        if answer.content:
            yield "it has a body"
    elif answer.media not in content:
        yield f"its type is {answer.media!r}, not {' or '.join(content)}"
    elif answer.media in (JSON, PROBLEM_JSON):
        yield from _invalid(answer, f"{place}/content/{escaped(answer.media)}/schema")
        yield from _unknown_code(answer, content[answer.media])


def _lacking(answer: Seen, headers: Iterable[str]) -> Iterator[str]:
    for name in headers:
        documented = strict_contract()["components"]["headers"][name]
        if documented.get("required") and name not in answer.headers:
            yield f"it has no {name}"


def _invalid(answer: Seen, pointer: str) -> Iterator[str]:
    if answer.method == "HEAD":
        if answer.content:
            yield "it has a body"
        return
    try:
        body = answer.json
    except ValueError as unread:
        yield f"its body is no JSON ({unread})"
        return
    yield from schema_faults(pointer, body)


def schema_faults(pointer: str, value: object) -> Iterator[str]:
    """Yield the faults of a value by the schema at a JSON Pointer into the contract."""
    for error in validator(pointer).iter_errors(value):
        yield f"{'/'.join(map(str, error.instance_path)) or 'the body'}: {error.message}"


def _unknown_code(answer: Seen, content: Mapping[str, Any]) -> Iterator[str]:
    if answer.media == PROBLEM_JSON and answer.method != "HEAD":
        code = answer.json.get("code")
        if code not in content["examples"]:
            yield f"the contract names no {code!r} here"


class Frames:
    """Takes a stream's bytes as they come, and holds each object of it against the contract."""

    def __init__(self, media: str) -> None:
        self._is_sse = media == SSE
        self._rest = b""
        self._fields: dict[str, str] = {}

    def take(self, chunk: bytes) -> Iterator[str]:
        """Yield the faults of the objects that a chunk completes."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            yield from self._sse(line.decode()) if self._is_sse else self._line(line)

    def _line(self, line: bytes) -> Iterator[str]:
        if line:
            yield from frame_faults(json.loads(line))

    def _sse(self, line: str) -> Iterator[str]:
        name, _, value = line.partition(": ")
        if line:
            self._fields[name] = value
            return
        fields, self._fields = self._fields, {}
        if "data" in fields:
            shown = json.loads(fields["data"])
            if (fields["event"], fields.get("id")) != (shown["type"], shown.get("id")):
                yield f"event {fields['event']} {fields.get('id')} holds another: {shown}"
            yield from frame_faults(shown)


def frame_faults(shown: Any) -> Iterator[str]:
    """Yield the faults of one object of a stream: an event, a snapshot, or the word to go."""
    if shown != {"type": "reconnect"}:
        yield from schema_faults(SNAPSHOT if shown["type"] == "snapshot" else FRAME, shown)
