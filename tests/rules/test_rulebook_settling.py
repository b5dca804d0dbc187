"""Settling a round, clause by clause, by points and by penalties, for 2 to 4 seats."""

import pytest

from service.rules.moves import Knock
from service.rules.ruleset import OptionValue
from service.rules.state import GameState, RoundResult
from tests.rules.tables import (
    STOCK,
    answered,
    counts,
    dealt,
    idle_turn,
    knocked,
    lines,
    play,
    result,
    rules,
    settled,
    table,
)

# Hands of seven and their counts; none of them fits on the knocker's run or jacks.
KNOCK = "5S 6S 7S JC JD JH 2D"  # 2
GIN = "5S 6S 7S JC JD JH JS"  # 0
LOW = "3C 3D 3H 8C 8D 8H AC"  # 1
TIE = "4C 4D 4H 9C 9D 9H 2H"  # 2
HIGH = "KC QD TC 6D 3S AH 2S"  # 42
NONE = "TD TH TS QC QH QS KH"  # 10


def round_of(*hands: str, upcard: str = "5C", **options: OptionValue) -> RoundResult:
    return settled(rules("oklahoma-open", **options), list(hands), upcard)


def two(knocker_count: int, opponent: str, **options: OptionValue) -> RoundResult:
    """Return a round of two seats: a knock with that count against the opponent's hand."""
    loose = {0: "JS", 2: "2D", 5: "5D"}[knocker_count]
    hand = f"JC JD JH 9C 9D 9H QC QD QH {loose}"
    return settled(rules("oklahoma", **options), [hand, opponent], "5C")


SIX = "2S 3S 4S 7C 7D 7H KC KD KH 6C"  # 6
THREE = "2S 3S 4S 7C 7D 7H KC KD KH 3C"  # 3
FIVE = "2S 3S 4S 7C 7D 7H KC KD KH 5H"  # 5


def test_settle_knocker__wins_unless_undercut() -> None:
    found = two(5, SIX)
    assert (found.kind, found.winner, found.knocker) == ("knock", 0, 0)
    assert counts(found) == {0: 5, 1: 6}


@pytest.mark.parametrize("on_tie", [True, False])
def test_settle_lower__undercuts(on_tie: bool) -> None:
    found = two(5, THREE, undercut_on_tie=on_tie)
    assert (found.kind, found.winner, found.knocker) == ("undercut", 1, 0)


def test_settle_tie__undercuts_too() -> None:
    found = two(5, FIVE, undercut_on_tie=True)
    assert (found.kind, found.winner) == ("undercut", 1)
    assert lines(found) == [(1, 0, "deadwood"), (1, 10, "undercut_bonus")]


def test_settle_tie_off__the_knocker_wins_and_the_opponent_contributes_nothing() -> None:
    found = two(5, FIVE, undercut_on_tie=False)
    assert (found.kind, found.winner, found.totals) == ("knock", 0, (0, 0))
    three = round_of(KNOCK, TIE, HIGH, undercut_on_tie=False)
    assert (three.kind, three.winner, three.totals) == ("knock", 0, (40, 0, 0))
    assert lines(three) == [(0, 0, "deadwood"), (0, 40, "deadwood")]


@pytest.mark.parametrize(
    "opponents,winner",
    [
        ((LOW, TIE, HIGH), 1),
        ((TIE, LOW, HIGH), 2),
        ((HIGH, TIE, LOW), 3),
        ((HIGH, LOW.replace("AC", "AS"), "KC KD KS 2C 2H 2S AD"), 2),
        ((TIE, "KC KD KS AC AD AS 2S", HIGH), 1),
    ],
)
def test_settle_lowest__the_lowest_then_the_nearest_clockwise(
    opponents: tuple[str, ...], winner: int
) -> None:
    found = round_of(KNOCK, *opponents)
    assert (found.kind, found.winner) == ("undercut", winner)


def test_settle_lowest__nearest_is_from_the_knocker_and_not_from_seat_0() -> None:
    state = dealt(rules("oklahoma-open"), [TIE, HIGH, KNOCK, LOW.replace("AC", "2S")], "5C")
    drawn = play(idle_turn(idle_turn(state)), STOCK)
    knocking = play(drawn, Knock(table(drawn).drawn_card))
    assert result(answered(knocking)).winner == 3


NO_DEADWOOD = "2S 3S 4S 7C 7D 7H KC KD KH KS"


def test_settle_gin_safe__gin_beats_a_hand_without_deadwood() -> None:
    found = two(0, NO_DEADWOOD)
    assert (found.kind, found.winner, found.totals) == ("gin", 0, (25, 0))


def test_settle_gin_safe__so_does_big_gin() -> None:
    chosen = rules(big_gin_bonus=31, upcard_offer=False)
    hand = "JC JD JH 9C 9D 9H QC QD QH JS"
    state = play(dealt(chosen, [hand, NO_DEADWOOD], "5C", "QS"), STOCK)
    found = result(play(state, Knock(None)))
    assert (found.kind, found.winner, found.totals) == ("big_gin", 0, (31, 0))


def test_settle_gin_safe__none_left_after_layoffs_is_an_undercut() -> None:
    found = round_of(KNOCK, "8S 9S TD TH TS KC KD", HIGH, layoff_onto="grown")
    assert found.kind == "knock"
    found = round_of(KNOCK, "8S TD TH TC KC KD KH", HIGH)
    assert (counts(found)[1], found.kind, found.winner) == (0, "undercut", 1)
    assert "gin_bonus" not in {line.reason for line in found.lines}


# Points


def test_points_knock__the_sum_of_the_differences() -> None:
    assert two(5, SIX).totals == (1, 0)
    found = round_of(KNOCK, HIGH, NONE)
    assert (found.totals, lines(found)) == (
        (48, 0, 0),
        [(0, 40, "deadwood"), (0, 8, "deadwood")],
    )
    four = round_of(KNOCK, HIGH, NONE, "4C 4D 4H 9C 9D 9H 3H")
    assert four.totals == (49, 0, 0, 0)


@pytest.mark.parametrize("bonus", [25, 20, 0])
def test_points_gin__the_counts_and_the_bonus(bonus: int) -> None:
    assert two(0, SIX, gin_bonus=bonus).totals == (6 + bonus, 0)
    found = round_of(GIN, HIGH, NONE, LOW, gin_bonus=bonus)
    assert found.totals == (42 + 10 + 1 + bonus, 0, 0, 0)
    assert (0, bonus, "gin_bonus") in lines(found) or bonus == 0


def big_gin_round(seats: int, **options: OptionValue) -> GameState:
    """Return the game after big gin by seat 0 against 42 and 10."""
    opponents = [HIGH, NONE][: seats - 1] if seats > 2 else [SIX]
    hand = GIN if seats > 2 else "JC JD JH 9C 9D 9H QC QD QH JS"
    chosen = rules("oklahoma-open", **{"big_gin_bonus": 31, **options})
    state = dealt(chosen, [hand, *opponents], "5C", "8S" if seats > 2 else "QS")
    return answered(play(state, STOCK, Knock(None)))


def test_points_big_gin__its_own_bonus() -> None:
    found = result(big_gin_round(2))
    assert lines(found) == [(0, 6, "deadwood"), (0, 31, "big_gin_bonus")]
    assert result(big_gin_round(3)).totals == (42 + 10 + 31, 0, 0)


def test_points_big_gin__the_same_extra_boxes_and_layoff_rule_as_gin() -> None:
    assert big_gin_round(3, gin_extra_boxes=2).boxes == (3, 0, 0)
    with_layoffs = result(big_gin_round(3, layoff_on_gin=True))
    assert with_layoffs.kind == "big_gin"


@pytest.mark.parametrize("bonus", [10, 25, 0])
def test_points_undercut__the_differences_and_the_bonus(bonus: int) -> None:
    assert two(5, THREE, undercut_bonus=bonus).totals == (0, 2 + bonus)
    found = round_of(KNOCK, HIGH, LOW, undercut_bonus=bonus, undercut_penalty=10)
    assert found.totals == (0, 0, 1 + 41 + bonus)
    assert {seat for seat, _, _ in lines(found)} == {2}


# Penalties


def test_penalties_knock__each_other_seat_is_charged_the_difference() -> None:
    assert two(5, SIX, scoring="penalties").totals == (0, 1)
    found = round_of(KNOCK, HIGH, NONE, scoring="penalties")
    assert lines(found) == [(1, 40, "deadwood"), (2, 8, "deadwood")]


@pytest.mark.parametrize("bonus", [25, 20])
def test_penalties_gin__its_count_and_the_bonus(bonus: int) -> None:
    assert two(0, SIX, scoring="penalties", gin_bonus=bonus).totals == (0, 6 + bonus)
    found = round_of(GIN, HIGH, NONE, LOW, scoring="penalties", gin_bonus=bonus)
    assert found.totals == (0, 42 + bonus, 10 + bonus, 1 + bonus)


def test_penalties_big_gin__likewise() -> None:
    found = result(big_gin_round(3, scoring="penalties"))
    assert found.totals == (0, 42 + 31, 10 + 31)
    assert (1, 31, "big_gin_bonus") in lines(found)


def test_penalties_undercut__the_knocker_pays_more_and_the_winner_falls() -> None:
    found = round_of(KNOCK, HIGH, LOW, scoring="penalties", undercut_penalty=10, undercut_bonus=20)
    assert sorted(lines(found)) == [
        (0, 1, "deadwood"),
        (0, 10, "undercut_penalty"),
        (1, 41, "deadwood"),
        (2, -20, "undercut_bonus"),
    ]
    assert found.totals == (11, 41, -20)


def test_penalties_undercut__each_part_may_be_nothing() -> None:
    found = round_of(KNOCK, LOW, HIGH, scoring="penalties", undercut_bonus=0)
    assert found.totals == (1, 0, 41)


@pytest.mark.parametrize("scoring", ["points", "penalties"])
@pytest.mark.parametrize("hands", [(KNOCK, HIGH, NONE), (GIN, HIGH, NONE), (KNOCK, LOW, HIGH)])
def test_settle_lines__one_for_each_amount_and_they_add_up(
    scoring: str, hands: tuple[str, ...]
) -> None:
    chosen = rules("oklahoma-penalties", scoring=scoring, spade_upcard_multiplier=3)
    found = result(answered(knocked(chosen, list(hands), "5H")))
    sums = [0, 0, 0]
    for line in found.lines:
        assert line.reason
        assert line.multiplier == 1
        sums[line.seat] += line.points
    assert tuple(sums) == found.totals


@pytest.mark.parametrize("times", [1, 2, 3, 4])
@pytest.mark.parametrize("upcard", ["4S", "5C", "5D", "5H"])
def test_spade_multiplier__every_line_bonuses_and_charges_too(times: int, upcard: str) -> None:
    options: dict[str, OptionValue] = {"scoring": "penalties", "undercut_penalty": 10}
    found = round_of(
        KNOCK, LOW, HIGH, upcard=upcard, spade_upcard_multiplier=times, undercut_bonus=20, **options
    )
    factor = times if upcard == "4S" else 1
    assert found.totals == (11 * factor, -20 * factor, 41 * factor)
    assert {line.multiplier for line in found.lines} == {factor}


@pytest.mark.parametrize("source", ["fixed", "upcard", "discard_top"])
def test_spade_any_source__whatever_sets_the_limit(source: str) -> None:
    found = round_of(
        KNOCK, HIGH, NONE, upcard="4S", spade_upcard_multiplier=2, knock_limit_source=source
    )
    assert found.totals == (96, 0, 0)


def test_spade_not_boxes__nor_end_bonuses() -> None:
    chosen = rules("oklahoma-bonus", spade_upcard_multiplier=4, target_score=100)
    over = knocked(chosen, ["JC JD JH 9C 9D 9H QC QD QH JS", SIX.replace("4S", "AS")], "4S")
    assert over.result
    assert over.boxes == (3, 0)
    bonuses = {line.reason: line.points for line in over.result.lines}
    assert (bonuses["game_bonus"], bonuses["box_bonus"]) == (100, 75)


def test_boxes_one__for_the_winner_of_a_round() -> None:
    knock = knocked(rules("oklahoma-open"), [KNOCK, HIGH, NONE], "5C")
    assert answered(knock).boxes == (1, 0, 0)
    undercut = knocked(rules("oklahoma-open"), [KNOCK, HIGH, LOW], "5C")
    assert answered(undercut).boxes == (0, 0, 1)


@pytest.mark.parametrize("extra", [0, 2, 5])
@pytest.mark.parametrize("scoring", ["points", "penalties"])
def test_boxes_gin__and_big_gin_add_theirs(extra: int, scoring: str) -> None:
    options: dict[str, OptionValue] = {"gin_extra_boxes": extra, "scoring": scoring}
    gin = knocked(rules("oklahoma-open", **options), [GIN, HIGH, NONE], "5C")
    assert gin.boxes == (1 + extra, 0, 0)
    assert big_gin_round(2, **options).boxes == (1 + extra, 0)


@pytest.mark.parametrize("extra", [0, 1, 5])
def test_boxes_undercut__adds_its_own(extra: int) -> None:
    chosen = rules("oklahoma-open", undercut_extra_boxes=extra, gin_extra_boxes=3)
    assert answered(knocked(chosen, [KNOCK, LOW, HIGH], "5C")).boxes == (0, 1 + extra, 0)
    assert answered(knocked(chosen, [KNOCK, NONE, HIGH], "5C")).boxes == (1, 0, 0)
