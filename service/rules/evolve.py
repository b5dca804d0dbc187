"""Fast ways to make the values of which every ply makes three or four.

A frozen dataclass sets its fields one by one through ``object.__setattr__``, which costs more than
all the rules of a ply. The values made here have no slots, so that their fields can be set at once;
they are as frozen as any other.
"""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

Value = TypeVar("Value")
Fields = ParamSpec("Fields")


def evolve(value: Value, **changes: object) -> Value:
    """Return a frozen dataclass without slots like ``value``, with some fields set otherwise."""
    made: Value = object.__new__(type(value))
    object.__setattr__(made, "__dict__", value.__dict__ | changes)
    return made


def builder(kind: Callable[Fields, Value]) -> Callable[Fields, Value]:
    """Return a constructor of a frozen dataclass without slots that takes fields by keyword only.

    What is not named is read as the class's default.
    """

    def build(**fields: Any) -> Value:
        made: Value = object.__new__(cast("type[Value]", kind))
        made.__dict__.update(fields)
        return made

    return cast("Callable[Fields, Value]", build)
