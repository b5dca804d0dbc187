"""The level ``medium``: weighs what each card may still become, and when going out pays."""

from random import Random
from typing import Final

from service.bots import going_out
from service.bots.outlook import draw_gains, feeding_chance, outs
from service.bots.position import Position
from service.rules.cards import Card, CardSet
from service.rules.melds import deadwood_by_discard, deadwood_points
from service.rules.moves import Discard, Draw, Move, Pass

# Found by play against other settings of them; `python -m benchmarks.bots` measures the whole.
MELD_DRAWS: Final = 2.3  # draws by which the cards that would meld are weighed
LOW_DRAWS: Final = 0.6  # draws by which low cards in place of high ones are weighed
FEEDING_COST: Final = 3.5  # points that a meld made with one's discard is reckoned to cost
LEAVING_COST: Final = 4.0  # points that leaving the top of the pile to the next is reckoned to cost
KNOCK_WORTH: Final = 6.0  # points by which a hand that may knock is worth more than its count
_CANDIDATES: Final = 15  # points above the lowest deadwood at which a throw is not looked at


def play(position: Position, random: Random) -> Move:
    """Return the move of the best outlook, by chance among equals."""
    if position.actions.draw:
        return _draw(position, random)
    allowed = {choice.card: choice.deadwood_points for choice in position.actions.discard}
    card, _ = _best_throw(position, position.hand, allowed, random)
    return going_out.choose(position, card) or Discard(card)


def _draw(position: Position, random: Random) -> Move:
    actions = position.actions
    if "discard" in actions.draw and _wants_top(position, random):
        return Draw("discard")
    return Pass() if actions.pass_upcard else Draw("stock")


def _wants_top(position: Position, random: Random) -> bool:
    """Return whether taking the top of the pile, to keep it, beats what else there is."""
    top = position.pile[-1]
    held = position.hand | 1 << top
    left = deadwood_by_discard(held, position.hand)
    melds = outs(position.hand) >> top & 1
    if not melds and min(left.values()) > position.knock_limit:
        return False
    _, cost = _best_throw(position, held, left, random)
    return cost < _cost_of_leaving(position)


def _cost_of_leaving(position: Position) -> float:
    """Return what the hand is reckoned to cost if its next card is one of the stock."""
    melded, lowered = draw_gains(position.hand, position.unseen)
    cost = _cost(position, position.hand, deadwood_points(position.hand)) - melded - lowered
    return cost + LEAVING_COST


def _best_throw(
    position: Position, held: CardSet, left: dict[Card, int], random: Random
) -> tuple[Card, float]:
    """Return the throw of the lowest cost, and that; ``left`` is the deadwood after each throw."""
    most = min(left.values()) + _CANDIDATES
    costs = {
        card: _cost(position, held ^ 1 << card, points) + _feeding(position, card)
        for card, points in left.items()
        if points <= most
    }
    lowest = min(costs.values())
    return random.choice([card for card, cost in costs.items() if cost == lowest]), lowest


def _cost(position: Position, hand: CardSet, points: int) -> float:
    """Return what a hand is reckoned to cost: its deadwood less what draws will take off."""
    melded, lowered = draw_gains(hand, position.unseen)
    draws = position.draws_left - 1
    cost = points - min(MELD_DRAWS, draws) * melded - min(LOW_DRAWS, draws) * lowered
    return cost - KNOCK_WORTH if points <= position.knock_limit else cost


def _feeding(position: Position, card: Card) -> float:
    unseen, known = position.unseen, position.held_by_others
    return FEEDING_COST * feeding_chance(card, unseen, known, position.share)
