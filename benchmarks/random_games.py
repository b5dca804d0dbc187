"""One random round at a time in three engines: ours, OpenSpiel's and RLCard's.

Each is dealt first, outside the time. A ply is what a player decides: list the legal actions, pick
one by chance, apply it; a card that OpenSpiel then deals from the stock belongs to it. RLCard is
driven through its game and judge, since its environment adds feature vectors for training.
"""

from collections.abc import Callable
from random import Random
from typing import Any, Final, TypeAlias

import numpy as np
import pyspiel
from rlcard.games.gin_rummy.game import GinRummyGame

from service.rules.cards import cards_in
from service.rules.legal import Actions, legal
from service.rules.moves import Deal, Discard, Draw, Join, Knock, LayOff, Move, Pass
from service.rules.play import apply, new_game
from service.rules.ruleset import PRESETS
from service.rules.state import GameState

Chance: TypeAlias = Callable[[], float]
# Plays a dealt round to its end and returns its plies.
Round: TypeAlias = Callable[[Chance], int]
Dealer: TypeAlias = Callable[[Random], Round]

_DRAWS: Final = {"stock": Draw("stock"), "discard": Draw("discard")}
_DISCARDS: Final = tuple(Discard(card) for card in range(52))
_KNOCKS: Final = tuple(Knock(card) for card in range(52))
_PASS: Final = Pass()
_ANSWER: Final = LayOff()


def dealt_game(random: Random) -> GameState:
    """Return our default game with its first round dealt."""
    seated = apply(new_game(PRESETS["oklahoma"].rules, 2).state, None, Join()).state
    deck = tuple(random.sample(range(52), 52))
    return apply(seated, 0, Deal(deck, first_player=0)).state


def choose(actions: Actions, share: float) -> Move:
    """Return one of the moves of play offered, all as likely; resigning is left out."""
    discards, knocks = actions.discard, actions.knock
    if discards:
        count = discards.bit_count()
        place = int(share * (count + knocks.bit_count()))
        if place < count:
            return _DISCARDS[cards_in(discards)[place]]
        return _KNOCKS[cards_in(knocks)[place - count]]
    if actions.layoff:
        return _ANSWER
    moves: list[Move] = [_DRAWS[source] for source in actions.draw]
    if actions.pass_upcard:
        moves.append(_PASS)
    return moves[int(share * len(moves))]


def our_round(random: Random) -> Round:
    """Deal a round of ours."""
    dealt = dealt_game(random)

    def play(chance: Chance) -> int:
        state, plies = dealt, 0
        while (table := state.round) and table.turn is not None:
            move = choose(legal(state, table.turn), chance())
            state = apply(state, table.turn, move).state
            plies += 1
        return plies

    return play


class OpenSpielRounds:
    """OpenSpiel's rounds, dealt from copies of one undealt state, which it takes long to make."""

    def __init__(self) -> None:
        game = pyspiel.load_game("gin_rummy", {"oklahoma": True})
        self._undealt: Any = game.new_initial_state()

    def __call__(self, random: Random) -> Round:
        """Deal a round."""
        state, deck = self._undealt.clone(), random.sample(range(52), 52)
        for card in deck[:21]:
            state.apply_action(card)
        stock = iter(deck[21:])

        def play(chance: Chance) -> int:
            plies = 0
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(next(stock))
                    continue
                actions = state.legal_actions()
                state.apply_action(actions[int(chance() * len(actions))])
                plies += 1
            return plies

        return play


def rlcard_round(random: Random) -> Round:
    """Deal a round of RLCard's; the two actions that only add up its score are plies too."""
    game = GinRummyGame()
    game.np_random = np.random.RandomState(random.randrange(1 << 32))
    game.init_game()

    def play(chance: Chance) -> int:
        plies = 0
        while not game.is_over():
            actions = game.judge.get_legal_actions()
            game.step(actions[int(chance() * len(actions))])
            plies += 1
        return plies

    return play
