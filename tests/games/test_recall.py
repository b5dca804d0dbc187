"""A process decides on what it saw last: never a refusal for what is past, never a second move."""

from random import Random

import pytest

from service.games.access import Caller
from service.games.errors import Refusal
from service.games.ports import Loaded
from service.games.usecases import Games
from service.rules.moves import Draw, Pass
from tests.games.memory import MemoryStore
from tests.games.playing import Table, code_of
from tests.games.table import games_over


class OtherProcess(MemoryStore):
    """Another process over the same games; it counts its reads."""

    def __init__(self, first: MemoryStore) -> None:
        super().__init__()
        self.games = first.games
        self.reads = 0

    def load(self, game_id: str, operation_id: str | None = None) -> Loaded | None:
        self.reads += 1
        return super().load(game_id, operation_id)


def with_another_process() -> tuple[Table, Games, OtherProcess]:
    table = Table()
    table.deal()
    store = OtherProcess(table.store)
    games = games_over(store, seed=2)
    games.look(table.game_id, Caller(table.tokens[0]))
    store.reads = 0
    return table, games, store


def test_what_was_seen_last_need_not_be_read() -> None:
    table, other, store = with_another_process()
    other.move(table.game_id, Pass(), table.ask(table.turn))
    other.move(table.game_id, Pass(), table.ask(table.turn))
    assert store.reads == 0
    assert table.record.version == table.look(0).version == 5


def test_a_move_that_what_was_seen_would_refuse_is_read_for_and_applied() -> None:
    table, other, store = with_another_process()
    table.move(Pass())
    table.move(Pass())
    answer = other.move(table.game_id, Draw("stock"), table.ask(table.turn))
    assert answer.view.version == 6
    assert store.reads == 1


def test_a_refusal_is_of_the_game_as_it_is() -> None:
    table, other, _ = with_another_process()
    late = table.turn
    table.move(Pass())
    with pytest.raises(Refusal) as refused:
        other.move(table.game_id, Pass(), table.ask(late))
    assert refused.value.code == "not_your_turn"
    assert refused.value.look
    assert refused.value.look().version == table.record.version


def test_a_move_on_what_is_past_is_decided_again() -> None:
    table, other, _ = with_another_process()
    table.games.set_entropy(table.game_id, "elsewhere", table.ask(0))
    answer = other.move(table.game_id, Pass(), table.ask(table.turn))
    assert answer.view.version == table.record.version == 5
    assert [logged.version for logged in table.events()] == [1, 2, 3, 4, 5]


def test_a_precondition_holds_for_the_game_as_it_is() -> None:
    table, other, _ = with_another_process()
    seen = table.record.revision
    table.games.set_entropy(table.game_id, "elsewhere", table.ask(0))
    asked = table.ask(table.turn, when=seen.__eq__)
    assert code_of(lambda: other.move(table.game_id, Pass(), asked)) == "stale_version"
    asked = table.ask(table.turn, when=table.record.revision.__eq__)
    assert other.move(table.game_id, Pass(), asked).view.version == 5


def test_what_was_applied_elsewhere_is_replayed() -> None:
    table, other, _ = with_another_process()
    seat = table.turn
    first = table.move(Pass(), key="k1")
    again = other.move(table.game_id, Pass(), table.ask(seat, "k1"))
    assert again.replayed
    assert again.view == first.view


def test_a_token_renewed_elsewhere_opens_nothing_here() -> None:
    table, other, _ = with_another_process()
    seat = table.turn
    old = table.ask(seat)
    table.tokens[seat] = table.games.renew_token(table.game_id, old).token
    assert code_of(lambda: other.move(table.game_id, Pass(), old)) == "token_invalid"
    assert other.move(table.game_id, Pass(), table.ask(seat)).view.version == 5


def test_two_processes_play_one_whole_game() -> None:
    table, other, store = with_another_process()
    processes = (table.games, other)
    dice = Random(7)
    while not table.record.state.result:
        table.games = processes[dice.randrange(2)]
        table.go_on(dice)
    versions = [logged.version for logged in table.events()]
    assert versions == list(range(1, table.record.version + 1))
    assert store.reads
