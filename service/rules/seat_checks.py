"""Refusals of the seats' moves: who may deal, join, leave, resign, claim and play on."""

from collections.abc import Callable
from typing import Final

from service.rules.errors import (
    AlreadySeated,
    GameFull,
    GameNotFull,
    HostOnly,
    WrongPhase,
)
from service.rules.legal import HOST, can_rematch, removable
from service.rules.moves import (
    Deal,
    Join,
    Leave,
    Rematch,
    Remove,
    Resign,
    SetEntropy,
    TimeOut,
)
from service.rules.state import GameState


def _check_deal(state: GameState, seat: int | None, _move: Deal) -> None:
    if None in state.occupants:
        free = state.occupants.count(None)
        raise GameNotFull(f"{free} of {state.seats} seats are free. Deal when all are taken.")
    if state.round and state.round.phase != "over":
        raise WrongPhase("A round is being played. Deal when it is over.")
    _check_in(state, seat)


def _check_in(state: GameState, seat: int | None) -> None:
    if seat is None or state.out[seat]:
        raise WrongPhase("Your seat is out of the game; you can only watch it.")
    if state.round and seat in state.round.leaving:
        raise WrongPhase("Your seat has resigned; you can only watch the round end.")


def _check_entropy(state: GameState, seat: int | None, _move: SetEntropy) -> None:
    _check_in(state, seat)


def _check_resign(state: GameState, seat: int | None, _move: Resign) -> None:
    if state.round is None:
        raise WrongPhase("The game has not begun. Leave instead of resigning.")
    _check_in(state, seat)


def _check_time_out(state: GameState, _seat: int | None, _move: TimeOut) -> None:
    if state.round is None or state.round.turn is None:
        raise WrongPhase("Nobody is on turn, so nobody is late.")


def _check_rematch(state: GameState, seat: int | None, _move: Rematch) -> None:
    if seat is None or not can_rematch(state):
        raise WrongPhase("A rematch is for the seats of a game that was played to its end.")


def _check_join(state: GameState, seat: int | None, move: Join) -> None:
    if move.occupant == "bot":
        if seat != HOST:
            raise HostOnly("Only the host, seat 0, may seat a bot.")
    elif seat is not None:
        raise AlreadySeated(f"Your token holds seat {seat} of this game. Send none to join again.")
    if None not in state.occupants:
        raise GameFull(f"All {state.seats} seats are taken. Watch, or join another game.")


def _check_not_dealt(state: GameState) -> None:
    if state.round is not None:
        raise WrongPhase("The first round has been dealt. Resign to give up your seat.")


def _check_leave(state: GameState, seat: int | None, _move: Leave) -> None:
    _check_not_dealt(state)
    if seat is None:
        raise WrongPhase("Only who has a seat can leave it.")


def _check_remove(state: GameState, seat: int | None, move: Remove) -> None:
    _check_not_dealt(state)
    if seat != HOST:
        raise HostOnly("Only the host, seat 0, may take a player out.")
    if move.seat not in removable(state):
        raise WrongPhase(
            f"Seat {move.seat} holds nobody whom the host can take out; actions.remove lists "
            "who can be."
        )


SEAT_CHECKS: Final[dict[type, Callable[..., None]]] = {
    Deal: _check_deal,
    SetEntropy: _check_entropy,
    Resign: _check_resign,
    TimeOut: _check_time_out,
    Rematch: _check_rematch,
    Join: _check_join,
    Leave: _check_leave,
    Remove: _check_remove,
}
"""The check of each kind of move, called with the state, the seat and the move."""
