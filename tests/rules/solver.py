"""The slow, obviously right way: definitions of the rule book tried out on every combination.

Cards are integers 0 to 51 in card order, as in the engine, and nothing else is shared with it: a
hand is a frozenset of cards, a meld a sorted tuple, an arrangement a sorted tuple of melds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import TypeAlias

# How many hands the comparisons with the engine take; a longer proof raises these two numbers.
RANDOM_HANDS = 2000
DENSE_HANDS = 400

Hand: TypeAlias = frozenset[int]
Meld: TypeAlias = tuple[int, ...]
Arrangement: TypeAlias = tuple[Meld, ...]
Layoffs: TypeAlias = tuple[tuple[int, int], ...]


def rank(card: int) -> int:
    return card % 13


def suit(card: int) -> int:
    return card // 13


def points(cards: Hand) -> int:
    return sum(min(rank(card) + 1, 10) for card in cards)


def is_meld(cards: Hand) -> bool:
    ranks = sorted(rank(card) for card in cards)
    suits = {suit(card) for card in cards}
    is_set = len(set(ranks)) == 1
    is_run = len(suits) == 1 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    return len(cards) >= 3 and (is_set or is_run)


def melds_of(hand: Hand) -> list[Meld]:
    alike = [frozenset(card for card in hand if rank(card) == each) for each in range(13)]
    alike += [frozenset(card for card in hand if suit(card) == each) for each in range(4)]
    tried = (
        cards
        for group in alike
        for size in range(3, len(group) + 1)
        for cards in combinations(sorted(group), size)
    )
    return [cards for cards in tried if is_meld(frozenset(cards))]


def arrangements(hand: Hand, melds: list[Meld]) -> Iterator[Arrangement]:
    """Yield every way to lay some of the hand out in some of the melds."""
    if not melds:
        yield ()
        return
    first, later = melds[0], melds[1:]
    yield from arrangements(hand, later)
    if hand.issuperset(first):
        for others in arrangements(hand.difference(first), later):
            yield tuple(sorted((first, *others)))


def left_by(hand: Hand, arrangement: Arrangement) -> Hand:
    return hand.difference(*arrangement)


@lru_cache(maxsize=4096)
def lowest_arrangements(hand: Hand) -> tuple[int, list[Arrangement]]:
    """Return the lowest deadwood of a hand and every arrangement that reaches it."""
    found = [(points(left_by(hand, way)), way) for way in arrangements(hand, melds_of(hand))]
    lowest = min(left for left, _ in found)
    return lowest, [way for left, way in found if left == lowest]


def lowest_deadwood(hand: Hand) -> int:
    return lowest_arrangements(hand)[0]


def fitting_cards(hand: Hand, arrangement: Arrangement) -> int:
    """Return how many cards outside the hand make a longer meld of one of the arrangement's."""
    others = set(range(52)).difference(hand)
    return sum(any(is_meld(frozenset((*meld, card))) for meld in arrangement) for card in others)


def best_arrangement(hand: Hand) -> Arrangement:
    """Return what a knocker lays who names nothing ("Going out")."""
    ways = lowest_arrangements(hand)[1]
    return min(ways, key=lambda way: (fitting_cards(hand, way), len(way), way))


def lowest_arrangement(hand: Hand) -> Arrangement:
    """Return the lowest in card order of the arrangements of lowest deadwood."""
    return min(lowest_arrangements(hand)[1])


def layoff_ways(hand: Hand, spread: Arrangement) -> set[Layoffs]:
    """Return every set of layoffs that can be made one card at a time; a closed meld is empty."""
    ways: set[Layoffs] = {()}
    latest: set[Layoffs] = {()}
    while latest:
        latest = {longer for way in latest for longer in _longer(hand, spread, way)} - ways
        ways |= latest
    return ways


def _longer(hand: Hand, spread: Arrangement, way: Layoffs) -> Iterator[Layoffs]:
    for index, meld in enumerate(spread):
        grown = frozenset((*meld, *(card for card, onto in way if onto == index)))
        for card in hand.difference(card for card, _ in way):
            if meld and is_meld(grown | {card}):
                yield tuple(sorted((*way, (card, index))))


@dataclass(frozen=True, order=True)
class Answered:
    """An answer to a knock; the order of two is the order of preference."""

    points: int
    layoffs_made: int
    melds: Arrangement
    layoffs: Layoffs


def best_answer(hand: Hand, spread: Arrangement) -> Answered:
    """Return the answer of a seat that names nothing ("Layoff")."""
    answers = []
    for way in layoff_ways(hand, spread):
        rest = hand.difference(card for card, _ in way)
        answers.append(Answered(lowest_deadwood(rest), len(way), lowest_arrangement(rest), way))
    return min(answers)


def best_layoffs_beside(hand: Hand, melds: Arrangement, spread: Arrangement) -> Answered:
    """Return the answer of a seat that names its melds only."""
    rest = left_by(hand, melds)
    return min(
        Answered(points(rest.difference(card for card, _ in way)), len(way), melds, way)
        for way in layoff_ways(rest, spread)
    )


def random_hand(random: Random, size: int, barred: Hand = frozenset()) -> Hand:
    return frozenset(random.sample(sorted(set(range(52)) - barred), size))


def dense_hand(random: Random, size: int, barred: Hand = frozenset()) -> Hand:
    """Return a hand full of melds that cross: from four to six neighbouring ranks."""
    first = random.randrange(10)
    ranks = range(first, min(13, first + random.choice((4, 5, 6))))
    near = [card for card in range(52) if rank(card) in ranks and card not in barred]
    spare = [card for card in range(52) if rank(card) not in ranks and card not in barred]
    taken = random.sample(near, min(size, len(near)))
    return frozenset((*taken, *random.sample(spare, size - len(taken))))


def random_spread(random: Random) -> Arrangement:
    """Return one to three disjoint melds of ten cards at most, in random order."""
    hand = dense_hand(random, 10)
    ways = [way for way in arrangements(hand, melds_of(hand)) if way]
    if not ways:
        return random_spread(random)
    spread = list(random.choice(ways))
    random.shuffle(spread)
    return tuple(spread)
