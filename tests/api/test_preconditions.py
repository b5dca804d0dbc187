"""If-Match and If-None-Match in every form."""

import pytest

from service.api.preconditions import if_match, if_none_match, tags_in
from service.api.problems import Problem
from tests.api.client import Client, Table

MALFORMED = [
    "17-9f3c1a2b.0",
    "'17-9f3c1a2b.0'",
    '"17',
    '17"',
    '"a" "b"',
    '"a",b',
    '*, "a"',
    '"a", *',
    'w/"a"',
    'W/ "a"',
    '"a\x01"',
    '"a b"',
    "",
    ",",
    "W/",
    '"' + "a" * 4096 + '"',
]


@pytest.mark.parametrize("value", MALFORMED)
def test_a_malformed_list_is_refused(value: str) -> None:
    with pytest.raises(Problem) as refused:
        tags_in("If-Match", value)
    assert refused.value.code == "malformed_request"
    assert "If-Match" in refused.value.detail


@pytest.mark.parametrize(
    "value, tags",
    [
        ('"a"', {"a"}),
        ('W/"a"', {"a"}),
        ('"a","b"', {"a", "b"}),
        (' "a" ,\t W/"b" ', {"a", "b"}),
        (',, "a",,', {"a"}),
        ('"a,b"', {"a,b"}),
        ('""', {""}),
        ('"W/"', {"W/"}),
        ('"\xe9"', {"\xe9"}),
    ],
)
def test_a_list_of_tags_is_read(value: str, tags: set[str]) -> None:
    assert tags_in("If-Match", value) == frozenset(tags)


@pytest.mark.parametrize("value", ["*", " * "])
def test_a_star_stands_for_any(value: str) -> None:
    assert tags_in("If-Match", value) is None


def test_if_match_does_not_compare_the_viewer() -> None:
    holds = if_match('"17-9f3c1a2b.1"')
    assert holds
    assert holds("17-9f3c1a2b")
    assert not holds("18-9f3c1a2b")
    assert not holds("17-00000000")


def test_if_none_match_compares_the_whole_tag() -> None:
    same = if_none_match('W/"17-9f3c1a2b.1", "x"')
    assert same
    assert same('"17-9f3c1a2b.1"')
    assert not same('"17-9f3c1a2b.0"')


def test_an_absent_header_is_no_condition() -> None:
    assert if_match(None) is None
    assert if_none_match(None) is None


def stale(table: Table, value: str) -> int:
    return table.move(0, "deal", headers={"If-Match": value}).status_code


def test_a_matching_move_is_applied_and_a_stale_one_is_not(table: Table) -> None:
    first = table.view(1)["etag"]
    assert stale(table, '"1-00000000.0"') == 412
    assert stale(table, f'"1-00000000.0", W/{first}') == 200
    response = table.move(1, "pass", headers={"If-Match": first})
    assert response.status_code == 412
    assert response.get_json()["code"] == "stale_version"
    assert response.get_json()["game"] == table.view(1)


def test_a_star_matches_any_version(table: Table) -> None:
    assert stale(table, "*") == 200


@pytest.mark.parametrize("value", ["17-9f3c1a2b.0", ""])
def test_a_malformed_if_match_is_400_and_changes_nothing(table: Table, value: str) -> None:
    before = table.view()
    assert stale(table, value) == 400
    assert table.view() == before


def test_if_match_means_nothing_on_create_and_analysis(client: Client) -> None:
    headers = {"If-Match": "nonsense"}
    assert client.post("/v1/games", {"name": "Ann"}, headers=headers).status_code == 201
    answer = client.post("/v1/analysis/hand", {"hand": ["AS"]}, headers=headers)
    assert answer.status_code == 200


def test_an_unchanged_view_is_304_with_its_headers(table: Table) -> None:
    etag = table.view(0)["etag"]
    for value in (etag, f"W/{etag}", f'"x", {etag}', "*"):
        response = table.client.get(
            table.path, token=table.tokens[0], headers={"If-None-Match": value}
        )
        assert response.status_code == 304
        assert response.headers["ETag"] == etag
        assert response.headers["Cache-Control"] == "private, no-cache, no-transform"
        assert response.headers["Vary"] == "Authorization"


def test_another_viewer_s_tag_is_not_ones_own(table: Table) -> None:
    headers = {"If-None-Match": table.view(0)["etag"]}
    for token in (table.tokens[1], None):
        assert table.client.get(table.path, token=token, headers=headers).status_code == 200


def test_authentication_comes_before_304(client: Client) -> None:
    table = Table(client, visibility="private")
    headers = {"If-None-Match": "*"}
    assert client.get(table.path, headers=headers).status_code == 404
    forged = table.tokens[0][:-1] + ("A" if table.tokens[0][-1] != "A" else "B")
    assert client.get("/v1/seat", token=forged, headers=headers).status_code == 401


def test_authentication_comes_before_412_and_409(table: Table) -> None:
    headers = {"If-Match": '"1-00000000.0"'}
    path = f"{table.path}/deal"
    assert table.client.post(path, headers=headers).status_code == 401
    assert table.client.post(path, token="okg_forged", headers=headers).status_code == 401


def test_a_malformed_if_none_match_is_400(table: Table) -> None:
    headers = {"If-None-Match": "17"}
    assert table.client.get(table.path, headers=headers).status_code == 400


def test_the_seat_of_a_token_honours_if_none_match(table: Table) -> None:
    response = table.client.get("/v1/seat", token=table.tokens[1])
    assert response.get_json()["seat"] == 1
    assert response.get_json()["game_id"] == table.game_id
    headers = {"If-None-Match": response.headers["ETag"]}
    again = table.client.get("/v1/seat", token=table.tokens[1], headers=headers)
    assert again.status_code == 304
