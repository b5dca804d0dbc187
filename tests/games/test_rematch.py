"""Rematches: the same seats go on in one more game, whoever asks, however often."""

from dataclasses import replace
from random import Random

import pytest

from service.games.access import Caller
from service.games.errors import Refusal
from service.games.view import Seated
from service.rules.moves import Resign
from tests.games.playing import Table, code_of, request, use_cases
from tests.games.table import KEY


def finished(seats: int = 2, **words: object) -> Table:
    table = Table(seats=seats, **words)  # type: ignore[arg-type]
    table.deal()
    for seat in range(1, seats):
        table.move(Resign(), seat)
    assert table.record.state.result is not None
    return table


def call(table: Table, seat: int, key: str | None = None) -> Seated:
    return table.games.rematch(table.game_id, table.ask(seat, key, path="POST /rematch"))


def test_all_who_ask_get_the_same_game_and_a_seat_each() -> None:
    table = finished(seats=3)
    taken = [call(table, seat) for seat in (1, 0, 2)]
    assert len({seated.view.game_id for seated in taken}) == 1
    assert [seated.seat for seated in taken] == [0, 2, 1]
    assert len({seated.token for seated in taken}) == 3
    for seated in taken:
        look = table.games.look(seated.view.game_id, Caller(seated.token)).view()
        assert look.you is not None
        assert look.you.seat == seated.seat
    assert [player.name for player in taken[0].view.players] == ["Bob", "Cyd", "Ann"]


def test_the_rematch_is_full_unlisted_and_can_be_dealt_at_once() -> None:
    table = finished()
    seated = call(table, 0)
    assert seated.view.status == "waiting"
    assert seated.view.actions.deal
    assert table.games.list_games("waiting", 20, None).games == ()
    dealt = table.games.deal(seated.view.game_id, None, table.ask_with(seated.token))
    assert dealt.view.round is not None


def test_the_tag_of_the_finished_game_is_good_for_all_who_ask() -> None:
    table = finished()
    tag = table.record.revision
    asks = [
        replace(table.ask(seat, None, path="POST /rematch"), precondition=lambda seen: seen == tag)
        for seat in (0, 1)
    ]
    taken = [table.games.rematch(table.game_id, ask) for ask in asks]
    assert len({seated.view.game_id for seated in taken}) == 1


def test_a_tag_from_before_the_end_calls_no_rematch() -> None:
    table = finished()
    ask = replace(table.ask(0, None, path="POST /rematch"), precondition=lambda _seen: False)
    with pytest.raises(Refusal) as refused:
        table.games.rematch(table.game_id, ask)
    assert refused.value.code == "stale_version"
    assert table.record.rematch_game_id is None


def test_it_is_called_once_and_can_be_asked_for_again() -> None:
    table = finished()
    first = call(table, 0)
    version = table.record.version
    again = call(table, 0)
    assert (again.view.game_id, again.token) == (first.view.game_id, first.token)
    assert table.record.version == version
    assert table.events()[-1].event.type == "rematched"
    assert table.look(1).rematch_game_id == first.view.game_id


def test_the_same_key_replays_it() -> None:
    table = finished()
    first = call(table, 0, "again")
    replay = call(table, 0, "again")
    assert (first.replayed, replay.replayed) == (False, True)
    assert replay.token == first.token


def test_two_who_ask_at_once_get_one_game() -> None:
    table = finished()
    others: list[Seated] = []
    table.store.before += [lambda: None, lambda: others.append(call(table, 1))]
    mine = call(table, 0)
    assert others[0].view.game_id == mine.view.game_id
    assert others[0].seat != mine.seat
    rematched = [e for e in table.events() if e.event.type == "rematched"]
    assert len(rematched) == 1


def test_rules_clock_and_bots_go_on() -> None:
    table = Table(seats=3, joined=2, turn_seconds=60)
    table.games.add_bot(table.game_id, "easy", "Rosie", table.ask(0))
    table.deal()
    table.move(Resign(), 1)
    while not table.record.state.result:
        table.go_on(Random(2))
    seated = call(table, 0)
    assert [(player.name, player.kind) for player in seated.view.players] == [
        ("Bob", "human"),
        ("Rosie", "bot"),
        ("Ann", "human"),
    ]
    assert seated.view.rules == table.look(0).rules
    dealt = table.games.deal(seated.view.game_id, None, table.ask_with(seated.token))
    assert dealt.view.turn_deadline == table.clock.millis + 60_000


@pytest.mark.parametrize("begun", [False, True])
def test_a_game_that_is_not_over_has_none(begun: bool) -> None:
    table = Table()
    if begun:
        table.deal()
    assert not table.look(0).actions.rematch
    assert code_of(lambda: call(table, 0)) == "wrong_phase"


def test_a_cancelled_game_has_none() -> None:
    table = Table()
    table.games.leave(table.game_id, table.ask(0))
    assert not table.look(1).actions.rematch
    assert code_of(lambda: call(table, 1)) == "wrong_phase"


def test_a_spectator_has_no_seat_to_go_on_with() -> None:
    table = finished()
    asked = table.ask_as_nobody()
    assert code_of(lambda: table.games.rematch(table.game_id, asked)) == "token_required"
    call(table, 0)
    assert code_of(lambda: table.games.rematch(table.game_id, asked)) == "token_required"


def test_a_rematch_that_expired_is_made_again() -> None:
    table = finished()
    first = call(table, 0)
    del table.store.games[first.view.game_id]
    again = call(table, 0)
    assert (again.view.game_id, again.token) == (first.view.game_id, first.token)


def leave_rematch(table: Table, seated: Seated) -> None:
    table.games.leave(seated.view.game_id, table.ask_with(seated.token))


def test_a_seat_given_up_in_the_rematch_is_nobodys_who_asks_again() -> None:
    table = finished()
    ann = call(table, 0)
    assert ann.seat == 1
    leave_rematch(table, ann)
    assert code_of(lambda: call(table, 0)) == "wrong_phase"
    cid = table.games.join(ann.view.game_id, "Cid", None, request())
    assert cid.seat == ann.seat
    assert code_of(lambda: call(table, 0)) == "wrong_phase"


def test_a_token_renewed_in_the_rematch_is_not_given_to_the_old_one() -> None:
    table = finished()
    ann = call(table, 0)
    table.games.renew_token(ann.view.game_id, table.ask_with(ann.token))
    assert code_of(lambda: call(table, 0)) == "wrong_phase"


def test_a_seat_freed_in_the_rematch_is_not_listed() -> None:
    table = finished()
    leave_rematch(table, call(table, 0))
    assert table.games.list_games("waiting", 20, None).games == ()


def test_the_host_of_a_rematch_is_human_and_gets_its_invite() -> None:
    table = Table(joined=1, visibility="private")
    table.games.add_bot(table.game_id, "easy", None, table.ask(0))
    table.deal()
    table.move(Resign(), 0)
    seated = call(table, 0)
    assert seated.seat == 0
    assert [player.kind for player in seated.view.players] == ["human", "bot"]
    assert table.games.look(seated.view.game_id, Caller(None, seated.invite)).view().you is None


def test_who_does_not_become_host_gets_no_invite() -> None:
    table = finished()
    assert call(table, 0).invite is None
    assert call(table, 1).invite is not None


def test_a_rematch_goes_on_after_a_change_of_the_secret() -> None:
    table = finished()
    first = call(table, 0)
    table.games = use_cases(table.store, 5, secret="n" * 32, previous=KEY, clock=table.clock)
    again = call(table, 0)
    assert again.view.game_id == first.view.game_id
    assert again.seat == first.seat
