"""Rounds played move for move by our engine and by OpenSpiel's, from one deck order."""

from itertools import cycle
from random import Random
from typing import Any, Final

from service.rules.cards import Card, CardSet
from service.rules.checks import answer_of
from service.rules.layoffs import Layoff, Spread, extend
from service.rules.legal import layoff_spread
from service.rules.moves import Deal, Discard, Draw, Join, Knock, LayOff, Move, Pass
from service.rules.play import apply, new_game
from service.rules.ruleset import RuleSet
from service.rules.state import GameState, Round
from tests.openspiel.bridge import KNOCK, MOST_UPCARD_DRAWS, PASS, Referee, load
from tests.openspiel.choices import TEMPERS, Chooser, Temper
from tests.openspiel.differences import (
    Tally,
    compare_end_without_points,
    compare_layoffs,
    compare_ply,
    compare_settlement,
    compare_wall,
)

_MOST_THROWN_BACK: Final = 2


class Match:
    """Our game and, round by round, OpenSpiel's.

    ``tally["whole"]`` counts the rounds that both played to their end. Our game goes on from round
    to round, and begins anew where it is won or where only OpenSpiel has ended a round.
    """

    def __init__(self, rules: RuleSet, *, oklahoma: bool) -> None:
        self.tally = Tally()
        self._rules = rules
        self._undealt: Any = load(oklahoma=oklahoma)
        self._state = self._seated()

    def _seated(self) -> GameState:
        return apply(new_game(self._rules, 2).state, None, Join()).state

    def deal(self, deck: tuple[Card, ...], first_player: int) -> None:
        """Deal a round to both; our own rules say who plays first in all but a game's first."""
        self._state = apply(self._state, 0, Deal(deck, first_player)).state
        self.referee = Referee.deal(self._undealt, self._state)
        self._upcard_draws = self._thrown_back = 0

    @property
    def state(self) -> GameState:
        return self._state

    @property
    def table(self) -> Round:
        table = self._state.round
        assert table is not None
        return table

    @property
    def playing(self) -> bool:
        return self.table.phase != "over" and not self.referee.over

    def make(self, move: Move) -> None:
        """Compare what may be done, then do it in both engines."""
        table = self.table
        self.tally["plies"] += 1
        if isinstance(move, LayOff):
            self._answer(table, move)
            return
        compare_ply(self._state, table, self.referee, self.tally)
        self._apply(move)
        if isinstance(move, Draw):
            self._draw(table, move)
        elif isinstance(move, Discard):
            back = table.drawn_from == "discard" and move.card == table.drawn_card
            self._thrown_back = self._thrown_back + 1 if back else 0
            self.referee.throw(move.card)
        elif isinstance(move, Knock) and move.discard is not None:
            self._knock(move.discard)
        else:
            assert isinstance(move, Pass)
            self.referee.act(PASS)

    def _apply(self, move: Move) -> None:
        self._state = apply(self._state, self.table.turn, move).state

    def _draw(self, before: Round, move: Draw) -> None:
        card = self.table.drawn_card
        assert card is not None
        self._upcard_draws += move.source == "discard" and before.phase == "draw"
        self.referee.draw(move.source, card)

    def _knock(self, discard: Card) -> None:
        self.referee.act(KNOCK)
        self.referee.throw(discard)
        knocker, *answers = self.table.shown
        self.referee.lay(knocker.melds)
        for answer in answers:  # gin is answered at once, with melds alone
            self.referee.lay(answer.melds)

    def _answer(self, table: Round, move: LayOff) -> None:
        """Answer a knock in both; what OpenSpiel does not let lay off stays in hand."""
        assert table.turn is not None
        hand, spread = table.hands[table.turn], layoff_spread(self._rules, table)
        wanted = answer_of(self._rules, table, table.turn, move).layoffs
        laid = self._lay_off(hand, spread, wanted)
        if len(laid) < len(wanted):
            move = LayOff(laid, move.melds)
        self._apply(move)
        self.referee.act(PASS)
        self.referee.lay(self.table.shown[1].melds)

    def _lay_off(
        self, hand: CardSet, spread: Spread, wanted: tuple[Layoff, ...]
    ) -> tuple[Layoff, ...]:
        """Lay off all of the wanted cards that OpenSpiel takes, and return them."""
        laid: tuple[Layoff, ...] = ()
        while True:
            compare_layoffs(hand, spread, laid, self.referee, self.tally)
            both = [
                layoff
                for layoff in wanted
                if layoff not in laid
                and self.referee.cards >> layoff[0] & 1
                and extend(spread, (*laid, layoff))
            ]
            if not both:
                return laid
            laid = (*laid, both[0])
            self.referee.throw(both[0][0])

    def close(self) -> None:
        """Compare how the round ended."""
        if self._thrown_back == _MOST_THROWN_BACK:
            self._cut("repeat")
        elif self._upcard_draws == MOST_UPCARD_DRAWS:
            self._cut("fifty draws")
        else:
            self._compare_result()

    def _cut(self, reason: str) -> None:
        compare_end_without_points(self.referee, reason, self.tally)
        self._state = self._seated()

    def _compare_result(self) -> None:
        result = self.table.result
        assert result is not None
        if result.kind == "void":
            compare_wall(self._state, self.table, self.referee, self.tally)
        else:
            compare_settlement(result, self.referee, self.tally)
        self.tally["whole"] += 1
        if self._state.result:
            self.tally["games won"] += 1
            self._state = self._seated()


def play_round(match: Match, random: Random, temper: Temper) -> None:
    """Play a round by chance until either engine has ended it."""
    chooser = Chooser(random, temper)
    match.deal(tuple(random.sample(range(52), 52)), random.randrange(2))
    while match.playing:
        may_knock = KNOCK in match.referee.actions
        match.make(chooser.move(match.state, match.table, may_knock=may_knock))
    match.close()


def play_whole_rounds(match: Match, seed: int, rounds: int) -> Tally:
    """Play until so many rounds came to their end in both, and return what was counted."""
    random = Random(seed)
    for temper in cycle(TEMPERS):
        play_round(match, random, temper)
        if match.tally["whole"] == rounds:
            break
    return match.tally
