"""Seats that are out, clause by clause."""

from dataclasses import replace

import pytest

from service.rules.legal import Actions, legal
from service.rules.moves import Draw, Knock, LayOff, Occupant, Pass, Resign, SetEntropy, TimeOut
from service.rules.play import apply
from service.rules.ruleset import OptionValue
from service.rules.state import GameResult, GameState
from tests.rules.tables import (
    STOCK,
    all_pass,
    answered,
    dealt,
    dealt_again,
    followed,
    idle_turn,
    knocked,
    out_with_drawn,
    play,
    refused,
    resigned,
    result,
    rules,
    step,
    table,
    turn,
    with_totals,
)

KNOCK = "5S 6S 7S JC JD JH 2D"  # 2
LOW = "3C 3D 3H 8C 8D 8H AC"  # 1
HIGH = "KC QD TC 6D 3S AH 2S"  # 42
NONE = "TD TH TS QC QH QS KH"  # 10
BONUSES: dict[str, OptionValue] = {"game_bonus": 100, "box_bonus": 25, "shutout": "double"}


def knock(*opponents: str, **options: OptionValue) -> GameState:
    return knocked(rules("oklahoma-open", **options), [KNOCK, *opponents], "5C")


def ended(state: GameState) -> GameResult:
    assert state.result
    return state.result


@pytest.mark.parametrize("seats", [2, 3])
def test_resigned_timed_out__under_forfeit_a_late_seat_is_out(seats: int) -> None:
    state = all_pass(dealt(rules("oklahoma", **BONUSES), [""] * seats, "5C"))
    made = apply(state, 1, TimeOut(forfeit=True))
    assert (made.event.type, made.event.seat) == ("timed_out", 0)
    assert (made.state.out[0], result(made.state).kind) == (True, "void")
    if seats == 2:
        assert (ended(made.state).winner, ended(made.state).reason) == (1, "timed_out")
        assert ended(made.state).final_scores == (0, 100)
    else:
        assert made.state.result is None


def test_resigned_timed_out__in_the_layoff_phase_once_it_is_settled() -> None:
    late = apply(knock(NONE, HIGH), 0, TimeOut(forfeit=True)).state
    assert table(late).leaving == (1,)
    over = answered(followed(late))
    assert (over.out, over.totals) == ((False, True, False), (48, 0, 0))


def test_resigned_timed_out__the_last_to_go_gives_the_reason() -> None:
    resigned_first = resigned(knock(NONE, HIGH), 2)
    over = followed(apply(resigned_first, 0, TimeOut(forfeit=True)).state)
    assert (ended(over).winner, ended(over).reason) == (0, "timed_out")
    late_first = followed(apply(knock(NONE, HIGH), 0, TimeOut(forfeit=True)).state)
    assert ended(resigned(late_first, 2)).reason == "resigned"


@pytest.mark.parametrize("phase", ["upcard_offer", "draw", "discard", "layoff"])
@pytest.mark.parametrize("leaver", [0, 1])
def test_resigned_two_seats__the_other_wins_and_the_round_is_void(phase: str, leaver: int) -> None:
    hand = "JC JD JH 9C 9D 9H QC QD QH 2D"
    offered = dealt(rules("oklahoma-bonus"), [hand, ""], "5C")
    states = {
        "upcard_offer": offered,
        "draw": all_pass(offered),
        "discard": play(all_pass(offered), STOCK),
        "layoff": knocked(rules("oklahoma-bonus"), [hand, ""], "5C"),
    }
    before = with_totals(states[phase], 30, 20, boxes=(2, 2))
    assert table(before).phase == phase
    made = apply(before, leaver, Resign())
    assert result(made.state).kind == "void"
    assert made.event.result == result(made.state)
    assert result(made.state).totals == (30, 20)
    over = ended(made.state)
    assert (over.winner, over.reason) == (1 - leaver, "resigned")
    scores = [30 + 50, 20 + 50]
    scores[1 - leaver] += 100
    assert over.final_scores == tuple(scores)


def test_resigned_two_seats__between_rounds_too() -> None:
    state = knocked(rules(), ["JC JD JH 9C 9D 9H QC QD QH QS", ""], "5C")
    made = apply(state, 0, Resign())
    assert (ended(made.state).winner, made.event.result) == (1, None)
    assert result(made.state).kind == "gin"


def test_resigned_two_seats__a_hand_laid_stays_as_laid() -> None:
    state = knocked(rules("gin"), ["5H 6H 7H 5D 6D 7D 5C 6C 7C AH", ""], "KS")
    laid = table(state).shown[0]
    over = resigned(state, 1)
    assert result(over).hands[0] == laid


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("leaver", [0, 1, 2])
@pytest.mark.parametrize("phase", ["upcard_offer", "draw", "discard"])
def test_resigned_void__with_more_seats_in_any_other_phase(
    seats: int, leaver: int, phase: str
) -> None:
    state = dealt(rules(), [""] * seats, "5C")
    if phase != "upcard_offer":
        state = all_pass(state)
    if phase == "discard":
        state = play(state, STOCK)
    made = apply(state, leaver, Resign())
    assert (result(made.state).kind, made.state.result) == ("void", None)
    assert made.state.out == tuple(seat == leaver for seat in range(seats))
    assert table(made.state).phase == "over"


def test_resigned_layoff__the_default_answer_comes_in_turn_as_its_own_event() -> None:
    state = apply(knock(NONE, HIGH), 2, Resign()).state
    assert (state.out, turn(state), table(state).leaving) == ((False,) * 3, 1, (2,))
    state = play(state, LayOff())
    assert (turn(state), table(state).phase) == (2, "layoff")
    last = step(state, LayOff())
    assert followed(state) == last.state
    assert (last.event.type, last.event.seat) == ("laid_off", 2)
    assert result(last.state).totals == (48, 0, 0)
    assert last.state.out == (False, False, True)


def test_resigned_layoff__on_its_own_turn_it_is_answered_at_once() -> None:
    state = resigned(knock(NONE, HIGH), 1)
    assert (turn(state), [each.seat for each in table(state).shown]) == (2, [0, 1])
    over = answered(state)
    assert (over.out, over.totals) == ((False, True, False), (48, 0, 0))


def test_resigned_layoff__the_knocker_too() -> None:
    state = resigned(knock(NONE, HIGH), 0)
    assert (state.out, table(state).phase) == ((False,) * 3, "layoff")
    over = answered(state)
    assert (over.totals, over.boxes, over.out) == ((48, 0, 0), (1, 0, 0), (True, False, False))
    assert over.result is None


def test_resigned_layoff__after_its_own_answer_too() -> None:
    answering = play(knock(NONE, HIGH), LayOff())
    assert answered(resigned(answering, 1)).out == (False, True, False)


def test_resigned_layoff__also_where_two_of_more_seats_are_left() -> None:
    two_left = resigned(dealt(rules("oklahoma-open"), [""] * 3, "5C"), 2)
    drawn = play(dealt_again(two_left, [KNOCK, NONE]), STOCK)
    over = resigned(play(drawn, Knock(table(drawn).drawn_card)), 1)
    assert (result(over).kind, over.totals) == ("knock", (8, 0, 0))
    assert (ended(over).winner, ended(over).reason) == (0, "resigned")


def test_resigned_layoff__a_seat_that_resigned_can_do_nothing_more() -> None:
    state = apply(knock(NONE, HIGH), 2, Resign()).state
    assert legal(state, 2) == Actions()
    assert refused(state, 2, Resign()).code == "wrong_phase"
    assert refused(state, 2, SetEntropy()).code == "wrong_phase"


def test_resigned_no_target__it_does_not_win_the_game_it_left() -> None:
    state = resigned(with_totals(knock(NONE, HIGH), 90, 0, 0), 0)
    over = answered(state)
    assert (over.totals, over.result) == ((138, 0, 0), None)
    undercut = answered(resigned(with_totals(knock(LOW, HIGH), 0, 90, 0), 1))
    assert (undercut.totals[1] >= 100, undercut.result) == (True, None)


def test_resigned_no_target__totals_of_seats_that_are_out_end_nothing() -> None:
    options: dict[str, OptionValue] = {"scoring": "penalties"}
    state = answered(resigned(with_totals(knock(HIGH, NONE, **options), 5, 90, 20), 1))
    assert (state.totals, state.result) == ((5, 130, 28), None)


def out_of_three(*gone: int, **options: OptionValue) -> GameState:
    return resigned(dealt(rules("oklahoma", **options), [""] * 4, "5C"), *gone)


def test_resigned_skipped__for_offers_and_turns() -> None:
    state = dealt_again(out_of_three(1))
    offered = []
    while table(state).phase == "upcard_offer":
        offered.append(turn(state))
        state = play(state, Pass())
    turns = []
    for _ in range(6):
        turns.append(turn(state))
        state = idle_turn(state)
    assert (offered, turns) == ([0, 2, 3], [0, 2, 3, 0, 2, 3])
    assert legal(state, 1) == Actions()
    assert refused(state, 1, Draw("stock")).code == "not_your_turn"


def test_resigned_skipped__for_deals() -> None:
    state = dealt_again(out_of_three(1))
    assert [hand.bit_count() for hand in table(state).hands] == [7, 0, 7, 7]
    assert refused(out_of_three(1), 1, Resign()).code == "wrong_phase"


@pytest.mark.parametrize("scoring", ["points", "penalties"])
def test_resigned_skipped__for_sums_and_layoffs(scoring: str) -> None:
    chosen = rules("oklahoma-open", scoring=scoring)
    gone = resigned(dealt(chosen, [""] * 3, "5C"), 1)
    over = out_with_drawn(dealt_again(gone, [KNOCK, HIGH]))
    assert [each.seat for each in result(over).hands] == [0, 2]
    assert over.totals == ((40, 0, 0) if scoring == "points" else (0, 0, 40))


def test_resigned_skipped__for_winners_and_lowest_totals() -> None:
    state = with_totals(dealt(rules("oklahoma", round_limit=2), [""] * 3, "5C"), 9, 5, 5)
    state = all_pass(dealt_again(resigned(state, 0)))
    while table(state).phase != "over":
        state = idle_turn(state)
    assert (ended(state).winner, ended(state).reason) == (1, "rounds")
    options: dict[str, OptionValue] = {"scoring": "penalties"}
    gone = resigned(dealt(rules("oklahoma-open", **options), [""] * 3, "5C"), 1)
    over = out_with_drawn(with_totals(dealt_again(gone, [KNOCK, HIGH]), 50, 0, 60))
    assert (over.totals, ended(over).winner) == ((50, 0, 100), 0)


def test_resigned_boxes__still_count_against_a_shutout() -> None:
    state = with_totals(
        dealt(rules("oklahoma", **BONUSES), [""] * 3, "5C"), 40, 7, 0, boxes=(2, 1, 0)
    )
    over = ended(resigned(state, 1, 2))
    assert over.winner == 0
    assert over.final_scores == (40 + 100 + 50, 7 + 25, 0)
    alone = with_totals(state, 40, 7, 0, boxes=(2, 0, 0))
    assert ended(resigned(alone, 1, 2)).final_scores == (40 + 40 + 100 + 50, 7, 0)


def test_resigned_dealer__the_nearest_before_it_that_is_in() -> None:
    assert table(dealt_again(out_of_three(3))).dealer == 2
    assert table(dealt_again(out_of_three(3, 2))).dealer == 1
    assert table(dealt_again(out_of_three(0))).dealer == 3
    won = answered(resigned(knock(NONE, HIGH, next_dealer="winner"), 0))
    assert (result(won).winner, table(dealt_again(won)).dealer) == (0, 2)


def test_resigned_dealer__rotation_skips_seats_that_are_out() -> None:
    gone = answered(resigned(knock(NONE, HIGH, next_dealer="rotate"), 0))
    assert (table(gone).dealer, table(dealt_again(gone)).dealer) == (2, 1)


@pytest.mark.parametrize("gone", [(1,), (1, 2)])
def test_resigned_hand_size__stays(gone: tuple[int, ...]) -> None:
    hands = table(dealt_again(out_of_three(*gone))).hands
    assert {hand.bit_count() for seat, hand in enumerate(hands) if seat not in gone} == {7}


def test_resigned_last__the_last_seat_in_wins_with_end_bonuses() -> None:
    state = out_of_three(0, 3, **BONUSES)
    assert state.result is None
    over = ended(resigned(state, 1))
    assert (over.winner, over.reason) == (2, "resigned")
    assert over.final_scores == (0, 0, 100, 0)


def test_resigned_last__once_the_knock_has_been_settled() -> None:
    state = resigned(knock(NONE, HIGH, game_bonus=100), 2, 1)
    over = ended(state)
    assert result(state).kind == "knock"
    assert (over.winner, over.reason, over.totals) == (0, "resigned", (48, 0, 0))
    assert over.final_scores == (148, 0, 0)


@pytest.mark.parametrize("order,winner", [((0, 2, 1), 1), ((2, 0, 1), 1)])
def test_resigned_all__the_last_to_resign_is_the_last_seat_in(
    order: tuple[int, ...], winner: int
) -> None:
    over = resigned(knock(NONE, HIGH), *order)
    assert (ended(over).winner, ended(over).reason) == (winner, "resigned")
    assert over.out.count(False) == 1
    assert over.totals == (48, 0, 0)


def with_bots(state: GameState, *bots: int) -> GameState:
    kinds: list[Occupant] = ["bot" if seat in bots else "human" for seat in range(state.seats)]
    return replace(state, occupants=tuple(kinds))


@pytest.mark.parametrize("totals, winner", [((9, 3, 7), 2), ((9, 7, 7), 1)])
def test_resigned_bots__the_best_of_them_wins_when_the_last_human_goes(
    totals: tuple[int, ...], winner: int
) -> None:
    dealt_to_three = dealt(rules("oklahoma-open", game_bonus=50), [""] * 3, "5C")
    state = replace(with_bots(dealt_to_three, 1, 2), totals=totals)
    over = apply(state, 0, Resign()).state
    assert result(over).kind == "void"
    assert (ended(over).winner, ended(over).reason) == (winner, "resigned")
    assert ended(over).final_scores[winner] == totals[winner] + 50


def test_resigned_bots__a_human_who_is_still_in_plays_on_with_them() -> None:
    dealt_to_three = dealt(rules("oklahoma-open"), [""] * 3, "5C")
    assert apply(with_bots(dealt_to_three, 1), 0, Resign()).state.result is None
