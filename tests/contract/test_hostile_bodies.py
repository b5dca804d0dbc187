"""What no client should send as a body: each gets its problem, and nothing changes."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import Tally
from tests.contract.http import Wire, request_bytes
from tests.contract.odd_json import INVALID, LARGEST, MALFORMED, MEDIA_TYPES, TOO_LARGE
from tests.contract.table import CARDS, Table, dealt, host, seat_all, short

pytestmark = pytest.mark.slow

JSON = ("Content-Type", "application/json")
ODD = (
    *((name, body, 400, "malformed_request") for name, body in MALFORMED.items()),
    *((name, body, 422, "invalid_request") for name, body in INVALID.items()),
    *((name, body, 413, "body_too_large") for name, body in TOO_LARGE.items()),
)


@pytest.fixture(scope="module")
def tables(wire: Wire) -> Iterator[list[Table]]:
    """Yield a game that waits, a full one, one in play and one that is over."""
    over = dealt(wire)
    over.done(0, "resign")
    tables = [host(wire), seat_all(wire), dealt(wire), over]
    before = [table.whole() for table in tables]
    yield tables
    assert [table.whole() for table in tables] == before


@pytest.fixture(scope="module")
def unchanged(tables: list[Table]) -> list[bytes]:
    return [table.look(0).content for table in tables]


@pytest.fixture(autouse=True)
def _every_game_can_be_read_and_is_unchanged(
    tables: list[Table], unchanged: list[bytes]
) -> Iterator[None]:
    yield
    assert [table.look(0).content for table in tables] == unchanged


def posts(wire: Wire, table: Table) -> Iterator[tuple[str, str | None]]:
    """Yield every path that is posted to, and a token for it."""
    described = wire.get("/openapi.json").json["paths"]
    for path, operations in described.items():
        if "post" in operations:
            token = table.tokens[0] if "/games/" in path else None
            yield path.replace("{game_id}", table.game_id), token


@pytest.mark.parametrize(
    "body, status, code", [each[1:] for each in ODD], ids=[each[0] for each in ODD]
)
def test_every_route_refuses_an_odd_body_by_its_code(
    wire: Wire, tables: list[Table], body: bytes, status: int, code: str, tally: Tally
) -> None:
    routes = list(posts(wire, tables[2]))
    assert len(routes) >= 14
    for path, token in routes:
        answer = wire.post(path, body, token)
        assert (answer.status, answer.code) == (status, code), (path, answer.content)
        assert answer.json["detail"]
        assert len(answer.content) < 4 * LARGEST + 4096 * body.count(b",")
    tally(odd_bodies=len(routes))


@pytest.mark.parametrize("media", MEDIA_TYPES, ids=short)
def test_a_body_that_is_not_sent_as_json_is_not_read(
    wire: Wire, tables: list[Table], media: str | None, tally: Tally
) -> None:
    typed = [] if media is None else [("Content-Type", media)]
    for path, token in posts(wire, tables[2]):
        bearer = [("Authorization", f"Bearer {token}")] if token else []
        answer = wire.ask("POST", path, [*typed, *bearer], b'{"name":"Annabelle"}')
        assert (answer.status, answer.code) == (415, "unsupported_media_type"), path
        tally(wrong_media_types=1)


@pytest.mark.parametrize("coding", ["gzip", "br", "deflate", "x", "identity, gzip"])
def test_an_encoded_body_is_not_read(wire: Wire, coding: str) -> None:
    answer = wire.post("/v1/games", {"name": "Annabelle"}, None, ("Content-Encoding", coding))
    assert (answer.status, answer.code) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    "media",
    [
        "application/json",
        "APPLICATION/Json",
        "application/json;charset=UTF-8",
        'application/json; charset="utf-8"',
        "application/json; x=y",
    ],
)
def test_json_may_be_named_in_these_ways(wire: Wire, media: str) -> None:
    answer = wire.ask("POST", "/v1/games", [("Content-Type", media)], b'{"name":"Annabelle"}')
    assert answer.status == 201


@pytest.mark.parametrize("typed", [True, False], ids=["as JSON", "untyped"])
def test_no_body_where_a_field_is_required_says_which(
    wire: Wire, tables: list[Table], typed: bool
) -> None:
    described = wire.get("/openapi.json").json["paths"]
    needy = [
        path
        for path, operations in described.items()
        if operations.get("post", {}).get("requestBody", {}).get("required")
    ]
    assert len(needy) >= 7
    for path in needy:
        target = path.replace("{game_id}", tables[2].game_id)
        answer = wire.post(target, b"" if typed else None, tables[2].tokens[0])
        assert (answer.status, answer.code) == (400, "malformed_request"), path
        assert "with " in answer.json["detail"]


WRONG: dict[str, tuple[Any, ...]] = {
    "integer": (True, False, "7", "", 5.9, 7.0, -1, 2**53, None, [], {}, [1], 1e300),
    "string": (7, True, 0.5, None, [], {}, ["a"], {"a": "b"}),
    "array": ("AS", 7, True, None, {}, {"0": "AS"}, [None], [7], [[[]]], ["10S"], [{}]),
    "object": ("x", 7, True, None, [], [{}]),
    "boolean": (0, 1, "true", None, [], {}),
}
NO_CARDS = ("", "A", "as", "aS", "10S", "TS ", " TS", "ST", "1S", "XX", "🂡", "ASAS", "AS\n", "A\0")


def fields(wire: Wire) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield path, name and shape of every field of every body."""
    spec = wire.get("/openapi.json").json
    for path, operations in spec["paths"].items():
        body = operations.get("post", {}).get("requestBody")
        if body:
            name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            for field, shape in spec["components"]["schemas"][name]["properties"].items():
                yield path, field, shape


def test_every_field_is_strict_about_its_type(
    wire: Wire, tables: list[Table], tally: Tally
) -> None:
    tried = 0
    for path, field, shape in fields(wire):
        target = path.replace("{game_id}", tables[2].game_id)
        values = [
            *WRONG[shape.get("type", "object")],
            *(NO_CARDS if "pattern" in shape else ()),
            *(("no such word",) if "enum" in shape else ()),
        ]
        for value in values:
            answer = wire.post(target, {field: value}, tables[2].tokens[0])
            assert answer.status == 422, (path, field, value, answer.content)
            pointers = [error["pointer"] for error in answer.json["errors"]]
            assert any(pointer.startswith(f"/{field}") for pointer in pointers), answer.content
            tried += 1
    assert tried > 150
    tally(wrong_values=tried)


def test_every_option_is_strict_about_its_type(wire: Wire, tally: Tally) -> None:
    tried = 0
    for option in wire.get("/v1/rules").json["options"]:
        kind = {"choice": "string"}.get(option["type"], option["type"])
        for value in (*WRONG[kind], *(("no such word",) if kind == "string" else ())):
            body = {"name": "Annabelle", "rules": {option["name"]: value}}
            answer = wire.post("/v1/games", body)
            assert (answer.status, answer.code) == (422, "invalid_rules"), (option, value)
            assert answer.json["errors"][0]["pointer"] == f"/rules/{option['name']}"
            tried += 1
    tally(wrong_options=tried)


NO_DECKS: tuple[object, ...] = (
    [],
    [[]],
    [CARDS[:51]],
    [[*CARDS, "AS"]],
    [[*CARDS[:51], CARDS[0]]],
    [CARDS, CARDS[1:]],
    CARDS,
    [",".join(CARDS)],
    [[CARDS]],
    {"0": CARDS},
)


def test_a_deck_is_52_distinct_cards(wire: Wire) -> None:
    for deck in NO_DECKS:
        answer = wire.post("/v1/games", {"name": "Annabelle", "deck": deck})
        assert (answer.status, answer.code) == (422, "invalid_request")


def test_all_faults_are_named_at_once(wire: Wire) -> None:
    body = {"name": "", "seats": 9, "visibility": "x", "rules": {"target_score": 0, "y": 1}}
    answer = wire.post("/v1/games", body)
    assert (answer.status, answer.code) == (422, "invalid_request")
    pointers = {error["pointer"] for error in answer.json["errors"]}
    assert pointers == {"/name", "/seats", "/visibility", "/rules/target_score", "/rules/y"}


KEPT_NAMES = {
    "A": "A",
    "  Ann \t": "Ann",
    "\u3000Ann\u2003": "Ann",
    "e\u0301": "\u00e9",
    "x" * 40: "x" * 40,
    "e\u0301" * 40: "\u00e9" * 40,
    "\U0001f0a1" * 40: "\U0001f0a1" * 40,
    "Ann-Marie O'Neill, 3rd": "Ann-Marie O'Neill, 3rd",
    "李小龍": "李小龍",
    "עִבְרִית": None,
    "ไทย": "ไทย",
    "नमस्ते": "नमस्ते",
    "<b>&amp;'\"": "<b>&amp;'\"",
    "{name} %s ${x}": "{name} %s ${x}",
    "👩‍👩‍👧‍👦": "👩‍👩‍👧‍👦",
    "❤️": "❤️",
    "👍🏽": "👍🏽",
    "1️⃣": "1️⃣",
    "🏳️‍🌈": "🏳️‍🌈",
}
NO_NAMES = (
    *("", " ", "\t", "\u3000", "x" * 41, "\U0001f0a1" * 41),
    *("a\0b", "a\nb", "a\tb", "a\rb", "a\x1bb", "a\x7fb", "a\x85b", "a\x9fb"),
    *("a\u200bb", "a\u200eb", "a\u200fb", "a\u00adb", "a\u2060b", "a\ufeffb", "a\u180eb"),
    *("a\u202ab", "a\u202bb", "a\u202cb", "a\u202db", "a\u202eb"),
    *("a\u2066b", "a\u2067b", "a\u2068b", "a\u2069b", "a\u061cb"),
    *("a\u2028b", "a\u2029b", "a\ufff9b", "a\U000e0041b", "a\ue000b", "a\uffffb", "a\u0378b"),
    *("a\u200db", "a\u200cb", "a\ufe0fb", "\u0301", "\u200b"),
    *("\u3164", "\uffa0", "\u2800", "\u115f\u1160"),
)


@pytest.mark.parametrize("name", KEPT_NAMES, ids=short)
def test_a_printable_name_is_kept(wire: Wire, name: str, tally: Tally) -> None:
    table = host(wire, name=name)
    [player] = table.view()["players"]
    if KEPT_NAMES[name] is not None:
        assert player["name"] == KEPT_NAMES[name]
    tally(names_kept=1)


@pytest.mark.parametrize("name", NO_NAMES, ids=short)
def test_a_name_that_does_not_print_is_refused(
    wire: Wire, tables: list[Table], name: str, tally: Tally
) -> None:
    for path in ("/v1/games", f"{tables[0].path}/players"):
        answer = wire.post(path, {"name": name})
        assert (answer.status, answer.code) == (422, "invalid_request"), answer.content
        assert [error["pointer"] for error in answer.json["errors"]] == ["/name"]
    tally(names_refused=2)


def framed(path: str, token: str, *headers: tuple[str, str], body: bytes) -> bytes:
    return request_bytes("POST", path, [("Authorization", f"Bearer {token}"), JSON, *headers], body)


CHUNKED = ("Transfer-Encoding", "chunked")
BROKEN_FRAMES = {
    "a body that ends early": (("Content-Length", "100"), b"{}"),
    "no body where one was promised": (("Content-Length", "100"), b""),
    "a chunk that ends early": (CHUNKED, b"20\r\n{}"),
    "a chunk of a size that is none": (CHUNKED, b"zz\r\n{}\r\n0\r\n\r\n"),
    "a chunk of a negative size": (CHUNKED, b"-2\r\n{}\r\n0\r\n\r\n"),
    "a chunk longer than its size": (CHUNKED, b"1\r\n{}\r\n0\r\n\r\n"),
    "no last chunk": (CHUNKED, b"2\r\n{}\r\n"),
    "no chunk": (CHUNKED, b""),
    "a negative length": (("Content-Length", "-2"), b"{}"),
    "a length that is none": (("Content-Length", "2x"), b"{}"),
    "a length of 40 digits": (("Content-Length", "2" * 40), b"{}"),
    "two lengths": (("Content-Length", "2, 2"), b"{}"),
    "an unknown coding": (("Transfer-Encoding", "gzip"), b"{}"),
}


@pytest.mark.parametrize("name", BROKEN_FRAMES)
def test_a_body_that_does_not_come_whole_is_refused(
    wire: Wire, tables: list[Table], name: str, tally: Tally
) -> None:
    header, body = BROKEN_FRAMES[name]
    table = tables[2]
    for verb in ("resign", "pass", "token", "entropy"):
        with wire.connect() as link:
            link.sendall(framed(f"{table.path}/{verb}", table.tokens[0], header, body=body))
            link.shutdown(1)
            answer = wire.read(link, "POST")
        assert 400 <= answer.status < 500 or answer.status == 501, answer.content
    tally(broken_frames=4)


def test_a_length_and_chunks_together_are_refused(wire: Wire, tables: list[Table]) -> None:
    table = tables[2]
    sent = framed(
        f"{table.path}/pass", table.tokens[0], CHUNKED, ("Content-Length", "2"), body=b"0\r\n\r\n"
    )
    assert wire.raw(sent, "POST").status == 400


def test_a_chunked_body_is_read(wire: Wire) -> None:
    table = host(wire)
    body = b'9\r\n{"entropy\r\n8\r\n":"hero"\r\n1\r\n}\r\n0\r\n\r\n'
    sent = framed(f"{table.path}/entropy", table.tokens[0], CHUNKED, body=body)
    assert wire.raw(sent, "POST").status == 200


def test_a_chunked_body_beyond_the_limit_is_refused_while_it_comes(
    wire: Wire, tables: list[Table]
) -> None:
    chunk = b"1000\r\n" + b" " * 4096 + b"\r\n"
    sent = framed(f"{tables[2].path}/pass", tables[2].tokens[0], CHUNKED, body=chunk * 5)
    answer = wire.raw(sent + b"0\r\n\r\n", "POST")
    assert (answer.status, answer.code) == (413, "body_too_large")


@pytest.mark.parametrize("size", [LARGEST + 1, 300_000])
def test_what_is_left_of_a_refused_body_is_never_taken_for_a_request(
    wire: Wire, tables: list[Table], size: int
) -> None:
    table = tables[2]
    smuggled = request_bytes(
        "POST", f"{table.path}/resign", [("Authorization", f"Bearer {table.tokens[0]}")]
    )
    body = smuggled * (size // len(smuggled) + 1)
    head = on_a_kept_connection(
        "POST",
        f"{table.path}/pass",
        [("Authorization", f"Bearer {table.tokens[0]}"), JSON, ("Content-Length", str(len(body)))],
    )
    came = wire.everything(head + body + request_bytes("GET", "/v1/seat"))
    # What the server does not read it must not answer: it may close, or read to the end and go on.
    assert statuses(came) in (["413"], ["413", "401"]), came


def statuses(came: bytes) -> list[str]:
    return [status.decode() for status in re.findall(rb"HTTP/1.1 (\d+)", came)]


def on_a_kept_connection(*request: Any) -> bytes:
    return request_bytes(*request).replace(b"Connection: close\r\n", b"")


def test_requests_on_one_connection_are_answered_in_order(wire: Wire) -> None:
    first, second = on_a_kept_connection("GET", "/livez"), request_bytes("GET", "/v1/seat")
    came = wire.everything(first * 3 + second)
    assert statuses(came) == ["200", "200", "200", "401"]
