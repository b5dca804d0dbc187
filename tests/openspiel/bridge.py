"""OpenSpiel's gin rummy as a second referee, with its cards, actions and players in our terms.

A game of it is one round: player 0 has the seat left of the dealer and acts first. Its suits are
in the order spades, clubs, diamonds, hearts, and it lays melds of five cards at most.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import pyspiel

from service.rules.cards import Card, CardSet, cards_in, set_of
from service.rules.moves import Source
from service.rules.state import GameState

_GIN: Final = pyspiel.gin_rummy
DRAW_UPCARD: Final[int] = _GIN.DRAW_UPCARD_ACTION
DRAW_STOCK: Final[int] = _GIN.DRAW_STOCK_ACTION
PASS: Final[int] = _GIN.PASS_ACTION
KNOCK: Final[int] = _GIN.KNOCK_ACTION
MOST_UPCARD_DRAWS: Final[int] = _GIN.MAX_NUM_DRAW_UPCARD_ACTIONS
_LONGEST_MELD: Final = 5
_HAND: Final = 10

_TO_THEIRS: Final = tuple((card // 13 + 1) % 4 * 13 + card % 13 for card in range(52))
_TO_OURS: Final = tuple(_TO_THEIRS.index(card) for card in range(52))
_UTILS: Final = _GIN.GinRummyUtils(13, 4, _HAND)


def _ours(cards: Iterable[int]) -> CardSet:
    return set_of(_TO_OURS[card] for card in cards)


def _theirs(cards: CardSet) -> list[int]:
    return [_TO_THEIRS[card] for card in cards_in(cards)]


_MELD_ACTIONS: Final[dict[CardSet, int]] = {
    _ours(meld): _GIN.MELD_ACTION_BASE + number for number, meld in _UTILS.int_to_meld.items()
}


def load(*, oklahoma: bool) -> Any:
    """Return an undealt state of OpenSpiel's game; making one takes it milliseconds."""
    return pyspiel.load_game("gin_rummy", {"oklahoma": oklahoma}).new_initial_state()


def their_deadwood(cards: CardSet) -> int:
    """Return OpenSpiel's deadwood of ten cards, or of eleven with its choice of throw."""
    return int(_UTILS.min_deadwood(_theirs(cards)))


def their_loose_cards(cards: CardSet) -> CardSet:
    """Return the cards outside the melds that OpenSpiel finds best for a hand."""
    melded = [card for meld in _UTILS.best_meld_group(_theirs(cards)) for card in meld]
    return cards & ~_ours(melded)


class Referee:
    """A round as OpenSpiel keeps it, spoken to in our seats and cards.

    Whatever it is told to do it must itself list as legal.
    """

    def __init__(self, state: Any, first: int) -> None:
        self._state = state
        self._seats = (first, 1 - first)

    @classmethod
    def deal(cls, undealt: Any, dealt: GameState) -> "Referee":
        """Deal what our round began with."""
        table = dealt.round
        if table is None or table.turn is None:
            raise ValueError("The game has no round that is being played: deal one first.")
        referee = cls(undealt.clone(), table.turn)
        for seat in (table.turn, 1 - table.turn):
            for card in cards_in(table.hands[seat]):
                referee._chance(card)
        referee._chance(table.upcard)
        return referee

    def _chance(self, card: Card) -> None:
        assert self._state.is_chance_node()
        self._state.apply_action(_TO_THEIRS[card])

    def branch(self) -> "Referee":
        """Return a copy to try something on."""
        return Referee(self._state.clone(), self._seats[0])

    @property
    def over(self) -> bool:
        return bool(self._state.is_terminal())

    @property
    def turn(self) -> int:
        return self._seats[self._state.current_player()]

    @property
    def actions(self) -> frozenset[int]:
        """The legal actions that are not cards or melds."""
        return frozenset(self._state.legal_actions()) & {DRAW_UPCARD, DRAW_STOCK, PASS, KNOCK}

    @property
    def cards(self) -> CardSet:
        """The cards that may be thrown, or laid off."""
        return _ours(action for action in self._state.legal_actions() if action < 52)

    @property
    def limit(self) -> int:
        return int(self._state.knock_card())

    @property
    def stock_count(self) -> int:
        return int(self._state.stock_size())

    @property
    def upcard(self) -> Card | None:
        """The card that may be taken; none in between a draw and a throw."""
        card = self._state.upcard()
        return None if card is None else _TO_OURS[card]

    def hand(self, seat: int) -> CardSet:
        return _ours(self._state.hands()[self._seats.index(seat)])

    def deadwood(self, seat: int) -> int:
        return int(self._state.deadwood()[self._seats.index(seat)])

    def score(self, seat: int) -> int:
        """Return what the round brought the seat; its opponent lost as much."""
        return int(self._state.returns()[self._seats.index(seat)])

    def act(self, action: int) -> None:
        assert action in self._state.legal_actions(), self._state.action_to_string(action)
        self._state.apply_action(action)

    def throw(self, card: Card) -> None:
        """Discard a card, or lay it off."""
        self.act(_TO_THEIRS[card])

    def draw(self, source: Source, card: Card) -> None:
        """Take a card, which is ours to say where it comes from the stock."""
        self.act(DRAW_STOCK if source == "stock" else DRAW_UPCARD)
        if source == "stock":
            self._chance(card)

    def lay(self, melds: Iterable[CardSet]) -> None:
        """Lay melds one by one, long runs in pieces, and say that there are no more."""
        for meld in melds:
            for piece in _pieces(meld):
                self.act(_MELD_ACTIONS[piece])
        self.act(PASS)


def _pieces(meld: CardSet) -> Iterator[CardSet]:
    while meld.bit_count() > _LONGEST_MELD:
        piece = set_of(cards_in(meld)[:3])
        yield piece
        meld ^= piece
    yield meld
