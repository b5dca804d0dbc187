"""The ten worked cases of the rule book, played as whole rounds."""

import pytest

from service.rules.cards import CardSet, parse_card, parse_set
from service.rules.melds import best_split, is_meld
from service.rules.moves import Knock, LayOff
from service.rules.views import view_for
from tests.rules.case_tables import knock_in, round_of
from tests.rules.positions import layoffs, melds
from tests.rules.tables import (
    STOCK,
    actions,
    all_pass,
    answered,
    counts,
    dealt,
    knocked,
    lines,
    names,
    play,
    result,
    rules,
    settled,
    table,
    with_totals,
)


def test_case_1__ten_cards_that_all_meld_are_gin() -> None:
    hand = "2C 3C 4C 5C 5D 5H 5S KD QD JD"
    after = knocked(rules(), [hand, ""], "9H")
    assert (result(after).kind, result(after).winner) == ("gin", 0)
    assert counts(result(after))[0] == 0


def test_case_2__lowest_deadwood_is_found_where_greedy_ways_fail() -> None:
    split = best_split(parse_set("3H 4H 5H 6H 7H 5C 5D 7C 7D KS"))
    assert split.points == 20
    assert split.melds == melds("7C 7D 7H", "3H 4H 5H 6H")


@pytest.mark.parametrize(
    "named,valid", [("QS KS AS", 0), ("AC 2C 3C", 1), ("QC KC AC", 0), ("KS AS 2S", 0)]
)
def test_case_3__the_ace_is_low_only(named: str, valid: int) -> None:
    assert is_meld(parse_set(named)) == bool(valid)


def test_case_4__gin_in_eleven_cards_needs_the_right_discard() -> None:
    held_cards = "2S 7S AC 2C 7C AD 2D 7D AH 2H 3H"
    after = play(all_pass(dealt(rules(), [held_cards[:-3], ""], "KD", "3H")), STOCK)
    knock = next(each for each in view_for(after, 0).actions.knock if each.gin)
    assert names([knock.discard]) == "3H"
    assert result(play(after, Knock(parse_card("3H")))).kind == "gin"


def test_case_4__the_only_knock_under_ten_splits_what_is_left() -> None:
    hand = "4C 5C 6C 7C 2D 4D 5D 6D 6H 5S"
    after = play(all_pass(dealt(rules("gin"), [hand, ""], "KD", "6S")), STOCK)
    assert names(actions(after).knock) == "7C"
    knocking = play(after, Knock(parse_card("7C")))
    assert table(knocking).shown[0].deadwood_points == 10


def test_case_5__layoffs_chain_on_a_run() -> None:
    start = knock_in("R06", rules(), "2D")
    after = play(start, LayOff(layoffs(("7D", 0), ("6D", 0))))
    assert counts(result(after)) == {0: 2, 1: 4}
    assert lines(result(after)) == [(0, 2, "deadwood")]


@pytest.mark.parametrize(
    "named,count,kind",
    [
        (melds("5C 5D 5H", "6C 6D 6H", "7C 7D 7H"), 3, "knock"),
        (melds("5C 6C 7C", "5D 6D 7D", "5H 6H 7H"), 0, "undercut"),
    ],
)
def test_case_6__a_knock_can_name_its_melds(
    named: tuple[CardSet, ...], count: int, kind: str
) -> None:
    hands = ["AH 5H 6H 7H 5D 6D 7D 5C 6C 7C", "3H 4H 8H 4D 8D 4C 8C 5S 6S 7S"]
    after = result(answered(knocked(rules(), hands, "2D", named)))
    assert (after.kind, counts(after)) == (kind, {0: 1, 1: count})


def test_case_7__equal_counts_after_layoffs_undercut() -> None:
    knocker = "3C 4C 5C 9D 9H 9S KC KD KH 6S"
    opponent = "6C AH 2D 3H JC JD JH QC QD QH"
    found = settled(rules(), [knocker, opponent], "9C")
    assert (found.kind, found.winner) == ("undercut", 1)
    assert lines(found) == [(1, 0, "deadwood"), (1, 10, "undercut_bonus")]


def test_case_7__zero_by_layoffs_is_an_undercut_and_never_gin() -> None:
    found = round_of("R11", rules(), "2C")
    assert (found.kind, found.winner) == ("undercut", 1)
    assert lines(found) == [(1, 2, "deadwood"), (1, 10, "undercut_bonus")]


def test_case_8__gin_against_no_deadwood_wins() -> None:
    found = round_of("R10", rules(), "TC")
    assert (found.kind, found.winner) == ("gin", 0)
    assert lines(found) == [(0, 0, "deadwood"), (0, 25, "gin_bonus")]


def test_case_9__an_undercut_ends_the_game_for_the_opponent() -> None:
    before = with_totals(knock_in("R11", rules("gin"), "2C"), 92, 80)
    over = answered(before)
    assert over.totals == (92, 107)
    assert over.result
    assert (over.result.winner, over.result.reason) == (1, "target")


def test_case_10__the_ace_of_spades_asks_for_gin_and_doubles() -> None:
    chosen = rules("oklahoma-bonus")
    gin = "2S 3S 4S 9C 9D 9H KC KD KH KS"
    opponent = "5S 9S 6D 7D 8D JC JD JH 2H 2C"
    after = knocked(chosen, [gin, opponent], "AS")
    assert view_for(after, None).round
    assert lines(result(after)) == [(0, 36, "deadwood"), (0, 50, "gin_bonus")]
    one_left = play(all_pass(dealt(chosen, ["2S 3S 4S 9C 9D 9H KC KD KH AC", ""], "AS")), STOCK)
    shown = view_for(one_left, 0)
    assert shown.round
    assert (shown.round.knock_limit, shown.round.multiplier, shown.actions.knock) == (0, 2, ())
