"""``actions.why_not`` over HTTP: whatever it names is refused with that very code."""

from typing import Any

import pytest

from tests.api.client import Client, Table
from tests.api.test_moves import stacked

SEND: dict[str, tuple[str, dict[str, Any] | None]] = {
    "join": ("players", {"name": "Cid"}),
    "leave": ("leave", None),
    "add_bot": ("bots", {"level": "easy"}),
    "remove": ("remove", {"seat": 1}),
    "deal": ("deal", None),
    "entropy": ("entropy", {"entropy": "seven herons"}),
    "pass": ("pass", None),
    "draw": ("draw", {"source": "stock"}),
    "big_gin": ("knock", {}),
    "layoff": ("layoff", {}),
    "resign": ("resign", None),
    "rematch": ("rematch", None),
}
MOVES = (("deal", 1), ("pass", 0), ("pass", 1), ("draw", 0), ("knock", 0), ("layoff", 1))
BODIES: dict[str, dict[str, Any]] = {"draw": {"source": "stock"}, "knock": {"discard": "KD"}}


def body_of(view: dict[str, Any], name: str) -> tuple[str, dict[str, Any] | None]:
    """Return the operation that tries an action, and its body."""
    if name not in ("discard", "knock"):
        return SEND[name]
    card = next((each["card"] for each in view["actions"]["discard"]), "KD")
    return name, {"card" if name == "discard" else "discard": card}


def check(client: Client, path: str, token: str | None, seen: set[str]) -> None:
    """Try all that a seat is told is refused, and see that nothing came of it."""
    view = client.get(path, token=token).get_json()
    offered = {name for name, each in view["actions"].items() if each not in (False, [], None)}
    told = view["actions"]["why_not"]
    assert offered - {"why_not"} == {*SEND, "discard", "knock"} - told.keys()
    for name, code in told.items():
        verb, body = body_of(view, name)
        refused = client.post(f"{path}/{verb}", body, token=token)
        assert (refused.status_code >= 400, refused.get_json()["code"]) == (True, code), name
        seen.add(code)
    assert client.get(path, token=token).get_json()["etag"] == view["etag"]


def test_every_refusal_told_is_met_in_every_phase(client: Client) -> None:
    table, seen = Table(client, deck=[stacked()]), set[str]()

    def try_all() -> None:
        for token in table.tokens:
            check(client, table.path, token, seen)

    try_all()
    for name, seat in MOVES:
        assert table.move(seat, name, BODIES.get(name)).status_code == 200
        try_all()
    table.move(0, "resign")
    try_all()
    assert seen == {
        *("already_seated", "wrong_phase", "host_only", "game_full", "not_your_turn"),
        *("invalid_request", "game_over"),
    }


def test_a_hand_over_the_limit_is_told_so(client: Client) -> None:
    deck = stacked()
    deck[0], deck[-1] = deck[-1], deck[0]
    table, seen = Table(client, deck=[deck]), set[str]()
    for name, seat in MOVES[:4]:
        table.move(seat, name, BODIES.get(name))
    check(client, table.path, table.tokens[0], seen)
    assert table.view()["actions"]["why_not"]["knock"] == "deadwood_over_limit"
    assert "deadwood_over_limit" in seen


def test_who_waits_is_told_that_seats_are_free(client: Client) -> None:
    made, seen = client.create(seats=3), set[str]()
    check(client, f"/v1/games/{made['game']['game_id']}", made["token"], seen)
    assert "game_not_full" in seen


@pytest.mark.parametrize("seats, code", [(2, "game_full"), (3, None)])
def test_a_spectator_is_told_of_joining_alone(client: Client, seats: int, code: str | None) -> None:
    table = Table(client, seats=seats)
    view = table.view(None)
    assert view["actions"]["why_not"] == ({"join": code} if code else {})
    if code:
        assert client.post(f"{table.path}/players", {"name": "Cid"}).get_json()["code"] == code
    for name in {*SEND, "discard", "knock"} - {"join"}:
        verb, body = body_of(view, name)
        refused = client.post(f"{table.path}/{verb}", body)
        assert refused.get_json()["code"] == "token_required", name
