"""Idempotency-Key: its forms, and what a repetition gets."""

import pytest

from service.api.headers import idempotency_key
from service.api.problems import Problem
from tests.api.client import SECRET, Client, Table


@pytest.mark.parametrize(
    "value, key",
    [
        ("abc", "abc"),
        ('"abc"', "abc"),
        ('"a b"', "a b"),
        ("a b", "a b"),
        (' "abc" ', "abc"),
        ('"a\\"b\\\\c"', 'a"b\\c'),
        ("a" * 255, "a" * 255),
        ("x", "x"),
    ],
)
def test_a_key_is_read_quoted_or_bare(value: str, key: str) -> None:
    assert idempotency_key(value) == key


@pytest.mark.parametrize(
    "value", ["", '""', '"abc', '"a"b', '"a";x=1', "a" * 256, "é", "a\tb", '"\\a"']
)
def test_another_key_is_refused(value: str) -> None:
    with pytest.raises(Problem) as refused:
        idempotency_key(value)
    assert refused.value.code == "malformed_request"


def test_no_key_is_no_key() -> None:
    assert idempotency_key(None, secret=True) is None


def test_a_short_key_is_refused_where_it_stands_for_the_caller(table: Table) -> None:
    for path in ("/v1/games", f"{table.path}/players"):
        response = table.client.post(path, {"name": "Eve"}, key="a" * 21)
        assert response.status_code == 400
        assert "22" in response.get_json()["detail"]


def test_a_repeated_creation_gives_the_same_game_and_token(client: Client) -> None:
    first = client.post("/v1/games", {"name": "Ann"}, key=SECRET)
    again = client.post("/v1/games", raw=b' { "name" : "Ann" } ', key=f'"{SECRET}"')
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.status_code == 201
    assert again.get_json() == first.get_json()
    assert again.headers["Location"] == first.headers["Location"]


def test_a_repeated_join_gives_the_same_seat_and_token(client: Client) -> None:
    path = f"/v1/games/{client.create()['game']['game_id']}/players"
    first = client.post(path, {"name": "Bob"}, key=SECRET)
    again = client.post(path, {"name": "Bob"}, key=SECRET)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.get_json() == first.get_json()


def test_a_repeated_move_is_applied_once(table: Table) -> None:
    etag = table.view()["etag"]
    first = table.move(0, "deal", key="d1", headers={"If-Match": etag})
    again = table.move(0, "deal", key="d1", headers={"If-Match": etag})
    assert again.status_code == 200
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.get_json() == first.get_json()


def test_a_key_used_with_another_body_is_refused(client: Client) -> None:
    client.post("/v1/games", {"name": "Ann"}, key=SECRET)
    response = client.post("/v1/games", {"name": "Bob"}, key=SECRET)
    assert response.status_code == 422
    assert response.get_json()["code"] == "idempotency_key_reused"


def test_a_refusal_is_not_recorded(table: Table) -> None:
    assert table.move(0, "draw", {"source": "stock"}, key="k").status_code == 409
    table.move(0, "deal")
    assert table.move(0, "draw", {"source": "stock"}, key="k").status_code in (200, 409)


def test_a_renewed_token_is_given_again_under_the_same_key(table: Table) -> None:
    first = table.move(0, "token", key="renew")
    again = table.move(0, "token", key="renew")
    assert again.get_json()["token"] == first.get_json()["token"] != table.tokens[0]
    assert table.move(0, "deal").status_code == 401
