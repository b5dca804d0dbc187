"""Going out, clause by clause."""

from random import Random

import pytest

from service.rules.cards import CardSet, parse_card, parse_set
from service.rules.errors import DeadwoodOverLimit
from service.rules.moves import Knock
from tests.rules.chance import shuffled
from tests.rules.positions import melds
from tests.rules.tables import (
    PILE,
    STOCK,
    all_pass,
    dealt,
    knocked,
    play,
    refusal,
    refused,
    result,
    rules,
    table,
)

ANY_TEN = rules("gin")
BLOCK = "5H 6H 7H 5D 6D 7D 5C 6C 7C AH"


def laid_by_default(hand: str, throw: str = "") -> tuple[CardSet, ...]:
    return table(knocked(ANY_TEN, [hand, ""], "KS", throw=throw)).shown[0].melds


def test_out_named__any_valid_arrangement_within_the_limit_as_named() -> None:
    runs = melds("5H 6H 7H", "5D 6D 7D", "5C 6C 7C")
    state = knocked(ANY_TEN, [BLOCK, ""], "KS", runs)
    assert table(state).shown[0].melds == runs


def test_out_named__not_necessarily_the_lowest() -> None:
    hand = "AC AD AH AS 2C 2D 2H 3C 3D 3H"
    named = melds("2C 2D 2H", "3C 3D 3H")
    laid = table(knocked(ANY_TEN, [hand, ""], "KS", named)).shown[0]
    assert (laid.melds, laid.deadwood_points) == (named, 4)
    assert laid.deadwood == parse_set("AC AD AH AS")


@pytest.mark.parametrize(
    "named",
    [
        melds("5H 6H"),
        melds("5H 6H 7H", "7H 7D 7C"),
        melds("8C 8D 8H"),
        melds("5H 6H 7D"),
        melds("5H 6H 7H", "5H 6H 7H"),
        melds("JS QS KS"),
        (0,),
    ],
)
def test_out_invalid__no_melds_overlapping_ones_or_cards_not_kept(
    named: tuple[CardSet, ...],
) -> None:
    state = play(all_pass(dealt(ANY_TEN, [BLOCK, ""], "KS", "KD")), STOCK)
    assert refusal(state, Knock(parse_card("KD"), named)) == "invalid_melds"


def test_out_invalid__the_card_thrown_is_not_in_a_meld() -> None:
    state = play(all_pass(dealt(ANY_TEN, [BLOCK, ""], "KS", "8H")), STOCK)
    named = melds("5H 6H 7H 8H", "5D 6D 7D", "5C 6C 7C")
    assert refusal(state, Knock(parse_card("8H"), named)) == "invalid_melds"


def test_out_over_limit__although_a_lower_one_exists() -> None:
    state = play(all_pass(dealt(ANY_TEN, [BLOCK, ""], "KS", "KD")), STOCK)
    error = refused(state, 0, Knock(parse_card("KD"), melds("5H 6H 7H")))
    assert isinstance(error, DeadwoodOverLimit)
    assert error.numbers == {"deadwood_points": 37, "knock_limit": 10}
    assert refusal(state, Knock(parse_card("KD"), ())) == "deadwood_over_limit"


def test_out_over_limit__one_point_is_told_as_one() -> None:
    state = all_pass(dealt(rules("gin", knock_limit_points=0), [BLOCK, ""], "KS", "KD"))
    error = refused(play(state, STOCK), 0, Knock(parse_card("KD")))
    assert error.detail.startswith("That leaves 1 point of deadwood, over 0: only gin")


def test_out_lowest__where_nothing_is_named() -> None:
    laid = table(knocked(ANY_TEN, ["3H 4H 5H 6H 7H 7C 7D 2C 2D 2H", ""], "KS")).shown[0]
    assert (laid.deadwood_points, laid.melds) == (0, melds("2C 2D 2H", "7C 7D 7H", "3H 4H 5H 6H"))


def test_out_fewest_fits__before_card_order() -> None:
    found = laid_by_default("2C 4C AD 2D 3D AH 2H 4H 5H 4S")
    assert found == melds("4C 4H 4S", "AD 2D 3D")


@pytest.mark.parametrize("throw", ["QS", "7H"])
def test_out_fewest_fits__the_card_thrown_counts_among_the_others(throw: str) -> None:
    found = laid_by_default("8C JC 8D JD 8H 9H TH JH 8S JS", throw)
    assert found == melds("8C 8D 8H 8S", "JC JD JS", "9H TH JH")


def test_out_fewest_melds__before_card_order() -> None:
    found = laid_by_default("9C TC JC QC KC 9D TD JD QD QH")
    assert found == melds("9C TC JC QC KC", "9D TD JD QD")


def test_out_card_order__at_last() -> None:
    found = laid_by_default("8C JC 8D JD 8H 9H TH JH 8S JS")
    assert found == melds("8C 8D 8H 8S", "JC JD JS", "9H TH JH")


def test_out_opponents_unseen__their_cards_change_nothing() -> None:
    dice = Random(1)
    found = set()
    for _ in range(20):
        spare = [card for card in shuffled(dice) if not parse_set(BLOCK + " KS KD") >> card & 1]
        hand = " ".join(_name(card) for card in spare[:10])
        found.add(table(knocked(ANY_TEN, [BLOCK, hand], "KS", throw="KD")).shown[0].melds)
    assert found == {melds("5C 5D 5H", "6C 6D 6H", "7C 7D 7H")}


def _name(card: int) -> str:
    return "A23456789TJQK"[card % 13] + "CDHS"[card // 13]


def test_out_zero_is_gin__whatever_it_was_called() -> None:
    hand = "AS 2S 3S 4S 9C 9D 9H KC KD KH"
    named = melds("AS 2S 3S 4S", "9C 9D 9H", "KC KD KH")
    assert result(knocked(ANY_TEN, [hand, ""], "7D", named)).kind == "gin"
    short = knocked(ANY_TEN, [hand, ""], "7D", melds("2S 3S 4S", "9C 9D 9H", "KC KD KH"))
    assert (table(short).phase, table(short).going_out) == ("layoff", "knock")
    assert table(short).shown[0].deadwood_points == 1


def test_out_big_gin_taken__the_card_just_taken_is_melded() -> None:
    hand = "2S 3S 4S 5S 7H 8H 9H TH QC QD"
    state = play(dealt(rules(big_gin_bonus=31), [hand, ""], "QH"), PILE)
    found = result(play(state, Knock(None)))
    assert found.kind == "big_gin"
    assert parse_set("QC QD QH") in found.hands[0].melds
