"""The game: dealers, ends and bonuses, clause by clause."""

import pytest

from service.rules.cards import parse_card
from service.rules.moves import Deal
from service.rules.play import apply
from service.rules.rounds import highest_card_seat
from service.rules.ruleset import OptionValue
from service.rules.state import GameResult, GameState
from tests.rules.tables import (
    all_pass,
    answered,
    dealt,
    dealt_again,
    full,
    idle_turn,
    knocked,
    result,
    rules,
    table,
    turn,
    with_totals,
)

KNOCK = "5S 6S 7S JC JD JH 2D"  # 2
GIN = "5S 6S 7S JC JD JH JS"  # 0
LOW = "3C 3D 3H 8C 8D 8H AC"  # 1
HIGH = "KC QD TC 6D 3S AH 2S"  # 42
NONE = "TD TH TS QC QH QS KH"  # 10

TWO_KNOCK = "JC JD JH 9C 9D 9H QC QD QH 2D"  # 2
TWO_SIX = "2S 3S 4S 7C 7D 7H KC KD KH 6C"  # 6
TWO_NONE = "2S 3S 4S 7C 7D 7H KC KD KH KS"  # 0


def after(*hands: str, **options: OptionValue) -> GameState:
    """Return the game after one settled round in which seat 0 went out."""
    return after_from((0,) * len(hands), *hands, **options)


def after_from(totals: tuple[int, ...], *hands: str, **options: OptionValue) -> GameState:
    """Return the same where the seats had totals before."""
    state = knocked(rules("oklahoma-open", **options), list(hands), "5C")
    return answered(with_totals(state, *totals))


def void(chosen: dict[str, OptionValue], seats: int, totals: tuple[int, ...] = ()) -> GameState:
    """Return the game after one void round."""
    state = all_pass(dealt(rules("oklahoma", turn_limit=20, **chosen), [""] * seats, "5C"))
    if totals:
        state = with_totals(state, *totals)
    while table(state).phase != "over":
        state = idle_turn(state)
    return state


def ended(state: GameState) -> GameResult:
    assert state.result
    return state.result


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_first_dealer__the_seat_before_the_first_player(seats: int) -> None:
    for first in range(seats):
        state = apply(full(rules(), seats), 0, Deal(tuple(range(52)), first)).state
        assert (table(state).dealer, turn(state)) == ((first - 1) % seats, first)


@pytest.mark.parametrize(
    "cards,seat",
    [
        ("KC QS", 0),
        ("AS 2C", 1),
        ("AS KC QH", 1),
        ("KC KD KH KS", 3),
        ("9H 9S 9D 9C", 1),
        ("9C 9H 9D", 1),
        ("9C 9D", 1),
    ],
)
def test_first_high_card__king_high_ace_low_then_spades_hearts_diamonds_clubs(
    cards: str, seat: int
) -> None:
    assert highest_card_seat(tuple(parse_card(name) for name in cards.split())) == seat


@pytest.mark.parametrize(
    "hands,winner", [((KNOCK, HIGH, NONE), 0), ((KNOCK, LOW, HIGH), 1), ((KNOCK, HIGH, LOW), 2)]
)
def test_dealer_winner__deals_next(hands: tuple[str, ...], winner: int) -> None:
    state = after(*hands, next_dealer="winner")
    assert result(state).winner == winner
    again = table(dealt_again(state))
    assert (again.dealer, again.turn, again.number) == (winner, (winner + 1) % 3, 2)


def test_dealer_loser__the_other_seat_of_two() -> None:
    assert table(dealt_again(after(TWO_KNOCK, TWO_SIX, next_dealer="loser"))).dealer == 1
    assert table(dealt_again(after(TWO_KNOCK, TWO_NONE, next_dealer="loser"))).dealer == 0


@pytest.mark.parametrize(
    "hands,loser",
    [
        ((KNOCK, HIGH, NONE), 1),
        ((KNOCK, NONE, HIGH), 2),
        ((KNOCK, LOW, HIGH), 2),
        ((KNOCK, NONE, "9C TC 4C 6C AC AD 2H", "9D 8D 4D 7D AH AS 3H"), 2),
        ((KNOCK, "AC AD AH 3C 3D 3S KC", "4C 4D 4H 8C 8D 8H KD"), 1),
        ((KNOCK, LOW, "4C 4D 4H 9C 9D 9H KD", "AD AH AS 6C 6D 6H KS"), 2),
    ],
)
def test_dealer_loser__the_highest_count_of_many(hands: tuple[str, ...], loser: int) -> None:
    state = after(*hands, next_dealer="loser")
    assert table(dealt_again(state)).dealer == loser


def test_dealer_loser__the_nearest_clockwise_from_the_winner_among_equals() -> None:
    ten = "AC AD AH 3C 3D 3S KC"
    other = "4C 4D 4H 8C 8D 8H KD"
    undercutting = after(KNOCK, ten, "9C 9D 9H 6C 6D 6H AS", other, next_dealer="loser")
    found = result(undercutting)
    assert found.winner == 2
    assert {each.seat: each.deadwood_points for each in found.hands} == {0: 2, 1: 10, 2: 1, 3: 10}
    assert table(dealt_again(undercutting)).dealer == 3


@pytest.mark.parametrize("hands", [(KNOCK, HIGH, NONE), (KNOCK, LOW, HIGH), (KNOCK, HIGH, LOW)])
def test_dealer_rotate__clockwise(hands: tuple[str, ...]) -> None:
    state = after(*hands, next_dealer="rotate")
    assert (table(state).dealer, table(dealt_again(state)).dealer) == (2, 0)


def test_target_lines_only__boxes_and_bonuses_do_not_count_towards_it() -> None:
    options: dict[str, OptionValue] = {"box_bonus": 1000, "game_bonus": 1000, "shutout": "double"}
    state = after(KNOCK, HIGH, NONE, target_score=49, **options)
    assert (state.totals, state.result) == ((48, 0, 0), None)


@pytest.mark.parametrize("target,over", [(48, True), (49, False)])
def test_target_points__the_seat_that_reaches_it_wins(target: int, over: bool) -> None:
    state = after(KNOCK, HIGH, NONE, target_score=target)
    assert bool(state.result) == over
    assert state.status == ("finished" if over else "playing")
    if state.result:
        assert (state.result.winner, state.result.reason) == (0, "target")


def test_target_points__an_undercut_may_end_it() -> None:
    state = after_from((99, 0, 50), KNOCK, HIGH, LOW)
    assert (ended(state).winner, ended(state).totals) == (2, (99, 0, 50 + 62))


LOW_WINS: dict[str, OptionValue] = {"scoring": "penalties", "gin_bonus": 0}


def test_target_penalties__the_lowest_total_wins() -> None:
    state = after_from((50, 60, 10), KNOCK, HIGH, NONE, **LOW_WINS)
    assert state.totals == (50, 100, 18)
    assert (ended(state).winner, ended(state).reason) == (2, "target")


def test_target_penalties__below_it_play_goes_on() -> None:
    assert after_from((50, 59, 10), KNOCK, HIGH, NONE, **LOW_WINS).result is None


def test_target_penalties__with_two_lowest_play_goes_on() -> None:
    tied = after_from((18, 60, 10), KNOCK, HIGH, NONE, **LOW_WINS)
    assert (tied.totals, tied.result) == ((18, 100, 18), None)
    later = after_from(tied.totals, KNOCK, NONE, HIGH, **LOW_WINS)
    assert (ended(later).winner, later.totals) == (0, (18, 108, 58))


def test_target_penalties__a_void_round_decides_nothing() -> None:
    state = void({"scoring": "penalties"}, 3, totals=(18, 100, 10))
    assert state.result is None


@pytest.mark.parametrize("scoring,winner", [("points", 1), ("penalties", 2)])
def test_rounds_limit__the_best_total_wins(scoring: str, winner: int) -> None:
    options: dict[str, OptionValue] = {"scoring": scoring, "round_limit": 1}
    state = void(options, 3, totals=(20, 30, 10))
    assert (ended(state).winner, ended(state).reason) == (winner, "rounds")
    settled = after_from((0, 90, 0), KNOCK, HIGH, NONE, scoring="points", round_limit=1)
    assert (ended(settled).winner, ended(settled).reason) == (1, "rounds")


def test_rounds_limit__void_rounds_count() -> None:
    state = void({"round_limit": 2}, 2)
    assert state.result is None
    state = all_pass(dealt_again(state))
    while table(state).phase != "over":
        state = idle_turn(state)
    assert ended(state).reason == "rounds"


@pytest.mark.parametrize("totals,winner", [((5, 5, 5), 0), ((4, 5, 5), 1), ((4, 4, 5), 2)])
def test_rounds_ties__the_nearest_clockwise_from_seat_0(
    totals: tuple[int, ...], winner: int
) -> None:
    assert ended(void({"round_limit": 1}, 3, totals=totals)).winner == winner


def finished(**options: OptionValue) -> GameState:
    """Return a game of three that seat 0 wins with 48, 0 and 0, and one box to none."""
    return after(KNOCK, HIGH, NONE, target_score=48, **options)


@pytest.mark.parametrize("bonus", [0, 100, 1000])
def test_bonus_game__for_the_winner(bonus: int) -> None:
    assert ended(finished(game_bonus=bonus)).final_scores == (48 + bonus, 0, 0)


def test_bonus_boxes__for_each_box_to_its_seat() -> None:
    state = knocked(
        rules("oklahoma-open", target_score=48, box_bonus=25), [KNOCK, HIGH, NONE], "5C"
    )
    over = answered(with_totals(state, 0, 40, 30, boxes=(0, 2, 1)))
    assert over.boxes == (1, 2, 1)
    assert ended(over).final_scores == (48 + 25, 40 + 50, 30 + 25)


@pytest.mark.parametrize(
    "boxes,shutout,scores",
    [
        ((0, 0, 0), "double", (96, 40, 0)),
        ((0, 1, 0), "double", (48, 40, 0)),
        ((0, 0, 0), "none", (48, 40, 0)),
    ],
)
def test_bonus_shutout__doubles_where_nobody_else_has_a_box(
    boxes: tuple[int, ...], shutout: str, scores: tuple[int, ...]
) -> None:
    chosen = rules("oklahoma-open", target_score=48, shutout=shutout)
    state = with_totals(knocked(chosen, [KNOCK, HIGH, NONE], "5C"), 0, 40, 0, boxes=boxes)
    assert ended(answered(state)).final_scores == scores


def test_bonus_shutout__doubles_the_lines_and_not_the_bonuses() -> None:
    over = ended(finished(shutout="double", game_bonus=100, box_bonus=25))
    assert over.final_scores == (48 + 48 + 100 + 25, 0, 0)


def test_bonus_points_only__none_by_penalties() -> None:
    options: dict[str, OptionValue] = {"game_bonus": 100, "box_bonus": 25, "shutout": "double"}
    over = ended(after_from((0, 60, 0), KNOCK, HIGH, NONE, scoring="penalties", **options))
    assert (over.lines, over.final_scores) == ((), over.totals)


def test_bonus_itemised__lines_lead_from_totals_to_final_scores() -> None:
    over = ended(finished(shutout="double", game_bonus=100, box_bonus=25))
    assert {(line.seat, line.reason, line.points) for line in over.lines} == {
        (0, "game_bonus", 100),
        (0, "shutout", 48),
        (0, "box_bonus", 25),
    }
    assert over.totals == (48, 0, 0)


def test_bonus_itemised__they_never_change_who_won() -> None:
    chosen = rules("oklahoma-open", target_score=48, box_bonus=1000)
    state = with_totals(knocked(chosen, [KNOCK, HIGH, NONE], "5C"), 0, 40, 0, boxes=(0, 5, 0))
    over = ended(answered(state))
    assert over.final_scores[1] > over.final_scores[0]
    assert over.winner == 0
