"""The level ``easy``: plays by the rules and for melds, counts nothing, and overlooks knocks."""

from random import Random
from typing import Final

from service.bots.position import Position
from service.rules.cards import CARD_POINTS, Card
from service.rules.melds import best_split
from service.rules.moves import Discard, Draw, Knock, Move, Pass

_OVERLOOKS: Final = 0.2
_HIGH_CARDS: Final = 3


def play(position: Position, random: Random) -> Move:
    """Return a plausible move."""
    actions = position.actions
    if actions.draw:
        return _draw(position)
    if (actions.knock or actions.big_gin) and random.random() >= _OVERLOOKS:
        return _go_out(position)
    return Discard(_high_loose_card(position, random))


def _draw(position: Position) -> Move:
    actions = position.actions
    if "discard" in actions.draw and _melds_top(position):
        return Draw("discard")
    return Pass() if actions.pass_upcard else Draw("stock")


def _melds_top(position: Position) -> bool:
    """Return whether the top of the discard pile is in a best meld of the hand with it."""
    card = 1 << position.pile[-1]
    return not best_split(position.hand | card).deadwood & card


def _go_out(position: Position) -> Knock:
    if position.actions.big_gin:
        return Knock(None)
    lowest = min(position.actions.knock, key=lambda choice: choice.deadwood_points)
    return Knock(lowest.discard)


def _high_loose_card(position: Position, random: Random) -> Card:
    """Return one of the highest cards outside the best melds, one of any where all are melded."""
    allowed = [choice.card for choice in position.actions.discard]
    loose = best_split(position.hand).deadwood
    cards = [card for card in allowed if loose >> card & 1] or allowed
    cards.sort(key=lambda card: -CARD_POINTS[card])
    return random.choice(cards[:_HIGH_CARDS])
