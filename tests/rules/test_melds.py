"""Melds and splits: the worked positions, and the exhaustive solver on many hands."""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules.cards import cards_in, parse_card, parse_set, set_of
from service.rules.melds import (
    MELDS,
    Split,
    best_split,
    card_order,
    deadwood_by_discard,
    deadwood_points,
    fits_on,
    is_meld,
    knock_discards,
    lowest_split,
    melds_in,
    split_by,
)
from tests.rules import solver
from tests.rules.positions import CASES, held, melds, melds_named, melds_of


def hands(size: int, share: float = 1.0) -> Iterator[solver.Hand]:
    """Yield random hands and hands dense with melds, or a share of them."""
    for seed in range(int(solver.RANDOM_HANDS * share)):
        yield solver.random_hand(Random(seed), size)
    for seed in range(int(solver.DENSE_HANDS * share)):
        yield solver.dense_hand(Random(seed), size)


def arranged(listed: Iterable[Iterable[str]]) -> tuple[int, ...]:
    return tuple(sorted(melds_of(listed), key=cards_in))


def drawn(split: Split) -> solver.Arrangement:
    return tuple(cards_in(meld) for meld in split.melds)


# Melds


def test_there_are_329_melds_in_card_order() -> None:
    assert len(MELDS) == len(set(MELDS)) == 52 + 13 + 4 * 66
    assert sorted(MELDS, key=cards_in) == list(MELDS)
    assert card_order(MELDS) == tuple(range(329))


def test_every_meld_is_one_and_comes_back_from_its_cards() -> None:
    for meld in MELDS:
        assert solver.is_meld(frozenset(cards_in(meld)))
        assert set_of(cards_in(meld)) == meld
        assert is_meld(meld)
        assert melds_in(meld)[0].bit_count() == 3


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_no_other_cards_are_a_meld(size: int) -> None:
    for cards in combinations(range(52), size):
        assert is_meld(set_of(cards)) is solver.is_meld(frozenset(cards))


def test_melds_in_a_hand_are_all_of_them() -> None:
    for hand in hands(11, share=0.1):
        found = [cards_in(meld) for meld in melds_in(set_of(hand))]
        assert found == sorted(solver.melds_of(hand))


def test_a_card_fits_on_a_meld_if_both_are_a_longer_meld() -> None:
    for meld in MELDS:
        longer = [card for card in range(52) if is_meld(meld | 1 << card) and not meld >> card & 1]
        assert cards_in(fits_on(meld)) == tuple(longer)


def test_nothing_fits_on_what_is_no_meld() -> None:
    with pytest.raises(KeyError):
        fits_on(parse_set("AC 2C"))


@pytest.mark.parametrize("row", CASES["R14"]["table"], ids=lambda row: " ".join(row["meld"]))
def test_r14_ace_is_low_only_and_order_is_free(row: dict[str, Any]) -> None:
    assert is_meld(held(row["meld"])) is row["valid"]


# Splits


def test_r01_a_card_in_a_run_and_two_sets() -> None:
    hand, expected = held(CASES["R01"]["hand"]), CASES["R01"]["expected"]
    split = Split(arranged(expected["melds"]), held(expected["unmelded"]), expected["min_deadwood"])
    assert best_split(hand) == lowest_split(hand) == split
    assert deadwood_points(hand) == 16


@pytest.mark.parametrize("place", range(4))
def test_r02_a_run_is_trimmed_or_broken_to_feed_a_set(place: int) -> None:
    hand, expected = held(CASES["R02"]["hands"][place]), CASES["R02"]["expected"]
    laid = expected["melds_each"][place]
    ways = laid if isinstance(laid[0][0], list) else [laid]
    split = best_split(hand)
    assert split.points == deadwood_points(hand) == expected["min_deadwood_each"][place]
    assert split.melds in [arranged(way) for way in ways]
    assert lowest_split(hand).melds == min((arranged(way) for way in ways), key=card_order)


def test_r02_the_tie_goes_to_the_layout_on_which_fewer_cards_fit() -> None:
    hand = CASES["R02"]["hands"][3]
    assert best_split(held(hand)).melds == melds("5C 6C 7C", "7D 7H 7S")


def test_r09_a_block_of_nine_is_laid_as_sets_which_fewer_cards_fit() -> None:
    hand = held(CASES["R09"]["knocker"]["hand"])
    as_sets, as_runs = CASES["R09"]["expected"]["defender_best_by_layout"]
    assert best_split(hand) == Split(melds_named(as_sets), parse_set("AH"), 1)
    assert lowest_split(hand) == Split(melds_named(as_runs), parse_set("AH"), 1)


@pytest.mark.parametrize(
    "names,best,lowest",
    [
        ("3H 4H 5H 6H 7H 8H", ["3H 4H 5H 6H 7H 8H"], ["3H 4H 5H", "6H 7H 8H"]),
        ("AS 2S 3S 4S 5S 6S 7S", ["AS 2S 3S 4S 5S 6S 7S"], ["AS 2S 3S", "4S 5S 6S 7S"]),
        ("JC QC KC AD 2D 3D", ["JC QC KC", "AD 2D 3D"], ["JC QC KC", "AD 2D 3D"]),
        ("9C TC QC KC AD 2D", [], []),
    ],
)
def test_lowest_in_card_order_cuts_runs_and_fewest_melds_keeps_them_whole(
    names: str, best: list[str], lowest: list[str]
) -> None:
    hand = parse_set(names)
    assert best_split(hand).melds == melds(*best)
    assert lowest_split(hand).melds == melds(*lowest)


def test_among_equally_open_splits_the_one_with_fewest_melds_is_laid() -> None:
    hand = parse_set("7C 9C TC 7D 8D 9D TD JD QD QH TS")
    assert best_split(hand).melds == melds("7D 8D 9D TD JD QD")
    assert lowest_split(hand).melds == melds("TC TD TS", "7D 8D 9D")


def test_no_cards_have_no_deadwood() -> None:
    assert best_split(0) == lowest_split(0) == split_by(0, ()) == Split((), 0, 0)
    assert deadwood_points(0) == 0


def test_every_hand_has_the_lowest_deadwood_and_the_split_of_the_rule_book() -> None:
    for hand in chain(hands(10), hands(11, share=0.1), hands(7, share=0.1)):
        best, lowest = best_split(set_of(hand)), lowest_split(set_of(hand))
        assert deadwood_points(set_of(hand)) == solver.lowest_deadwood(hand), hand
        assert best.points == lowest.points == solver.lowest_deadwood(hand), hand
        assert drawn(best) == solver.best_arrangement(hand), hand
        assert drawn(lowest) == solver.lowest_arrangement(hand), hand


@given(st.sets(st.integers(min_value=0, max_value=51), max_size=11))
def test_a_split_holds_each_card_once(cards: set[int]) -> None:
    for split in (best_split(set_of(cards)), lowest_split(set_of(cards))):
        laid = [card for meld in (*split.melds, split.deadwood) for card in cards_in(meld)]
        assert sorted(laid) == sorted(cards)
        assert split_by(set_of(cards), tuple(reversed(split.melds))) == split


# A named split


@pytest.mark.parametrize("row", CASES["R15"]["requests"][:5], ids=lambda row: row["why"])
def test_r15_melds_that_overlap_or_are_not_held_or_too_short(row: dict[str, Any]) -> None:
    assert split_by(held(CASES["R15"]["hand"]), melds_of(row["melds"])) is None


def test_r15_a_card_in_small_letters_is_no_card() -> None:
    with pytest.raises(ValueError, match="'7c' is not a card"):
        melds_of(CASES["R15"]["requests"][5]["melds"])


def test_a_named_split_need_not_be_the_lowest() -> None:
    hand, named = held(CASES["R15"]["hand"]), melds("7C 7D 7H")
    assert split_by(hand, named) == Split(named, parse_set("8H 9H 2S 3S 4S KC KD"), 46)


def test_a_meld_named_twice_is_refused() -> None:
    run = parse_set("2S 3S 4S")
    assert split_by(held(CASES["R15"]["hand"]), (run, run)) is None


# Discards


def test_r03_the_best_discard_may_be_of_the_best_meld() -> None:
    hand, expected = held(CASES["R03"]["hand_after_draw"]), CASES["R03"]["expected"]
    by_discard = {parse_card(name): left for name, left in expected["deadwood_by_discard"].items()}
    assert deadwood_by_discard(hand, hand) == by_discard
    assert knock_discards(hand, hand, 10) == held(expected["legal_knock_discards"])
    assert best_split(hand ^ parse_set("7C")).melds == arranged(expected["after_7C_melds"])


def test_r03_throwing_a_loose_card_of_the_best_eleven_is_another_thing() -> None:
    hand, expected = held(CASES["R03"]["second_hand"]), CASES["R03"]["expected"]["second_hand"]
    by_discard = deadwood_by_discard(hand, hand)
    lowest = min(by_discard.values())
    assert lowest == expected["min_deadwood_after_discard"]
    assert [card for card in by_discard if by_discard[card] == lowest] == [
        parse_card(name) for name in expected["best_discards"]
    ]
    assert knock_discards(hand, hand, 12) == 0


@pytest.mark.parametrize("place", [1, 2])
def test_r04_the_exact_set_of_cards_thrown_with_a_knock(place: int) -> None:
    hand = held(CASES["R04"]["hands_after_draw"][place - 1])
    by_limit = CASES["R04"]["expected"][f"hand{place}_legal_knock_discards_by_limit"]
    for limit, names in by_limit.items():
        assert knock_discards(hand, hand, int(limit)) == held(names)


def test_r05_eleven_cards_that_all_meld() -> None:
    hand, expected = held(CASES["R05"]["hand_after_draw"]), CASES["R05"]["expected"]
    left = {parse_card(name): points for name, points in expected["not_gin"].items()}
    gin = held(expected["gin_discards"])
    assert deadwood_points(hand) == 0
    assert knock_discards(hand, hand, 0) == gin
    assert deadwood_by_discard(hand, hand ^ gin) == left


def test_only_the_discards_asked_for_are_looked_at() -> None:
    hand = held(CASES["R05"]["hand_after_draw"])
    assert knock_discards(hand, parse_set("2S 3S KD"), 0) == parse_set("2S")
    assert list(deadwood_by_discard(hand, parse_set("3S KD"))) == [parse_card("3S")]


def test_every_discard_leaves_the_lowest_deadwood_of_the_rest() -> None:
    for hand in hands(11, share=0.1):
        expected = {card: solver.lowest_deadwood(hand - {card}) for card in sorted(hand)}
        assert deadwood_by_discard(set_of(hand), set_of(hand)) == expected
        for limit in (0, 1, 5, 10):
            knocks = set_of(card for card, left in expected.items() if left <= limit)
            assert knock_discards(set_of(hand), set_of(hand), limit) == knocks


@given(
    st.sets(st.integers(min_value=0, max_value=51), min_size=8, max_size=11),
    st.integers(min_value=0, max_value=10),
)
def test_a_knock_discard_is_one_that_leaves_no_more_than_the_limit(
    cards: set[int], limit: int
) -> None:
    hand = set_of(cards)
    knocks = [card for card in cards if deadwood_points(hand ^ 1 << card) <= limit]
    assert knock_discards(hand, hand, limit) == set_of(knocks)
