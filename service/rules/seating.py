"""Moves of the seats, not of the cards: joining, leaving, resigning."""

from typing import Literal, TypeVar

from service.rules.evolve import evolve
from service.rules.legal import HOST
from service.rules.moves import Join, Leave, Rematch, Remove, Resign, SetEntropy, TimeOut
from service.rules.rounds import end_if_last_or_limit, void_round
from service.rules.scoring import end_result
from service.rules.state import Event, GameState, Round, Step

Value = TypeVar("Value")


def replaced(values: tuple[Value, ...], seat: int, value: Value) -> tuple[Value, ...]:
    """Return the tuple with another value for one seat."""
    return values[:seat] + (value,) + values[seat + 1 :]  # noqa: RUF005  # faster, in every ply


def join(state: GameState, _seat: int | None, move: Join) -> Step:
    """Seat a newcomer in the lowest free seat."""
    seat = state.occupants.index(None)
    occupants = replaced(state.occupants, seat, move.occupant)
    event = Event(type="joined", seat=seat, occupant=move.occupant)
    return Step(evolve(state, occupants=occupants), event)


def leave(state: GameState, seat: int, _move: Leave) -> Step:
    """Free a seat before the first deal; a host who leaves ends the game without a winner."""
    state = evolve(state, occupants=replaced(state.occupants, seat, None))
    if seat == HOST:
        state = evolve(state, result=end_result(state, None, "cancelled"))
    return Step(state, Event(type="left", seat=seat, game_result=state.result))


def remove(state: GameState, _seat: int, move: Remove) -> Step:
    """Free another seat before the first deal."""
    occupants = replaced(state.occupants, move.seat, None)
    return Step(evolve(state, occupants=occupants), Event(type="removed", seat=move.seat))


def set_entropy(state: GameState, seat: int, _move: SetEntropy) -> Step:
    """Note that a seat left a text for the next shuffle; the state is the same."""
    return Step(state, Event(type="entropy_set", seat=seat))


def resign(state: GameState, seat: int, _move: Resign) -> Step:
    """Take a seat out: at once, or with more than two seats once a knock is settled."""
    return _take_out(state, seat, "resigned")


def time_out(state: GameState, _caller: int, move: TimeOut) -> Step:
    """Tell that the seat on turn is late, and take it out where that is forfeit."""
    late = _table(state).turn
    if late is None:
        raise LookupError("nobody is on turn")
    if move.forfeit:
        return _take_out(state, late, "timed_out")
    return told(state, Event(type="timed_out", seat=late))


def rematch(state: GameState, seat: int, _move: Rematch) -> Step:
    """Tell that a seat has called a rematch; the state is the same."""
    return Step(state, Event(type="rematched", seat=seat))


def _take_out(state: GameState, seat: int, why: Literal["resigned", "timed_out"]) -> Step:
    table = _table(state)
    if table.phase == "layoff" and state.seats > 2:
        late = (*table.late, seat) if why == "timed_out" else table.late
        state = evolve(state, round=evolve(table, leaving=(*table.leaving, seat), late=late))
    else:
        state = evolve(state, out=replaced(state.out, seat, True))
        running = table.phase != "over"
        state = void_round(state, table, why) if running else end_if_last_or_limit(state, why)
    return told(state, Event(type=why, seat=seat), running=table is not state.round)


def told(state: GameState, event: Event, *, running: bool = True) -> Step:
    """Return a step whose event also tells the phase, the turn and what has ended.

    Without a ``running`` round that the move concerned, its result was told before.
    """
    table = _table(state)
    event = evolve(
        event,
        phase=table.phase,
        turn=table.turn,
        result=table.result if running else None,
        game_result=state.result,
    )
    return Step(state, event)


def _table(state: GameState) -> Round:
    if state.round is None:
        raise LookupError("no round has been dealt")
    return state.round
