"""The lobby: open games, the newest first; what it names is checked when it is read."""

import pytest

from service.games.access import Caller
from service.games.lobby import place_of
from service.games.ports import StoreUnavailable
from tests.games.playing import Table, WatchedStore, code_of, request


def listed(table: Table) -> list[str]:
    return [entry.game_id for entry in table.games.open_games(100, None).games]


def test_a_public_game_with_a_free_seat_is_listed_until_it_is_full() -> None:
    table = Table(joined=1)
    [entry] = table.games.open_games(20, None).games
    assert (entry.game_id, entry.preset, entry.seats) == (table.game_id, "oklahoma", 2)
    assert [(player.seat, player.name, player.kind) for player in entry.players] == [
        (0, "Ann", "human")
    ]
    table.tokens.append(table.join("Bob").token)
    assert listed(table) == []
    table.games.leave(table.game_id, table.ask(1))
    assert listed(table) == [table.game_id]
    table.games.leave(table.game_id, table.ask(0))
    assert listed(table) == []


def test_a_private_game_is_never_listed() -> None:
    table = Table(joined=1, visibility="private")
    assert listed(table) == []
    table.look(0)
    assert listed(table) == []


def create_several(table: Table, count: int) -> list[str]:
    """Create more open games, two in each millisecond, and return the ids of all."""
    ids = [table.game_id]
    for number in range(1, count):
        table.clock.millis += number % 2
        ids.append(table.games.create(table.new(), request()).view.game_id)
    return ids


def test_pages_follow_each_other_without_gap_or_double() -> None:
    table = Table(joined=1)
    ids = create_several(table, 7)
    found: list[str] = []
    cursor = None
    for _ in range(3):
        page = table.games.open_games(3, cursor)
        found += [entry.game_id for entry in page.games]
        cursor = page.next_cursor
    assert cursor is None
    assert sorted(found) == sorted(ids)
    created = [table.store.games[game_id].record.created_at for game_id in found]
    assert created == sorted(created, reverse=True)


def test_games_that_filled_up_unnoticed_leave_no_hole_in_a_page() -> None:
    table = Table(joined=1)
    ids = create_several(table, 4)
    for game_id in ids[2:]:
        table.games.join(game_id, "Bob", None, request())
        table.store.lobby.add(place_of(table.store.games[game_id].record))
    page = table.games.open_games(2, None)
    assert sorted(entry.game_id for entry in page.games) == sorted(ids[:2])


def test_a_game_that_expired_is_passed_over() -> None:
    table = Table(joined=1)
    del table.store.games[table.game_id]
    assert listed(table) == []


def test_a_waiting_game_that_is_looked_at_is_listed_again() -> None:
    table = Table(joined=1)
    table.store.lobby.clear()
    table.games.look(table.game_id, Caller()).view()
    assert listed(table) == [table.game_id]


def test_a_cursor_that_is_none_is_refused() -> None:
    table = Table(joined=1)
    assert code_of(lambda: table.games.open_games(5, "x")) == "malformed_request"


class DeafLobby(WatchedStore):
    def list_open(self, place: str, life: int) -> None:
        raise StoreUnavailable(f"{place} for {life}")

    def strike(self, place: str) -> None:
        raise StoreUnavailable(place)


@pytest.mark.parametrize("joined", [1, 2])
def test_a_lobby_that_cannot_be_written_fails_no_request(joined: int) -> None:
    table = Table(joined=joined, store=DeafLobby())
    assert table.look(0).status == "waiting"
