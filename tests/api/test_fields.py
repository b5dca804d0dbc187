"""Strict fields: types are never bent, and every fault is named at once by its pointer."""

from typing import Any

import pytest

from tests.api.client import Client, Table, client_over
from tests.games.table import games_over


def faults_of(client: Client, path: str, body: Any, **words: Any) -> dict[str, str]:
    response = client.post(path, body, **words)
    assert response.status_code == 422
    return {fault["pointer"]: fault["detail"] for fault in response.get_json()["errors"]}


@pytest.mark.parametrize(
    "field, value",
    [
        ("seats", True),
        ("seats", "2"),
        ("seats", 2.0),
        ("seats", 5.9),
        ("seats", None),
        ("seats", []),
        ("seats", 1),
        ("seats", 5),
        ("name", 7),
        ("name", None),
        ("name", ["Ann"]),
        ("visibility", "Public"),
        ("visibility", True),
        ("visibility", None),
        ("turn_seconds", 4),
        ("turn_seconds", 604_801),
        ("turn_seconds", False),
        ("timeout_action", "sleep"),
        ("rules", []),
        ("rules", None),
        ("deck", None),
        ("deck", []),
        ("deck", ["AS"]),
        ("deck", [["AS"] * 52]),
        ("unknown", 1),
    ],
)
def test_a_wrong_value_is_refused_at_its_pointer(client: Client, field: str, value: Any) -> None:
    faults = faults_of(client, "/v1/games", {"name": "Ann", field: value})
    assert all(pointer.startswith(f"/{field}") for pointer in faults)


def test_all_faults_are_named_at_once(client: Client) -> None:
    body = {"seats": "2", "colour": 1, "rules": {"gin_bonus": -1, "a/b~c": 1}, "visibility": None}
    faults = faults_of(client, "/v1/games", body)
    assert set(faults) == {
        "/name",
        "/seats",
        "/colour",
        "/visibility",
        "/rules/gin_bonus",
        "/rules/a~1b~0c",
    }
    assert faults["/name"].startswith("This field is required")
    assert faults["/visibility"].startswith("null is never taken")


def test_a_fault_of_the_rules_alone_has_a_code_of_its_own(client: Client) -> None:
    response = client.post("/v1/games", {"name": "Ann", "rules": {"gin_bonus": True, "x": 1}})
    assert response.get_json()["code"] == "invalid_rules"
    pointers = {fault["pointer"] for fault in response.get_json()["errors"]}
    assert pointers == {"/rules/gin_bonus", "/rules/x"}


@pytest.mark.parametrize("preset", ["poker", 7, None, ["gin"]])
def test_an_unknown_preset_is_refused_at_its_pointer(client: Client, preset: Any) -> None:
    response = client.post("/v1/games", {"name": "Ann", "rules": {"preset": preset}})
    assert response.status_code == 422
    assert response.get_json()["code"] == "invalid_rules"
    assert response.get_json()["errors"][0]["pointer"] == "/rules/preset"


def test_a_card_of_a_deck_is_named_by_its_place(client: Client) -> None:
    deck = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    deck[3], deck[50] = "1C", "xx"
    faults = faults_of(client, "/v1/games", {"name": "Ann", "deck": [deck]})
    assert set(faults) == {"/deck/0/3", "/deck/0/50"}


def test_a_deck_is_refused_where_the_service_is_no_sandbox() -> None:
    client = client_over(games_over(), sandbox=False)
    deck = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    faults = faults_of(client, "/v1/games", {"name": "Ann", "deck": [deck], "seats": 9})
    assert set(faults) == {"/deck", "/seats"}
    assert "SANDBOX=1" in faults["/deck"]


def test_a_deck_is_dealt_in_a_sandbox(client: Client) -> None:
    deck = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    table = Table(client, deck=[deck])
    table.move(0, "deal")
    view = table.view(0)
    assert view["sandbox"] is True
    assert view["round"]["upcard"] == deck[20]
    assert view["you"]["hand"] == ["AC", "3C", "5C", "7C", "9C", "JC", "KC", "2D", "4D", "6D"]


@pytest.mark.parametrize(
    "move, body, pointer",
    [
        ("draw", {"source": "pile"}, "/source"),
        ("draw", {"source": ["stock"]}, "/source"),
        ("draw", {}, "/source"),
        ("discard", {"card": "10C"}, "/card"),
        ("discard", {"card": 7}, "/card"),
        ("discard", {"card": ["AS"]}, "/card"),
        ("discard", {"card": "as"}, "/card"),
        ("knock", {"discard": None}, "/discard"),
        ("knock", {"melds": [["AS", "AS", "2S"]]}, "/melds/0/1"),
        ("knock", {"melds": ["AS"]}, "/melds/0"),
        ("knock", {"melds": [[]]}, "/melds/0"),
        ("layoff", {"layoffs": [{"card": "AS"}]}, "/layoffs/0/meld"),
        ("layoff", {"layoffs": [{"card": "AS", "meld": -1}]}, "/layoffs/0/meld"),
        ("layoff", {"layoffs": [{"card": "AS", "meld": True}]}, "/layoffs/0/meld"),
        ("layoff", {"layoffs": [{"card": "AS", "meld": 0, "x": 1}]}, "/layoffs/0/x"),
        ("layoff", {"layoffs": [None]}, "/layoffs/0"),
        ("layoff", {"layoffs": ["AS"]}, "/layoffs/0"),
        ("layoff", {"layoffs": None}, "/layoffs"),
        ("layoff", {"layoffs": "AS"}, "/layoffs"),
        ("remove", {"seat": 0}, "/seat"),
        ("entropy", {"entropy": "é" * 33}, "/entropy"),
        ("entropy", {"entropy": 5}, "/entropy"),
    ],
)
def test_a_move_is_refused_at_its_pointer(
    dealt: Table, move: str, body: dict[str, Any], pointer: str
) -> None:
    before = dealt.view()
    words = {"token": dealt.tokens[0]}
    assert list(faults_of(dealt.client, f"{dealt.path}/{move}", body, **words)) == [pointer]
    assert dealt.view() == before


def test_64_bytes_of_entropy_are_taken(table: Table) -> None:
    assert table.move(0, "entropy", {"entropy": "é" * 32}).status_code == 200


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=101", "limit=x", "limit=-1", "limit=1.0", "limit=", "limit=²",
              "after=-1", "after=99999999999999999999", "limit=5&limit=6", "invite="]
)  # fmt: skip
def test_a_bad_parameter_of_a_query_is_refused(table: Table, query: str) -> None:
    response = table.client.get(f"{table.path}/events?{query}")
    assert response.status_code == 400
    assert response.get_json()["code"] == "malformed_request"
    assert query.partition("=")[0] in response.get_json()["detail"]


def test_an_unknown_parameter_of_a_query_is_ignored(table: Table) -> None:
    assert table.client.get(f"{table.path}?colour=red&colour=blue").status_code == 200


@pytest.mark.parametrize("number", ["0", "-1", "x", "1.0", "9" * 5000, "٣", "1", "01"])
def test_a_round_that_is_not_finished_is_not_found(table: Table, number: str) -> None:
    response = table.client.get(f"{table.path}/rounds/{number}")
    assert response.get_json()["code"] == "round_not_found"


@pytest.mark.parametrize("game_id", ["x", "%00", "a{b}", "%2e%2e.", "é", "a" * 65, "%ff"])
def test_an_odd_game_id_is_not_found(client: Client, game_id: str) -> None:
    response = client.get(f"/v1/games/{game_id}")
    assert response.status_code == 404
