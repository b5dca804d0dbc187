"""Hands to measure on: random ones, ones dense with melds, and the slowest that a search found."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from time import perf_counter_ns
from typing import Final

from service.rules.cards import FULL_DECK, CardSet, cards_in, parse_set, set_of
from service.rules.layoffs import Spread
from service.rules.melds import best_split, deadwood_points

# Found by `python -m benchmarks.engine --search`.
WORST_HAND: Final = parse_set("9C JC 9D TD JD 9H TH JH 9S JS")

_TRIES: Final = 40
_STEPS: Final = 400


def random_hand(random: Random, size: int) -> CardSet:
    """Return a hand as it is dealt."""
    return set_of(random.sample(range(52), size))


def dense_hand(random: Random, size: int) -> CardSet:
    """Return a hand from three or four neighbouring ranks, where sets and runs compete."""
    low, width = random.randrange(10), random.choice((3, 4))
    near = [card for card in range(52) if low <= card % 13 < low + width]
    return set_of(random.sample(near, size))


def knocks(random: Random, count: int) -> Iterator[tuple[CardSet, Spread]]:
    """Yield an opponent's ten cards and the melds of a hand that could knock on them."""
    while count:
        laid = dense_hand(random, 10)
        if deadwood_points(laid) <= 10:
            rest = cards_in(FULL_DECK & ~laid)
            yield set_of(random.sample(rest, 10)), best_split(laid).melds
            count -= 1


def microseconds(work: Callable[[], object], calls: int = 20) -> float:
    """Return the time of one call, the least of five measurements of so many calls."""
    return min(_batch(work, calls) for _ in range(5)) / calls / 1000


def _batch(work: Callable[[], object], calls: int) -> int:
    start = perf_counter_ns()
    for _ in range(calls):
        work()
    return perf_counter_ns() - start


def _cost(hand: CardSet) -> float:
    return microseconds(partial(best_split, hand), calls=5)


def _neighbour(random: Random, hand: CardSet) -> CardSet:
    gone = random.choice(cards_in(hand))
    new = random.choice(cards_in(FULL_DECK & ~hand))
    return hand ^ 1 << gone | 1 << new


def climb(random: Random) -> CardSet:
    """Return a hand of ten that gets no slower to split by exchanging one card for another."""
    hand = dense_hand(random, 10)
    cost = _cost(hand)
    for _ in range(_STEPS):
        other = _neighbour(random, hand)
        if (other_cost := _cost(other)) > cost:
            hand, cost = other, other_cost
    return hand


def search(random: Random) -> Iterator[tuple[float, CardSet]]:
    """Yield the slowest hand of each climb and its microseconds."""
    for _ in range(_TRIES):
        hand = climb(random)
        yield microseconds(partial(best_split, hand)), hand
