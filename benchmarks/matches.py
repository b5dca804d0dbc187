"""Games between players of any kind, each deal played twice with the seats exchanged."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from typing import Protocol

from service.bots import choose
from service.rules.cards import DECK_SIZE
from service.rules.moves import Deal, Join, Move
from service.rules.play import apply, new_game
from service.rules.ruleset import RuleSet
from service.rules.state import GameState
from service.rules.views import SeatView, view_for


class Player(Protocol):
    """Whoever holds a seat; ``see`` tells of every move, its own too."""

    def deal(self, state: GameState, seat: int) -> None: ...

    def choose(self, state: GameState, seat: int) -> Move: ...

    def see(self, move: Move, after: GameState) -> None: ...


@dataclass
class OurBot:
    """A level of ours; ``views`` are all that it has chosen from, where it is to keep them."""

    level: str
    random: Random
    keeps_views: bool = False
    views: list[SeatView] = field(default_factory=list)

    def deal(self, state: GameState, seat: int) -> None:
        """Do nothing: a bot has no memory but its view."""

    def choose(self, state: GameState, seat: int) -> Move:
        view = view_for(state, seat)
        if self.keeps_views:
            self.views.append(view)
        return choose(view, self.level, self.random)

    def see(self, move: Move, after: GameState) -> None:
        """Do nothing."""


def play_game(rules: RuleSet, players: Sequence[Player], seed: str) -> GameState:
    """Return a whole game; its decks depend on the seed and the number of the round alone."""
    state = new_game(rules, len(players)).state
    for _ in players[1:]:
        state = apply(state, None, Join()).state
    while not state.result:
        number = state.round.number + 1 if state.round else 1
        deck = tuple(Random(f"{seed} {number}").sample(range(DECK_SIZE), DECK_SIZE))
        state = apply(state, 0, Deal(deck, 0)).state
        state = _play_round(state, players)
    return state


def _play_round(state: GameState, players: Sequence[Player]) -> GameState:
    for seat, player in enumerate(players):
        player.deal(state, seat)
    while state.round and state.round.turn is not None:
        seat = state.round.turn
        move = players[seat].choose(state, seat)
        state = apply(state, seat, move).state
        for player in players:
            player.see(move, state)
    return state


def wilson(won: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of games won, by Wilson's score method.

    It takes all games as independent. The two of a pair share their decks, and good cards for one
    seat are won by each player once, so the true interval is rather narrower.
    """
    z = 1.96
    share = won / games
    centre = share + z * z / (2 * games)
    reach = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (centre - reach) / (1 + z * z / games), (centre + reach) / (1 + z * z / games)
