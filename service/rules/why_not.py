"""Why an action is not offered: the code that trying it is refused with, found by trying it."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from service.rules.cards import cards_in
from service.rules.checks import arrangement_of, check
from service.rules.errors import RuleError
from service.rules.legal import HOST, Actions
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
)
from service.rules.state import GameState

_Situation: TypeAlias = tuple[object, ...]

_KNOWN: Final[dict[_Situation, Mapping[str, str]]] = {}


def why_not(state: GameState, seat: int | None, actions: Actions) -> Mapping[str, str]:
    """Return by action the code of the refusal, for all that ``legal`` does not offer the seat.

    The names are those of the operations' fields: ``pass``, ``big_gin``. A spectator is told of
    ``join`` alone, since all the rest takes a seat.
    """
    situation = _situation(state, seat, actions)
    codes = _KNOWN.get(situation)
    if codes is None:
        codes = _KNOWN[situation] = tried(state, seat, actions)
    return codes


def _situation(state: GameState, seat: int | None, actions: Actions) -> _Situation:
    """Return all that decides what is refused and why; a few hundred such tuples can arise."""
    table = state.round
    phase, turn, leaving = (table.phase, table.turn, table.leaving) if table else (None, None, ())
    return (
        seat if seat is None else seat == HOST,
        phase,
        seat == turn,
        seat is not None and (state.out[seat] or seat in leaving),
        state.result is None,
        None in state.occupants,
        not actions.remove,
        not actions.knock,
        actions.big_gin,
        state.rules.big_gin_bonus > 0,
    )


def tried(state: GameState, seat: int | None, actions: Actions) -> Mapping[str, str]:
    """Return what ``why_not`` does, by trying a move of each action in this very position."""
    throws = cards_in(actions.discard) or (0,)
    knocks = cards_in(actions.knock) or throws
    moves: dict[str, Move] = {
        "join": Join(),
        "leave": Leave(),
        "add_bot": Join("bot"),
        "remove": Remove((actions.remove or (1,))[0]),
        "deal": Deal(()),
        "entropy": SetEntropy(),
        "pass": Pass(),
        "draw": Draw((actions.draw or ("stock",))[0]),
        "discard": Discard(throws[0]),
        "knock": Knock(knocks[0]),
        "big_gin": Knock(None),
        "layoff": LayOff(),
        "resign": Resign(),
        "rematch": Rematch(),
    }
    names = ("join",) if seat is None else moves
    codes = {name: _code(state, seat, moves[name]) for name in names}
    return {name: code for name, code in codes.items() if code}


def _code(state: GameState, seat: int | None, move: Move) -> str | None:
    try:
        check(state, seat, move)
        if state.round and isinstance(move, Knock):
            arrangement_of(state.rules, state.round, move)
    except RuleError as error:
        return error.code
    return None
