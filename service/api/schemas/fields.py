"""Fields of requests: strict about types, and each says what it takes."""

import json
from typing import Any, ClassVar, NoReturn

from marshmallow import ValidationError, fields

from service.api.names import name_fault, tidy


def excerpt(value: object) -> str:
    """Return a value as JSON, cut to 40 characters."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:37] + "..."


class Taken(fields.Field[Any]):
    """A value that a request may or must hold; null is never one."""

    takes: ClassVar[str] = "a value"
    shape: ClassVar[dict[str, Any]] = {}

    def __init__(
        self,
        description: str,
        *,
        required: bool = False,
        takes: str | None = None,
        **shape: Any,  # JSON Schema keywords
    ) -> None:
        self.said = takes or self.takes
        said = self.said.replace("{", "{{").replace("}", "}}")  # marshmallow formats messages
        super().__init__(
            required=required,
            metadata={**self.shape, **shape, "description": description},
            error_messages={
                "required": f"This field is required: send {said}.",
                "null": f"null is never taken: leave the field out or send {said}.",
            },
        )

    def refuse(self, value: object) -> NoReturn:
        """Say what was sent and what would have been right."""
        raise ValidationError(f"Send {self.said}, not {excerpt(value)}.")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:  # noqa: ARG002
        return self.read(value)

    def read(self, value: Any) -> Any:
        """Return the value as the service knows it, or refuse it."""
        return value


class Integer(Taken):
    """An integer within bounds; true, "7" and 7.0 are not integers."""

    def __init__(
        self,
        description: str,
        low: int,
        high: int,
        *,
        required: bool = False,
        default: int | None = None,
    ) -> None:
        super().__init__(
            description,
            required=required,
            takes=f"an integer from {low} to {high}",
            type="integer",
            minimum=low,
            maximum=high,
            **_stated(default),
        )
        self.low, self.high = low, high

    def read(self, value: Any) -> int:
        if type(value) is not int or not self.low <= value <= self.high:
            self.refuse(value)
        return value


class Digits(Integer):
    """An integer within bounds, written in a query."""

    def read(self, value: Any) -> int:
        if not (value.isascii() and value.isdigit() and len(value) <= 16):
            self.refuse(value)
        return super().read(int(value))


class Flag(Taken):
    """True or false."""

    takes = "true or false"
    shape: ClassVar[dict[str, Any]] = {"type": "boolean", "default": False}

    def read(self, value: Any) -> bool:
        if not isinstance(value, bool):
            self.refuse(value)
        return value


class Choice(Taken):
    """One of some words."""

    def __init__(
        self,
        description: str,
        values: tuple[str, ...],
        *,
        required: bool = False,
        default: str | None = None,
    ) -> None:
        super().__init__(
            description,
            required=required,
            takes=" or ".join(f'"{value}"' for value in values),
            type="string",
            enum=list(values),
            **_stated(default),
        )
        self.values = values

    def read(self, value: Any) -> str:
        if not isinstance(value, str) or value not in self.values:
            self.refuse(value)
        return value


def _stated(default: object) -> dict[str, Any]:
    return {} if default is None else {"default": default}


class Text(Taken):
    """Text of so many characters."""

    def __init__(self, description: str, longest: int) -> None:
        super().__init__(
            description,
            takes=f"a text of 1 to {longest} characters",
            type="string",
            minLength=1,
            maxLength=longest,
        )
        self.longest = longest

    def read(self, value: Any) -> str:
        if not isinstance(value, str):
            self.refuse(value)
        if not 0 < len(value) <= self.longest:
            raise ValidationError(f"Send {self.said}; this one has {len(value)}.")
        return value


class PlayerName(Taken):
    """A player's name, trimmed and in NFC."""

    takes: ClassVar[str] = "a name of 1 to 40 characters"
    shape: ClassVar[dict[str, Any]] = {
        "type": "string",
        "minLength": 1,
        "maxLength": 40,
        "example": "Ann",
    }

    def read(self, value: Any) -> str:
        if not isinstance(value, str):
            self.refuse(value)
        name = tidy(value)
        if fault := name_fault(name):
            raise ValidationError(fault)
        return name


class Entropy(Taken):
    """A seat's own text for the next shuffle, at most 64 bytes of UTF-8."""

    takes: ClassVar[str] = "a text of at most 64 bytes in UTF-8"
    shape: ClassVar[dict[str, Any]] = {
        "type": "string",
        "maxLength": 64,
        "example": "seven herons",
    }

    def read(self, value: Any) -> str:
        if not isinstance(value, str):
            self.refuse(value)
        size = len(value.encode())
        if size > 64:
            raise ValidationError(f"Send {self.takes}; this one has {size}.")
        return value
