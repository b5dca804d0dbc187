"""Every card comes as often to every place of the deck, and every order of two cards as often."""

from itertools import pairwise
from math import sqrt
from random import Random

import pytest

from service.games.shuffle import deck_of, shuffle_of
from service.rules.cards import DECK_SIZE, Card

DECKS = 5200
SECRET = "5e" * 32


@pytest.fixture(scope="module")
def decks() -> list[tuple[Card, ...]]:
    """Decks of one secret and many rounds, the same in every run."""
    return [deck_of(shuffle_of("g" * 22, number, SECRET, ("", ""))) for number in range(DECKS)]


def deviation(seen: list[list[int]], freedom: int) -> float:
    """Return by how many standard deviations chi-square is off what chance gives."""
    even = sum(map(sum, seen)) / sum(map(len, seen))
    chi_square = sum((count - even) ** 2 / even for row in seen for count in row)
    return (chi_square - freedom) / sqrt(2 * freedom)


def by_place(decks: list[tuple[Card, ...]]) -> list[list[int]]:
    """Return how often each place held each card."""
    seen = [[0] * DECK_SIZE for _ in range(DECK_SIZE)]
    for deck in decks:
        for place, card in enumerate(deck):
            seen[place][card] += 1
    return seen


def test_all_52_cards_in_all_52_places(decks: list[tuple[Card, ...]]) -> None:
    off = deviation(by_place(decks), (DECK_SIZE - 1) ** 2)
    assert abs(off) < 3.3  # exceeded once in a thousand


def test_each_card_follows_each_other_as_often(decks: list[tuple[Card, ...]]) -> None:
    seen = [[0] * (DECK_SIZE - 1) for _ in range(DECK_SIZE)]
    for deck in decks:
        for card, following in pairwise(deck):
            seen[card][following - (following > card)] += 1
    assert abs(deviation(seen, DECK_SIZE * (DECK_SIZE - 1) - 1)) < 3.3


def test_the_well_known_wrong_shuffle_would_be_noticed() -> None:
    dice = Random(1)

    def swapped_with_any_place() -> tuple[Card, ...]:
        deck = list(range(DECK_SIZE))
        for place in range(DECK_SIZE):
            other = dice.randrange(DECK_SIZE)
            deck[place], deck[other] = deck[other], deck[place]
        return tuple(deck)

    decks = [swapped_with_any_place() for _ in range(DECKS)]
    assert deviation(by_place(decks), (DECK_SIZE - 1) ** 2) > 3.3
