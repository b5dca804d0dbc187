"""Seats before the first deal and after the last: joining, leaving, bots, lateness, rematches."""

import pytest

from service.rules import seating
from service.rules.legal import Actions, legal
from service.rules.moves import (
    Discard,
    Draw,
    Join,
    LayOff,
    Leave,
    Pass,
    Rematch,
    Remove,
    Resign,
    SetEntropy,
    TimeOut,
)
from service.rules.play import apply, default_move, new_game
from service.rules.views import view_for
from tests.rules.tables import (
    PILE,
    STOCK,
    all_pass,
    dealt,
    full,
    knocked,
    names,
    play,
    refused,
    resigned,
    result,
    rules,
    table,
)

KNOCK = "5S 6S 7S JC JD JH 2D"


def test_a_new_game_has_its_host_and_free_seats() -> None:
    state = new_game(rules(), 3).state
    assert (state.occupants, state.status) == (("human", None, None), "waiting")
    assert [player.seat for player in view_for(state, 0).players] == [0]
    assert view_for(state, 0).round is None
    you = view_for(state, 0).you
    assert you
    assert (you.hand, you.melds, you.deadwood_points) == (0, (), 0)


def test_who_may_do_what_before_the_first_deal() -> None:
    state = apply(new_game(rules(), 3).state, None, Join()).state
    assert legal(state, None) == Actions(join=True)
    host = Actions(leave=True, add_bot=True, remove=(1,), entropy=True)
    assert legal(state, 0) == host
    assert legal(state, 1) == Actions(leave=True, entropy=True)
    ready = full(rules(), 3)
    assert legal(ready, None) == Actions()
    assert legal(ready, 1) == Actions(leave=True, deal=True, entropy=True)


def test_the_lowest_free_seat_is_taken() -> None:
    state = apply(apply(full(rules(), 4), 2, Leave()).state, 1, Leave()).state
    joined = apply(state, None, Join())
    assert (joined.event.seat, joined.event.occupant) == (1, "human")


def test_the_host_seats_bots_and_takes_seats_out() -> None:
    state = new_game(rules(), 3).state
    bot = apply(state, 0, Join("bot"))
    assert (bot.event.type, bot.event.seat, bot.event.occupant) == ("joined", 1, "bot")
    assert refused(state, None, Join("bot")).code == "host_only"
    assert refused(full(rules(), 3), 0, Join("bot")).code == "game_full"
    removed = apply(bot.state, 0, Remove(1))
    assert removed.state.occupants == ("human", None, None)
    assert refused(full(rules(), 3), 1, Remove(2)).code == "host_only"
    for seat in (0, 1, 2, 7):
        assert refused(state, 0, Remove(seat)).code == "wrong_phase"


def test_a_host_who_leaves_cancels_the_game() -> None:
    left = apply(full(rules("oklahoma-bonus"), 2), 0, Leave())
    assert left.state.result
    assert left.event.game_result == left.state.result
    assert (left.state.result.reason, left.state.result.winner) == ("cancelled", None)
    assert left.state.result.final_scores == (0, 0)
    assert legal(left.state, 1) == Actions()
    assert refused(left.state, 1, Rematch()).code == "wrong_phase"


def test_nobody_joins_twice_or_leaves_once_dealt() -> None:
    state = new_game(rules(), 2).state
    assert refused(state, 0, Join()).code == "already_seated"
    assert refused(full(rules(), 2), None, Join()).code == "game_full"
    assert refused(state, None, Leave()).code == "wrong_phase"
    assert refused(state, 0, Resign()).code == "wrong_phase"
    assert refused(state, None, SetEntropy()).code == "wrong_phase"
    begun = dealt(rules(), ["", ""], "7D")
    assert refused(begun, 1, Leave()).code == "wrong_phase"
    assert refused(begun, 0, Remove(1)).code == "wrong_phase"
    assert refused(state, 0, Pass()).code == "wrong_phase"


# Lateness


def test_a_late_seat_is_told_of_and_its_turn_stands() -> None:
    state = dealt(rules(), ["", ""], "7D")
    late = apply(state, 1, TimeOut(forfeit=False))
    assert (late.event.type, late.event.seat, late.state) == ("timed_out", 0, state)


def test_nobody_is_late_where_nobody_is_on_turn() -> None:
    waiting = full(rules(), 2)
    assert refused(waiting, 0, TimeOut(forfeit=False)).code == "wrong_phase"
    over = resigned(dealt(rules(), ["", "", ""], "7D"), 1)
    assert refused(over, 0, TimeOut(forfeit=True)).code == "wrong_phase"
    for state in (waiting, over):
        with pytest.raises(LookupError):
            default_move(state)
        with pytest.raises(LookupError):
            seating.time_out(state, 0, TimeOut(forfeit=False))


def test_what_is_played_for_a_late_seat() -> None:
    state = dealt(rules(), ["", ""], "7D", "5C")
    assert default_move(state) == Pass()
    state = all_pass(state)
    assert default_move(state) == Draw("stock")
    drawn = play(state, STOCK)
    card = table(drawn).drawn_card
    assert card is not None
    assert default_move(drawn) == Discard(card)
    assert default_move(knocked(rules("oklahoma-open"), [KNOCK, "", ""], "5C")) == LayOff()


def test_a_late_seat_may_not_throw_back_what_it_took() -> None:
    hand = "3S 4S 5S 9C 9D 9H KC KD QH 2C"
    taken = play(dealt(rules(), [hand, ""], "KH"), PILE)
    move = default_move(taken)
    assert isinstance(move, Discard)
    assert names([move.card]) == "QH"


# Rematches


def test_a_game_played_to_its_end_can_be_played_again() -> None:
    over = resigned(dealt(rules(), ["", ""], "7D"), 1)
    assert result(over).kind == "void"
    for seat in (0, 1):
        assert legal(over, seat) == Actions(rematch=True)
    again = apply(over, 0, Rematch())
    assert (again.event.type, again.state) == ("rematched", over)
    assert refused(dealt(rules(), ["", ""], "7D"), 0, Rematch()).code == "wrong_phase"
