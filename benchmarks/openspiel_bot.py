"""OpenSpiel's ``simple_gin_rummy_bot`` at our table, its own game kept in step with our round.

It sees each round as a game of OpenSpiel's ``gin_rummy(oklahoma=True)`` that is dealt our cards.
Our engine alone says what counts, so where the two rule books differ ours is played:

* It knocks when OpenSpiel offers it, which overlooks a few knocks that we offer.
* When we are knocked on it lays its lowest deadwood and, as it always does, lays nothing off.
* A tie is an undercut; with two cards left in the stock a round is void at once, where OpenSpiel
  lets the next player still knock with the card just thrown.
* OpenSpiel lets a card taken from the pile be thrown to knock, and the bot does that, so the
  games against it are played with ``return_taken_discard``.
* OpenSpiel ends a round without points at its fiftieth draw of an upcard, and when two cards in a
  row are thrown back; such a game is left out and counted.
"""

from typing import Any, Final, cast

import pyspiel

from service.rules.cards import Card, CardSet, set_of
from service.rules.moves import Discard, Draw, Knock, LayOff, Move, Pass
from service.rules.state import GameState
from tests.openspiel.bridge import DRAW_STOCK, DRAW_UPCARD, KNOCK, PASS, Referee, load

_MELD_BASE: Final[int] = pyspiel.gin_rummy.MELD_ACTION_BASE
_PARAMETERS: Final = pyspiel.load_game("gin_rummy").get_parameters()
_MELDS: Final = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10).int_to_meld
_DECISIONS: Final[dict[int, Move]] = {
    DRAW_UPCARD: Draw("discard"),
    DRAW_STOCK: Draw("stock"),
    PASS: Pass(),
}


class RoundCutShort(Exception):
    """OpenSpiel has ended a round that our rules go on with."""


class SteppedReferee(Referee):
    """A referee that lets OpenSpiel's bots look at its game."""

    def decision(self, bot: Any) -> int:
        return int(bot.step(self._state))

    def knock(self, bot: Any) -> Knock:
        """Return the knock of a bot that has just chosen to, as OpenSpiel has it laid down."""
        after = SteppedReferee(self._state.clone(), self._seats[0])
        after.act(KNOCK)
        throw = after.decision(bot)
        after.act(throw)
        melds = []
        while (action := after.decision(bot)) != PASS:
            melds.append(_meld(action))
            after.act(action)
        return Knock(_card(throw), tuple(melds))


class OpenSpielBot:
    """A player for a two-seat table."""

    def __init__(self) -> None:
        self._undealt = load(oklahoma=True)
        self._bots = [pyspiel.make_simple_gin_rummy_bot(_PARAMETERS, place) for place in (0, 1)]

    def deal(self, state: GameState, seat: int) -> None:
        """Begin a round that has just been dealt."""
        self._referee = cast("SteppedReferee", SteppedReferee.deal(self._undealt, state))
        self._bot = self._bots[0 if self._referee.turn == seat else 1]
        self._bot.restart()

    def choose(self, state: GameState, _seat: int) -> Move:
        if state.round and state.round.phase == "layoff":
            return LayOff(layoffs=())
        action = self._referee.decision(self._bot)
        if action == KNOCK:
            return self._referee.knock(self._bot)
        in_draw = state.round is not None and state.round.phase != "discard"
        return _DECISIONS[action] if in_draw else Discard(_card(action))

    def see(self, move: Move, after: GameState) -> None:
        """Make anybody's move in OpenSpiel's game too; after a knock ours alone goes on."""
        table = after.round
        if isinstance(move, Pass):
            self._referee.act(PASS)
        elif isinstance(move, Draw) and table and table.drawn_card is not None:
            self._referee.draw(move.source, table.drawn_card)
        elif isinstance(move, Discard):
            self._referee.throw(move.card)
            if table and table.phase != "over" and self._referee.over:
                raise RoundCutShort


def _card(theirs: int) -> Card:
    """Return the card of an OpenSpiel action; its suits begin with spades."""
    return (theirs // 13 + 3) % 4 * 13 + theirs % 13


def _meld(action: int) -> CardSet:
    return set_of(_card(card) for card in _MELDS[action - _MELD_BASE])
