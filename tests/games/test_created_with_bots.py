"""A game that is created with its bots, and dealt, in one commit."""

from dataclasses import replace

from service.games.access import Caller
from service.games.changes import NewBot
from tests.games.memory import MemoryStore
from tests.games.playing import CREATE_KEY, request
from tests.games.table import games_over, new_game

CREATION = request(path="POST /v1/games", key=CREATE_KEY)


def test_bots_sit_down_with_the_host() -> None:
    store = MemoryStore()
    new = replace(new_game(seats=4), bots=(NewBot("easy"), NewBot("medium", "Mia")))
    seated = games_over(store).create(new, CREATION)
    assert [player.name for player in seated.view.players] == ["Ann", "Easy bot", "Mia"]
    log = store.games[seated.view.game_id].log
    assert [logged.event.type for logged in log] == ["created", "joined", "joined"]
    assert [logged.version for logged in log] == [1, 2, 3]
    assert seated.view.status == "waiting"


def test_a_table_full_of_bots_is_dealt_and_waits_for_its_host() -> None:
    for seed in range(20):
        store = MemoryStore()
        new = replace(new_game(seats=3), bots=(NewBot("easy"), NewBot("easy")), deal=True)
        games = games_over(store, seed=seed)
        seated = games.create(new, CREATION)
        log = store.games[seated.view.game_id].log
        types = [logged.event.type for logged in log]
        assert types[:4] == ["created", "joined", "joined", "dealt"]
        assert [logged.version for logged in log] == list(range(1, seated.view.version + 1))
        assert seated.view.round
        assert seated.view.round.turn == 0
        again = games.create(new, CREATION)
        assert (again.replayed, again.token, again.view) == (True, seated.token, seated.view)
        assert games.look(seated.view.game_id, Caller(seated.token)).view() == seated.view
