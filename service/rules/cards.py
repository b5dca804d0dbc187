"""Cards as integers 0 to 51 and sets of cards as 52-bit masks.

Card order is clubs, diamonds, hearts, spades, each ace to king, so ``card = suit * 13 + rank`` and
the order of the integers is the order of the rule book. Names such as ``"TD"`` live at the edge.
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

Card: TypeAlias = int
CardSet: TypeAlias = int

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
DECK_SIZE: Final = 52
FULL_DECK: Final[CardSet] = (1 << DECK_SIZE) - 1
SUIT_MASK: Final = (1 << 13) - 1

CARD_NAMES: Final[tuple[str, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARDS_BY_NAME: Final[dict[str, Card]] = {name: card for card, name in enumerate(CARD_NAMES)}
CARD_POINTS: Final[tuple[int, ...]] = tuple(min(card % 13 + 1, 10) for card in range(DECK_SIZE))


def parse_card(name: str) -> Card:
    """Return the card of a name.

    >>> parse_card("AC"), parse_card("TD"), parse_card("KS")
    (0, 22, 51)

    :raises ValueError: if the name is not a rank of ``A23456789TJQK`` and a suit of ``CDHS``.
    """
    card = CARDS_BY_NAME.get(name)
    if card is None:
        raise ValueError(
            f"{name!r} is not a card: write a rank of {RANKS} and a suit of {SUITS}, as in 'TD'"
        )
    return card


def card_name(card: Card) -> str:
    """Return the name of a card.

    >>> card_name(22)
    'TD'
    """
    return CARD_NAMES[card]


def rank_of(card: Card) -> int:
    """Return the rank of a card, 0 (ace) to 12 (king)."""
    return card % 13


def suit_of(card: Card) -> int:
    """Return the suit of a card, 0 to 3 for clubs, diamonds, hearts, spades."""
    return card // 13


def set_of(cards: Iterable[Card]) -> CardSet:
    """Return the set of the cards.

    >>> set_of([0, 2])
    5
    """
    held = 0
    for card in cards:
        held |= 1 << card
    return held


def parse_set(names: str) -> CardSet:
    """Return the set of space-separated names; for tests, examples and notes.

    >>> parse_set("AC 3C")
    5
    """
    return set_of(parse_card(name) for name in names.split())


def cards_in(cards: CardSet) -> tuple[Card, ...]:
    """Return the cards of a set in card order.

    >>> cards_in(5)
    (0, 2)
    """
    return (
        _CLUBS[cards & SUIT_MASK]
        + _DIAMONDS[cards >> 13 & SUIT_MASK]
        + _HEARTS[cards >> 26 & SUIT_MASK]
        + _SPADES[cards >> 39]
    )


def _sets_of_suit(suit: int) -> tuple[tuple[Card, ...], ...]:
    """Return for each set of ranks the cards that a suit has of them, in card order."""
    sets: list[tuple[Card, ...]] = [()]
    for rank in range(13):
        sets += [(*cards, suit * 13 + rank) for cards in sets]
    return tuple(sets)


_CLUBS, _DIAMONDS, _HEARTS, _SPADES = map(_sets_of_suit, range(4))


def _suit_points(ranks: int) -> int:
    return sum(CARD_POINTS[rank] for rank in range(13) if ranks >> rank & 1)


_SUIT_POINTS: Final[tuple[int, ...]] = tuple(_suit_points(ranks) for ranks in range(1 << 13))


def points_of(cards: CardSet) -> int:
    """Return the sum of the cards' points: ace 1, two to ten face value, J Q K 10 each.

    >>> points_of(parse_set("AC 9D KH"))
    20
    """
    return (
        _SUIT_POINTS[cards & SUIT_MASK]
        + _SUIT_POINTS[cards >> 13 & SUIT_MASK]
        + _SUIT_POINTS[cards >> 26 & SUIT_MASK]
        + _SUIT_POINTS[cards >> 39]
    )
