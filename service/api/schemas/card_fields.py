"""Fields of requests that hold cards: one, lists of them, melds and whole decks."""

from collections.abc import Iterable
from typing import Any, ClassVar

from marshmallow import ValidationError

from service.api.schemas.fields import Taken, excerpt
from service.api.schemas.shown import CARD_SHAPE
from service.rules.cards import (
    CARDS_BY_NAME,
    DECK_SIZE,
    RANKS,
    SUITS,
    Card,
    CardSet,
    card_name,
    set_of,
)


class CardValue(Taken):
    """A card by its name."""

    takes: ClassVar[str] = 'a card such as "TD"'
    shape: ClassVar[dict[str, Any]] = CARD_SHAPE

    def read(self, value: Any) -> Card:
        card = CARDS_BY_NAME.get(value) if isinstance(value, str) else None
        if card is None:
            raise ValidationError(
                f"{excerpt(value)} is no card: write a rank of {RANKS} and a suit of {SUITS}, "
                'as in "TD".'
            )
        return card


class ListOf(Taken):
    """A list whose members are read one by one, so that every fault has its place."""

    def __init__(
        self,
        member: Taken,
        description: str,
        takes: str,
        *,
        required: bool = False,
        least: int = 0,
        most: int | None = None,
    ) -> None:
        bounds = {"minItems": least or None, "maxItems": most}
        super().__init__(
            description,
            required=required,
            takes=takes,
            type="array",
            items={key: word for key, word in member.metadata.items() if key != "description"},
            **{key: bound for key, bound in bounds.items() if bound is not None},
        )
        self.member, self.least, self.most = member, least, most

    def read(self, value: Any) -> Any:
        if not isinstance(value, list):
            self.refuse(value)
        if len(value) < self.least or (self.most is not None and len(value) > self.most):
            raise ValidationError(f"Send {self.said}; this list has {len(value)}.")
        return self.gather(self.members(value))

    def members(self, value: Iterable[object]) -> list[Any]:
        """Return what the members stand for, or refuse the faulty ones all at once."""
        read, faults = [], {}
        for place, member in enumerate(value):
            try:
                read.append(self.member.deserialize(member))
            except ValidationError as error:
                faults[place] = error.messages
        if faults:
            raise ValidationError(faults)
        return read

    def gather(self, members: list[Any]) -> Any:
        """Return what the list stands for."""
        return tuple(members)


class DistinctCards(ListOf):
    """A list of cards, each named once; read in the order sent."""

    def gather(self, members: list[Any]) -> Any:
        faults = {
            place: [f"{card_name(card)} is named twice; name each card once."]
            for place, card in enumerate(members)
            if card in members[:place]
        }
        if faults:
            raise ValidationError(faults)
        return tuple(members)


class CardSetOf(DistinctCards):
    """A list of distinct cards, read as a set."""

    def gather(self, members: list[Any]) -> CardSet:
        return set_of(super().gather(members))


def melds(description: str, *, required: bool = False) -> ListOf:
    """Return the field of a list of melds; whether each is one is for the rules to say."""
    meld = CardSetOf(CardValue("A card."), "A meld.", "a list of distinct cards", least=1)
    takes = 'a list of melds such as [["7S","8S","9S"]]'
    return ListOf(meld, description, takes, required=required)


def decks(description: str) -> ListOf:
    """Return the field of a list of whole decks, the first card dealt first."""
    deck = DistinctCards(
        CardValue("A card."), "A deck.", "52 distinct cards", least=DECK_SIZE, most=DECK_SIZE
    )
    return ListOf(deck, description, "a list of one or more decks of 52 distinct cards", least=1)
