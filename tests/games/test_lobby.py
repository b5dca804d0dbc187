"""The lobby: open games, the newest first; what it names is checked when it is read."""

from dataclasses import replace
from random import Random

import pytest

from service.games.access import Caller
from service.games.changes import NewBot, NewGame
from service.games.lobby import place_of
from service.games.ports import Listing, StoreUnavailable
from service.rules.ruleset import OPTIONS, PRESETS
from tests.games.playing import Table, WatchedStore, code_of, request


def listed(table: Table, listing: Listing = "waiting") -> list[str]:
    return [entry.game_id for entry in table.games.list_games(listing, 100, None).games]


def test_a_public_game_with_a_free_seat_is_listed_until_it_is_full() -> None:
    table = Table(joined=1)
    [entry] = table.games.list_games("waiting", 20, None).games
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
    table = Table(visibility="private")
    table.look(0)
    table.deal()
    assert listed(table) == listed(table, "playing") == []
    assert table.store.lists == {"waiting": set(), "playing": set()}


def test_a_public_game_can_be_found_to_watch_from_its_first_deal_to_its_end() -> None:
    table = Table()
    assert listed(table, "playing") == []
    table.deal()
    assert (listed(table), listed(table, "playing")) == ([], [table.game_id])
    table.play_out(Random(1))
    assert table.record.state.round
    assert table.record.state.round.number > 1
    assert listed(table, "playing") == []
    assert table.store.lists == {"waiting": set(), "playing": set()}


def test_a_game_that_is_dealt_when_it_is_created_is_there_to_watch() -> None:
    table = Table()
    new = NewGame("Ann", 2, "oklahoma", table.rules, bots=(NewBot("easy"),), deal=True)
    game_id = table.games.create(new, request()).view.game_id
    [entry] = table.games.list_games("playing", 20, None).games
    assert (entry.game_id, entry.status) == (game_id, "playing")


class CountingLobby(WatchedStore):
    """Counts what is written to the lists."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[str] = []

    def list_game(self, listing: Listing, place: str, life: int) -> None:
        self.written.append(f"list {listing}")
        super().list_game(listing, place, life)

    def strike(self, listing: Listing, place: str) -> None:
        self.written.append(f"strike {listing}")
        super().strike(listing, place)


def test_the_lists_are_written_where_they_change_and_by_no_other_move() -> None:
    store = CountingLobby()
    table = Table(store=store)
    table.games.set_entropy(table.game_id, "seven herons", table.ask(0))
    table.play_out(Random(1))
    assert store.written == ["list waiting", "strike waiting", "list playing", "strike playing"]


def test_an_entry_tells_the_options_that_differ_from_its_preset() -> None:
    rules = replace(PRESETS["oklahoma"].rules, target_score=50, upcard_offer=False)
    [entry] = Table(joined=1, rules=rules).games.list_games("waiting", 20, None).games
    assert (entry.status, entry.title) == ("waiting", "Oklahoma Gin")
    assert entry.options == {"target_score": 50, "upcard_offer": False}


def test_of_a_preset_that_is_not_known_here_all_options_are_told() -> None:
    table = Table(joined=1)
    kept = table.store.games[table.game_id]
    kept.record = replace(kept.record, preset="moonlight")
    [entry] = table.games.list_games("waiting", 20, None).games
    assert (entry.preset, entry.title) == ("moonlight", "moonlight")
    assert set(entry.options) == {option.name for option in OPTIONS}


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
        page = table.games.list_games("waiting", 3, cursor)
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
        table.store.lists["waiting"].add(place_of(table.store.games[game_id].record))
    page = table.games.list_games("waiting", 2, None)
    assert sorted(entry.game_id for entry in page.games) == sorted(ids[:2])


def test_a_game_that_expired_is_passed_over() -> None:
    table = Table(joined=1)
    del table.store.games[table.game_id]
    assert listed(table) == []


def test_a_waiting_game_that_is_looked_at_is_listed_again() -> None:
    table = Table(joined=1)
    table.store.lists["waiting"].clear()
    table.games.look(table.game_id, Caller()).view()
    assert listed(table) == [table.game_id]


def test_a_cursor_that_is_none_is_refused() -> None:
    table = Table(joined=1)
    assert code_of(lambda: table.games.list_games("waiting", 5, "x")) == "malformed_request"


class DeafLobby(WatchedStore):
    def list_game(self, listing: Listing, place: str, life: int) -> None:
        raise StoreUnavailable(f"{place} in {listing} for {life}")

    def strike(self, listing: Listing, place: str) -> None:
        raise StoreUnavailable(f"{place} in {listing}")


@pytest.mark.parametrize("joined", [1, 2])
def test_a_lobby_that_cannot_be_written_fails_no_request(joined: int) -> None:
    table = Table(joined=joined, store=DeafLobby())
    assert table.look(0).status == "waiting"


def test_a_game_that_could_not_be_struck_is_passed_over() -> None:
    table = Table()
    table.deal()
    place = place_of(table.record)
    table.play_out(Random(1))
    table.store.list_game("playing", place, 1)
    table.store.list_game("waiting", place, 1)
    assert listed(table) == listed(table, "playing") == []
