"""What a new contract breaks of an old one: for clients that were written for the old."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tests.openapi.schemas import Found, Pair, whole

Document: TypeAlias = Mapping[str, Any]
Operation: TypeAlias = Mapping[str, Any]

_METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


@dataclass(frozen=True, slots=True)
class Break:
    """Something that a client of the old contract stumbles over."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def breaking_changes(old: Document, new: Document) -> list[Break]:
    """Return what the new contract removes, renames, newly requires, narrows or widens."""
    after = dict(_operations(new))
    found = []
    for name, operation in _operations(old):
        if name in after:
            changes = _changes(Pair(old, new), operation, after[name])
            found += [Break(f"{name} {place}".strip(), what) for place, what in changes]
        else:
            found.append(Break(name, "the operation is gone"))
    return found


def additions(old: Document, new: Document) -> list[str]:
    """Return the operations that are new."""
    before = dict(_operations(old))
    return [name for name, _ in _operations(new) if name not in before]


def _operations(document: Document) -> Iterator[tuple[str, Operation]]:
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if method in methods:
                shared = methods.get("parameters", [])
                own = methods[method]
                both = [*shared, *own.get("parameters", [])]
                yield f"{method.upper()} {path}", {**own, "parameters": both}


def _changes(pair: Pair, old: Operation, new: Operation) -> Iterator[Found]:
    if old.get("operationId") != new.get("operationId"):
        yield "", f"operationId {old.get('operationId')} is {new.get('operationId')} now"
    if _is_open(old) and not _is_open(new):
        yield "", "a token has become required"
    yield from _parameters(pair, old, new)
    yield from _body(pair, old, new)
    yield from _answers(pair, old, new)


def _is_open(operation: Operation) -> bool:
    return {} in operation.get("security", [{}]) or operation.get("security") == []


def _parameters(pair: Pair, old: Operation, new: Operation) -> Iterator[Found]:
    before, after = _named(pair.old, old), _named(pair.new, new)
    for name, parameter in before.items():
        if name not in after:
            yield name, "parameter is gone"
            continue
        yield from pair.breaks(parameter["schema"], after[name]["schema"], "input", name)
    for name, parameter in after.items():
        if parameter.get("required") and not before.get(name, {}).get("required"):
            yield name, "parameter has become required"


def _named(document: Document, operation: Operation) -> dict[str, Any]:
    parameters = [whole(document, each) for each in operation["parameters"]]
    return {f"{each['in']} parameter {each['name']}": each for each in parameters}


def _body(pair: Pair, old: Operation, new: Operation) -> Iterator[Found]:
    before, after = old.get("requestBody"), new.get("requestBody")
    if after and after.get("required") and not (before and before.get("required")):
        yield "body", "has become required"
    if before and not after:
        yield "body", "is gone"
    if before and after:
        yield from _media(pair, before, after, "input", "body")


def _answers(pair: Pair, old: Operation, new: Operation) -> Iterator[Found]:
    for status, answer in old["responses"].items():
        if status not in new["responses"]:
            if status.startswith("2"):
                yield status, "the answer is gone"
            continue
        before, after = whole(pair.old, answer), whole(pair.new, new["responses"][status])
        yield from _media(pair, before, after, "output", status)
        for name in before.get("headers", {}):
            if name not in after.get("headers", {}):
                yield f"{status} header {name}", "is gone"
    for status in new["responses"]:
        if status.startswith("2") and status not in old["responses"]:
            yield status, "is a new kind of success"


def _media(pair: Pair, old: Any, new: Any, side: Any, place: str) -> Iterator[Found]:
    for media, content in old.get("content", {}).items():
        if media not in new.get("content", {}):
            yield f"{place} {media}", "is gone"
        else:
            schemas = content["schema"], new["content"][media]["schema"]
            yield from pair.breaks(*schemas, side, f"{place} ")
