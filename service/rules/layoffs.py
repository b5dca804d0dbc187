"""Layoffs: what an opponent adds to the knocker's melds, and the best answer to a knock.

A spread is the tuple of the knocker's melds as they may now be added to; its places are the meld
indices that players name, and a meld closed to additions is 0.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from service.rules.cards import Card, CardSet, cards_in, points_of, set_of
from service.rules.melds import (
    Split,
    card_order,
    deadwood_points,
    fits_on,
    is_meld,
    lowest_split,
    split_by,
)

Spread: TypeAlias = tuple[CardSet, ...]
Layoff: TypeAlias = tuple[Card, int]


@dataclass(frozen=True, slots=True)
class Answer:
    """An opponent's cards after a knock: own melds, layoffs, and the points of what is left.

    Melds are in card order, layoffs sorted by card.
    """

    melds: tuple[CardSet, ...]
    layoffs: tuple[Layoff, ...]
    deadwood: CardSet
    points: int


@dataclass(frozen=True, slots=True)
class Target:
    """A meld that a card can be laid off on, and the held cards that must go there before it.

    ``deadwood_points`` is the lowest deadwood of the hand once it and they, and no more, lie there.
    """

    card: Card
    meld: int
    requires: tuple[Card, ...]
    deadwood_points: int


def extend(spread: Spread, layoffs: Iterable[Layoff]) -> Spread | None:
    """Return the spread after the layoffs, in whatever order they are given.

    None if a card is named twice or lies there already, if an index is out of range or of a closed
    meld, or if a meld with all of its additions is no meld.
    """
    grown = list(spread)
    laid = 0
    for meld in spread:
        laid |= meld
    for card, index in layoffs:
        if laid >> card & 1 or not 0 <= index < len(spread) or not spread[index]:
            return None
        grown[index] |= 1 << card
        laid |= 1 << card
    return tuple(grown) if all(is_meld(meld) for meld in grown if meld) else None


def _growths(meld: CardSet, hand: CardSet) -> list[CardSet]:
    """Return what the hand can add to the meld card by card, fewest cards first and 0 the first."""
    growths = [0]
    for growth in growths if meld else ():
        growths += [
            growth | 1 << card
            for card in cards_in(fits_on(meld | growth) & hand)
            if growth | 1 << card not in growths
        ]
    return growths


def targets(hand: CardSet, spread: Spread) -> tuple[Target, ...]:
    """Return each meld that each card can reach by chains of the hand's own, sorted by card."""
    found = (target for index in range(len(spread)) for target in _targets_on(index, spread, hand))
    return tuple(sorted(found, key=lambda target: (target.card, target.meld)))


def _targets_on(index: int, spread: Spread, hand: CardSet) -> Iterator[Target]:
    reached = 0
    for growth in _growths(spread[index], hand):
        # The first growth that holds a card holds nothing else but what that card requires.
        for card in cards_in(growth & ~reached):
            yield Target(card, index, cards_in(growth ^ 1 << card), deadwood_points(hand ^ growth))
        reached |= growth


def _ways(hand: CardSet, spread: Spread) -> dict[CardSet, Spread]:
    """Return each set of cards that can be laid off, with what of it goes on each meld.

    Where a set can go in several ways it is the one with the lowest list of layoffs. The union of
    two sets is a third: where chains overlap or want a card of each other, one gives way.
    """
    ways: dict[CardSet, Spread] = {0: ()}
    for meld in spread:
        growths = _growths(meld, hand)
        longer: dict[CardSet, Spread] = {}
        for laid, onto in ways.items():
            for growth in growths:
                if laid & growth:
                    continue
                way = (*onto, growth)
                other = longer.setdefault(laid | growth, way)
                if other != way and _listed(way) < _listed(other):
                    longer[laid | growth] = way
        ways = longer
    return ways


def _listed(way: Spread) -> tuple[Layoff, ...]:
    return tuple(sorted((card, index) for index, on in enumerate(way) for card in cards_in(on)))


def _answer(split: Split, layoffs: Iterable[Layoff]) -> Answer:
    return Answer(split.melds, tuple(sorted(layoffs)), split.deadwood, split.points)


def best_melds_after(hand: CardSet, layoffs: Iterable[Layoff]) -> Answer:
    """Return the answer that names layoffs only: with the best melds of the rest of the hand."""
    named = tuple(layoffs)
    return _answer(lowest_split(hand & ~set_of(card for card, _ in named)), named)


def best_layoffs_beside(hand: CardSet, melds: tuple[CardSet, ...], spread: Spread) -> Answer:
    """Return the answer that names melds only: with the layoffs that leave the fewest points.

    All that can be laid off is, by the lowest list of (card, meld index).

    :raises ValueError: unless the melds are valid, held and disjoint.
    """
    split = split_by(hand, melds)
    if split is None:
        raise ValueError("melds must be valid, disjoint and of the hand: check with split_by first")
    ways = _ways(split.deadwood, spread)
    laid = max(ways)  # the union of all, hence the highest mask
    rest = split.deadwood ^ laid
    return Answer(split.melds, _listed(ways[laid]), rest, points_of(rest))


def best_answer(hand: CardSet, spread: Spread) -> Answer:
    """Return the answer that names nothing: the lowest deadwood by melds and layoffs together.

    Among equals with the fewest layoffs, then with the melds lowest in card order, then with the
    lowest list of (card, meld index).
    """
    ways = _ways(hand, spread)
    if len(ways) == 1:
        return best_melds_after(hand, ())
    counts = {laid: (deadwood_points(hand ^ laid), laid.bit_count()) for laid in ways}
    lowest = min(counts.values())
    tied = (_listed(way) for laid, way in ways.items() if counts[laid] == lowest)
    # Melds leave one best set of cards to lay off, so no two of these have the same melds.
    answers = [best_melds_after(hand, layoffs) for layoffs in tied]
    return min(answers, key=lambda answer: card_order(answer.melds))
