"""Fields of answers: how an attribute becomes JSON, and the JSON Schema that says so."""

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, ClassVar

from marshmallow import EXCLUDE, Schema, fields, post_dump

from service.rules.cards import CARD_NAMES, RANKS, SUITS, Card, CardSet, cards_in

CARD_PATTERN = f"^[{RANKS}][{SUITS}]$"
CARD_SHAPE = {"type": "string", "pattern": CARD_PATTERN, "example": "TD"}


@lru_cache(maxsize=4096)
def names_in(cards: CardSet) -> tuple[str, ...]:
    """Return the names of a set's cards in card order."""
    return tuple(CARD_NAMES[card] for card in cards_in(cards))


def names_of(pile: tuple[Card, ...]) -> list[str]:
    """Return the names of cards in the order they lie."""
    return [CARD_NAMES[card] for card in pile]


def meld_names(melds: tuple[CardSet, ...]) -> list[tuple[str, ...]]:
    """Return melds as lists of names."""
    return [names_in(meld) for meld in melds]


def moment(millis: int) -> str:
    """Return milliseconds since 1970 UTC as RFC 3339.

    >>> moment(1_700_000_000_042)
    '2023-11-14T22:13:20.042Z'
    """
    seconds, rest = divmod(millis, 1000)
    return f"{_second(seconds)}.{rest:03d}Z"


@lru_cache(maxsize=1024)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:19]


class Shown(fields.Field[Any]):
    """A value of an answer. ``optional`` ones are left out when they are None."""

    shape: ClassVar[dict[str, Any]] = {}

    def __init__(
        self,
        description: str,
        *,
        attribute: str | None = None,
        data_key: str | None = None,
        nullable: bool = False,
        optional: bool = False,
        **shape: Any,  # JSON Schema keywords
    ) -> None:
        super().__init__(
            attribute=attribute,
            data_key=data_key,
            allow_none=nullable,
            required=not optional,
            metadata={**self.shape, **shape, "description": description},
        )


class Converted(Shown):
    """A value that is another in JSON."""

    @staticmethod
    def convert(value: Any) -> Any:
        """Return the JSON of an attribute's value, which is not None."""
        raise NotImplementedError

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> Any:  # noqa: ARG002
        return None if value is None else self.convert(value)


class Text(Shown):
    """Text; where its values are documented, more may come."""

    shape: ClassVar[dict[str, Any]] = {"type": "string"}


class Whole(Shown):
    """An integer."""

    shape: ClassVar[dict[str, Any]] = {"type": "integer"}


class Flag(Shown):
    """True or false."""

    shape: ClassVar[dict[str, Any]] = {"type": "boolean"}


class AnyValue(Shown):
    """A value of a type that another field names."""


class Moment(Converted):
    """Milliseconds since 1970 UTC, shown as RFC 3339 in UTC with milliseconds."""

    shape: ClassVar[dict[str, Any]] = {
        "type": "string",
        "format": "date-time",
        "example": "2026-11-14T22:13:20.042Z",
    }

    @staticmethod
    def convert(value: int) -> str:
        return moment(value)


class CardName(Converted):
    """A card, shown by its name."""

    shape: ClassVar[dict[str, Any]] = CARD_SHAPE

    @staticmethod
    def convert(value: Card) -> str:
        return CARD_NAMES[value]


class Cards(Converted):
    """A set of cards, shown as names in card order."""

    shape: ClassVar[dict[str, Any]] = {"type": "array", "items": CARD_SHAPE}

    @staticmethod
    def convert(value: CardSet) -> tuple[str, ...]:
        return names_in(value)


class Pile(Converted):
    """Cards in an order of their own, shown as names in that order."""

    shape: ClassVar[dict[str, Any]] = {"type": "array", "items": CARD_SHAPE}

    @staticmethod
    def convert(value: tuple[Card, ...]) -> list[str]:
        return names_of(value)


class Melds(Converted):
    """Melds, each shown as names in card order."""

    shape: ClassVar[dict[str, Any]] = {
        "type": "array",
        "items": {"type": "array", "items": CARD_SHAPE},
    }

    @staticmethod
    def convert(value: tuple[CardSet, ...]) -> list[tuple[str, ...]]:
        return meld_names(value)


class Numbers(Shown):
    """A list of integers."""

    shape: ClassVar[dict[str, Any]] = {"type": "array", "items": {"type": "integer"}}


class TextsByName(Shown):
    """Texts by name."""

    shape: ClassVar[dict[str, Any]] = {
        "type": "object",
        "additionalProperties": {"type": "string"},
    }


class OptionsByName(Shown):
    """Booleans, integers and texts by name."""

    shape: ClassVar[dict[str, Any]] = {"type": "object", "additionalProperties": True}


class Texts(Shown):
    """A list of texts."""

    shape: ClassVar[dict[str, Any]] = {"type": "array", "items": {"type": "string"}}


class Answer(Schema):
    """The JSON of an answer; its optional fields are left out when they are None."""

    class Meta:
        unknown = EXCLUDE

    @post_dump
    def leave_out(self, shown: dict[str, Any], **_: object) -> dict[str, Any]:
        for name, field in self.fields.items():
            key = field.data_key or name
            if not field.required and shown.get(key) is None:
                shown.pop(key, None)
        return shown


def fields_through(schema: type[Answer], attribute: str) -> dict[str, fields.Field[Any]]:
    """Return a schema's fields for objects that hold the schema's own object as an attribute."""
    found = schema().fields
    for name, field in found.items():
        field.attribute = f"{attribute}.{field.attribute or name}"
    return dict(found)


class Part(fields.Nested):
    """A value with a schema of its own."""

    def __init__(
        self,
        schema: type[Answer],
        description: str = "",
        *,
        attribute: str | None = None,
        nullable: bool = False,
        optional: bool = False,
    ) -> None:
        super().__init__(
            schema,
            attribute=attribute,
            allow_none=nullable,
            required=not optional,
            metadata={"description": description} if description else {},
        )


class Parts(fields.List[Any]):
    """Values that share a schema."""

    def __init__(
        self,
        schema: type[Answer],
        description: str,
        *,
        attribute: str | None = None,
        nullable: bool = False,
        optional: bool = False,
    ) -> None:
        super().__init__(
            Part(schema),
            attribute=attribute,
            allow_none=nullable,
            required=not optional,
            metadata={"description": description},
        )


class LayoffSchema(Answer):
    """A card and the index of the knocker's meld that it is added to."""

    card = CardName("The card that is added.")
    meld = Whole("An index into the knocker's melds, from 0.", minimum=0)


class Layoffs(Parts):
    """Pairs of a card and a meld's index."""

    def __init__(
        self, description: str, *, attribute: str | None = None, optional: bool = False
    ) -> None:
        super().__init__(LayoffSchema, description, attribute=attribute, optional=optional)

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> Any:  # noqa: ARG002
        return None if value is None else layoff_list(value)


def layoff_list(layoffs: tuple[tuple[Card, int], ...]) -> list[dict[str, Any]]:
    """Return layoffs as objects of a card's name and a meld's index."""
    return [{"card": CARD_NAMES[card], "meld": meld} for card, meld in layoffs]
