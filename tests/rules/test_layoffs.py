"""Layoffs and answers to a knock: the worked positions, and the exhaustive solver."""

from collections.abc import Iterator
from functools import cache
from itertools import permutations
from random import Random
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules.cards import CardSet, card_name, cards_in, parse_card, parse_set, set_of
from service.rules.layoffs import (
    Answer,
    Target,
    best_answer,
    best_layoffs_beside,
    best_melds_after,
    extend,
    targets,
)
from service.rules.melds import best_split, split_by
from tests.rules import solver
from tests.rules.positions import CASES, held, layoffs, melds, melds_named, melds_of

SEEDS = range(solver.RANDOM_HANDS + solver.DENSE_HANDS)
Position: TypeAlias = tuple[solver.Hand, solver.Arrangement]


def case(number: str) -> tuple[CardSet, tuple[CardSet, ...], dict[str, Any]]:
    """Return the defender's hand, the knocker's melds and what is expected."""
    found = CASES[number]
    return held(found["defender"]["hand"]), melds_of(found["knocker"]["melds"]), found["expected"]


def drawn(answer: Answer) -> solver.Answered:
    own = tuple(cards_in(meld) for meld in answer.melds)
    return solver.Answered(answer.points, len(answer.layoffs), own, answer.layoffs)


@cache
def position(seed: int) -> Position:
    """Return the hand of an opponent and the knocker's melds, near to each other in the last."""
    source = Random(seed)
    spread = solver.random_spread(source)
    knocked = frozenset(card for meld in spread for card in meld)
    deal = solver.random_hand if seed < solver.RANDOM_HANDS else solver.dense_hand
    return deal(source, 10, knocked), spread


def positions() -> Iterator[Position]:
    return map(position, SEEDS)


# The spread after layoffs

RUN_AND_SETS = melds("8D 9D TD", "4C 4H 4S", "QC QD QS QH")


@pytest.mark.parametrize(
    "named,grown",
    [
        ([], RUN_AND_SETS),
        ([("7D", 0)], melds("7D 8D 9D TD", "4C 4H 4S", "QC QD QS QH")),
        (
            [("6D", 0), ("JD", 0), ("7D", 0)],
            melds("6D 7D 8D 9D TD JD", *("4C 4H 4S", "QC QD QS QH")),
        ),
        ([("4D", 1), ("7D", 0)], melds("7D 8D 9D TD", "4C 4D 4H 4S", "QC QD QS QH")),
    ],
)
def test_layoffs_chain_in_any_order(named: list[tuple[str, int]], grown: tuple[int, ...]) -> None:
    for order in permutations(layoffs(*named)):
        assert extend(RUN_AND_SETS, order) == grown


@pytest.mark.parametrize(
    "named",
    [
        [("6D", 0)],
        [("7H", 0)],
        [("7D", 0), ("7D", 0)],
        [("7D", 0), ("5D", 0)],
        [("4D", 2)],
        [("5C", 1)],
        [("8D", 0)],
        [("QD", 0), ("JD", 0)],
        [("7D", 3)],
        [("7D", -1)],
        [("7D", -3)],
    ],
)
def test_a_layoff_that_does_not_fit_is_refused(named: list[tuple[str, int]]) -> None:
    for order in permutations(layoffs(*named)):
        assert extend(RUN_AND_SETS, order) is None


def test_a_closed_meld_takes_nothing() -> None:
    closed = (0, *RUN_AND_SETS[1:])
    assert extend(closed, layoffs(("7D", 0))) is None
    assert extend(closed, layoffs(("4D", 1))) == (0, parse_set("4C 4D 4H 4S"), RUN_AND_SETS[2])
    assert targets(parse_set("7D 4D"), closed) == (Target(parse_card("4D"), 1, (), 7),)


def test_a_run_grows_from_ace_to_king_but_not_round_the_corner() -> None:
    hand = parse_set("AS 2S 3S 4S 5S 6S TS JS QS KS")
    answer = best_answer(hand, melds("7S 8S 9S", "KC KD KH"))
    assert answer.points == 0
    assert extend(melds("AS 2S 3S"), layoffs(("KS", 0))) is None
    assert extend(melds("JS QS KS"), layoffs(("AS", 0))) is None


# Targets


def test_targets_are_all_that_chains_can_reach_with_what_must_go_first() -> None:
    hand = parse_set("5D 6D 7D JD KD QH 4D AC")
    found = targets(hand, melds("8D 9D TD", "4C 4H 4S", "QC QD QS"))
    assert [
        (card_name(target.card), target.meld, [card_name(card) for card in target.requires])
        for target in found
    ] == [
        ("4D", 0, ["5D", "6D", "7D"]),
        ("4D", 1, []),
        ("5D", 0, ["6D", "7D"]),
        ("6D", 0, ["7D"]),
        ("7D", 0, []),
        ("JD", 0, []),
        ("QH", 2, []),
    ]


def test_a_card_between_two_runs_reaches_both() -> None:
    found = targets(parse_set("6H 7H"), melds("3H 4H 5H", "8H 9H TH"))
    assert [(card_name(target.card), target.meld, target.requires) for target in found] == [
        ("6H", 0, ()),
        ("6H", 1, (parse_card("7H"),)),
        ("7H", 0, (parse_card("6H"),)),
        ("7H", 1, ()),
    ]


def test_targets_are_what_some_set_of_layoffs_holds() -> None:
    for hand, spread in positions():
        ways = solver.layoff_ways(hand, spread)
        reached = {layoff for way in ways for layoff in way}
        found = targets(set_of(hand), tuple(set_of(meld) for meld in spread))
        assert [(target.card, target.meld) for target in found] == sorted(reached)
        for target in found:
            together = (target.card, *target.requires)
            assert tuple(sorted((card, target.meld) for card in together)) in ways


# Answers


def test_r06_layoffs_chain_at_the_low_end() -> None:
    hand, spread, expected = case("R06")
    grown = (held(expected["run_after"]), *spread[1:])
    for order in permutations(layoffs(("7D", 0), ("6D", 0))):
        assert extend(spread, order) == grown
        assert best_melds_after(hand, order).points == expected["defender_deadwood_after"]
    assert best_split(hand).points == expected["defender_deadwood_before"]
    assert best_answer(hand, spread).layoffs == layoffs(("6D", 0), ("7D", 0))
    assert best_answer(hand, spread).points == expected["defender_deadwood_after"]


def test_r07_the_order_of_the_melds_does_not_matter() -> None:
    hand, spread, expected = case("R07")
    assert best_split(hand).points == expected["defender_deadwood_before"]
    for order in permutations(spread):
        answer, place = best_answer(hand, order), order.index(parse_set("JS QS KS"))
        assert answer.layoffs == layoffs(("9S", place), ("TS", place))
        assert answer.points == expected["defender_deadwood_after"]


def test_r08_own_melds_are_chosen_together_with_the_layoffs() -> None:
    hand, spread, expected = case("R08")
    answer = best_answer(hand, spread)
    assert answer.points == expected["optimal_defender_deadwood"]
    assert answer.layoffs == layoffs(*((name, 0) for name in expected["optimal_layoffs"]))
    for own, left in expected["defender_deadwood_by_layout"].items():
        assert best_layoffs_beside(hand, melds_named(own), spread).points == left


def test_r09_the_layout_of_the_knocker_decides() -> None:
    hand = held(CASES["R09"]["defender"]["hand"])
    by_layout = CASES["R09"]["expected"]["defender_best_by_layout"]
    assert {way: best_answer(hand, melds_named(way)).points for way in by_layout} == by_layout


@pytest.mark.parametrize("seat", ["P2", "P3"])
def test_r18_each_seat_adds_what_fits_when_it_answers(seat: str) -> None:
    hand = held(CASES["R18"]["defenders"][seat])
    answer = best_answer(hand, melds_of(CASES["R18"]["knocker"]["melds"]))
    assert answer.points == CASES["R18"]["expected"][f"{seat}_deadwood"]


def test_r18_a_card_may_fit_only_after_another_seat_added_to_the_run() -> None:
    spread = melds_of(CASES["R18"]["knocker"]["melds"])
    grown = extend(spread, layoffs(("8S", 0)))
    assert grown is not None
    assert extend(spread, layoffs(("9S", 0))) is None
    assert best_answer(held(CASES["R18"]["defenders"]["P2"]), grown).layoffs == layoffs(("9S", 0))


def test_fewest_layoffs_win_among_equals() -> None:
    assert best_answer(parse_set("7C 8C 9C KD"), melds("4C 5C 6C")).layoffs == ()
    assert best_answer(parse_set("6D 7D 8D 9D"), melds("TD JD QD")).layoffs == ()


def test_own_melds_lowest_in_card_order_win_among_equal_layoffs() -> None:
    hand = parse_set("5C 6C 7C 5D 6D 7D 5H 6H 7H KS")
    answer = best_answer(hand, melds("KC KD KH"))
    runs = melds("5C 6C 7C", "5D 6D 7D", "5H 6H 7H")
    assert answer == Answer(runs, layoffs(("KS", 0)), 0, 0)


def test_own_melds_lowest_in_card_order_win_over_a_lower_layoff() -> None:
    hand = parse_set("TC JC QC KC TD JD QD KD KH TS")
    answer = best_answer(hand, melds("JS QS KS", "TH JH QH"))
    own = melds("TC JC QC", "KC KD KH", "TD JD QD")
    assert answer == Answer(own, layoffs(("TS", 0)), 0, 0)


def test_the_lowest_list_of_card_and_meld_wins_last() -> None:
    answer = best_answer(parse_set("6H 7H KC"), melds("8H 9H TH", "3H 4H 5H"))
    assert answer == Answer((), layoffs(("6H", 0), ("7H", 0)), parse_set("KC"), 10)


def test_only_layoffs_named_leaves_the_best_melds_of_the_rest() -> None:
    hand = parse_set("5C 6C 7C 5D 6D 7D 7H 7S KC 2S")
    answer = best_melds_after(hand, layoffs(("5D", 0)))
    own = melds("5C 6C 7C", "7D 7H 7S")
    assert answer == Answer(own, layoffs(("5D", 0)), parse_set("6D KC 2S"), 18)


def test_only_melds_named_leaves_the_best_layoffs_of_the_rest() -> None:
    hand, spread, _ = case("R06")
    own = melds("9H TH JH")
    left = parse_set("KC KH KS AC 3S")
    answer = best_layoffs_beside(hand, own, spread)
    assert answer == Answer(own, layoffs(("6D", 0), ("7D", 0)), left, 34)


def test_melds_that_are_not_of_the_hand_are_refused() -> None:
    with pytest.raises(ValueError, match="check with split_by"):
        best_layoffs_beside(parse_set("9H TH"), melds("9H TH JH"), ())


def test_every_answer_is_the_one_of_the_rule_book() -> None:
    for hand, spread in positions():
        answer = best_answer(set_of(hand), tuple(set_of(meld) for meld in spread))
        assert drawn(answer) == solver.best_answer(hand, spread), (hand, spread)


def test_every_answer_beside_named_melds_is_the_one_of_the_rule_book() -> None:
    for hand, spread in positions():
        own = solver.lowest_arrangement(hand)[1:]
        named, onto = ([set_of(meld) for meld in laid] for laid in (own, spread))
        answer = best_layoffs_beside(set_of(hand), tuple(named), tuple(onto))
        assert drawn(answer) == solver.best_layoffs_beside(hand, own, spread), (hand, spread)


@given(st.sampled_from(SEEDS))
def test_the_best_answer_can_be_given_and_holds_each_card_once(seed: int) -> None:
    cards, laid_out = position(seed)
    hand, spread = set_of(cards), tuple(set_of(meld) for meld in laid_out)
    answer = best_answer(hand, spread)
    laid = set_of(card for card, _ in answer.layoffs)
    split = split_by(hand ^ laid, answer.melds)
    assert extend(spread, answer.layoffs) is not None
    assert split is not None
    assert (split.deadwood, split.points) == (answer.deadwood, answer.points)
    assert best_melds_after(hand, answer.layoffs) == answer
    assert best_layoffs_beside(hand, answer.melds, spread).points == answer.points
