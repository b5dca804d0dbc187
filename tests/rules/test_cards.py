"""Cards and card sets, by name and by number (rules.md, "Terms")."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules.cards import (
    CARD_NAMES,
    DECK_SIZE,
    FULL_DECK,
    card_name,
    cards_in,
    parse_card,
    parse_set,
    points_of,
    rank_of,
    set_of,
    suit_of,
)

card_sets = st.integers(min_value=0, max_value=FULL_DECK)


def test_every_card_keeps_its_name_and_number() -> None:
    names = [card_name(card) for card in range(DECK_SIZE)]
    assert [parse_card(name) for name in names] == list(range(DECK_SIZE))
    assert len(set(names)) == DECK_SIZE


def test_card_order_is_clubs_diamonds_hearts_spades_each_ace_to_king() -> None:
    assert list(CARD_NAMES) == [rank + suit for suit, rank in product("CDHS", "A23456789TJQK")]


def test_rank_and_suit_together_are_the_card() -> None:
    assert all(suit_of(card) * 13 + rank_of(card) == card for card in range(DECK_SIZE))
    assert (rank_of(parse_card("KD")), suit_of(parse_card("KD"))) == (12, 1)


@pytest.mark.parametrize("name", ["", "T", "10D", "td", "DT", "1S", "TDD", " TD"])
def test_what_is_no_card_is_refused_by_its_name(name: str) -> None:
    with pytest.raises(ValueError, match="is not a card: write a rank of A23456789TJQK"):
        parse_card(name)


@pytest.mark.parametrize(
    "names,points",
    [("AC", 1), ("2D", 2), ("9H", 9), ("TS", 10), ("JC QD KH", 30), ("", 0)],
)
def test_ace_counts_one_court_cards_ten_others_face_value(names: str, points: int) -> None:
    assert points_of(parse_set(names)) == points


def test_the_deck_counts_340() -> None:
    assert points_of(FULL_DECK) == 4 * (45 + 40)


@given(card_sets)
def test_a_set_is_its_cards_in_card_order(held: int) -> None:
    found = cards_in(held)
    assert list(found) == sorted(found)
    assert set_of(found) == held


@given(card_sets)
def test_points_of_a_set_are_those_of_its_cards(held: int) -> None:
    assert points_of(held) == sum(points_of(1 << card) for card in cards_in(held))
