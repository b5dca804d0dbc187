"""Random games for the properties: random rules, 2 to 4 seats, played once and kept."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from random import Random

from service.rules.cards import CardSet, cards_in
from service.rules.state import GameState
from tests.rules.chance import Ply, playout, random_rules

# How many random games the fast tests play; a longer proof raises this one number.
GAMES = 60
SLOW_GAMES = 10 * GAMES


@lru_cache(maxsize=4 * GAMES)
def game(seed: int) -> tuple[Ply, ...]:
    """Return the plies of one random game: its rules and its seats are random too."""
    dice = Random(seed)
    return tuple(playout(random_rules(dice), 2 + seed % 3, dice))


def games(count: int) -> Iterator[Ply]:
    return chain.from_iterable(map(game, range(count)))


def sampled(plies: Iterable[Ply], every: int) -> Iterator[Ply]:
    return islice(plies, 0, None, every)


def viewers(state: GameState) -> list[int | None]:
    return [None, *range(state.seats)]


def worth(cards: CardSet) -> int:
    """Return the points of some cards, counted without the engine."""
    return sum(min(card % 13 + 1, 10) for card in cards_in(cards))
