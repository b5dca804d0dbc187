"""What may change in a schema without breaking who sends it, or who reads it.

A sender breaks where less is taken than before, a reader where more is given: what is narrower in
one direction is wider in the other.
"""

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

Schema: TypeAlias = Mapping[str, Any]
Side: TypeAlias = Literal["input", "output"]
Found: TypeAlias = tuple[str, str]

# Whether a new bound takes less than the old one.
_BOUNDS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    **dict.fromkeys(("minimum", "minLength", "minItems"), operator.gt),
    **dict.fromkeys(("maximum", "maxLength", "maxItems"), operator.lt),
}
_EXACT: Final = ("pattern", "format", "const", "uniqueItems")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two documents, the older first, in which references are looked up."""

    old: Mapping[str, Any]
    new: Mapping[str, Any]

    def breaks(self, old: Schema, new: Schema, side: Side, place: str = "") -> Iterator[Found]:
        """Yield the place and the sentence of every change that breaks one side."""
        yield from self._compared(old, new, side, place, frozenset())

    def _compared(
        self, old: Schema, new: Schema, side: Side, place: str, seen: frozenset[str]
    ) -> Iterator[Found]:
        met = f"{old.get('$ref')} {new.get('$ref')}"
        if met in seen:
            return
        seen |= {met} if "$ref" in old else set()
        old, new = whole(self.old, old), whole(self.new, new)
        less, more = (old, new) if side == "input" else (new, old)
        for sentence in _narrower(less, more):
            verb = "takes less" if side == "input" else "gives more"
            yield place, f"{side} {verb}: {sentence}"
        for name in ("items", "additionalProperties"):
            if isinstance(old.get(name), Mapping) and isinstance(new.get(name), Mapping):
                yield from self._compared(old[name], new[name], side, f"{place}[]", seen)
        yield from self._properties(old, new, side, place, seen)

    def _properties(
        self, old: Schema, new: Schema, side: Side, place: str, seen: frozenset[str]
    ) -> Iterator[Found]:
        before, after = old.get("properties", {}), new.get("properties", {})
        for name, schema in before.items():
            here = f"{place}.{name}"
            if name in after:
                yield from self._compared(schema, after[name], side, here, seen)
            else:
                yield here, f"{side} field is gone"
        needed, given = set(old.get("required", ())), set(new.get("required", ()))
        if side == "input":
            for name in sorted(given - needed):
                yield f"{place}.{name}", "input field has become required"
        else:
            for name in sorted((needed - given) & set(after)):
                yield f"{place}.{name}", "output field may be absent now"


def whole(document: Mapping[str, Any], schema: Schema) -> Schema:
    """Return a schema with its own reference, its only ``allOf`` and a null beside it resolved."""
    while "$ref" in schema:
        found: Any = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part.replace("~1", "/").replace("~0", "~")]
        schema = found
    for word in ("allOf", "anyOf"):
        members = [member for member in schema.get(word, ()) if member != {"type": "null"}]
        if len(members) == 1:
            inner = whole(document, members[0])
            return {**inner, "type": _types(inner) | _nulls(schema.get(word, ()))}
    return schema


def _nulls(members: Any) -> set[str]:
    return {"null"} if {"type": "null"} in members else set()


def _types(schema: Schema) -> set[str]:
    named = schema.get("type", ())
    return {named} if isinstance(named, str) else set(named)


def _narrower(old: Schema, new: Schema) -> Iterator[str]:
    """Yield a sentence for each way in which the second schema takes less than the first."""
    before, after = _types(old), _types(new)
    accepted = after | ({"integer"} if "number" in after else set())
    if after and (not before or before - accepted):
        yield f"type {_listed(before) or 'any'} and {_listed(after)}"
    values, allowed = old.get("enum"), new.get("enum")
    if allowed is not None and (values is None or set(values) - set(allowed)):
        yield f"values {values or 'any'} and {allowed}"
    for name, is_less in _BOUNDS.items():
        bound = new.get(name)
        if bound is not None and (name not in old or is_less(bound, old[name])):
            yield f"{name} {old.get(name, 'none')} and {bound}"
    for name in _EXACT:
        if name in new and old.get(name) != new[name]:
            yield f"{name} {old.get(name, 'none')} and {new[name]}"
    if new.get("additionalProperties") is False and old.get("additionalProperties") is not False:
        yield "unknown fields, and none"


def _listed(types: set[str]) -> str:
    return " or ".join(sorted(types))
