"""A game against bots in one request, and what is refused of it."""

from typing import Any

import pytest

from tests.api.client import Client


def test_one_request_is_a_game_against_a_bot(client: Client) -> None:
    body = {"name": "Ann", "bots": [{"level": "medium", "name": "Mia"}], "deal": True}
    answer = client.post("/v1/games", body)
    assert answer.status_code == 201
    game = answer.get_json()["game"]
    assert [player["name"] for player in game["players"]] == ["Ann", "Mia"]
    assert game["round"]["turn"] == 0
    assert game["status"] == "playing"


@pytest.mark.parametrize(
    "more, pointer, says",
    [
        ({"bots": [{"level": "easy"}] * 2}, "/bots", "1 seats beside the host's"),
        ({"bots": [{"level": "easy"}] * 4, "seats": 4}, "/bots", "at most 3 bots"),
        ({"deal": True}, "/deal", "full table: send 1 bot,"),
        ({"deal": True, "seats": 3, "bots": [{"level": "easy"}]}, "/deal", "send 2 bots"),
        ({"deal": 1}, "/deal", "true or false"),
        ({"bots": {"level": "easy"}}, "/bots", "Send a list"),
        ({"bots": [{"level": "grand"}]}, "/bots/0/level", "easy"),
        ({"bots": [None]}, "/bots/0", "an object with level"),
        ({"bots": None}, "/bots", "null is never taken"),
    ],
)
def test_what_does_not_fit_is_refused(
    client: Client, more: dict[str, Any], pointer: str, says: str
) -> None:
    answer = client.post("/v1/games", {"name": "Ann", **more})
    assert answer.status_code == 422
    [fault] = answer.get_json()["errors"]
    assert fault["pointer"] == pointer
    assert says in fault["detail"]
