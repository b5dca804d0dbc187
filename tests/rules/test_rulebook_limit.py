"""The knock limit and void rounds, clause by clause."""

import pytest

from service.rules.cards import parse_card
from service.rules.moves import Discard, Knock, Pass
from service.rules.ruleset import PRESETS, RuleSet
from service.rules.state import GameState
from service.rules.views import view_for
from tests.rules.random_games import GAMES, games
from tests.rules.tables import (
    PILE,
    STOCK,
    actions,
    all_pass,
    dealt,
    dealt_again,
    idle_turn,
    play,
    refusal,
    result,
    rules,
    table,
    thrown,
    turn,
)

GIN = "AS 2S 3S 4S 9C 9D 9H KC KD KH"
SEVEN = "2S 3S 4S 9C 9D 9H KC KD KH 7C"
RANKS = dict(zip("23456789TJQK", (*range(2, 11), 10, 10, 10), strict=True))


def limit(state: GameState) -> int:
    seen = view_for(state, None).round
    assert seen
    return seen.knock_limit


def drawn(chosen: RuleSet, hand: str, upcard: str, card: str = "8C") -> GameState:
    return play(all_pass(dealt(chosen, [hand, ""], upcard, card)), STOCK)


def can_knock_with_seven(chosen: RuleSet, upcard: str) -> bool:
    return bool(actions(drawn(chosen, SEVEN, upcard)).knock >> parse_card("8C") & 1)


@pytest.mark.parametrize("points", range(11))
@pytest.mark.parametrize("upcard", ["AD", "3D", "KS"])
def test_limit_fixed__the_points_of_the_option(points: int, upcard: str) -> None:
    chosen = rules("gin", knock_limit_points=points)
    assert limit(dealt(chosen, ["", ""], upcard)) == points
    assert can_knock_with_seven(chosen, upcard) == (points >= 7)


@pytest.mark.parametrize("rank,points", list(RANKS.items()))
def test_limit_upcard__its_points(rank: str, points: int) -> None:
    state = dealt(rules(), ["KC", ""], rank + "H")
    later = idle_turn(play(state, PILE, thrown("KC")))
    assert {limit(each) for each in (state, play(state, PILE), later)} == {points}


def test_limit_upcard__the_next_round_has_its_own() -> None:
    chosen = rules()
    over = play(drawn(chosen, GIN, "6H", "7C"), Knock(parse_card("7C")))
    assert limit(dealt_again(over, ["", ""], "3D")) == 3


def test_limit_discard_top__the_top_when_the_turn_began() -> None:
    state = dealt(rules(knock_limit_source="discard_top"), ["3D", SEVEN], "6H", "TC 5C")
    assert limit(state) == 6
    state = play(all_pass(state), STOCK)
    assert limit(state) == 6
    state = play(state, thrown("3D"))
    assert limit(state) == 3
    for move in (STOCK, PILE):
        assert limit(play(state, move)) == 3
    assert limit(play(state, STOCK, thrown("7C"))) == 7


def test_limit_discard_top__the_pile_taken_still_sets_it() -> None:
    state = dealt(rules(knock_limit_source="discard_top"), ["8D", SEVEN], "6H", "TC")
    state = play(all_pass(state), STOCK, thrown("8D"), PILE)
    assert limit(state) == 8
    offered = dealt(rules(knock_limit_source="discard_top"), ["KS", ""], "6H")
    assert limit(play(offered, PILE)) == 6
    assert limit(play(offered, PILE, thrown("KS"))) == 10


@pytest.mark.parametrize("source", ["upcard", "discard_top"])
@pytest.mark.parametrize("cap", [0, 1, 5, 10])
@pytest.mark.parametrize("upcard", ["3H", "6H", "KH"])
def test_limit_cap__never_more_than_the_points_of_the_option(
    source: str, cap: int, upcard: str
) -> None:
    chosen = rules(knock_limit_source=source, knock_limit_points=cap)
    assert limit(dealt(chosen, ["", ""], upcard)) == min(cap, RANKS[upcard[0]])


ONE = "AS 2S 3S 9C 9D 9H KC KD KH AC"


@pytest.mark.parametrize("source", ["upcard", "discard_top"])
@pytest.mark.parametrize("cap", [0, 1, 10])
def test_limit_ace_one_point__one_or_none_under_a_cap_of_none(source: str, cap: int) -> None:
    chosen = rules(ace_upcard="one_point", knock_limit_points=cap, knock_limit_source=source)
    state = drawn(chosen, ONE, "AH")
    assert limit(state) == min(1, cap)
    assert bool(actions(state).knock >> parse_card("8C") & 1) == (cap > 0)


@pytest.mark.parametrize("source", ["upcard", "discard_top"])
def test_limit_ace_gin_only__only_gin_or_big_gin(source: str) -> None:
    chosen = rules(ace_upcard="gin_only", knock_limit_source=source, big_gin_bonus=31)
    assert limit(dealt(chosen, ["", ""], "AH")) == 0
    assert refusal(drawn(chosen, ONE, "AH"), Knock(parse_card("8C"))) == "deadwood_over_limit"
    assert result(play(drawn(chosen, GIN, "AH"), Knock(parse_card("8C")))).kind == "gin"
    big = drawn(chosen, GIN, "AH", "KS")
    assert result(play(big, Knock(None))).kind == "big_gin"


def test_limit_ace_gin_only__not_where_the_limit_is_fixed() -> None:
    assert limit(dealt(rules("gin", ace_upcard="gin_only"), ["", ""], "AH")) == 10


@pytest.mark.parametrize("source", ["fixed", "upcard", "discard_top"])
def test_limit_straight_gin__a_limit_of_none(source: str) -> None:
    chosen = rules(knock_limit_source=source, knock_limit_points=0)
    assert limit(dealt(chosen, ["", ""], "KD")) == 0
    assert not actions(drawn(chosen, ONE, "KS")).knock
    assert actions(drawn(chosen, GIN, "KS")).knock


def test_limit_inclusive__deadwood_equal_to_it_may_knock() -> None:
    assert can_knock_with_seven(rules(), "7H")
    assert not can_knock_with_seven(rules(), "6H")


# Void rounds


@pytest.mark.parametrize("seats,stock", [(2, 31), (3, 30), (4, 23)])
@pytest.mark.parametrize("floor", [0, 1, 2, 5, 10])
def test_void_stock__a_discard_that_leaves_the_floor(seats: int, stock: int, floor: int) -> None:
    state = dealt(rules(stock_floor=floor, upcard_offer=False), [""] * seats, "7H")
    for _ in range(stock - floor - 1):
        state = idle_turn(state)
    assert table(state).phase == "draw"
    last = play(state, STOCK)
    assert len(table(last).deck) - table(last).stock_at == floor
    over = idle_turn(state)
    assert (result(over).kind, table(over).phase) == ("void", "over")


def swap(state: GameState) -> GameState:
    """Return the state after the seat on turn took the top of the pile and threw its lowest."""
    taken = play(state, PILE)
    lowest = (actions(taken).discard & -actions(taken).discard).bit_length() - 1
    return play(taken, Discard(lowest))


@pytest.mark.parametrize("turns", [20, 21, 200])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_void_turns__two_can_swap_cards_for_ever(turns: int, seats: int) -> None:
    state = dealt(rules(turn_limit=turns, upcard_offer=False), [""] * seats, "7H")
    for _ in range(turns - 1):
        state = swap(state)
    assert table(state).phase == "draw"
    over = swap(state)
    assert (result(over).kind, table(over).turns_played) == ("void", turns)


def test_void_turns__every_view_tells_the_last_turn_and_no_other() -> None:
    told = set()
    for ply in games(2 * GAMES):
        event = ply.event
        if event.type != "discarded":
            continue
        before = view_for(ply.before, None).round
        assert before is not None
        void = event.result is not None and event.result.kind == "void"
        assert before.last_turn is void
        told.add(void)
    assert told == {True, False}


def test_void_turns_counted__passes_and_draws_do_not_count() -> None:
    state = dealt(rules(), ["", ""], "7H")
    assert table(play(state, Pass())).turns_played == 0
    state = all_pass(state)
    assert table(state).turns_played == 0
    assert table(play(state, STOCK)).turns_played == 0
    assert table(idle_turn(state)).turns_played == 1


@pytest.mark.parametrize("hand,kind", [(GIN, "gin"), (SEVEN, "knock")])
def test_void_going_out__with_the_last_card_of_the_stock_settles(hand: str, kind: str) -> None:
    state = dealt(rules(upcard_offer=False), [hand, ""], "7H")
    for _ in range(28):
        state = idle_turn(state)
    state = play(state, STOCK)
    card = table(state).drawn_card
    assert len(table(state).deck) - table(state).stock_at == 2
    out = play(state, Knock(card))
    assert table(out).going_out == kind
    assert table(out).phase == ("over" if kind == "gin" else "layoff")


def test_void_going_out__on_the_last_turn_settles() -> None:
    state = dealt(rules(upcard_offer=False, turn_limit=20), ["", GIN], "7H")
    for _ in range(19):
        state = idle_turn(state)
    state = play(state, STOCK)
    over = play(state, Knock(table(state).drawn_card))
    assert (result(over).kind, result(over).winner) == ("gin", 1)


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_void_nothing__no_points_no_box_and_all_hands_shown(preset: str, seats: int) -> None:
    state = all_pass(dealt(rules(preset, turn_limit=20), [""] * seats, "7S"))
    while table(state).phase != "over":
        assert table(state).phase != "layoff"
        state = idle_turn(state)
    found = result(state)
    assert (found.lines, found.winner, found.knocker) == ((), None, None)
    assert (state.totals, state.boxes) == ((0,) * seats, (0,) * seats)
    assert [each.seat for each in found.hands] == list(range(seats))


@pytest.mark.parametrize("by", ["winner", "loser", "rotate"])
def test_void_same_dealer__whatever_the_option_says(by: str) -> None:
    state = all_pass(dealt(rules(next_dealer=by, turn_limit=20), ["", "", ""], "7H"))
    while table(state).phase != "over":
        state = idle_turn(state)
    again = dealt_again(state)
    assert (table(again).dealer, turn(again), table(again).number) == (2, 0, 2)
