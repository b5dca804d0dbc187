"""How a hand is laid when its owner knocks, so that little can be laid off on it."""

from collections.abc import Iterator

from service.bots.position import Position
from service.rules.cards import CARD_POINTS, CardSet, cards_in, points_of
from service.rules.melds import Melds, fits_on, melds_in


def best_laid(position: Position, hand: CardSet) -> tuple[float, Melds]:
    """Return the arrangement within the knock limit of the lowest cost, and that in points.

    :raises ValueError: if no arrangement is within the limit.
    """
    within = (
        (points_of(rest) + _laid_off(position, melds), melds)
        for melds, rest in _arrangements(hand, melds_in(hand))
        if points_of(rest) <= position.knock_limit
    )
    return min(within)


def _arrangements(hand: CardSet, melds: Melds) -> Iterator[tuple[Melds, CardSet]]:
    """Yield every choice of disjoint melds in their order, and the cards that it leaves."""
    yield (), hand
    for place, meld in enumerate(melds, 1):
        if meld & hand == meld:
            for others, rest in _arrangements(hand ^ meld, melds[place:]):
                yield (meld, *others), rest


def _laid_off(position: Position, melds: Melds) -> float:
    """Return about how many points the opponents will lay off on the melds."""
    fits = 0
    for meld in melds:
        fits |= fits_on(meld)
    unseen = sum(CARD_POINTS[card] for card in cards_in(fits & position.unseen))
    return position.share * unseen + points_of(fits & position.held_by_others)
