"""The guarded reader: every odd body gets a sentence of its own, and nothing is created."""

import json
from io import BytesIO
from typing import Any

import gevent
import pytest

from service.api import body
from service.api.body import fingerprint
from tests.api.client import Client, Log, client_over
from tests.games.memory import MemoryStore
from tests.games.table import games_over

DEEP = b'{"name":' + b"[" * 32 + b"]" * 32 + b"}"
MALFORMED = {
    "not JSON": (b"{", "not JSON"),
    "only spaces": (b"  ", "not JSON"),
    "trailing text": (b'{"name":"Ann"} x', "not JSON"),
    "single quotes": (b"{'name':'Ann'}", "not JSON"),
    "a control character in a string": (b'{"name":"A\x00nn"}', "not JSON"),
    "duplicate keys": (b'{"name":"Ann","name":"Bob"}', "twice"),
    "duplicate keys deep down": (b'{"name":"Ann","rules":{"a":1,"a":2}}', "twice"),
    "NaN": (b'{"name":"Ann","seats":NaN}', "NaN is not JSON"),
    "Infinity": (b'{"name":"Ann","seats":Infinity}', "Infinity is not JSON"),
    "minus Infinity": (b'{"name":"Ann","seats":-Infinity}', "-Infinity is not JSON"),
    "1e400": (b'{"name":"Ann","seats":1e400}', "too large"),
    "minus 1e400": (b'{"name":"Ann","seats":-1e400}', "too large"),
    "2^53 + 1": (b'{"name":"Ann","seats":9007199254740993}', "beyond 2^53"),
    "minus 2^53 - 1": (b'{"name":"Ann","seats":-9007199254740993}', "beyond 2^53"),
    "5,000 digits": (b'{"name":"Ann","seats":' + b"9" * 5000 + b"}", "beyond 2^53"),
    "33 deep": (DEEP, "more than 32 deep"),
    "brackets alone": (b"[" * 8000, "more than 32 deep"),
    "a byte order mark": (b'\xef\xbb\xbf{"name":"Ann"}', "byte order mark"),
    "UTF-16": ('{"name":"Ann"}'.encode("utf-16-le"), "not JSON"),
    "broken UTF-8": (b'{"name":"\xff"}', "not UTF-8"),
    "an encoded surrogate": (b'{"name":"\xed\xa0\x80"}', "not UTF-8"),
    "a lone surrogate": (b'{"name":"\\ud800"}', "stands alone"),
    "a lone low surrogate": (b'{"name":"\\udc00\\ud800"}', "stands alone"),
    "a lone surrogate as a key": (b'{"\\udfff":1}', "stands alone"),
    "a list": (b"[]", "not an object"),
    "a string": (b'"Ann"', "not an object"),
    "a number": (b"1", "not an object"),
    "null": (b"null", "not an object"),
    "nothing": (b"", "empty"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_odd_json_is_refused_with_its_own_sentence(name: str) -> None:
    store = MemoryStore()
    client = client_over(games_over(store))
    raw, sentence = MALFORMED[name]
    response = client.post("/v1/games", raw=raw)
    assert response.status_code == 400
    assert response.get_json()["code"] == "malformed_request"
    assert sentence in response.get_json()["detail"]
    assert store.games == {}


def test_brackets_in_a_string_are_not_nesting(client: Client) -> None:
    raw = json.dumps({"name": "[" * 39 + '"'}).encode()
    assert client.post("/v1/games", raw=raw).status_code == 201


def test_a_pair_of_surrogate_escapes_is_one_character(client: Client) -> None:
    response = client.post("/v1/games", raw=b'{"name":"\\ud83d\\ude00"}')
    assert response.get_json()["game"]["players"][0]["name"] == "\U0001f600"


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_over_16_kib_is_refused(client: Client, chunked: bool) -> None:
    raw = b'{"name":"Ann"}' + b" " * 16_384
    response = client.post("/v1/games", raw=raw, chunked=chunked)
    assert response.status_code == 413
    assert response.get_json()["code"] == "body_too_large"


def test_a_body_of_16_kib_is_taken(client: Client) -> None:
    raw = b'{"name":"Ann"}'.ljust(16_384)
    assert client.post("/v1/games", raw=raw).status_code == 201


def test_a_chunked_body_is_read_to_its_end(client: Client) -> None:
    assert client.post("/v1/games", raw=b'{"name":"Ann"}', chunked=True).status_code == 201


@pytest.mark.parametrize(
    "media",
    [
        "text/plain",
        "application/json; charset=latin-1",
        "application/json; charset=utf-16",
        "application/merge-patch+json",
        "application/x-www-form-urlencoded",
        "",
    ],
)
def test_another_media_type_is_refused(client: Client, media: str) -> None:
    response = client.post("/v1/games", raw=b'{"name":"Ann"}', headers={"Content-Type": media})
    assert response.status_code == 415
    assert response.get_json()["code"] == "unsupported_media_type"


@pytest.mark.parametrize(
    "media",
    [
        "application/json",
        "Application/JSON; charset=UTF-8",
        'application/json;charset="utf-8"',
        "application/json; charset=utf8",
    ],
)
def test_json_in_utf_8_is_taken(client: Client, media: str) -> None:
    response = client.post("/v1/games", raw=b'{"name":"Ann"}', headers={"Content-Type": media})
    assert response.status_code == 201


def test_a_compressed_body_is_refused(client: Client) -> None:
    headers = {"Content-Encoding": "gzip"}
    assert client.post("/v1/games", raw=b'{"name":"Ann"}', headers=headers).status_code == 415


def test_the_body_may_be_left_out_where_no_field_is_required(client: Client) -> None:
    created = client.create()
    path = f"/v1/games/{created['game']['game_id']}/leave"
    assert client.post(path, token=created["token"]).status_code == 200


def test_a_body_that_takes_no_field_refuses_any(client: Client) -> None:
    created = client.create()
    path = f"/v1/games/{created['game']['game_id']}/leave"
    response = client.post(path, {"why": 1}, token=created["token"])
    assert response.get_json()["errors"] == [
        {"pointer": "/why", "detail": "The request has no such field; it takes none."}
    ]


def test_spacing_order_and_escapes_do_not_change_a_fingerprint() -> None:
    one = json.loads('{"a": "\\u00e9", "b": [1, 2]}')
    other = json.loads('{"b":[1,2],"a":"é"}')
    assert fingerprint(one) == fingerprint(other) != fingerprint({})
    assert fingerprint(None) == fingerprint({})


def test_no_name_or_body_is_logged(client: Client, log: Log) -> None:
    client.create(name="Wilhelmina")
    client.post("/v1/games", {"name": "Wilhelmina", "deck": 1})
    assert "Wilhelmina" not in log.text()


class Stalled(BytesIO):
    """A body of which the rest stays away."""

    def read(self, _size: int | None = -1) -> bytes:
        gevent.sleep(60)
        raise AssertionError("nobody waits as long as that")


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_stays_away_is_not_waited_for(
    client: Client, monkeypatch: pytest.MonkeyPatch, chunked: bool
) -> None:
    monkeypatch.setattr(body, "PATIENCE_SECONDS", 0.01)
    environ: dict[str, Any] = {"wsgi.input": Stalled()}
    if chunked:
        environ["wsgi.input_terminated"] = True
    response = client.app.test_client().post(
        "/v1/games",
        content_type="application/json",
        content_length=None if chunked else 50,
        environ_overrides=environ,
    )
    assert response.status_code == 400
    assert response.get_json()["detail"].startswith("The body did not come whole within")
