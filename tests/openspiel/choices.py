"""Legal moves by chance, from careless to careful play."""

from dataclasses import dataclass
from random import Random
from typing import Final

from service.rules.cards import CardSet, cards_in, set_of
from service.rules.layoffs import Spread, extend
from service.rules.legal import Actions, knock_limit, layoff_spread, legal
from service.rules.melds import deadwood_by_discard, fits_on, melds_in, split_by
from service.rules.moves import Discard, Draw, Knock, LayOff, Move, Pass
from service.rules.state import GameState, Round


@dataclass(frozen=True, slots=True)
class Temper:
    """How often a seat throws what leaves the least deadwood, takes the upcard, and knocks."""

    skill: float
    thirst: float
    boldness: float


CARELESS: Final = Temper(skill=0.0, thirst=0.5, boldness=0.5)
TEMPERS: Final = (
    CARELESS,
    Temper(skill=0.6, thirst=0.2, boldness=0.7),
    Temper(skill=0.9, thirst=0.4, boldness=0.7),
    Temper(skill=1.0, thirst=0.1, boldness=0.3),
    Temper(skill=1.0, thirst=0.2, boldness=0.1),
)
NEVER_FROM_THE_STOCK: Final = Temper(skill=0.0, thirst=1.0, boldness=0.0)


class Chooser:
    """Chooses for both seats with one source of chance."""

    def __init__(self, random: Random, temper: Temper) -> None:
        self._random = random
        self._temper = temper

    def move(self, state: GameState, table: Round, *, may_knock: bool) -> Move:
        """Return a legal move of the seat on turn, a knock only where it ``may_knock``."""
        actions = legal(state, table.turn)
        hand = 0 if table.turn is None else table.hands[table.turn]
        if actions.layoff:
            return self._answer(hand, layoff_spread(state.rules, table))
        if actions.draw:
            return self._draw(actions)
        if may_knock and actions.knock and self._happens(self._temper.boldness):
            return self._knock(hand, actions.knock, knock_limit(state.rules, table))
        return Discard(self._throw(hand, actions.discard))

    def _happens(self, share: float) -> bool:
        return self._random.random() < share

    def _draw(self, actions: Actions) -> Move:
        thirsty = self._happens(self._temper.thirst)
        if actions.pass_upcard and not thirsty:
            return Pass()
        return Draw(actions.draw[-1] if thirsty else actions.draw[0])

    def _throw(self, hand: CardSet, discards: CardSet) -> int:
        if not self._happens(self._temper.skill):
            return self._random.choice(cards_in(discards))
        left = deadwood_by_discard(hand, discards)
        lowest = min(left.values())
        return self._random.choice([card for card, points in left.items() if points == lowest])

    def _knock(self, hand: CardSet, knocks: CardSet, limit: int) -> Knock:
        card = self._random.choice(cards_in(knocks))
        kept = hand ^ 1 << card
        melds = self._melds(kept)
        split = split_by(kept, melds)
        return Knock(card, melds if split and split.points <= limit else None)

    def _melds(self, hand: CardSet) -> tuple[CardSet, ...]:
        """Return some disjoint melds of a hand, most often as many as go together."""
        melds: tuple[CardSet, ...] = ()
        while (choices := melds_in(hand)) and self._happens(0.9):
            melds = (*melds, self._random.choice(choices))
            hand ^= melds[-1]
        return melds

    def _answer(self, hand: CardSet, spread: Spread) -> LayOff:
        """Return an answer of which each half is named or is not."""
        layoffs = self._layoffs(hand, spread) if self._happens(0.5) else None
        gone = set_of(card for card, _ in layoffs or ())
        return LayOff(layoffs, self._melds(hand & ~gone) if self._happens(0.5) else None)

    def _layoffs(self, hand: CardSet, spread: Spread) -> tuple[tuple[int, int], ...]:
        laid: tuple[tuple[int, int], ...] = ()
        while (choices := _next_layoffs(hand, spread, laid)) and self._happens(0.9):
            laid = (*laid, self._random.choice(choices))
        return laid


def _next_layoffs(
    hand: CardSet, spread: Spread, laid: tuple[tuple[int, int], ...]
) -> list[tuple[int, int]]:
    grown = extend(spread, laid) or spread
    rest = hand & ~set_of(card for card, _ in laid)
    return [
        (card, index) for index, meld in enumerate(grown) for card in cards_in(fits_on(meld) & rest)
    ]
