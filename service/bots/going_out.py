"""When going out pays, and with which throw and melds."""

from typing import Final

from service.bots.laying import best_laid
from service.bots.outlook import chance_at_most, gin_chance, opponent_deadwood
from service.bots.position import Position
from service.rules.cards import Card
from service.rules.moves import Knock

WAITING_LOSS: Final = (
    8.0  # points that an opponent's going out costs a hand that could have knocked
)
LAID_OFF: Final = 4.0  # points that an opponent lays off on a knock


def choose(position: Position, throw: Card) -> Knock | None:
    """Return how to go out, or None where playing on with a throw promises more."""
    actions = position.actions
    gin = next((choice for choice in actions.knock if choice.gin), None)
    if actions.big_gin and not (gin and position.rules.gin_bonus > position.rules.big_gin_bonus):
        return Knock(None)
    if gin:
        return Knock(gin.discard, gin.melds)
    if not actions.knock:
        return None
    lowest = min(choice.deadwood_points for choice in actions.knock)
    if _knock_value(position, lowest, position.turns) < _waiting_value(position, lowest, throw):
        return None
    return _knock(position)


def _knock(position: Position) -> Knock:
    laid = [
        (*best_laid(position, position.hand ^ 1 << choice.discard), choice.discard)
        for choice in position.actions.knock
    ]
    _, melds, discard = min(laid)
    return Knock(discard, melds)


def _knock_value(position: Position, points: int, turns: int) -> float:
    """Return the points that a knock gains on average, undercuts counted against it."""
    rules = position.rules
    mean = max(1.0, opponent_deadwood(turns, position.next_hand) - LAID_OFF)
    tied = points if rules.undercut_on_tie else points - 1
    undercut = 1 - (1 - chance_at_most(tied, mean)) ** position.opponents
    loss = rules.undercut_bonus + rules.undercut_penalty
    return (1 - undercut) * position.opponents * (mean - points) - undercut * loss


def _waiting_value(position: Position, points: int, throw: Card) -> float:
    """Return the points that one more draw gains on average: gin, a knock then, or neither."""
    if position.draws_left <= 1:
        return 0.0
    later = position.turns + 1
    mean = opponent_deadwood(later, position.next_hand)
    gone = 1 - (1 - chance_at_most(position.knock_limit, mean)) ** position.opponents
    gin = gin_chance(position.hand ^ 1 << throw, position.unseen)
    gain = position.opponents * mean + position.rules.gin_bonus
    stay = gin * gain + (1 - gin) * _knock_value(position, points, later)
    return (1 - gone) * stay - gone * WAITING_LOSS
