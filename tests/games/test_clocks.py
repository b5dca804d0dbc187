"""Clocks without a clock: a late seat's time is called by whoever likes, once."""

from random import Random

import pytest

from service.games.view import Answer
from service.rules.moves import Draw, Pass
from service.rules.ruleset import PRESETS
from tests.games.playing import Table, code_of

SECONDS = 30


def table_with_a_clock(action: str = "autoplay", seats: int = 2) -> Table:
    table = Table(seats=seats, turn_seconds=SECONDS, timeout_action=action)  # type: ignore[arg-type]
    table.deal()
    return table


def call_time(table: Table, seat: int = 0) -> Answer:
    return table.games.claim(table.game_id, table.ask(seat))


def too_late(table: Table) -> None:
    assert table.record.turn_deadline is not None
    table.clock.millis = table.record.turn_deadline + 1


def types(table: Table, since: int) -> list[str]:
    return [logged.event.type for logged in table.events()[since:]]


def test_a_turn_begins_with_its_deadline_and_keeps_it() -> None:
    table = table_with_a_clock()
    began = table.clock.millis
    assert table.record.turn_deadline == began + SECONDS * 1000
    table.clock.millis += 5_000
    table.move(Draw("discard"))
    assert table.record.turn_deadline == began + SECONDS * 1000
    table.games.set_entropy(table.game_id, "x", table.ask(1 - table.turn))
    assert table.record.turn_deadline == began + SECONDS * 1000


def test_the_next_turn_has_a_deadline_of_its_own() -> None:
    table = table_with_a_clock()
    table.clock.millis += 5_000
    table.move(Pass())
    assert table.record.turn_deadline == table.clock.millis + SECONDS * 1000


def test_nobody_is_late_before_the_deadline_has_passed() -> None:
    table = table_with_a_clock()
    before = table.record
    table.clock.millis = before.turn_deadline or 0
    assert code_of(lambda: call_time(table)) == "deadline_not_passed"
    assert table.record is before


def test_a_late_seat_may_still_move_until_somebody_claims() -> None:
    table = table_with_a_clock()
    too_late(table)
    table.move(Pass())
    assert code_of(lambda: call_time(table)) == "deadline_not_passed"


def test_a_late_seat_passes_the_upcard() -> None:
    table = table_with_a_clock()
    late, since = table.turn, table.record.version
    too_late(table)
    call_time(table, 1 - late)
    assert types(table, since) == ["timed_out", "passed"]
    assert [logged.event.seat for logged in table.events()[since:]] == [late, late]
    assert table.turn == 1 - late
    assert table.record.turn_deadline == table.clock.millis + SECONDS * 1000


def test_a_late_seat_draws_from_the_stock_and_throws_what_it_drew() -> None:
    table = table_with_a_clock()
    table.move(Pass())
    table.move(Pass())
    since = table.record.version
    too_late(table)
    call_time(table)
    assert types(table, since) == ["timed_out", "drew", "discarded"]
    drew, threw = (logged.event for logged in table.events()[since + 1 :])
    assert (drew.source, drew.card) == ("stock", threw.card)


def test_a_late_seat_that_may_not_throw_back_throws_what_helps_least() -> None:
    table = table_with_a_clock()
    late = table.turn
    table.move(Draw("discard"))
    taken = table.record.state.round
    assert taken is not None
    too_late(table)
    call_time(table)
    threw = table.events()[-1].event
    assert (threw.type, threw.seat) == ("discarded", late)
    assert threw.card != taken.drawn_card


def test_a_late_seat_answers_a_knock_best() -> None:
    table, dice = table_with_a_clock(), Random(3)
    while table.phase != "layoff":
        table.go_on(dice)
    since = table.record.version
    too_late(table)
    call_time(table)
    assert types(table, since) == ["timed_out", "laid_off"]


def test_one_claim_ends_one_turn() -> None:
    table = table_with_a_clock()
    too_late(table)
    call_time(table)
    assert code_of(lambda: call_time(table)) == "deadline_not_passed"


def test_forfeit_ends_a_game_of_two_for_the_late_seat() -> None:
    table = table_with_a_clock("forfeit")
    late = table.turn
    too_late(table)
    view = call_time(table, 1 - late).view
    assert view.result is not None
    assert (view.result.winner, view.result.reason) == (1 - late, "timed_out")
    assert table.events()[-1].event.type == "timed_out"


def test_forfeit_takes_one_of_three_out_and_the_others_play_on() -> None:
    table = table_with_a_clock("forfeit", seats=3)
    late = table.turn
    too_late(table)
    view = call_time(table, (late + 1) % 3).view
    assert view.result is None
    assert view.players[late].out
    assert view.round is not None
    assert view.round.result is not None
    assert view.round.result.kind == "void"
    assert view.turn_deadline is None


def test_without_a_clock_nobody_is_late() -> None:
    table = Table()
    table.deal()
    table.clock.millis += 10**9
    assert table.record.turn_deadline is None
    assert code_of(lambda: call_time(table)) == "wrong_phase"


def test_nobody_is_late_between_rounds_nor_before_the_first() -> None:
    table = Table(turn_seconds=SECONDS)
    assert code_of(lambda: call_time(table)) == "wrong_phase"


def test_a_claim_needs_a_seat() -> None:
    table = table_with_a_clock()
    too_late(table)
    assert code_of(lambda: table.games.claim(table.game_id, table.ask_as_nobody())) == (
        "token_required"
    )


@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_game_can_be_played_by_claims_alone(preset: str) -> None:
    rules = PRESETS[preset].rules
    table = Table(rules=rules, turn_seconds=SECONDS, seats=3)
    table.deal()
    for _ in range(200):
        if table.phase == "over":
            break
        too_late(table)
        call_time(table)
    assert table.phase == "over"
    assert sum(held_cards(table)) == 21


def held_cards(table: Table) -> list[int]:
    assert table.record.state.round is not None
    return [hand.bit_count() for hand in table.record.state.round.hands]
