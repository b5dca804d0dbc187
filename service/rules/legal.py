"""Who may do what: the only definition of legality.

``legal`` lists what a seat may do. ``checks`` and ``seat_checks`` say why the rest is refused, by
the same predicates where cards are concerned; tests try every move in every kind of position, so
that a move is accepted exactly when it is offered.
"""

from dataclasses import dataclass
from typing import Final

from service.rules.cards import CardSet, rank_of
from service.rules.evolve import builder
from service.rules.layoffs import extend
from service.rules.melds import deadwood_points, knock_discards
from service.rules.moves import Source
from service.rules.ruleset import RuleSet
from service.rules.state import GameState, Round

HOST: Final = 0
STOCK: Final[tuple[Source, ...]] = ("stock",)
BOTH_PILES: Final[tuple[Source, ...]] = ("stock", "discard")


@dataclass(frozen=True)
class Actions:
    """What one viewer may do now.

    ``remove`` are seats, ``draw`` the piles, ``discard`` and ``knock`` the cards that may be
    thrown, without and with going out.
    """

    join: bool = False
    leave: bool = False
    add_bot: bool = False
    remove: tuple[int, ...] = ()
    deal: bool = False
    entropy: bool = False
    pass_upcard: bool = False
    draw: tuple[Source, ...] = ()
    discard: CardSet = 0
    knock: CardSet = 0
    big_gin: bool = False
    layoff: bool = False
    resign: bool = False
    rematch: bool = False


_actions: Final = builder(Actions)
_OF_NOBODY: Final = Actions()
_OUT_OF_TURN: Final = Actions(entropy=True, resign=True)
_BETWEEN_ROUNDS: Final = Actions(deal=True, entropy=True, resign=True)
_AT_THE_OFFER: Final = Actions(entropy=True, pass_upcard=True, draw=("discard",), resign=True)
_BEFORE_A_DRAW: Final[dict[tuple[Source, ...], Actions]] = {
    sources: Actions(entropy=True, draw=sources, resign=True) for sources in (STOCK, BOTH_PILES)
}
_TO_ANSWER: Final = Actions(entropy=True, layoff=True, resign=True)
_LAST_ANSWER: Final = Actions(layoff=True)
_AFTER_THE_GAME: Final = Actions(rematch=True)


def legal(state: GameState, seat: int | None) -> Actions:
    """Return what a seat, or a spectator, may do now."""
    if seat is None:
        return Actions(join=_can_join(state))
    if state.result:
        return _AFTER_THE_GAME if can_rematch(state) else _OF_NOBODY
    if state.round is None:
        return _before_the_first_deal(state, seat)
    if state.out[seat]:
        return _OF_NOBODY
    return _in_play(state, state.round, seat)


def _can_join(state: GameState) -> bool:
    return state.status == "waiting" and None in state.occupants


def _before_the_first_deal(state: GameState, seat: int) -> Actions:
    return Actions(
        leave=True,
        add_bot=seat == HOST and None in state.occupants,
        remove=removable(state) if seat == HOST else (),
        deal=None not in state.occupants,
        entropy=True,
    )


def can_rematch(state: GameState) -> bool:
    """Return whether the seats may go on in another game: it was played to an end, by all seats."""
    return state.result is not None and state.round is not None


def removable(state: GameState) -> tuple[int, ...]:
    """Return the seats that the host may clear before the first deal."""
    return tuple(seat for seat, occupant in enumerate(state.occupants) if occupant and seat != HOST)


def _in_play(state: GameState, table: Round, seat: int) -> Actions:
    if table.phase == "over":
        return _BETWEEN_ROUNDS
    if table.turn != seat:
        return _OF_NOBODY if seat in table.leaving else _OUT_OF_TURN
    if table.phase == "discard":
        return _after_the_draw(state.rules, table)
    if table.phase == "draw":
        return _BEFORE_A_DRAW[draw_sources(state.rules, table)]
    if table.phase == "upcard_offer":
        return _AT_THE_OFFER
    return _LAST_ANSWER if seat in table.leaving else _TO_ANSWER


def _after_the_draw(rules: RuleSet, table: Round) -> Actions:
    throws = discards(rules, table)
    return _actions(
        entropy=True,
        discard=throws,
        knock=knock_discards(hand_on_turn(table), throws, knock_limit(rules, table)),
        big_gin=can_big_gin(rules, table),
        resign=True,
    )


def knock_limit(rules: RuleSet, table: Round) -> int:
    """Return the most deadwood points a knocker may keep; 0 where only gin ends the round."""
    if rules.knock_limit_source == "fixed":
        return rules.knock_limit_points
    rank = rank_of(table.limit_card)
    if rank == 0 and rules.ace_upcard == "gin_only":
        return 0
    return min(rank + 1, 10, rules.knock_limit_points)


def is_last_turn(rules: RuleSet, table: Round) -> bool:
    """Return whether the next discard makes the round void (void.stock, void.turns)."""
    left = len(table.deck) - table.stock_at
    last = left <= rules.stock_floor or table.turns_played + 1 >= rules.turn_limit
    return table.phase == "discard" and last


def draw_sources(rules: RuleSet, table: Round) -> tuple[Source, ...]:
    """Return the piles that the seat that is about to draw may draw from."""
    if table.phase == "upcard_offer":
        return ("discard",)
    first_after_passes = table.turns_played == 0 and bool(table.passed)
    if first_after_passes and rules.passed_upcard == "stock_only":
        return STOCK
    return BOTH_PILES


def discards(rules: RuleSet, table: Round) -> CardSet:
    """Return the cards that the seat that has drawn may throw."""
    hand = hand_on_turn(table)
    taken = table.drawn_card
    if taken is None or table.drawn_from == "stock" or rules.return_taken_discard:
        return hand
    return hand & ~(1 << taken)


def can_big_gin(rules: RuleSet, table: Round) -> bool:
    """Return whether the seat that has drawn may go out without a discard."""
    return rules.big_gin_bonus > 0 and deadwood_points(hand_on_turn(table)) == 0


def layoff_spread(rules: RuleSet, table: Round) -> tuple[CardSet, ...]:
    """Return the knocker's melds as the answering seat may add to them, a closed one as 0."""
    laid, *answers = table.shown
    if rules.layoff_onto == "original":
        return laid.melds
    added = [layoff for answer in answers for layoff in answer.layoffs]
    if rules.layoff_onto == "grown":
        return extend(laid.melds, tuple(added)) or laid.melds
    closed = {index for _, index in added}
    return tuple(0 if index in closed else meld for index, meld in enumerate(laid.melds))


def hand_on_turn(table: Round) -> CardSet:
    """Return the hand of the seat on turn; nothing when the round is over."""
    return 0 if table.turn is None else table.hands[table.turn]
