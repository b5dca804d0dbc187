"""Bots at the table: they play in the request that gives them the turn, in one commit."""

from random import Random

import pytest

from service.rules.moves import Resign
from tests.games.playing import Table, chosen, code_of


def table_with_bots(count: int, level: str = "medium") -> Table:
    table = Table(seats=count + 1, joined=1)
    for _ in range(count):
        table.games.add_bot(table.game_id, level, None, table.ask(0))
    return table


def test_the_host_seats_bots_and_nobody_else_does() -> None:
    table = Table(seats=3, joined=2)
    assert table.look(0).actions.add_bot
    assert not table.look(1).actions.add_bot
    asked = table.ask(1)
    assert code_of(lambda: table.games.add_bot(table.game_id, "easy", None, asked)) == "host_only"
    view = table.games.add_bot(table.game_id, "easy", "Rosie", table.ask(0)).view
    assert [(player.name, player.kind) for player in view.players][2] == ("Rosie", "bot")
    assert not view.actions.add_bot
    asked = table.ask(0)
    assert code_of(lambda: table.games.add_bot(table.game_id, "easy", None, asked)) == "game_full"


def test_a_bot_is_named_after_its_level_and_can_be_taken_out() -> None:
    table = table_with_bots(1)
    assert table.look(0).players[1].name == "Medium bot"
    assert table.look(0).actions.remove == (1,)
    view = table.games.remove(table.game_id, 1, table.ask(0)).view
    assert [player.seat for player in view.players] == [0]


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("level", ["easy", "medium"])
def test_a_game_with_bots_needs_no_move_but_the_players(count: int, level: str) -> None:
    table, dice = table_with_bots(count, level), Random(count)
    table.deal()
    while not table.record.state.result:
        commits = len(table.store.commits)
        if table.phase == "over":
            table.deal()
        else:
            assert table.turn == 0
            table.move(chosen(table.look(0), dice))
        assert len(table.store.commits) == commits + 1
    log = table.events()
    assert [logged.version for logged in log] == list(range(1, table.record.version + 1))
    assert len({logged.id for logged in log}) == len(log)


def test_what_the_bots_do_in_one_commit_has_an_event_each_and_one_revision() -> None:
    table, dice = table_with_bots(3), Random(4)
    table.deal()
    for _ in range(6):
        if table.phase != "over":
            table.move(chosen(table.look(0), dice))
    longest = max(table.store.commits, key=lambda commit: len(commit.events))
    assert len(longest.events) > 3
    assert longest.events[-1].version == longest.record.version


def test_bots_do_not_play_on_by_themselves() -> None:
    table = table_with_bots(2)
    table.deal()
    view = table.move(Resign(), 0).view
    assert view.result is not None
    assert (view.result.winner, view.result.reason) == (1, "resigned")


def test_a_bot_has_no_token_that_anybody_was_given() -> None:
    table = table_with_bots(1)
    assert len(table.tokens) == 1
