"""Whole games that bots play, and the same position with its hidden cards dealt otherwise."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import NamedTuple

from service.bots import choose
from service.rules.cards import Card, CardSet, cards_in, set_of
from service.rules.moves import Deal, Move
from service.rules.play import apply
from service.rules.ruleset import RuleSet
from service.rules.state import GameState
from service.rules.views import SeatView, view_for
from tests.rules.chance import first_deal, some_deck
from tests.rules.tables import full, table


class Turn(NamedTuple):
    """A bot's move and the position it was chosen in."""

    state: GameState
    seat: int
    view: SeatView
    move: Move


def turns(rules: RuleSet, levels: tuple[str, ...], dice: Random) -> Iterator[Turn]:
    """Yield every bot's move of a game to its end, each made through the engine."""
    state = apply(full(rules, len(levels)), 0, first_deal(rules, len(levels), dice)).state
    while not state.result:
        seat = table(state).turn
        if seat is None:
            state = apply(state, 0, Deal(some_deck(dice, len(levels)))).state
            continue
        view = view_for(state, seat)
        move = choose(view, levels[seat], dice)
        yield Turn(state, seat, view, move)
        state = apply(state, seat, move).state


def otherwise_dealt(state: GameState, seat: int, dice: Random) -> GameState:
    """Return the state with all cards that the seat has not been shown changing their places."""
    on = table(state)
    shown = {seat, *(laid.seat for laid in on.shown)}
    hands = [0 if other in shown else hand for other, hand in enumerate(on.hands)]
    hidden = [*on.deck[on.stock_at :], *(card for hand in hands for card in cards_in(hand))]
    moved = dict(zip(sorted(hidden), dice.sample(hidden, len(hidden)), strict=True))
    return replace(
        state,
        round=replace(
            on,
            hands=tuple(
                hand if other in shown else _moved(hand, moved)
                for other, hand in enumerate(on.hands)
            ),
            deck=(*on.deck[: on.stock_at], *(moved[card] for card in on.deck[on.stock_at :])),
        ),
    )


def _moved(hand: CardSet, moved: dict[Card, Card]) -> CardSet:
    return set_of(moved[card] for card in cards_in(hand))
