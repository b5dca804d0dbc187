"""Tokens, spectators, private games and the headers that keep their answers apart."""

import pytest

from service.games.access import game_not_found, token_required
from tests.api.client import Client, Log, Table

OWN = "private, no-cache, no-transform"


@pytest.mark.parametrize(
    "value",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer okg_",
        "Bearer abc",
        "Basic b2tnOg==",
        "okg_abc",
        "Bearer okg_a okg_b",
        "Bearer okg_a, Bearer okg_b",
        "Bearer okg_é",
        "Bearer okg_" + "a" * 300,
    ],
)
def test_a_malformed_authorization_is_refused(table: Table, value: str) -> None:
    for path in (table.path, "/v1/seat", f"{table.path}/score"):
        response = table.client.get(path, headers={"Authorization": value})
        assert response.status_code == 401
        assert response.get_json()["code"] == "token_invalid"
        assert response.headers["WWW-Authenticate"].startswith("Bearer")


def test_the_scheme_may_be_written_in_any_case(table: Table) -> None:
    headers = {"Authorization": f"bearer  {table.tokens[0]}"}
    assert table.client.get("/v1/seat", headers=headers).status_code == 200


def test_a_move_without_a_token_needs_one(table: Table) -> None:
    for move in ("deal", "pass", "knock", "layoff", "resign", "leave", "token"):
        response = table.client.post(f"{table.path}/{move}")
        assert response.status_code == 401
        assert response.get_json()["code"] == "token_required"
        assert "error=" not in response.headers["WWW-Authenticate"]


def test_a_refusal_has_one_sentence_wherever_it_is_found(table: Table) -> None:
    client = table.client
    for refused in (client.post(f"{table.path}/deal"), client.get("/v1/seat")):
        assert refused.get_json()["detail"] == token_required().detail
    for game_id in ("no-such-game", "no.such.game", "x" * 65):
        refused = client.get(f"/v1/games/{game_id}")
        assert refused.get_json()["detail"] == game_not_found().detail


def test_a_token_of_another_game_is_refused(client: Client) -> None:
    table, other = Table(client), Table(client)
    response = client.post(f"{table.path}/deal", token=other.tokens[0])
    assert response.status_code == 401


def test_what_depends_on_the_caller_is_kept_by_no_one_else(dealt: Table) -> None:
    answers = [
        dealt.client.get(dealt.path),
        dealt.client.get(dealt.path, token=dealt.tokens[0]),
        dealt.client.get("/v1/seat", token=dealt.tokens[0]),
        dealt.client.get(f"{dealt.path}/events"),
        dealt.client.get(f"{dealt.path}/score"),
        dealt.move(0, "draw", {"source": "stock"}),
        dealt.client.get("/v1/games/unknown"),
        dealt.client.post("/v1/games", {"name": "Ann"}),
        dealt.client.post("/v1/games", {"name": ""}),
    ]
    for answer in answers:
        assert answer.headers["Cache-Control"] == OWN
        assert answer.headers["Vary"] == "Authorization"


def test_a_private_game_is_not_found_by_strangers(client: Client) -> None:
    table = Table(client, visibility="private")
    other = Table(client)
    for path in ("", "/score", "/events", "/rounds/1"):
        for token in (None, other.tokens[0]):
            response = client.get(table.path + path, token=token)
            assert response.get_json()["code"] == "game_not_found"
    assert client.get(table.path, token=table.tokens[1]).status_code == 200
    assert client.get(f"{table.path}?invite={table.invite}").status_code == 200
    assert client.get(f"{table.path}?invite=wrong").status_code == 404


def test_a_private_game_is_joined_by_invite(client: Client) -> None:
    made = client.create(visibility="private")
    path = f"/v1/games/{made['game']['game_id']}/players"
    assert client.post(path, {"name": "Eve"}).status_code == 404
    joined = client.post(path, {"name": "Bob", "invite": made["invite"]})
    assert joined.status_code == 201
    assert joined.get_json()["seat"] == 1


def test_a_stock_card_is_shown_to_its_seat_alone(dealt: Table) -> None:
    while dealt.view(dealt.turn())["actions"]["pass"]:
        dealt.move(dealt.turn(), "pass")
    seat = dealt.turn()
    drawn = dealt.move(seat, "draw", {"source": "stock"}).get_json()["you"]["drawn_card"]
    path = f"{dealt.path}/events?after={dealt.view()['version'] - 1}"
    cards = [
        dealt.client.get(path, token=token).get_json()["events"][0].get("card")
        for token in (dealt.tokens[seat], dealt.tokens[1 - seat], None)
    ]
    assert cards == [drawn, None, None]


def test_a_wrong_turn_comes_with_the_caller_s_own_view(dealt: Table) -> None:
    seat = 1 - dealt.turn()
    response = dealt.move(seat, "pass")
    assert response.status_code == 409
    assert response.get_json()["code"] == "not_your_turn"
    assert response.get_json()["game"] == dealt.view(seat)


def test_secrets_are_not_logged(client: Client, log: Log) -> None:
    key = "5b0c3c52-6f1a-4f6c-9a53-0a7d6ff1f8f0"
    made = client.post("/v1/games", {"name": "Ann"}, key=key).get_json()
    path = f"/v1/games/{made['game']['game_id']}"
    client.get(f"{path}?invite={made['invite']}", token=made["token"])
    client.get(path, token="okg_forged")
    for secret in (made["token"], made["invite"], key, "okg_"):
        assert secret not in log.text()


def test_head_is_get_without_a_body(table: Table) -> None:
    got = table.client.get(table.path)
    head = table.client.send("HEAD", table.path)
    assert head.status_code == 200
    assert head.headers["ETag"] == got.headers["ETag"]
    assert head.headers["Content-Length"] == got.headers["Content-Length"]
