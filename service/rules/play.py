"""Applying moves: a state, a seat and a move give a new state and one event."""

from collections.abc import Callable
from typing import Any, Final

from service.rules import seating
from service.rules.cards import CARD_POINTS, Card
from service.rules.checks import answer_of, arrangement_of, check
from service.rules.evolve import builder, evolve
from service.rules.legal import HOST, discards, hand_on_turn, is_last_turn
from service.rules.melds import deadwood_by_discard
from service.rules.moves import (
    Deal,
    Discard,
    Draw,
    Join,
    Knock,
    LayOff,
    Leave,
    Move,
    Pass,
    Rematch,
    Remove,
    Resign,
    SetEntropy,
    TimeOut,
)
from service.rules.rounds import (
    best_laid,
    clockwise_from,
    deal_round,
    next_seat,
    settle_round,
    void_round,
)
from service.rules.ruleset import RuleSet
from service.rules.seating import replaced, told
from service.rules.state import Event, GameState, GoingOut, Laid, Phase, Round, Step

_event: Final = builder(Event)


def new_game(rules: RuleSet, seats: int) -> Step:
    """Return a game of 2 to 4 seats with the host in seat 0."""
    nothing = (0,) * seats
    state = GameState(
        rules=rules,
        occupants=("human", *(None,) * (seats - 1)),
        totals=nothing,
        boxes=nothing,
        out=(False,) * seats,
    )
    return Step(state, Event(type="created", seat=HOST))


def apply(state: GameState, seat: int | None, move: Move) -> Step:
    """Return what a move by a seat leads to; joining is done by nobody's seat.

    :raises RuleError: if ``legal`` does not offer the move, with its reason.
    """
    check(state, seat, move)
    applied = _TURNS.get(type(move))
    if applied:
        return applied(state, state.round, seat, move)
    return _OTHERS[type(move)](state, seat, move)


def forced(state: GameState) -> tuple[int, Move] | None:
    """Return a move that must follow by itself: the default answer of a seat that resigned."""
    table = state.round
    if table and table.turn is not None and table.turn in table.leaving:
        return table.turn, LayOff()
    return None


def default_move(state: GameState) -> Move:
    """Return what is played for the seat on turn when it is late.

    It passes, draws from the stock, throws the card drawn or, where that may not be thrown, one
    that leaves the least deadwood, and answers a knock best.
    """
    table = state.round
    if table is None or table.turn is None:
        raise LookupError("nobody is on turn")
    if table.phase == "discard":
        return Discard(_default_throw(state.rules, table))
    return _DEFAULTS[table.phase]


def _default_throw(rules: RuleSet, table: Round) -> Card:
    throws = discards(rules, table)
    if table.drawn_card is not None and throws >> table.drawn_card & 1:
        return table.drawn_card
    left = deadwood_by_discard(hand_on_turn(table), throws)
    return min(left, key=lambda card: (left[card], -CARD_POINTS[card]))


_DEFAULTS: Final[dict[Phase, Move]] = {
    "upcard_offer": Pass(),
    "draw": Draw("stock"),
    "layoff": LayOff(),
}


def _deal(state: GameState, seat: int, move: Deal) -> Step:
    before = state.round
    table = deal_round(state, move)
    event = Event(
        type="dealt",
        seat=seat,
        phase=table.phase,
        turn=table.turn,
        round=table.number,
        dealer=table.dealer,
        commitment=table.commitment,
        upcard=table.upcard,
        hands=table.hands,
        high_cards=move.high_cards,
    )
    last = before.result if before else None
    return Step(evolve(state, round=table, last_round=last), event)


def _pass(state: GameState, table: Round, seat: int, _move: Pass) -> Step:
    passed = (*table.passed, seat)
    order = clockwise_from(state, table.dealer)
    over = len(passed) == len(order)
    phase: Phase = "draw" if over else "upcard_offer"
    turn = order[0] if over else order[len(passed)]
    table = evolve(table, passed=passed, phase=phase, turn=turn)
    event = _event(type="passed", seat=seat, phase=phase, turn=turn)
    return Step(evolve(state, round=table), event)


def _draw(state: GameState, table: Round, seat: int, move: Draw) -> Step:
    pile, stock_at = table.discard_pile, table.stock_at
    if move.source == "stock":
        card, stock_at = table.deck[stock_at], stock_at + 1
    else:
        card, pile = pile[-1], pile[:-1]
    table = evolve(
        table,
        phase="discard",
        hands=replaced(table.hands, seat, table.hands[seat] | 1 << card),
        discard_pile=pile,
        stock_at=stock_at,
        drawn_card=card,
        drawn_from=move.source,
    )
    event = _event(
        type="drew", seat=seat, phase="discard", turn=seat, card=card, source=move.source
    )
    return Step(evolve(state, round=table), event)


def _discard(state: GameState, table: Round, seat: int, move: Discard) -> Step:
    rules = state.rules
    by_top = rules.knock_limit_source == "discard_top"
    last = is_last_turn(rules, table)
    table = _thrown(
        table,
        seat,
        move.card,
        phase="draw",
        turn=next_seat(state, seat),
        limit_card=move.card if by_top else table.limit_card,
    )
    if last:
        event = Event(type="discarded", seat=seat, card=move.card)
        return told(void_round(state, table), event)
    event = _event(type="discarded", seat=seat, phase="draw", turn=table.turn, card=move.card)
    return Step(evolve(state, round=table), event)


def _thrown(table: Round, seat: int, card: int, **changes: Any) -> Round:
    """Return the round with the card on the discard pile, the turn counted, and the changes."""
    return evolve(
        table,
        hands=replaced(table.hands, seat, table.hands[seat] & ~(1 << card)),
        discard_pile=table.discard_pile + (card,),  # noqa: RUF005  # faster, in every ply
        turns_played=table.turns_played + 1,
        drawn_card=None,
        drawn_from=None,
        **changes,
    )


def _knock(state: GameState, table: Round, seat: int, move: Knock) -> Step:
    split = arrangement_of(state.rules, table, move)
    laid = Laid(seat, split.melds, (), split.deadwood, split.points)
    gin: GoingOut = "gin" if move.discard is not None else "big_gin"
    kind: GoingOut = "knock" if split.points else gin
    if move.discard is not None:
        table = _thrown(table, seat, move.discard)
    opponents = [other for other in clockwise_from(state, seat) if other != seat]
    table = evolve(
        table,
        phase="layoff",
        turn=opponents[0],
        drawn_card=None,
        drawn_from=None,
        knocker=seat,
        going_out=kind,
        shown=(laid,),
    )
    event = Event(
        type="knocked",
        seat=seat,
        card=move.discard,
        kind=kind,
        melds=split.melds,
        deadwood=split.deadwood,
        deadwood_points=split.points,
    )
    if kind == "knock" or state.rules.layoff_on_gin:
        return told(evolve(state, round=table), event)
    shown = (laid, *(best_laid(table, other) for other in opponents))
    return told(settle_round(state, evolve(table, shown=shown)), event)


def _lay_off(state: GameState, table: Round, seat: int, move: LayOff) -> Step:
    answer = answer_of(state.rules, table, seat, move)
    laid = Laid(seat, answer.melds, answer.layoffs, answer.deadwood, answer.points)
    after = next_seat(state, seat)
    table = evolve(table, shown=(*table.shown, laid), turn=after)
    event = Event(
        type="laid_off",
        seat=seat,
        melds=answer.melds,
        layoffs=answer.layoffs,
        deadwood=answer.deadwood,
        deadwood_points=answer.points,
    )
    if after == table.knocker:
        return told(settle_round(state, table), event)
    return told(evolve(state, round=table), event)


_TURNS: Final[dict[type, Callable[..., Step]]] = {
    Pass: _pass,
    Draw: _draw,
    Discard: _discard,
    Knock: _knock,
    LayOff: _lay_off,
}
_OTHERS: Final[dict[type, Callable[..., Step]]] = {
    Deal: _deal,
    Join: seating.join,
    Leave: seating.leave,
    Remove: seating.remove,
    SetEntropy: seating.set_entropy,
    Resign: seating.resign,
    TimeOut: seating.time_out,
    Rematch: seating.rematch,
}
