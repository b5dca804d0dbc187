"""Paths, queries, methods and whole requests that no client should send."""

import itertools
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.conftest import Tally
from tests.contract.http import Answer, Wire, request_bytes
from tests.contract.table import CARDS, Table, dealt, short

pytestmark = pytest.mark.slow

ODD_SEGMENTS = (
    *("", "%20", "x", "0", "-1", "null", "undefined", "{game_id}", "%7Bgame_id%7D", "*", "~"),
    *("A" * 22, "A" * 64, "A" * 65, "A" * 3000, "{id}A", "A{id}", "{cut}", "{upper}"),
    *("{id}%00", "{id}%20", "{id}%0A", "{id}%0D%0ASet-Cookie:x", "{id}%2F"),
    *("%00", "%2e", "%2e%2e", ".", "..", "..%2f..%2fetc%2fpasswd", "..%5c..%5c", "%252e%252e"),
    *("%c0%ae%c0%ae", "%ff", "%ff%fe", "%ed%a0%80", "%E2%80%AE", "%F0%9F%82%A1", "%EF%BB%BF"),
    *("%", "%%", "%zz", "%1", "%u0041", "{id};a=b", "{id},", "{id}:", "{id}@x", "{id}+", "{id}'"),
    *("okg:{{id}}", "okg:*", "{id}:events", "canary-0000000000000000", "<script>", "$(id)", "`id`"),
    *("%D9%A1%D9%A2", "{id}%E2%80%8B", "{{}}", "%s%s%n", "${{x}}", "%25", "{id}%3Fx", "{id}%23"),
)
ODD_NUMBERS = (
    *("0", "-1", "-0", "+1", "01", "1.0", "1.5", "1e0", "0x1", "1_0", "true", "null", "", "%20"),
    *("9" * 9, "9" * 10, "9" * 20, "9" * 400, "-" + "9" * 400, "2147483648", "9223372036854775808"),
    *("%D9%A1", "%EF%BC%91", "%C2%B9", "%E2%91%A0", "1%00", "1%0A", "%201", "1%20", "1%2F", "1,2"),
    *("NaN", "Infinity", "1;DROP", "1'", "[1]", "*", "1*"),
)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "PURGE")


@pytest.fixture(scope="module")
def table(wire: Wire) -> Table:
    return dealt(wire, deck=[CARDS, CARDS])


@pytest.fixture(autouse=True)
def _the_game_is_unchanged(table: Table) -> Iterator[None]:
    before = table.look(0).content
    yield
    assert table.look(0).content == before


def filled(segment: str, table: Table) -> str:
    for name, value in (
        ("{id}", table.game_id),
        ("{cut}", table.game_id[:-1]),
        ("{upper}", table.game_id.swapcase()),
    ):
        segment = segment.replace(name, value)
    return segment


def assert_refused(answer: Answer, *statuses: int) -> None:
    """Check that an answer is a problem of ours, or the server's own word on a broken request."""
    assert answer.status in (statuses or range(400, 500)), answer.content
    ours = answer.is_problem and answer.json["status"] == answer.status
    assert ours or (answer.status in (400, 414, 431) and b"<h1>" in answer.content)


@pytest.mark.parametrize("segment", ODD_SEGMENTS, ids=short)
def test_an_odd_id_is_no_game(wire: Wire, table: Table, segment: str, tally: Tally) -> None:
    odd = filled(segment, table)
    for path in (f"/v1/games/{odd}", f"/v1/games/{odd}/score", f"/v1/games/{odd}/events?limit=1"):
        assert_refused(wire.get(path, table.tokens[0]), 400, 401, 404, 405)
        assert_refused(wire.get(path), 400, 404, 405)
    for verb in ("pass", "players"):
        answer = wire.post(f"/v1/games/{odd}/{verb}", {"name": "Zenobia Zest"})
        assert_refused(answer, 400, 401, 404, 405, 422)
    tally(odd_ids=8)


@pytest.mark.parametrize("number", ODD_NUMBERS, ids=short)
def test_an_odd_number_is_no_round(wire: Wire, table: Table, number: str, tally: Tally) -> None:
    answer = wire.get(f"{table.path}/rounds/{number}", table.tokens[0])
    assert_refused(answer, 404)
    assert answer.code in ("round_not_found", "not_found")
    tally(odd_rounds=1)


GOOD_NUMBERS = {"after": {"0", "-0", "01", "9" * 9, "9" * 10, "2147483648"}, "limit": {"01"}}


@pytest.mark.parametrize("name", ["after", "limit"])
@pytest.mark.parametrize("number", ODD_NUMBERS, ids=short)
def test_an_odd_number_in_a_query_is_malformed(
    wire: Wire, table: Table, name: str, number: str, tally: Tally
) -> None:
    answer = wire.get(f"{table.path}/events?{name}={number}", table.tokens[0])
    if answer.status == 200:
        assert number in GOOD_NUMBERS[name]
    else:
        assert (answer.status, answer.code) == (400, "malformed_request"), answer.content
        assert name in answer.json["detail"]
    tally(odd_queries=1)


@pytest.mark.parametrize(
    "query, status",
    [
        ("?after=1&after=2", 400),
        ("?after=1&after=1", 400),
        ("?limit=101", 400),
        ("?limit=0", 400),
        ("?invite=", 400),
        ("?invite=" + "x" * 201, 400),
        ("?invite=%00", 200),
        ("?invite=%ff%fe", 200),
        ("?invite=%F0%9F%82%A1", 200),
        ("?unknown=1", 200),
        ("?unknown=1&unknown=2", 200),
        ("?%00=%00", 200),
        ("?%ff=%ff", 200),
        ("?", 200),
        ("?&&&", 200),
        ("?=", 200),
        ("?after", 400),
        ("?after=", 400),
        ("?AFTER=x", 200),
        ("?after[]=1", 200),
        ("?after%00=1", 200),
        ("?;", 200),
        ("??", 200),
        ("?" + "a=1&" * 1500, 200),
        ("?" + "%" * 3000, 200),
    ],
    ids=short,
)
def test_an_odd_query(wire: Wire, table: Table, query: str, status: int) -> None:
    answer = wire.get(f"{table.path}/events{query}", table.tokens[0])
    assert answer.status == status, answer.content


@pytest.mark.parametrize(
    "path",
    [
        "/v1",
        "/v1/",
        "/v1/games/",
        "/v1//games",
        "/V1/games",
        "/v1/games/%2e%2e/rules",
        "/v1/./rules",
        "/v1/games/../rules",
        "/v1/rules/",
        "/v1/rules/no-such-preset",
        "/v1/rules/__class__",
        "/v1/rules/%00",
        "/problems/",
        "/problems/no_such_code",
        "/problems/%2e%2e%2fsettings",
        "/docs/",
        "/docs/../wsgi.py",
        "/docs/%2e%2e/index.html",
        "/docs/..%2f..%2fsettings.py",
        "/docs/swagger-ui.css%00",
        "/static/x",
        "/favicon.ico",
        "/.env",
        "/.git/config",
        "/openapi.yaml/",
        "/livez/",
        "/metrics/",
        "/v1/seat/",
        "/v1/seat%20",
        "/%",
        "/%00",
        "/" + "a" * 8000,
        "/" + "a/" * 3000,
        "/" + "%41" * 2000,
    ],
    ids=short,
)
def test_there_is_nothing_at_an_odd_path(wire: Wire, path: str, tally: Tally) -> None:
    for method in ("GET", "POST"):
        assert_refused(wire.ask(method, path), 404, 405)
    tally(odd_paths=2)


def test_every_other_method_is_refused_and_the_right_ones_are_named(
    wire: Wire, tally: Tally
) -> None:
    described = wire.get("/openapi.json").json["paths"]
    seen: Counter[int] = Counter()
    for path, operations in described.items():
        target = path.replace("{game_id}", "no-such-game").replace("{number}", "1")
        allowed = {name.upper() for name in operations} & set(METHODS)
        allowed |= {"HEAD"} if "GET" in allowed else set()
        for method in METHODS:
            answer = wire.ask(method, target)
            seen[answer.status] += 1
            if method in allowed or method == "OPTIONS":
                assert answer.status < 500
                continue
            assert answer.status == 405, (method, target, answer.content)
            named = set((answer.header("Allow") or "").split(", "))
            assert allowed <= named <= {*allowed, "OPTIONS"}
    tally(**{f"answers_{status}": count for status, count in seen.items()})


def test_head_is_get_without_a_body(wire: Wire, table: Table) -> None:
    for path in (table.path, "/v1/seat", "/v1/rules", "/livez", f"{table.path}/score"):
        bearer = [("Authorization", f"Bearer {table.tokens[0]}")]
        whole, head = (wire.ask(method, path, bearer) for method in ("GET", "HEAD"))
        assert (head.status, head.content) == (200, b"")
        assert head.header("Content-Length") == str(len(whole.content))
        assert head.header("ETag") == whole.header("ETag")


@pytest.mark.parametrize("method", METHODS)
def test_a_method_in_a_header_or_a_query_is_not_read(wire: Wire, method: str) -> None:
    headers = [("X-HTTP-Method-Override", method), ("X-HTTP-Method", method)]
    assert wire.ask("GET", f"/v1/rules?_method={method}", headers).status == 200


@pytest.mark.parametrize(
    "accept, status",
    [
        ("", 200),
        ("*/*", 200),
        ("application/json", 200),
        ("APPLICATION/JSON", 200),
        ("application/*;q=0.1", 200),
        ("text/html, */*;q=0.1", 200),
        ("text/html", 406),
        ("application/json;q=0", 406),
        ("*/*;q=0", 406),
        ("image/png, text/plain", 406),
    ],
)
def test_accept_is_honoured(wire: Wire, table: Table, accept: str, status: int) -> None:
    answer = wire.get(table.path, table.tokens[0], ("Accept", accept))
    assert answer.status == status, answer.content
    if status == 406:
        assert answer.code == "not_acceptable"


@pytest.mark.parametrize(
    "accept",
    ["x", ";;;", ",", "*", "/", "a/b/c", "*/json", "application/json;q=x", "\xe9", "q" * 4000],
)
def test_an_odd_accept_is_no_failure(wire: Wire, table: Table, accept: str) -> None:
    assert wire.get(table.path, table.tokens[0], ("Accept", accept)).status in (200, 400, 406)


@pytest.mark.parametrize(
    "sent",
    ["", " ", "a b", "a\tb", "x" * 129, "<script>", "\xe9", "a,b", '"a"', "a:b", "%0d%0a", "../x"],
    ids=short,
)
def test_an_odd_request_id_is_replaced(wire: Wire, sent: str) -> None:
    answer = wire.get("/v1/seat", None, ("X-Request-Id", sent))
    given = answer.header("X-Request-Id")
    assert given
    assert given != sent
    assert answer.json["request_id"] == given


GAME = "/v1/games/AAAAAAAAAAAAAAAAAAAAAA"
RAW: dict[str, bytes] = {
    "a long request line": request_bytes("GET", "/" + "a" * 9000),
    "a request line of a megabyte": request_bytes("GET", "/" + "a" * 1_000_000),
    "a long header": request_bytes("GET", GAME, [("X-Long", "a" * 9000)]),
    "a header of a megabyte": request_bytes("GET", GAME, [("X-Long", "a" * 1_000_000)]),
    "a long token": request_bytes("GET", GAME, [("Authorization", "Bearer okg_" + "a" * 9000)]),
    "200 headers": request_bytes("GET", GAME, [("X-Many", "1")] * 200),
    "HTTP/0.9": b"GET /livez\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP/9.9": b"GET /livez HTTP/9.9\r\nHost: a\r\n\r\n",
    "HTTQ": b"GET /livez HTTQ/1.1\r\nHost: a\r\n\r\n",
    "bare line feeds": b"GET /livez HTTP/1.1\nHost: a\n\n",
    "a NUL in the path": b"GET /livez\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
    "a NUL in a header": b"GET /livez HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n",
    "bytes in the path": b"GET /v1/games/\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n",
    "UTF-8 in the path": "GET /v1/games/é HTTP/1.1\r\nHost: a\r\n\r\n".encode(),
    "a space in the path": b"GET /v1/games/a b HTTP/1.1\r\nHost: a\r\n\r\n",
    "an asterisk": b"GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    "a word for a path": b"GET livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    "another host's path": b"GET http://[::1/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    "a tunnel": b"CONNECT a:1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    "a method in small letters": b"get /livez HTTP/1.1\r\nHost: a\r\n\r\n",
    "an odd method": b"G@T /livez HTTP/1.1\r\nHost: a\r\n\r\n",
    "a long method": b"G" * 5000 + b" /livez HTTP/1.1\r\nHost: a\r\n\r\n",
    "a folded header": b"GET /livez HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n",
    "a space before a colon": b"GET /livez HTTP/1.1\r\nHost: a\r\nX : a\r\n\r\n",
    "a header of no name": b"GET /livez HTTP/1.1\r\nHost: a\r\n: a\r\n\r\n",
    "a header of no colon": b"GET /livez HTTP/1.1\r\nHost: a\r\nX\r\n\r\n",
    "an unknown expectation": request_bytes("GET", GAME, [("Expect", "the unexpected")]),
    "a proxy's line": b"PROXY TCP4 1.1.1.1 1.1.1.1 1 1\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 64 + b"\r\n\r\n",
    "binary": bytes(range(256)) * 8 + b"\r\n\r\n",
    "no request": b"\r\n" * 2000,
}


@pytest.mark.parametrize("name", RAW)
def test_the_server_answers_what_is_no_request_and_does_not_hang(
    wire: Wire, name: str, tally: Tally
) -> None:
    came = wire.everything(RAW[name])
    assert not came or came.startswith((b"HTTP/1.1 4", b"HTTP/1.0 4")), came
    tally(broken_requests=1)


ALLOWED: dict[str, bytes] = {
    "HTTP/1.0": b"GET /livez HTTP/1.0\r\n\r\n",
    "an absolute path": b"GET http://a/livez HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n",
    "an odd host": b"GET /livez HTTP/1.1\r\nHost: ]@[\r\nConnection: close\r\n\r\n",
    "no host": b"GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n",
    "a wish to upgrade": request_bytes("GET", "/livez", [("Upgrade", "h2c")]),
    "a body on GET": request_bytes("GET", "/livez", (), b"{}"),
    "a long line within the limit": request_bytes("GET", "/livez?" + "a" * 8000),
    "a long header within the limit": request_bytes("GET", "/livez", [("X", "a" * 8000)]),
    "90 headers": request_bytes("GET", "/livez", [("X-Many", "1")] * 90),
    "a proxy's headers": request_bytes(
        "GET",
        "/livez",
        [
            ("X-Forwarded-For", "1.1.1.1, x"),
            ("X-Forwarded-Host", "evil.example"),
            ("X-Forwarded-Prefix", "/evil"),
            ("Forwarded", "for=x;host=y;proto=z"),
        ],
    ),
    "a server's variables": request_bytes(
        "GET", "/livez", [("SCRIPT_NAME", "/x"), ("PATH_INFO", "/y"), ("REMOTE_USER", "z")]
    ),
    "schemes that differ": request_bytes(
        "GET", "/livez", [("X-Forwarded-Proto", "https"), ("X-Forwarded-Ssl", "off")]
    ),
}


@pytest.mark.parametrize("name", ALLOWED)
def test_what_is_odd_and_allowed_is_answered(wire: Wire, name: str) -> None:
    assert wire.everything(ALLOWED[name])[8:].startswith(b" 200 OK")


@pytest.mark.parametrize("host", ["evil.example", "]@[", "a\xe9", "a:99999999"])
def test_no_host_is_believed(wire: Wire, host: str) -> None:
    sent = request_bytes(
        "POST", "/v1/games", [("Content-Type", "application/json")], '{"name":"A"}'
    )
    answer = wire.raw(sent.replace(b"Host: table", b"Host: " + host.encode("latin-1")), "POST")
    assert answer.status == 201
    assert answer.header("Location") == f"/v1/games/{answer.json['game']['game_id']}"


def test_a_request_that_ends_in_its_head_is_dropped(wire: Wire) -> None:
    sent = request_bytes("GET", GAME)
    for length in itertools.chain(range(1, 20), (len(sent) - 3, len(sent) - 1)):
        with wire.connect() as link:
            link.sendall(sent[:length])
            link.shutdown(1)
            assert link.recv(4096).startswith((b"", b"HTTP/1.1 4"))
