"""What a hand may become, and what an opponent may hold, in points and chances.

The chances treat every card that is not seen as equally likely to lie anywhere.
"""

from math import exp, factorial
from typing import Final

from service.rules.cards import (
    CARD_POINTS,
    DECK_SIZE,
    SUIT_MASK,
    Card,
    CardSet,
    cards_in,
    set_of,
)
from service.rules.melds import MELDS, best_split, deadwood_points

_ACES: Final = set_of(range(0, DECK_SIZE, 13))
_KINGS: Final = _ACES << 12
_OF_POINTS: Final = tuple(
    set_of(card for card in range(DECK_SIZE) if CARD_POINTS[card] == points) for points in range(11)
)
# By card: what must be added to it to make each meld of three that it is in.
_PARTNERS: Final = tuple(
    tuple(meld ^ 1 << card for meld in MELDS if meld.bit_count() == 3 and meld >> card & 1)
    for card in range(DECK_SIZE)
)

# By the hand's size: the least deadwood that is waited for, what is above it at the deal, and in
# how many turns that falls to a third; with the shape of its spread as levels of ours play.
_DEADWOOD: Final = {10: (16.0, 36.0, 3.2), 7: (11.0, 29.0, 5.0)}
_SHAPE: Final = 6


def outs(hand: CardSet) -> CardSet:
    """Return the cards outside a hand that would be in a meld with cards of it."""
    up = hand << 1 & ~_ACES
    down = hand >> 1 & ~_KINGS
    runs = up & (up << 1 & ~_ACES) | down & (down >> 1 & ~_KINGS) | up & down
    clubs, diamonds, hearts, spades = _by_suit(hand)
    pairs = clubs & diamonds | hearts & spades | (clubs | diamonds) & (hearts | spades)
    return (runs | pairs * _ACES) & ~hand


def _melded(cards: CardSet) -> CardSet:
    """Return those of the cards that are in a meld of them."""
    inner = cards & (cards << 1 & ~_ACES) & (cards >> 1 & ~_KINGS)
    clubs, diamonds, hearts, spades = _by_suit(cards)
    triples = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    return inner | inner << 1 | inner >> 1 | triples * _ACES & cards


def _by_suit(cards: CardSet) -> tuple[int, int, int, int]:
    return cards & SUIT_MASK, cards >> 13 & SUIT_MASK, cards >> 26 & SUIT_MASK, cards >> 39


def draw_gains(hand: CardSet, unseen: CardSet) -> tuple[float, float]:
    """Return by how many points one of the unseen cards lowers the deadwood on average.

    The first is what cards that meld bring, the second what low cards bring in place of high ones.
    """
    if not unseen:
        return 0.0, 0.0
    now = deadwood_points(hand)
    melding = outs(hand) & unseen
    melded = sum([max(0, now - _lowest_with(hand, card)) for card in cards_in(melding)])
    highest = _highest_points(hand & ~_melded(hand))
    rest, lowered = unseen & ~melding, 0
    for points in range(1, highest):
        lowered += (rest & _OF_POINTS[points]).bit_count() * (highest - points)
    return melded / unseen.bit_count(), lowered / unseen.bit_count()


def _lowest_with(hand: CardSet, card: Card) -> int:
    """Return about the deadwood after drawing a card and throwing the highest loose one.

    Throwing a card of a meld that the best split does not use may leave less; that is rare.
    """
    held = hand | 1 << card
    loose = held & ~_melded(held)
    if loose:
        return deadwood_points(held) - _highest_points(loose)
    split = best_split(held)
    return split.points - _highest_points(split.deadwood)


def _highest_points(cards: CardSet) -> int:
    for points in range(10, 0, -1):
        if cards & _OF_POINTS[points]:
            return points
    return 0


def gin_chance(hand: CardSet, unseen: CardSet) -> float:
    """Return the chance that drawing one of the unseen cards makes gin."""
    if not unseen:
        return 0.0
    ginning = [card for card in cards_in(outs(hand) & unseen) if not _lowest_with(hand, card)]
    return len(ginning) / unseen.bit_count()


def feeding_chance(card: Card, unseen: CardSet, known: CardSet, share: float) -> float:
    """Return about how many melds the next seat could make with a thrown card.

    ``known`` are cards that it may be taken to hold, ``share`` is its chance of an unseen one.
    """
    chance = 0.0
    for partners in _PARTNERS[card]:
        if not partners & ~(unseen | known):
            chance += share ** (partners & unseen).bit_count()
    return chance


def opponent_deadwood(turns: int, cards: int) -> float:
    """Return the deadwood to expect of an opponent with so many cards after so many turns."""
    least, spread, pace = _DEADWOOD[10 if cards >= 10 else 7]
    return least + spread * exp(-turns / pace)


def chance_at_most(points: float, mean: float) -> float:
    """Return the chance that a deadwood of this mean is no higher, by a gamma law of shape 6."""
    if points < 0:
        return 0.0
    ratio = _SHAPE * points / mean
    return 1 - exp(-ratio) * sum(ratio**power / factorial(power) for power in range(_SHAPE))
