"""Whoever asks too often is told when to go on; nobody else is, and nothing is lost."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from werkzeug.test import TestResponse

from service.api.log import Log as ServiceLog
from service.api.rates import Policy, Rates
from service.games.ports import StoreUnavailable
from tests.api.client import SECRET, Client, Log, Table, client_over

SEATS = Policy("seats", 4, 60)
REQUESTS = Policy("requests", 6, 10)


@dataclass
class Counts:
    """Counters of one process; nothing is forgotten, since windows have names of their own."""

    counts: Counter[str] = field(default_factory=Counter)
    away: bool = False

    def add(self, name: str, seconds: int, amount: int = 1) -> int:
        assert seconds in (10, 60)
        if self.away:
            raise StoreUnavailable("The counters are away.")
        self.counts[name] += amount
        return self.counts[name]


@dataclass
class Time:
    seconds: float = 1_790_000_003.5

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def counts() -> Counts:
    return Counts()


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def limited(counts: Counts, time: Time, log: Log) -> Client:
    rates = Rates(counts, ServiceLog("info", log.stream), time, SEATS, REQUESTS)
    return client_over(rates=rates, log=log)


@pytest.fixture
def seated(limited: Client) -> Table:
    return Table(limited)


def looks(table: Table, times: int, seat: int | None = 0) -> list[TestResponse]:
    token = None if seat is None else table.tokens[seat]
    return [table.client.get(table.path, token=token) for _ in range(times)]


def test_the_fields_of_the_draft_tell_what_is_left(seated: Table) -> None:
    answers = looks(seated, 2)
    assert [each.headers["RateLimit-Policy"] for each in answers] == ['"requests";q=6;w=10'] * 2
    assert [each.headers["RateLimit"] for each in answers] == [
        '"requests";r=5;t=7',
        '"requests";r=4;t=7',
    ]


def test_who_asks_too_often_is_told_when_to_go_on(seated: Table, time: Time) -> None:
    answers = looks(seated, 7)
    assert [each.status_code for each in answers] == [200] * 6 + [429]
    refused = answers[-1]
    assert refused.get_json()["code"] == "rate_limited"
    assert refused.headers["Retry-After"] == "7"
    assert refused.headers["RateLimit"] == '"requests";r=0;t=7'
    time.seconds += 7
    assert [each.status_code for each in looks(seated, 1)] == [200]


def test_a_refused_move_changes_nothing(seated: Table) -> None:
    version = looks(seated, 6)[-1].get_json()["version"]
    assert seated.move(0, "deal").status_code == 429
    assert looks(seated, 1, seat=1)[0].get_json()["version"] == version


def test_each_seat_has_a_quota_of_its_own(seated: Table) -> None:
    looks(seated, 7)
    assert looks(seated, 1, seat=1)[0].status_code == 200
    assert looks(seated, 1, seat=None)[0].status_code == 200


def test_taking_seats_is_counted_apart(limited: Client) -> None:
    statuses = [limited.post("/v1/games", {"name": "Ann"}).status_code for _ in range(5)]
    assert statuses == [201] * 4 + [429]
    assert limited.get("/v1/games").status_code == 200


@pytest.mark.parametrize("path", ["/v1/games", "/v1/analysis/hand"])
def test_invented_tokens_give_no_quotas_where_no_token_is_proved(
    limited: Client, path: str
) -> None:
    body = {"name": "Ann"} if path == "/v1/games" else {"hand": ["KD"]}
    answers = [limited.post(path, body, token=f"okg_fake{number}") for number in range(9)]
    quota = (SEATS if path == "/v1/games" else REQUESTS).quota
    assert [each.status_code for each in answers[quota:]] == [429] * (9 - quota)


def test_a_replay_is_free(limited: Client, counts: Counts) -> None:
    answers = [limited.post("/v1/games", {"name": "Ann"}, key=SECRET) for _ in range(9)]
    assert [each.status_code for each in answers] == [201] * 9
    assert {each.headers["RateLimit"].partition(";t")[0] for each in answers} == {'"seats";r=3'}
    assert sum(counts.counts.values()) == 1


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/openapi.json", "/problems", "/"])
def test_what_is_no_play_is_free(limited: Client, counts: Counts, path: str) -> None:
    assert "RateLimit" not in limited.get(path).headers
    assert not counts.counts


def test_nobody_is_refused_when_nobody_can_count(
    seated: Table, counts: Counts, time: Time, log: Log
) -> None:
    counts.away = True
    answers = looks(seated, 20)
    assert {each.status_code for each in answers} == {200}
    assert not any("RateLimit" in each.headers for each in answers)
    assert log.text().count("limiter_away") == 1
    time.seconds += 60
    looks(seated, 1)
    assert log.text().count("limiter_away") == 2


def test_counters_hold_neither_tokens_nor_addresses(seated: Table, counts: Counts) -> None:
    looks(seated, 1)
    looks(seated, 1, seat=None)
    names = " ".join(counts.counts)
    assert "okg_" not in names
    assert "127.0.0.1" not in names


def test_without_limits_nothing_is_counted(client: Client) -> None:
    answer: Any = client.get("/v1/games")
    assert "RateLimit" not in answer.headers
