"""Cards by name: the deck in card order, points, and what makes a meld."""

from collections.abc import Collection
from typing import Final

from oklahoma_gin.models import Card

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
DECK: Final[tuple[Card, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)


def points_of(cards: Collection[Card]) -> int:
    """The points of cards: ace 1, face cards 10.

    >>> points_of(["AC", "7D", "KS"])
    18
    """
    return sum(min(RANKS.index(card[0]) + 1, 10) for card in cards)


def is_meld(cards: Collection[Card]) -> bool:
    """Whether cards are a set or a run, in whatever order; an ace is low only.

    >>> is_meld(["3C", "AC", "2C"]), is_meld(["QC", "KC", "AC"]), is_meld(["7C", "7D", "7S"])
    (True, False, True)
    """
    if len(cards) < 3 or len(set(cards)) < len(cards):
        return False
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    one_suit = len({card[1] for card in cards}) == 1
    is_run = one_suit and ranks[-1] - ranks[0] == len(cards) - 1
    return is_run or ranks[0] == ranks[-1]


def height(card: Card) -> tuple[int, int]:
    """A key by which the highest card plays first: king high, ace low; then S > H > D > C."""
    return RANKS.index(card[0]), SUITS.index(card[1])
