"""A finished round is on record whole: from its deck and its moves it can be played again."""

from functools import partial
from random import Random

import pytest

from service.games.access import Caller
from service.games.view import LoggedEventView, RoundPage
from service.rules.cards import cards_in
from service.rules.moves import Deal, Discard, Draw, Knock, LayOff, Move, Pass, Resign
from service.rules.play import apply
from service.rules.ruleset import PRESETS, choose_rules
from service.rules.state import GameState
from tests.games.playing import Table, code_of
from tests.rules.tables import full, with_totals


def move_of(logged: LoggedEventView) -> Move | None:
    """Return the move that an event tells of, as it was named."""
    event = logged.event
    match event.type:
        case "passed":
            return Pass()
        case "drew":
            assert event.source
            assert event.card is not None
            return Draw(event.source)
        case "discarded":
            assert event.card is not None
            return Discard(event.card)
        case "knocked":
            return Knock(event.card, event.melds)
        case "laid_off":
            return LayOff(event.layoffs, event.melds)
        case "resigned":
            return Resign()
    return None


def replayed(page: RoundPage, before: GameState) -> GameState:
    """Return the game after the recorded moves, played again from the recorded deck."""
    dealt, *moves = page.moves
    assert dealt.event.type == "dealt"
    assert dealt.event.hand is None
    state = apply(before, 0, Deal(page.deck, (page.dealer + 1) % before.seats)).state
    for logged in moves:
        move, seat = move_of(logged), logged.event.seat
        if move:
            drawn = apply(state, seat, move)
            assert (drawn.event.card, drawn.event.type) == (logged.event.card, logged.event.type)
            state = drawn.state
    return state


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_rounds_on_record_play_again_to_the_same_result(preset: str, seats: int) -> None:
    chosen = choose_rules(preset, {"target_score": 40, "round_limit": 3})
    table = Table(rules=chosen, seats=seats, seed=seats)
    table.play_out(Random(preset))
    sheet = table.games.score(table.game_id, Caller())
    totals: tuple[int, ...] = (0,) * seats
    assert sheet.rounds
    for found in sheet.rounds:
        page = table.games.round(table.game_id, found.number, Caller())
        assert (page.number, page.result) == (found.number, found)
        before = with_totals(full(chosen, seats), *totals)
        again = replayed(page, before)
        assert again.round
        assert again.round.result
        assert (again.round.result.lines, again.totals) == (found.lines, found.totals)
        assert again.round.result.hands == found.hands
        totals = found.totals
    assert totals == tuple(line.total for line in sheet.players)
    assert sheet.result == table.record.state.result


def test_a_record_holds_every_move_from_the_deal_to_the_end() -> None:
    table = Table(rules=choose_rules("oklahoma", {"round_limit": 3, "target_score": 10000}))
    table.play_out(Random(5))
    logged = [event.version for event in table.events()]
    recorded = [
        move.version
        for number in (1, 2, 3)
        for move in table.games.round(table.game_id, number, Caller()).moves
    ]
    assert recorded == logged[2:]
    for number in (1, 2, 3):
        page = table.games.round(table.game_id, number, Caller())
        assert sorted(page.deck) == list(range(52))
        drawn = [move.event for move in page.moves if move.event.type == "drew"]
        assert drawn
        assert all(event.card is not None for event in drawn)
        shown = sum(len(cards_in(meld)) for hand in page.result.hands for meld in hand.melds)
        assert shown >= 0


def test_a_running_or_missing_round_is_not_on_record() -> None:
    table = Table()
    table.deal()
    for number in (0, 1, 2):
        look = partial(table.games.round, table.game_id, number, Caller())
        assert code_of(look) == "round_not_found"


def test_a_round_that_a_resignation_ended_is_on_record_as_void() -> None:
    table = Table()
    table.deal()
    table.move(Resign(), 1)
    page = table.games.round(table.game_id, 1, Caller())
    assert (page.result.kind, page.moves[-1].event.type) == ("void", "resigned")
    assert table.games.score(table.game_id, Caller()).rounds == (page.result,)


def test_a_resignation_between_rounds_changes_no_record() -> None:
    table = Table(seats=3)
    table.play_round(Random(6))
    before = table.games.round(table.game_id, 1, Caller())
    table.move(Resign(), 1)
    assert table.games.round(table.game_id, 1, Caller()) == before
    assert len(table.games.score(table.game_id, Caller()).rounds) == 1
