"""The invite of a private game: its host finds it in every view, and nobody else in any."""

from json import loads
from typing import Any

import pytest

from tests.api.client import Client, Log, Table

NDJSON = {"Accept": "application/x-ndjson"}


@pytest.fixture
def private(client: Client) -> Table:
    return Table(client, visibility="private")


def views(table: Table, seat: int) -> list[dict[str, Any]]:
    """Return the view of a seat from every kind of answer that holds one."""
    client, token = table.client, table.tokens[seat]
    moved = table.move(seat, "entropy", {"entropy": "seven herons"}).get_json()
    refused = table.move(seat, "leave").get_json()
    stale = table.move(seat, "entropy", {"entropy": ""}, headers={"If-Match": '"1-00000000.0"'})
    found = client.get("/v1/seat", token=token).get_json()
    return [table.view(seat), moved, refused["game"], stale.get_json()["game"], found["game"]]


def snapshot(table: Table, token: str | None, query: str = "") -> dict[str, Any]:
    """Return the first line of a finished game's stream."""
    answer = table.client.get(f"{table.path}/stream{query}", token=token, headers=NDJSON)
    first: dict[str, Any] = loads(answer.get_data().splitlines()[0])
    return first


def test_the_host_alone_sees_it_in_every_view(private: Table) -> None:
    private.move(1, "deal")
    assert [view["invite"] for view in views(private, 0)] == [private.invite] * 5
    assert [view["invite"] for view in views(private, 1)] == [None] * 5
    looked = private.client.get(f"{private.path}?invite={private.invite}").get_json()
    assert (looked["you"], looked["invite"]) == (None, None)


def test_no_byte_of_others_holds_it(private: Table, log: Log) -> None:
    private.move(1, "deal")
    views(private, 0)
    private.move(1, "resign")
    client, token = private.client, private.tokens[1]
    pages = ("", "/score", "/events", "/rounds/1", "/stream?after=0&include=view")
    for page in pages:
        got = client.get(f"{private.path}{page}", token=token, headers=NDJSON)
        assert got.status_code in (200, 406)
        assert private.invite.encode() not in got.get_data()
    assert private.invite not in log.text()


def test_a_stream_shows_it_to_the_host(private: Table) -> None:
    private.move(1, "deal")
    private.move(1, "resign")
    ticket = private.move(0, "stream-tickets").get_json()["ticket"]
    shown = [
        snapshot(private, private.tokens[0]),
        snapshot(private, None, f"?ticket={ticket}"),
        snapshot(private, private.tokens[1]),
    ]
    assert [each["game"]["invite"] for each in shown] == [private.invite, private.invite, None]


def test_a_renewed_token_keeps_it_and_the_old_one_sees_nothing(private: Table) -> None:
    old = private.tokens[0]
    private.tokens[0] = private.move(0, "token").get_json()["token"]
    assert private.view(0)["invite"] == private.invite
    assert private.invite.encode() not in private.client.get(private.path, token=old).get_data()


def test_the_new_host_of_a_rematch_sees_the_new_one(private: Table) -> None:
    private.move(0, "deal")
    private.move(0, "resign")
    moved = [private.move(seat, "rematch").get_json() for seat in (0, 1)]
    assert [each["seat"] for each in moved] == [1, 0]
    assert moved[0]["game"]["invite"] is None
    assert moved[1]["game"]["invite"] == moved[1]["invite"] != private.invite


def test_a_public_game_shows_none(table: Table) -> None:
    assert [table.view(seat)["invite"] for seat in (0, 1, None)] == [None] * 3
