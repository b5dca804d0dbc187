"""Cards and melds, clause by clause."""

import pytest

from service.rules.cards import (
    CARD_NAMES,
    CARD_POINTS,
    DECK_SIZE,
    card_name,
    parse_card,
    parse_set,
    points_of,
)
from service.rules.melds import best_split, is_meld, split_by
from tests.rules.positions import melds
from tests.rules.tables import dealt, held_by_all, rules


def test_cards_deck__52_cards_are_on_the_table() -> None:
    cards = held_by_all(dealt(rules(), ["", ""], "7D"))
    assert sorted(cards) == list(range(DECK_SIZE))
    assert len(set(CARD_NAMES)) == 52


def test_cards_names__rank_then_suit() -> None:
    assert card_name(parse_card("TD")) == "TD"
    for wrong in ("DT", "10D", "td", "1D", "JOKER", ""):
        with pytest.raises(ValueError, match="is not a card"):
            parse_card(wrong)


def test_cards_order__clubs_diamonds_hearts_spades_each_ace_to_king() -> None:
    assert [parse_card(name) for name in ("AC", "KC", "AD", "AH", "AS", "KS")] == [
        *(0, 12, 13, 26, 39, 51)
    ]


@pytest.mark.parametrize(
    "rank,points", list(zip("A23456789TJQK", [*range(1, 11), 10, 10, 10], strict=True))
)
def test_cards_points__ace_one_faces_ten(rank: str, points: int) -> None:
    assert {CARD_POINTS[parse_card(rank + suit)] for suit in "CDHS"} == {points}


@pytest.mark.parametrize(
    "cards,valid", [("7C 7D 7S", 1), ("7C 7D 7H 7S", 1), ("7C 7D", 0), ("7C 7D 8H", 0)]
)
def test_melds_set__three_or_four_of_a_rank(cards: str, valid: int) -> None:
    assert is_meld(parse_set(cards)) == bool(valid)


@pytest.mark.parametrize(
    "cards,valid",
    [("9C TC JC", 1), ("AH 2H 3H 4H 5H 6H 7H", 1), ("9C TC", 0), ("9C TC QC", 0), ("8C 9C TD", 0)],
)
def test_melds_run__three_or_more_of_a_suit_in_a_row(cards: str, valid: int) -> None:
    assert is_meld(parse_set(cards)) == bool(valid)


@pytest.mark.parametrize(
    "cards,valid", [("AD 2D 3D", 1), ("QD KD AD", 0), ("KD AD 2D", 0), ("KC AD 2D", 0)]
)
def test_melds_ace_low__not_above_the_king(cards: str, valid: int) -> None:
    assert is_meld(parse_set(cards)) == bool(valid)


def test_melds_disjoint__a_card_is_in_one_meld_at_most() -> None:
    hand = parse_set("7C 7D 7H 8H 9H")
    assert split_by(hand, melds("7C 7D 7H", "7H 8H 9H")) is None
    assert best_split(hand).points == points_of(parse_set("7C 7D"))
