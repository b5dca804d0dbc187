"""JSON values into the frozen dataclasses of the models, driven by their type hints alone."""

import dataclasses
from collections.abc import Callable, Hashable, Mapping
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
Reader = Callable[[object], object]


class MismatchError(ValueError):
    """A JSON value that is not of the promised shape; `steps` lead to it, innermost first."""

    def __init__(self, complaint: str) -> None:
        super().__init__(complaint)
        self.complaint = complaint
        self.steps: list[str] = []

    def __str__(self) -> str:
        return f"{''.join(reversed(self.steps)) or 'the body'}: {self.complaint}"


def decode(kind: type[T], value: object) -> T:
    """`value` as a `kind`; raises `MismatchError`, which says where the two differ."""
    return cast(T, _reader(cast(Hashable, kind))(value))


@cache
def _reader(hint: Hashable) -> Reader:
    """The function that reads one hint; worked out once per hint and kept."""
    origin = get_origin(hint)
    if dataclasses.is_dataclass(hint):
        return _record_reader(cast(type, hint))
    if origin in (Union, UnionType):
        return _union_reader(get_args(hint))
    if origin is tuple:
        return _list_reader(_reader(get_args(hint)[0]))
    if origin is Mapping:
        return _map_reader(_reader(get_args(hint)[1]))
    return _time if hint is datetime else _scalar_reader(cast(type, hint))


def _scalar_reader(kind: type) -> Reader:
    def read(value: object) -> object:
        if type(value) is not kind:
            raise MismatchError(f"expected {kind.__name__}, got {_shown(value)}")
        return value

    return read


def _time(value: object) -> datetime:
    if not isinstance(value, str):
        raise MismatchError(f"expected a time, got {_shown(value)}")
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        raise MismatchError(f"expected an RFC 3339 time, got {_shown(value)}") from None


def _union_reader(kinds: tuple[type, ...]) -> Reader:
    """An optional value, or one of several scalars."""
    others = [kind for kind in kinds if kind is not NoneType]
    if len(others) == 1:
        inner = _reader(others[0])
        return lambda value: None if value is None else inner(value)

    def read(value: object) -> object:
        if type(value) not in kinds:
            names = ", ".join(kind.__name__ for kind in kinds)
            raise MismatchError(f"expected one of {names}, got {_shown(value)}")
        return value

    return read


def _list_reader(item: Reader) -> Reader:
    def read(value: object) -> object:
        if not isinstance(value, list):
            raise MismatchError(f"expected a list, got {_shown(value)}")
        return tuple(_step(item, each, f"[{index}]") for index, each in enumerate(value))

    return read


def _map_reader(item: Reader) -> Reader:
    def read(value: object) -> object:
        return {name: _step(item, each, f".{name}") for name, each in _members(value).items()}

    return read


def _record_reader(kind: type) -> Reader:
    """Reads an object; `json` in a field's metadata is its name there; the rest is ignored."""
    hints = get_type_hints(kind)
    plan = [
        (field.name, field.metadata.get("json", field.name), _reader(hints[field.name]), field)
        for field in dataclasses.fields(kind)
    ]

    def read(value: object) -> object:
        members = _members(value)
        known: dict[str, object] = {}
        for name, member, reader, field in plan:
            if member in members:
                known[name] = _step(reader, members[member], f".{member}")
            elif field.default is field.default_factory is dataclasses.MISSING:
                raise MismatchError(f"lacks `{member}`")
        return kind(**known)

    return read


def _members(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise MismatchError(f"expected an object, got {_shown(value)}")
    return value


def _step(reader: Reader, value: object, step: str) -> object:
    try:
        return reader(value)
    except MismatchError as mismatch:
        mismatch.steps.append(step)
        raise


def _shown(value: object) -> str:
    """The kind of a wrong value, never the value: it may hold a token."""
    return "null" if value is None else type(value).__name__
