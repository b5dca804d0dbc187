"""Answers to JSON: a schema is walked once and becomes a function that does no looking up.

The schemas stay the one definition of the fields; marshmallow's own ``dump`` gives the same values
and is too slow for the path of a move.
"""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, TypeAlias

import msgspec
from marshmallow import Schema
from marshmallow.fields import Field

from service.api.schemas.shown import Converted, Layoffs, Part, Parts, layoff_list

Render: TypeAlias = Callable[[Any], Any]
Values: TypeAlias = Callable[[Any], tuple[Any, ...]]

encode = msgspec.json.Encoder().encode


@cache
def renderer(schema: type[Schema]) -> Render:
    """Return the function that makes of an object what ``schema().dump`` makes of it."""
    fields = {
        field.data_key or name: (field.attribute or name, field)
        for name, field in schema().fields.items()
    }
    keys = tuple(fields)
    values_of = _getter([attribute for attribute, _ in fields.values()])
    places = enumerate(field for _, field in fields.values())
    steps = tuple((place, step) for place, field in places if (step := _step(field)))
    optional = tuple(key for key, (_, field) in fields.items() if not field.required)
    plain = _with_steps(keys, values_of, steps) if steps else _as_they_are(keys, values_of)
    return _without(optional, plain) if optional else plain


def _as_they_are(keys: tuple[str, ...], values_of: Values) -> Render:
    return lambda value: dict(zip(keys, values_of(value)))  # noqa: B905  # one getter made both


def _with_steps(
    keys: tuple[str, ...], values_of: Values, steps: tuple[tuple[int, Render], ...]
) -> Render:
    def render(value: object) -> dict[str, Any]:
        values = list(values_of(value))
        for place, step in steps:
            part = values[place]
            if part is not None:
                values[place] = step(part)
        return dict(zip(keys, values))  # noqa: B905  # one getter made both

    return render


def _without(optional: tuple[str, ...], plain: Render) -> Render:
    def render(value: object) -> dict[str, Any]:
        answer: dict[str, Any] = plain(value)
        for key in optional:
            if answer[key] is None:
                del answer[key]
        return answer

    return render


def _getter(attributes: list[str]) -> Values:
    getter = attrgetter(*attributes)
    return getter if len(attributes) > 1 else lambda value: (getter(value),)


def _step(field: Field[Any]) -> Render | None:
    if isinstance(field, Layoffs):
        return layoff_list
    if isinstance(field, Parts):
        part = _step(field.inner)
        return _each(part) if part else None
    if isinstance(field, Part):
        return renderer(type(field.schema))
    return field.convert if isinstance(field, Converted) else None


def _each(render: Render) -> Render:
    return lambda parts: [render(part) for part in parts]
