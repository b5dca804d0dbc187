"""One line for each request, of known members, and nothing secret in it whatever was sent."""

from itertools import product
from uuid import uuid4

import pytest

from tests.conftest import Tally
from tests.contract.http import Answer, Wire, request_bytes
from tests.contract.logs import request_lines, told_secrets, unknown_lines
from tests.contract.table import dealt, host, new_key
from tests.e2e.service import Service

pytestmark = pytest.mark.slow

SECRET = "a-secret-that-only-this-file-knows"
TYPED = ("Content-Type", "application/json")


def line_of(service: Service, answer: Answer) -> dict[str, object]:
    request_id = answer.header("X-Request-Id")
    [line] = [each for each in request_lines(service.log) if each["request_id"] == request_id]
    return line


def test_each_request_leaves_one_line(service: Service, wire: Wire, tally: Tally) -> None:
    table = dealt(wire)
    before = len(request_lines(service.log))
    answers = {
        "getGame": table.look(0),
        "passUpcard": table.post(0, "pass"),
        "drawCard": table.post(0, "draw", {"source": "stock"}),
        "discardCard": table.post(1, "discard", {"card": "no card"}),
        "renewToken": wire.post(f"{table.path}/token", None, "okg_forged"),
        "getPreset": wire.get("/v1/rules/none"),
        None: wire.get("/nowhere"),
    }
    for operation, answer in answers.items():
        line = line_of(service, answer)
        assert (line["operation"], line["status"]) == (operation, answer.status)
        assert line["code"] == answer.code
    assert len(request_lines(service.log)) == before + len(answers)
    tally(lines=len(answers))


def test_a_request_id_of_the_caller_stands_in_the_line(service: Service, wire: Wire) -> None:
    request_id = f"web-{uuid4().hex}"
    answer = wire.get("/v1/seat", None, ("X-Request-Id", request_id))
    assert answer.json["request_id"] == request_id
    assert line_of(service, answer)["code"] == "token_required"


HEADERS = (
    *("Authorization", "Idempotency-Key", "If-Match", "If-None-Match", "Accept"),
    *("Content-Type", "Content-Encoding", "Cookie", "User-Agent", "Referer", "Expect", "Host"),
    *("X-Forwarded-For", "Transfer-Encoding", "Content-Length", "Upgrade", "X Odd", "X-Odd\x00"),
)


@pytest.mark.parametrize("secret", [SECRET, f'"{SECRET}"', f"Bearer okg_{SECRET}", f"\xff{SECRET}"])
def test_no_header_is_logged(service: Service, wire: Wire, secret: str, tally: Tally) -> None:
    odd, begun = f"{secret} a b", len(service.log)
    for header, value in product(HEADERS, (secret, odd)):
        for method, path in (("GET", "/v1/seat"), ("POST", "/v1/games")):
            wire.everything(request_bytes(method, path, [(header, value)], b"{}"))
            tally(requests_with_a_secret=1)
    assert told_secrets(service.log[begun:], [SECRET.encode()]) == []


PLACES = (
    *("/{}", "/v1/games/{}", "/v1/games/x?invite={}", "/v1/rules/{}", "/problems/{}", "/docs/{}"),
    *("/v1/games/x/rounds/{}", "/v1/games/x/events?after={}", "/v1/games/x/events?limit={}"),
    *("/v1/games/\xff?invite={}", "http://[::1/v1/games/x?invite={}", "/v1/games/x y?invite={}"),
    *("/v1/games/x?invite={}\x00", "/v1/games/x#{}", "*{}", "/%{}", "http://{}/livez", "{}"),
)


@pytest.mark.parametrize("place", PLACES, ids=ascii)
def test_no_path_or_query_is_logged(service: Service, wire: Wire, place: str, tally: Tally) -> None:
    path, begun = place.format(f"{SECRET}!"), len(service.log)
    for method in ("GET", "POST", SECRET, f"{SECRET.upper()}"):
        wire.everything(request_bytes(method, path, [TYPED], b"{}"))
        tally(requests_with_a_secret=1)
    secrets = [SECRET.encode(), SECRET.upper().encode()]
    assert told_secrets(service.log[begun:], secrets) == []


@pytest.mark.parametrize(
    "body",
    [
        f'{{"name":"{SECRET}"}}',
        f'{{"name":"{SECRET}",',
        f'{{"{SECRET}":1}}',
        f'{{"name":"{SECRET}","name":1}}',
        f'{{"name":["{SECRET}"]}}',
        f'{{"name":"Annabelle","rules":{{"{SECRET}":"{SECRET}"}}}}',
        f'{{"entropy":"{SECRET}"}}',
        f'{{"invite":"{SECRET}"}}',
        f'{{"card":"{SECRET}"}}',
        f'"{SECRET}"',
        SECRET,
    ],
)
def test_no_body_is_logged(service: Service, wire: Wire, body: str, tally: Tally) -> None:
    table, begun = host(wire), len(service.log)
    for path in ("/v1/games", *(f"{table.path}/{verb}" for verb in ("players", "entropy", "draw"))):
        wire.post(path, body, table.tokens[0], ("Idempotency-Key", new_key()))
        tally(requests_with_a_secret=1)
    assert told_secrets(service.log[begun:], [SECRET.encode()]) == []


def test_the_check_finds_a_secret_and_a_line_that_says_too_much(service: Service) -> None:
    line = next(line for line in service.log.splitlines() if line.startswith('{"event"'))
    assert unknown_lines(line) == []
    for spoilt in (
        line.replace('"code":null', '"code":"AS KD"'),
        line.replace('"ms"', '"hand":["AS"],"ms"'),
        line.replace('"event":"request"', '"event":"AS"'),
        "AS KD",
    ):
        assert unknown_lines(spoilt) == [spoilt]
    assert told_secrets(f"{line} okg_secret", [b"okg_secret"]) == [b"okg_secret"]


def test_valkey_s_own_log_tells_nothing(service: Service, wire: Wire) -> None:
    dealt(wire, visibility="private")
    logs = list((service.data_dir / "valkey").glob("*.log"))
    assert logs
    assert told_secrets("".join(log.read_text() for log in logs), wire.secrets) == []
