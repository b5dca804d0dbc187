"""One catalogue: what is served, what the framework refuses, what fails."""

import json

import pytest

from service.api.problems import CATALOGUE
from service.games.access import Caller
from service.games.ports import StoreUnavailable
from service.games.usecases import Games
from service.games.view import Sight
from tests.api.client import Client, Log, Table, client_over
from tests.games.memory import MemoryStore
from tests.games.table import games_over

# The contract's table of statuses and codes.
CONTRACT = {
    400: {"malformed_request"},
    401: {"token_required", "token_invalid"},
    403: {"host_only"},
    404: {"game_not_found", "round_not_found", "not_found"},
    405: {"method_not_allowed"},
    406: {"not_acceptable"},
    409: {
        "not_your_turn",
        "wrong_phase",
        "source_unavailable",
        "game_full",
        "game_not_full",
        "already_seated",
        "game_over",
        "deadline_not_passed",
    },
    412: {"stale_version"},
    413: {"body_too_large"},
    415: {"unsupported_media_type"},
    422: {
        "invalid_request",
        "card_not_in_hand",
        "card_just_taken",
        "invalid_melds",
        "deadwood_over_limit",
        "invalid_layoff",
        "invalid_rules",
        "idempotency_key_reused",
    },
    429: {"rate_limited"},
    500: {"internal_error"},
    503: {"store_unavailable", "draining", "too_many_streams"},
}


class DeadStore(MemoryStore):
    def check(self) -> None:
        raise StoreUnavailable("redis://:password@host is away")


class Broken(Games):
    def look(self, game_id: str, caller: Caller) -> Sight:
        raise KeyError("okg_secret", game_id, caller)


def test_the_catalogue_is_the_contract_s() -> None:
    codes: dict[int, set[str]] = {}
    for kind in CATALOGUE.values():
        codes.setdefault(kind.status, set()).add(kind.code)
    assert codes == CONTRACT


def test_the_catalogue_is_served_whole(client: Client) -> None:
    served = client.get("/problems").get_json()["problems"]
    assert [kind["code"] for kind in served] == list(CATALOGUE)
    for kind in served:
        assert client.get(kind["type"]).get_json() == kind


def test_a_problem_s_type_resolves_to_a_page(client: Client) -> None:
    response = client.get("/problems/game_full", headers={"Accept": "text/html,*/*;q=0.1"})
    assert response.mimetype == "text/html"
    assert "Every seat is taken" in response.get_data(as_text=True)
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]


def test_an_unknown_problem_is_not_found(client: Client) -> None:
    assert client.get("/problems/nothing").get_json()["code"] == "not_found"


@pytest.mark.parametrize("path", ["/nothing", "/v1", "/v1/games/", "//v1/rules", "/v1/rules/poker"])
def test_an_unknown_path_is_a_problem(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    assert response.mimetype == "application/problem+json"
    assert response.get_json()["code"] == "not_found"


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "GET", "TRACE"])
def test_another_method_is_a_problem_that_keeps_allow(client: Client, method: str) -> None:
    response = client.send(method, "/v1/games/x/draw")
    assert response.status_code == 405
    assert response.headers["Allow"] == "OPTIONS, POST"
    assert response.get_json()["code"] == "method_not_allowed"


@pytest.mark.parametrize(
    "accept",
    [
        "text/html",
        "application/xml",
        "application/json;q=0, text/*",
        "text/html; charset=utf-8",
        "application/json; charset=utf-8; q=0",
        "application/json;q=0, */*",
        "application/problem+json",
    ],
)
def test_an_excluded_answer_is_a_problem(client: Client, accept: str) -> None:
    response = client.get("/v1/rules", headers={"Accept": accept})
    assert response.status_code == 406
    assert response.get_json()["code"] == "not_acceptable"


@pytest.mark.parametrize(
    "accept",
    [
        "*/*",
        "application/json",
        "application/*",
        "application/json; charset=utf-8",
        "application/json;charset=utf-8;q=0.9, text/html",
        "text/html, application/*;v=1",
        "",
        "x",
    ],
)
def test_any_other_accept_is_fine(client: Client, accept: str) -> None:
    expected = 406 if accept == "x" else 200
    assert client.get("/v1/rules", headers={"Accept": accept}).status_code in (200, expected)


def test_a_store_that_is_away_is_503_with_retry_after(log: Log) -> None:
    client = client_over(games_over(DeadStore()), log=log)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "1"
    assert response.get_json()["code"] == "store_unavailable"
    assert "password" not in response.get_data(as_text=True) + log.text()


def test_a_failure_is_logged_once_and_leaks_nothing(log: Log) -> None:
    games = games_over()
    games.__class__ = Broken
    client = client_over(games, log=log)
    response = client.get("/v1/games/x", headers={"X-Request-Id": "abc-1"})
    assert response.status_code == 500
    assert response.get_json()["request_id"] == "abc-1"
    lines = [json.loads(line) for line in log.text().splitlines()]
    [failure] = [line for line in lines if line["event"] == "failure"]
    assert failure["request_id"] == "abc-1"
    assert failure["error"] == "KeyError"
    assert any("look" in place for place in failure["places"])
    assert "okg_secret" not in response.get_data(as_text=True) + log.text()


def test_every_request_is_one_line(client: Client, log: Log) -> None:
    made = client.create()
    client.get("/nothing?invite=secret", headers={"X-Request-Id": "r-1"})
    created, missed = [json.loads(line) for line in log.text().splitlines()]
    assert created["operation"] == "createGame"
    assert created["game_id"] == made["game"]["game_id"]
    assert (created["status"], created["code"]) == (201, None)
    assert missed["request_id"] == "r-1"
    assert (missed["operation"], missed["status"], missed["code"]) == (None, 404, "not_found")
    assert "ms" in created
    assert "secret" not in log.text()


@pytest.mark.parametrize(
    "sent", ["", "a b", "x" * 129, "a\tb", "é", "a;b", "okg_secret", "okt_secret"]
)
def test_an_odd_request_id_is_replaced(client: Client, sent: str) -> None:
    got = client.get("/livez", headers={"X-Request-Id": sent}).headers["X-Request-Id"]
    assert got != sent
    assert len(got) == 32


def test_a_request_id_is_repeated_in_the_problem(client: Client) -> None:
    response = client.get("/nothing", headers={"X-Request-Id": "web-7"})
    assert response.headers["X-Request-Id"] == "web-7"
    assert response.get_json()["request_id"] == "web-7"


def test_deadwood_over_the_limit_comes_with_its_numbers(dealt: Table) -> None:
    while dealt.view(dealt.turn())["actions"]["pass"]:
        dealt.move(dealt.turn(), "pass")
    seat = dealt.turn()
    view = dealt.move(seat, "draw", {"source": "stock"}).get_json()
    knocks = {choice["discard"] for choice in view["actions"]["knock"]}
    card = next(card for card in view["you"]["hand"] if card not in knocks)
    problem = dealt.move(seat, "knock", {"discard": card}).get_json()
    assert problem["code"] == "deadwood_over_limit"
    assert problem["knock_limit"] == view["round"]["knock_limit"]
    assert problem["deadwood_points"] > problem["knock_limit"]


def test_options_names_the_methods(client: Client) -> None:
    response = client.app.test_client().options("/v1/rules")
    assert response.status_code == 200
    assert set(response.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}
