"""Analysis over HTTP: the functions that referee the games, asked about cards alone."""

from typing import Any

import pytest

from tests.api.client import Client

KNOCKER = ["8D", "9D", "TD", "4C", "4H", "4S", "QC", "QD", "QS", "2H", "KD"]
OPPONENT = ["7D", "6D", "KC", "KH", "KS", "9H", "TH", "JH", "AC", "3S"]
SETTLEMENT: dict[str, Any] = {
    "rules": {"preset": "oklahoma"},
    "upcard": "2D",
    "knocker": 0,
    "discard": "KD",
    "seats": [{"hand": KNOCKER}, {"hand": OPPONENT}],
}


def test_the_best_layoff_chains(client: Client) -> None:
    melds = [["8D", "9D", "TD"], ["4C", "4H", "4S"], ["QC", "QD", "QS"]]
    answer = client.post("/v1/analysis/layoff", {"hand": OPPONENT, "melds": melds}).get_json()
    assert answer["deadwood_points"] == 4
    assert answer["layoffs"] == [{"card": "6D", "meld": 0}, {"card": "7D", "meld": 0}]
    assert {"card": "6D", "meld": 0, "requires": ["7D"], "deadwood_points": 4} in answer["targets"]


@pytest.mark.parametrize(
    "melds", [[["8D", "9D", "TH"]], [["7D", "8D", "9D"]], [["4C", "4D", "4H"], ["4H", "5H", "6H"]]]
)
def test_a_layoff_onto_what_cannot_be_laid_is_refused(client: Client, melds: Any) -> None:
    refused = client.post("/v1/analysis/layoff", {"hand": OPPONENT, "melds": melds})
    assert refused.status_code == 422
    assert refused.get_json()["errors"][0]["pointer"].startswith("/melds/")


def test_a_settlement_is_that_of_a_game(client: Client) -> None:
    result = client.post("/v1/analysis/settlement", SETTLEMENT).get_json()
    assert (result["kind"], result["winner"], result["totals"]) == ("knock", 0, [2, 0])
    assert result["lines"] == [
        {"seat": 0, "points": 2, "reason": "deadwood", "multiplier": 1, "from_seat": 1}
    ]


def test_a_settlement_takes_what_is_named(client: Client) -> None:
    seats = [{"hand": KNOCKER}, {"hand": OPPONENT, "layoffs": []}]
    result = client.post("/v1/analysis/settlement", {**SETTLEMENT, "seats": seats}).get_json()
    assert result["totals"] == [15, 0]


def test_a_settlement_by_another_limit_and_with_the_spade_doubled(client: Client) -> None:
    changed = {**SETTLEMENT, "upcard": "AS", "rules": {"spade_upcard_multiplier": 2}}
    refused = client.post("/v1/analysis/settlement", changed)
    assert refused.get_json()["code"] == "deadwood_over_limit"
    assert (refused.get_json()["deadwood_points"], refused.get_json()["knock_limit"]) == (2, 0)
    result = client.post("/v1/analysis/settlement", {**changed, "knock_limit": 5}).get_json()
    assert result["totals"] == [4, 0]


@pytest.mark.parametrize(
    "change, pointer",
    [
        ({"knocker": 2}, "/knocker"),
        ({"seats": [{"hand": KNOCKER[:10]}, {"hand": OPPONENT}]}, "/seats/0/hand"),
        ({"seats": [{"hand": KNOCKER}, {"hand": [*OPPONENT[:9], "KD"]}]}, "/seats/1/hand"),
        ({"seats": [{"hand": KNOCKER}]}, "/seats"),
        ({"discard": None}, "/discard"),
        ({"rules": {"preset": "oklahoma", "gin_bonus": -1}}, "/rules/gin_bonus"),
        ({"seats": [{"hand": KNOCKER}, {"hand": OPPONENT, "melds": [["KC", "KC"]]}]}, "/seats/1"),
    ],
)
def test_a_settlement_of_no_position_names_the_fault(
    client: Client, change: dict[str, Any], pointer: str
) -> None:
    refused = client.post("/v1/analysis/settlement", {**SETTLEMENT, **change})
    assert refused.status_code == 422
    assert refused.get_json()["errors"][0]["pointer"].startswith(pointer)


def test_big_gin_is_settled_without_a_discard(client: Client) -> None:
    hand = ["2S", "3S", "4S", "5S", "7H", "8H", "9H", "TH", "QC", "QD", "QH"]
    body = {
        "rules": {"preset": "oklahoma-bonus"},
        "upcard": "6C",
        "knocker": 1,
        "seats": [
            {"hand": ["KC", "KD", "KS", "AC", "AD", "AS", "3C", "3D", "3H", "9C"]},
            {"hand": hand},
        ],
    }
    result = client.post("/v1/analysis/settlement", body).get_json()
    assert (result["kind"], result["totals"]) == ("big_gin", [0, 40])
