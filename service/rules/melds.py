"""Melds, and the best ways to split a hand into melds and deadwood.

Sets of different ranks never share a card, so a split of lowest deadwood is a choice of sets, of
which a hand offers few, with the runs of what they leave, which are read from a table.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from service.rules.cards import CARD_POINTS, SUIT_MASK, Card, CardSet, cards_in, points_of, set_of
from service.rules.meld_tables import (
    ACES,
    FITS,
    LONG_RUNS,
    LOOSE_POINTS,
    ORDER,
    SETS_WORTH,
    SHORT_RUNS,
    SUIT_SHIFTS,
    in_runs,
)

Melds: TypeAlias = tuple[CardSet, ...]

MELDS: Final[Melds] = tuple(ORDER)
_SUITS: Final[Melds] = tuple(SUIT_MASK << shift for shift in SUIT_SHIFTS)
_MOST_POINTS: Final = max(CARD_POINTS)


@dataclass(frozen=True, slots=True)
class Split:
    """A hand laid out: disjoint melds in card order, the cards outside them, and their points."""

    melds: Melds
    deadwood: CardSet
    points: int


def is_meld(cards: CardSet) -> bool:
    """Return whether the cards, all together, are one set or one run."""
    return cards in ORDER


def melds_in(cards: CardSet) -> Melds:
    """Return every meld that the cards hold, overlapping ones too, in card order."""
    with_runs = in_runs(cards)
    found: list[CardSet] = []
    for suit in _SUITS if with_runs else ():
        found += _melds_within(with_runs & suit)
    ranks = _runs_only(cards)[1]
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        found += _melds_within(cards & rank * ACES)
    return tuple(sorted(found, key=ORDER.__getitem__))


@cache
def _melds_within(cards: CardSet) -> Melds:
    """Return every meld of one suit's cards that are in runs, or of the cards of one rank."""
    return tuple(meld for meld in MELDS if meld & cards == meld)


def fits_on(meld: CardSet) -> CardSet:
    """Return the cards that make a longer meld of a meld, each by itself.

    :raises KeyError: if it is no meld.
    """
    return FITS[meld]


def card_order(melds: Iterable[CardSet]) -> tuple[int, ...]:
    """Return the key by which arrangements, the melds of each sorted, compare in card order."""
    return tuple([ORDER[meld] for meld in melds])


def _runs_only(cards: CardSet) -> tuple[int, int]:
    """Return the lowest deadwood without sets, and the ranks that are held three times or more."""
    clubs = cards & SUIT_MASK
    diamonds = cards >> 13 & SUIT_MASK
    hearts = cards >> 26 & SUIT_MASK
    spades = cards >> 39
    return (
        LOOSE_POINTS[clubs] + LOOSE_POINTS[diamonds] + LOOSE_POINTS[hearts] + LOOSE_POINTS[spades],
        clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds),
    )


def _loose_points(cards: CardSet) -> int:
    return (
        LOOSE_POINTS[cards & SUIT_MASK]
        + LOOSE_POINTS[cards >> 13 & SUIT_MASK]
        + LOOSE_POINTS[cards >> 26 & SUIT_MASK]
        + LOOSE_POINTS[cards >> 39]
    )


def _set_choices(cards: CardSet, ranks: int) -> list[CardSet]:
    """Return the cards taken by each choice of sets that may lead to the lowest deadwood."""
    with_runs = in_runs(cards)
    choices = [0]
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        held = cards & rank * ACES
        options = SETS_WORTH[held][held & with_runs]
        choices = [taken | more for taken in choices for more in options]
    return choices


def deadwood_points(cards: CardSet) -> int:
    """Return the lowest deadwood of the cards, in points."""
    loose, ranks = _runs_only(cards)
    if not ranks:
        return loose
    return min([_loose_points(cards ^ taken) for taken in _set_choices(cards, ranks)])


def _meldable(cards: CardSet, ranks: int) -> CardSet:
    return in_runs(cards) | cards & ranks * ACES


def deadwood_by_discard(held: CardSet, discards: CardSet) -> dict[Card, int]:
    """Return for each of the discards, in card order, the lowest deadwood of the cards left."""
    lowest = deadwood_points(held)
    meldable = _meldable(held, _runs_only(held)[1])
    return {
        card: deadwood_points(held ^ 1 << card)
        if meldable >> card & 1
        else lowest - CARD_POINTS[card]
        for card in cards_in(discards & held)
    }


def knock_discards(held: CardSet, discards: CardSet, limit: int) -> CardSet:
    """Return those of the discards that leave a deadwood of at most `limit` points."""
    loose, ranks = _runs_only(held)
    most = limit + _MOST_POINTS  # a discard lowers the deadwood by its own points at most
    if loose > most and (not ranks or loose - points_of(held & ranks * ACES) > most):
        return 0
    lowest = deadwood_points(held) if ranks else loose
    if lowest > most:
        return 0
    meldable = _meldable(held, ranks)
    return set_of(
        card
        for card in cards_in(discards & held)
        if CARD_POINTS[card] >= lowest - limit
        and (not meldable >> card & 1 or deadwood_points(held ^ 1 << card) <= limit)
    )


def _lowest_choices(cards: CardSet) -> list[CardSet]:
    """Return the cards taken by each choice of sets that leads to the lowest deadwood."""
    ranks = _runs_only(cards)[1]
    if not ranks:
        return [0]
    choices = _set_choices(cards, ranks)
    points = [_loose_points(cards ^ taken) for taken in choices]
    lowest = min(points)
    return [taken for taken, left in zip(choices, points, strict=True) if left == lowest]


def _laid_out(cards: CardSet, taken: CardSet, runs: dict[CardSet, Melds]) -> Split:
    rest = cards ^ taken
    melds: list[CardSet] = []
    while taken:
        meld = taken & ACES << ((taken & -taken).bit_length() - 1) % 13
        melds.append(meld)
        taken ^= meld
    with_runs = in_runs(rest)
    if with_runs:
        for suit in _SUITS:
            melds += runs[with_runs & suit]
    return _split(melds, rest ^ with_runs)


def _split(melds: Iterable[CardSet], deadwood: CardSet) -> Split:
    return Split(tuple(sorted(melds, key=ORDER.__getitem__)), deadwood, points_of(deadwood))


def best_split(cards: CardSet) -> Split:
    """Return the split that is laid when the player names none ("Going out").

    It has the lowest deadwood, then the fewest cards outside the hand that fit on it, the fewest
    melds, and is lowest in card order. Only whole runs count: cut in two, a run is open to the
    same outside cards and makes one meld more.
    """
    splits = [_laid_out(cards, taken, LONG_RUNS) for taken in _lowest_choices(cards)]
    if len(splits) == 1:
        return splits[0]
    return min(splits, key=lambda split: _exposure(cards, split.melds))


def _exposure(cards: CardSet, melds: Melds) -> tuple[int, int, tuple[int, ...]]:
    fits = 0
    for meld in melds:
        fits |= FITS[meld]
    return (fits & ~cards).bit_count(), len(melds), card_order(melds)


def lowest_split(cards: CardSet) -> Split:
    """Return the split of lowest deadwood that is lowest in card order, an opponent's best melds.

    A list is lower than a longer one that it begins, so runs are cut as short as can be.
    """
    splits = [_laid_out(cards, taken, SHORT_RUNS) for taken in _lowest_choices(cards)]
    if len(splits) == 1:
        return splits[0]
    return min(splits, key=lambda split: card_order(split.melds))


def split_by(cards: CardSet, melds: Melds) -> Split | None:
    """Return the split a player named, or None unless its melds are valid, held and disjoint."""
    rest = cards
    for meld in melds:
        if not is_meld(meld) or meld & rest != meld:
            return None
        rest ^= meld
    return _split(melds, rest)
