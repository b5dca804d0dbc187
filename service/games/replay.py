"""Playing a game again from what was told of it: a logged event names the move that it tells of."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Final, TypeAlias

from service.games.record import GameRecord, LoggedEvent
from service.rules.cards import Card
from service.rules.legal import HOST
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
from service.rules.play import apply
from service.rules.state import Event, GameState, Step

Seated: TypeAlias = tuple[int | None, Move]


class Unplayable(Exception):
    """An event that tells of no move: its sentence names what is missing."""


def again(record: GameRecord, state: GameState, deck: tuple[Card, ...], event: Event) -> Step:
    """Return what the move that an event tells of leads to; ``deck`` is dealt if it is a deal.

    :raises Unplayable: if the event tells of no move.
    :raises RuleError: if the rules refuse the move.
    """
    if event.type == "token_renewed":
        return Step(state, event)
    if event.type == "dealt":
        if not deck:
            raise Unplayable("a deck is dealt of which there is no record")
        return apply(state, event.seat, _deal(state, deck, event))
    if event.type == "timed_out":
        return apply(state, None, TimeOut(forfeit=record.timeout_action == "forfeit"))
    told = _MOVES.get(event.type)
    if told is None:
        raise Unplayable(f"'{event.type}' tells of no move")
    return apply(state, *told(event))


def versions_follow(logged: tuple[LoggedEvent, ...]) -> str | None:
    """Return a sentence on the first version that is missing, doubled or named wrongly."""
    for before, after in pairwise(logged):
        if after.version != before.version + 1:
            return f"version {before.version + 1} is missing: {after.version} comes next"
    for each in logged:
        if not each.id.startswith(f"{each.version}-"):
            return f"version {each.version} has the id {each.id}"
    return None


def _deal(state: GameState, deck: tuple[Card, ...], event: Event) -> Deal:
    if event.dealer is None:
        raise Unplayable("'dealt' names no dealer")
    first_player = None if state.round else (event.dealer + 1) % state.seats
    return Deal(deck, first_player, event.high_cards, event.commitment)


def _join(event: Event) -> Seated:
    by_host = event.occupant == "bot"
    return (HOST if by_host else None), Join(event.occupant or "human")


def _draw(event: Event) -> Seated:
    if event.source is None:
        raise Unplayable("'drew' names no pile")
    return event.seat, Draw(event.source)


def _discard(event: Event) -> Seated:
    if event.card is None:
        raise Unplayable("'discarded' names no card")
    return event.seat, Discard(event.card)


_MOVES: Final[Mapping[str, Callable[[Event], Seated]]] = {
    "joined": _join,
    "left": lambda event: (event.seat, Leave()),
    "removed": lambda event: (HOST, Remove(event.seat or 0)),
    "entropy_set": lambda event: (event.seat, SetEntropy()),
    "passed": lambda event: (event.seat, Pass()),
    "drew": _draw,
    "discarded": _discard,
    "knocked": lambda event: (event.seat, Knock(event.card, event.melds)),
    "laid_off": lambda event: (event.seat, LayOff(event.layoffs, event.melds)),
    "resigned": lambda event: (event.seat, Resign()),
    "rematched": lambda event: (event.seat, Rematch()),
}
