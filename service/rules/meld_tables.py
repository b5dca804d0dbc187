"""The 329 melds and the tables from which splits are read, all worked out once at import.

Runs of one suit are tabled by the cards they cover, since what the sets leave of a suit melds best
as its whole stretches of three cards or more; sets by the three or four cards held of a rank.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from service.rules.cards import DECK_SIZE, CardSet, cards_in, points_of, rank_of, set_of

Melds: TypeAlias = tuple[CardSet, ...]

SUIT_SHIFTS: Final = (0, 13, 26, 39)
ACES: Final[CardSet] = set_of(SUIT_SHIFTS)
_SUIT_HANDS: Final = range(1 << 13)
_RUN_STARTS: Final[CardSet] = set_of(card for card in range(DECK_SIZE) if rank_of(card) <= 10)


def in_runs(cards: CardSet) -> CardSet:
    """Return those of the cards that are in a run of them."""
    starts = cards & cards >> 1 & cards >> 2 & _RUN_STARTS
    return starts | starts << 1 | starts << 2


def _stretch(first: int, last: int) -> CardSet:
    return (1 << last + 1) - (1 << first)


def _sets_of(rank: int) -> Iterator[CardSet]:
    four = ACES << rank
    yield four
    for shift in SUIT_SHIFTS:
        yield four ^ 1 << rank + shift


def _all_melds() -> Iterator[CardSet]:
    for rank in range(13):
        yield from _sets_of(rank)
    for shift in SUIT_SHIFTS:
        for first in range(11):
            for last in range(first + 2, 13):
                yield _stretch(first, last) << shift


# Each meld's place in card order; what has none is no meld.
ORDER: Final[dict[CardSet, int]] = {
    meld: place for place, meld in enumerate(sorted(_all_melds(), key=cards_in))
}


def _fits(meld: CardSet) -> CardSet:
    outside = (card for card in range(DECK_SIZE) if not meld >> card & 1)
    return set_of(card for card in outside if meld | 1 << card in ORDER)


# By meld: the cards that make a longer meld of it, each by itself.
FITS: Final[dict[CardSet, CardSet]] = {meld: _fits(meld) for meld in ORDER}

# By the ranks held of a suit: the points of those in no run.
LOOSE_POINTS: Final = bytes(points_of(ranks & ~in_runs(ranks)) for ranks in _SUIT_HANDS)


def _stretches(ranks: int) -> Iterator[tuple[int, int]]:
    while ranks:
        first = (ranks & -ranks).bit_length() - 1
        after = ranks + (1 << first)
        last = (after & -after).bit_length() - 2
        yield first, last
        ranks &= ~_stretch(first, last)


def _whole(ranks: int) -> Iterator[CardSet]:
    for first, last in _stretches(ranks):
        yield _stretch(first, last)


def _threes(ranks: int) -> Iterator[CardSet]:
    for first, last in _stretches(ranks):
        start = first
        while last - start >= 5:
            yield _stretch(start, start + 2)
            start += 3
        yield _stretch(start, last)


_COVERED: Final = tuple(ranks for ranks in _SUIT_HANDS if in_runs(ranks) == ranks)
# By the cards that runs cover in one suit: the fewest runs, and the runs lowest in card order (a
# list is lower than a longer one that it begins, so those of three come first).
LONG_RUNS: Final[dict[CardSet, Melds]] = {
    ranks << shift: tuple(run << shift for run in _whole(ranks))
    for ranks in _COVERED
    for shift in SUIT_SHIFTS
}
SHORT_RUNS: Final[dict[CardSet, Melds]] = {
    ranks << shift: tuple(run << shift for run in _threes(ranks))
    for ranks in _COVERED
    for shift in SUIT_SHIFTS
}


def _subsets(cards: CardSet) -> Iterator[CardSet]:
    subset = cards
    while subset:
        yield subset
        subset = subset - 1 & cards
    yield 0


def _sets_worth(held: CardSet, with_runs: CardSet) -> Melds:
    """Return the sets of one rank that may be best, and 0 for none if that may be.

    A choice is left out where cards that no run can use would make a larger set of it.
    """
    sets = [cards for cards in _subsets(held) if cards.bit_count() >= 3]
    return tuple(
        taken
        for taken in (0, *sets)
        if not any(taken != more and taken | more & ~with_runs == more for more in sets)
    )


# By the cards held of a rank, three or four, then by those of them that are in runs of the hand.
SETS_WORTH: Final[dict[CardSet, dict[CardSet, Melds]]] = {
    held: {with_runs: _sets_worth(held, with_runs) for with_runs in _subsets(held)}
    for rank in range(13)
    for held in _sets_of(rank)
}
