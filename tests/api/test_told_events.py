"""What happened comes with the answer to a move, and by waiting for the log."""

from typing import Any

import pytest

from tests.api.client import SECRET, Client, Table


def log(table: Table, seat: int | None, query: str = "limit=100") -> Any:
    token = None if seat is None else table.tokens[seat]
    return table.client.get(f"{table.path}/events?{query}", token=token).get_json()


@pytest.mark.parametrize(
    "seat, name, body, told",
    [
        (0, "entropy", {"entropy": "seven herons"}, ["entropy_set"]),
        (0, "remove", {"seat": 1}, ["removed"]),
        (1, "leave", None, ["left"]),
        (1, "deal", None, ["dealt"]),
    ],
)
def test_a_move_answers_with_the_view_and_what_it_did(
    table: Table, seat: int, name: str, body: Any, told: list[str]
) -> None:
    answer = table.move(seat, name, body).get_json()
    events = answer.pop("events")
    assert [event["type"] for event in events] == told
    viewer = None if name == "leave" else seat
    assert answer == table.view(viewer)
    assert events == log(table, viewer, "after=2")["events"]


def test_what_was_drawn_is_told_to_its_seat_alone(dealt: Table) -> None:
    for _ in range(2):
        dealt.move(dealt.turn(), "pass")
    seat = dealt.turn()
    [drew] = dealt.move(seat, "draw", {"source": "stock"}).get_json()["events"]
    assert (drew["type"], drew["seat"]) == ("drew", seat)
    assert drew["card"] in dealt.view(seat)["you"]["hand"]
    assert "card" not in log(dealt, 1 - seat)["events"][-1]


def test_what_bots_did_is_told_with_the_move_that_let_them(client: Client) -> None:
    made = client.create(bots=[{"level": "easy"}], deal=True, rules={"first_player": "host"})
    assert [event["type"] for event in made["events"]] == ["created", "joined", "dealt"]
    path = f"/v1/games/{made['game']['game_id']}"
    passed = client.post(f"{path}/pass", token=made["token"]).get_json()
    seats = [event["seat"] for event in passed["events"]]
    assert (seats[0], set(seats[1:])) == (0, {1})
    versions = [event["version"] for event in passed["events"]]
    assert versions == list(range(4, passed["version"] + 1))


def test_a_repeated_request_tells_the_same_events(client: Client) -> None:
    body = {"name": "Ann", "bots": [{"level": "easy"}], "deal": True}
    first, again = (client.post("/v1/games", body, key=SECRET) for _ in range(2))
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.get_json() == first.get_json()


def test_a_repeated_move_tells_what_it_did_and_not_what_came_after(dealt: Table) -> None:
    seat = dealt.turn()
    passed = dealt.move(seat, "pass", key="p1").get_json()["events"]
    dealt.move(1 - seat, "pass")
    again = dealt.move(seat, "pass", key="p1").get_json()
    assert (again["version"], again["events"]) == (5, passed)


def test_a_rematch_tells_no_events(dealt: Table) -> None:
    dealt.move(0, "resign")
    assert dealt.move(1, "rematch").get_json()["events"] == []


def test_one_request_of_the_log_brings_the_view_that_it_leads_to(dealt: Table) -> None:
    page = log(dealt, 0, "after=1&include=view")
    assert [event["version"] for event in page["events"]] == [2, 3]
    assert page["game"] == dealt.view(0)
    assert log(dealt, None, "after=3&include=view")["game"] == dealt.view(None)
    assert "game" not in log(dealt, 0, "limit=2&include=view")
    assert "game" not in log(dealt, 0)


@pytest.mark.parametrize("query", ["wait=26", "wait=-1", "wait=x", "include=everything"])
def test_a_page_that_cannot_be_asked_for_is_refused(table: Table, query: str) -> None:
    assert log(table, 0, query)["code"] == "malformed_request"
