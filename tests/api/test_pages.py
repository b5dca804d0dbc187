"""What the service says of itself: docs, rules, analysis, health."""

import gzip
import re
from typing import Any

import pytest

from service.rules.ruleset import OPTIONS, PRESETS
from tests.api.client import Client


def test_the_documentation_page_needs_nobody_else(client: Client) -> None:
    response = client.get("/docs")
    page = response.get_data(as_text=True)
    assert response.mimetype == "text/html"
    assert not re.search(r"(https?:)?//", page)
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for place in re.findall(r'(?:src|href)="([^"]+)"', page):
        found = client.app.test_client().get(place)
        assert found.status_code == 200, place
        assert len(found.get_data()) > 100


@pytest.mark.parametrize("place", ["/docs", "/docs/docs.js", "/docs/swagger-ui-bundle.js"])
def test_a_page_is_compressed_and_asked_about_and_not_sent_again(
    client: Client, place: str
) -> None:
    plain = client.get(place)
    assert plain.headers["X-Content-Type-Options"] == "nosniff"
    small = client.get(place, headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(small.get_data()) == plain.get_data()
    assert small.headers["Cache-Control"] == plain.headers["Cache-Control"] == "public, no-cache"
    assert small.headers["ETag"] != plain.headers["ETag"]
    again = client.get(place, headers={"If-None-Match": plain.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    "asset", ["index.html", "..", "%2e%2e%2f__init__.py", "oauth2-redirect.js"]
)
def test_no_other_file_is_served(client: Client, asset: str) -> None:
    assert client.get(f"/docs/{asset}").status_code == 404


def test_the_index_leads_everywhere(client: Client) -> None:
    index: dict[str, Any] = client.get("/").get_json()
    for name, place in index.items():
        if name != "name":
            assert client.app.test_client().get(place).status_code == 200


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


@pytest.mark.parametrize(
    "accept, media",
    [
        (BROWSER, "text/html"),
        ("text/html", "text/html"),
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        (None, "application/json"),
    ],
)
def test_the_index_is_a_page_of_links_for_browsers(
    client: Client, accept: str | None, media: str
) -> None:
    answer = client.get("/", headers={"Accept": accept} if accept else {})
    assert (answer.status_code, answer.mimetype) == (200, media)
    assert answer.headers["Vary"] == "Accept"
    if media == "text/html":
        links = re.findall(r'href="(/[^"]*)"', answer.get_data(as_text=True))
        assert {"/play/", "/docs", "/openapi.yaml", "/v1/rules"} <= set(links)
        assert [client.get(link).status_code for link in links] == [200] * len(links)


@pytest.mark.parametrize("path", ["/", "/v1/games", "/livez"])
def test_the_length_of_every_answer_is_told(client: Client, path: str) -> None:
    for method in ("GET", "HEAD", "OPTIONS"):
        answer = client.app.test_client().open(path, method=method)
        assert answer.status_code == 200
        assert int(answer.headers["Content-Length"]) >= len(answer.get_data())


def test_the_rules_are_served_whole(client: Client) -> None:
    rules = client.get("/v1/rules").get_json()
    assert [preset["name"] for preset in rules["presets"]] == list(PRESETS)
    assert [option["name"] for option in rules["options"]] == [each.name for each in OPTIONS]
    for preset in rules["presets"]:
        assert client.get(f"/v1/rules/{preset['name']}").get_json() == preset
        assert list(preset["rules"]) == [option.name for option in OPTIONS]


def test_the_process_lives_and_can_keep_games(client: Client) -> None:
    for path in ("/livez", "/readyz"):
        response = client.get(path)
        assert response.get_json() == {"status": "ok"}
        assert response.headers["Cache-Control"] == "no-store"


def test_a_hand_of_eleven_is_analysed_with_its_discards(client: Client) -> None:
    hand = ["4C", "5C", "6C", "7C", "2D", "4D", "5D", "6D", "6H", "5S", "6S"]
    answer = client.post("/v1/analysis/hand", {"hand": hand, "knock_limit": 10}).get_json()
    knocks = {each["card"]: each["deadwood_points"] for each in answer["discards"]
              if each["can_knock"]}  # fmt: skip
    assert knocks == {"7C": 10}
    assert [each["card"] for each in answer["discards"]] == hand


def test_a_hand_of_ten_is_split(client: Client) -> None:
    hand = ["3H", "4H", "5H", "6H", "7H", "5C", "5D", "7C", "7D", "KS"]
    answer = client.post("/v1/analysis/hand", {"hand": hand}).get_json()
    assert answer["deadwood_points"] == 20
    assert answer["discards"] is None
    assert ["3H", "4H", "5H"] in answer["possible_melds"]


@pytest.mark.parametrize(
    "body",
    [
        {"hand": []},
        {"hand": ["AS"] * 2},
        {"hand": [f"{rank}C" for rank in "A23456789TJQ"]},
        {"hand": ["AS"], "knock_limit": 11},
        {"hand": ["AS"], "limit": 1},
        {},
    ],
)
def test_another_hand_is_refused(client: Client, body: Any) -> None:
    assert client.post("/v1/analysis/hand", body).status_code == 422


def test_a_new_game_has_an_address(client: Client) -> None:
    response = client.post("/v1/games", {"name": "Ann"})
    game_id = response.get_json()["game"]["game_id"]
    assert response.headers["Location"] == f"/v1/games/{game_id}"
    assert response.headers["ETag"] == response.get_json()["game"]["etag"]
