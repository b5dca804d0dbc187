"""Pages of other origins may call where the operator says so, and read what they need."""

import pytest
from werkzeug.test import TestResponse

from tests.api.client import Client, Table, client_over

PAGE = "https://table.example"
STRANGER = "https://elsewhere.example"


@pytest.fixture
def open_to_page() -> Client:
    return client_over(origins=frozenset({PAGE, "http://localhost:5173"}))


def preflight(client: Client, origin: str, path: str = "/v1/games") -> TestResponse:
    asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    return client.app.test_client().options(path, headers=asked)


def listed(response: TestResponse, name: str) -> set[str]:
    return {each.strip() for each in response.headers.get(name, "").split(",")} - {""}


def test_without_the_setting_no_origin_is_named(client: Client) -> None:
    answer = client.get("/v1/games", headers={"Origin": PAGE})
    assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]
    assert preflight(client, PAGE).headers.get("Access-Control-Allow-Origin") is None


def test_a_page_of_a_named_origin_may_read_what_it_needs(open_to_page: Client) -> None:
    answer = open_to_page.get("/v1/games", headers={"Origin": PAGE})
    assert answer.headers["Access-Control-Allow-Origin"] == PAGE
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert listed(answer, "Access-Control-Expose-Headers") == {
        "ETag",
        "Location",
        "Date",
        "Retry-After",
        "Idempotency-Replayed",
        "X-Request-Id",
        "RateLimit",
        "RateLimit-Policy",
    }


def test_a_refusal_can_be_read_too(open_to_page: Client) -> None:
    answer = open_to_page.get("/v1/games/none", headers={"Origin": PAGE})
    assert answer.status_code == 404
    assert answer.headers["Access-Control-Allow-Origin"] == PAGE


def test_a_page_of_another_origin_may_not(open_to_page: Client) -> None:
    answer = open_to_page.get("/v1/games", headers={"Origin": STRANGER})
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert "Access-Control-Allow-Origin" not in preflight(open_to_page, STRANGER).headers


def test_caches_keep_the_answers_of_origins_apart(open_to_page: Client) -> None:
    table = Table(open_to_page)
    for headers in ({}, {"Origin": PAGE}, {"Origin": STRANGER}):
        answer = open_to_page.get(table.path, headers=headers)
        assert listed(answer, "Vary") >= {"Origin", "Authorization"}


def test_a_preflight_is_answered_once_for_two_hours(open_to_page: Client) -> None:
    for path in ("/v1/games", "/v1/games/none/draw"):
        answer = preflight(open_to_page, PAGE, path)
        assert (answer.status_code, answer.get_data()) == (204, b"")
        assert answer.headers["Access-Control-Max-Age"] == "7200"
        assert listed(answer, "Access-Control-Allow-Methods") >= {"GET", "POST"}
        assert listed(answer, "Access-Control-Allow-Headers") >= {
            "Authorization",
            "Content-Type",
            "Idempotency-Key",
            "If-Match",
            "If-None-Match",
            "Last-Event-ID",
        }


def test_options_without_a_preflight_tell_the_methods(open_to_page: Client) -> None:
    answer = open_to_page.app.test_client().options("/v1/games", headers={"Origin": PAGE})
    assert listed(answer, "Allow") == {"GET", "HEAD", "POST", "OPTIONS"}


def test_a_star_opens_the_service_to_every_page() -> None:
    client = client_over(origins=frozenset({"*"}))
    answer = client.get("/v1/games", headers={"Origin": STRANGER})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Origin" not in listed(answer, "Vary")
