"""Bots, clocks, the lobby and rematches over HTTP."""

from typing import Any

import pytest

from tests.api.client import Client, Table


def test_the_host_seats_a_bot_that_plays_at_once(client: Client) -> None:
    host = client.create(rules={"first_player": "host"})
    path = f"/v1/games/{host['game']['game_id']}"
    seated = client.post(f"{path}/bots", {"level": "medium", "name": "Rosie"}, token=host["token"])
    assert seated.status_code == 200
    assert seated.get_json()["players"][1] | {"card_count": 0} == {
        "seat": 1,
        "name": "Rosie",
        "kind": "bot",
        "card_count": 0,
        "total": 0,
        "boxes": 0,
        "out": False,
    }
    dealt = client.post(f"{path}/deal", token=host["token"]).get_json()
    assert dealt["round"]["turn"] == 0
    passed = client.post(f"{path}/pass", token=host["token"]).get_json()
    assert passed["round"]["turn"] == 0


@pytest.mark.parametrize("body", [{}, {"level": "grandmaster"}, {"level": "easy", "name": ""}])
def test_a_bot_needs_a_level_that_there_is(client: Client, body: dict[str, Any]) -> None:
    host = client.create()
    path = f"/v1/games/{host['game']['game_id']}/bots"
    assert client.post(path, body, token=host["token"]).status_code in (400, 422)


def test_only_the_host_seats_bots(table: Table) -> None:
    refused = table.move(1, "bots", {"level": "easy"})
    assert (refused.status_code, refused.get_json()["code"]) == (403, "host_only")


def test_the_lobby_lists_what_waits_page_by_page(client: Client) -> None:
    ids = [client.create(name=name)["game"]["game_id"] for name in ("Ann", "Bob", "Cid")]
    client.create(visibility="private")
    page = client.get("/v1/games?limit=2").get_json()
    rest = client.get(f"/v1/games?limit=2&cursor={page['next_cursor']}").get_json()
    found = [entry["game_id"] for entry in (*page["games"], *rest["games"])]
    assert sorted(found) == sorted(ids)
    assert rest["next_cursor"] is None
    assert page["games"][0]["players"][0]["kind"] == "human"


def test_the_lobby_lists_what_can_be_watched(client: Client) -> None:
    client.create()
    table = Table(client, rules={"preset": "gin", "target_score": 50})
    table.move(0, "deal")
    [entry] = client.get("/v1/games?status=playing").get_json()["games"]
    assert entry["game_id"] == table.game_id
    assert [entry["status"], entry["preset"], entry["title"]] == ["playing", "gin", "Gin Rummy"]
    assert entry["options"] == {"target_score": 50}
    assert [player["name"] for player in entry["players"]] == ["Ann", "Bob"]
    [waiting] = client.get("/v1/games?status=waiting").get_json()["games"]
    assert [waiting["status"], waiting["options"]] == ["waiting", {}]
    table.move(1, "resign")
    assert client.get("/v1/games?status=playing").get_json()["games"] == []


@pytest.mark.parametrize(
    "query", ["status=finished", "limit=0", "limit=101", "limit=x", "cursor=x", "cursor=%00"]
)
def test_a_page_that_cannot_be_is_refused(client: Client, query: str) -> None:
    refused = client.get(f"/v1/games?{query}")
    assert (refused.status_code, refused.get_json()["code"]) == (400, "malformed_request")


def test_a_claim_before_the_deadline_is_refused_with_the_game(client: Client) -> None:
    table = Table(client, turn_seconds=30)
    dealt = table.move(0, "deal").get_json()
    assert dealt["turn_deadline"].endswith("Z")
    refused = table.move(1, "claim")
    assert (refused.status_code, refused.get_json()["code"]) == (409, "deadline_not_passed")
    assert refused.get_json()["game"]["version"] == dealt["version"]


def test_a_rematch_seats_everybody_once(dealt: Table) -> None:
    assert dealt.move(0, "rematch").get_json()["code"] == "wrong_phase"
    dealt.move(0, "resign")
    calls = [dealt.move(seat, "rematch") for seat in (0, 1, 0)]
    assert [call.status_code for call in calls] == [201] * 3
    bodies = [call.get_json() for call in calls]
    assert len({body["game"]["game_id"] for body in bodies}) == 1
    assert [body["seat"] for body in bodies] == [1, 0, 1]
    assert bodies[0]["token"] == bodies[2]["token"] != bodies[1]["token"]
    assert calls[0].headers["Location"] == f"/v1/games/{bodies[0]['game']['game_id']}"
