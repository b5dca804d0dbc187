"""What opens a seat: one token, whole and its own; nothing else, on any route."""

import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.games.access import Caller, claim_of
from service.games.tokens import Claim, Tokens
from tests.conftest import Tally
from tests.contract.http import Wire
from tests.contract.table import Table, dealt, host, join, seat_all
from tests.e2e.service import Service

pytestmark = pytest.mark.slow

VERBS = (
    *("deal", "pass", "draw", "discard", "knock", "layoff"),
    *("resign", "leave", "remove", "entropy", "token", "players"),
)
BODIES: dict[str, dict[str, object]] = {
    "draw": {"source": "stock"},
    "discard": {"card": "AS"},
    "remove": {"seat": 1},
    "entropy": {"entropy": "seven herons"},
    "players": {"name": "Zenobia Zest"},
}
PAGES = ("", "/score", "/events", "/rounds/1")


@pytest.fixture(scope="module")
def table(wire: Wire) -> Table:
    return dealt(wire)


@pytest.fixture(scope="module")
def private(wire: Wire) -> Table:
    return dealt(wire, visibility="private")


def forged(table: Table, other: Table) -> Iterator[str]:
    """Yield tokens that open nothing at a table: cut, stretched, patched, foreign, made up."""
    ours, theirs = table.tokens[0], table.tokens[1]
    start = len("okg_") + len(table.game_id)
    mac = start + 9
    claim = claim_of(Caller(ours), table.game_id)
    assert claim is not None
    yield from (ours[:length] for length in (1, 4, 5, start, mac, len(ours) - 1))
    yield from (ours + "A", ours * 2, "okg_" + ours, ours.upper(), ours.swapcase(), ours[::-1])
    yield ours[:start] + "1" + ours[start + 1 :]
    yield ours[:mac] + theirs[mac:]
    yield theirs[:mac] + ours[mac:]
    yield "okg_" + other.game_id + ours[start:]
    yield ours[:start] + other.tokens[0][start:]
    yield other.tokens[0]
    yield Tokens("another key, as long as one has to be").seat_token(claim, "n" * 16)
    yield Tokens("").seat_token(Claim(table.game_id, 0, claim.occupancy), "")
    yield from ("okg_", "okg_x", "okg_" + "." * 60, "okg_" + "A" * 67, "okg_" + "-" * 67)


@pytest.mark.parametrize("page", PAGES)
def test_no_other_token_reads(
    table: Table, private: Table, wire: Wire, page: str, tally: Tally
) -> None:
    refused = 0
    for token in forged(table, private):
        assert wire.get(table.path + page, token).code == "token_invalid"
        assert wire.get("/v1/seat", token).status == (200 if token in private.tokens else 401)
        refused += 2
    for token in forged(private, table):
        assert wire.get(private.path + page, token).code in ("game_not_found", "token_invalid")
        refused += 1
    tally(refused_reads=refused)


@pytest.mark.parametrize("verb", VERBS)
def test_no_other_token_moves(
    table: Table, private: Table, wire: Wire, verb: str, tally: Tally
) -> None:
    before = [table.whole(), private.whole()]
    refused = 0
    for on, other in ((table, private), (private, table)):
        for token in forged(on, other):
            answer = wire.post(f"{on.path}/{verb}", BODIES.get(verb), token)
            assert answer.status in (401, 404), answer.content
            assert "game" not in answer.json
            refused += 1
    assert [table.whole(), private.whole()] == before
    tally(refused_moves=refused)


def test_each_character_of_a_token_counts(table: Table, wire: Wire, tally: Tally) -> None:
    token = table.tokens[0]
    alphabet = string.ascii_letters + string.digits + "-_"
    for place, character in enumerate(token):
        other = alphabet[(alphabet.index(character) + 1) % len(alphabet)]
        changed = token[:place] + other + token[place + 1 :]
        assert wire.get("/v1/seat", changed).code == "token_invalid"
    tally(refused_changes=len(token))


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "{token}",
        "Basic {token}",
        "Token {token}",
        "Bearer{token}",
        "Bearer\t{token}",
        'Bearer "{token}"',
        "Bearer token={token}",
        "Bearer {token}, Bearer {token}",
        "Bearer {token} {token}",
        "Bearer {token},",
        "Bearer okg_\xe9\xff",
        "Bearer " + "okg_" + "A" * 4000,
    ],
    ids=lambda header: header[:24],
)
def test_a_header_that_is_no_bearer_is_refused(table: Table, wire: Wire, header: str) -> None:
    sent = [("Authorization", header.format(token=table.tokens[0]))]
    answer = wire.ask("GET", table.path, sent)
    assert (answer.status, answer.code) == (401, "token_invalid")
    challenge = 'Bearer realm="games", error="invalid_token"'
    assert answer.header("WWW-Authenticate") == challenge


def test_two_headers_are_no_token(table: Table, wire: Wire) -> None:
    one = ("Authorization", f"Bearer {table.tokens[0]}")
    assert 400 <= wire.ask("GET", table.path, [one, one]).status < 500


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "Bearer  "])
def test_the_scheme_is_read_in_any_case(table: Table, wire: Wire, scheme: str) -> None:
    sent = [("Authorization", f"{scheme} {table.tokens[0]} ")]
    assert wire.ask("GET", table.path, sent).json["you"]["seat"] == 0


def test_a_token_is_read_from_its_header_alone(private: Table, wire: Wire) -> None:
    token = private.tokens[0]
    for query in (f"token={token}", f"invite={token}", f"access_token={token}"):
        assert wire.get(f"{private.path}?{query}").code == "game_not_found"
    cookie = ("Cookie", f"token={token}; Authorization={token}")
    assert wire.get(private.path, None, cookie).code == "game_not_found"


def test_a_token_opens_its_own_seat_alone(wire: Wire, tally: Tally) -> None:
    tables = [seat_all(wire, 3) for _ in range(4)]
    for table in tables:
        for seat, token in enumerate(table.tokens):
            assert wire.get("/v1/seat", token).json["seat"] == seat
            for other in tables:
                seen = wire.get(other.path, token)
                if other is table:
                    assert seen.json["you"]["seat"] == seat
                else:
                    assert seen.code == "token_invalid"
    tally(tokens_tried=sum(len(table.tokens) for table in tables) * len(tables))


def test_the_host_alone_removes(wire: Wire) -> None:
    table = seat_all(wire, 3)
    answer = table.post(1, "remove", {"seat": 2})
    assert (answer.status, answer.code) == (403, "host_only")
    table.done(0, "remove", {"seat": 1})
    assert table.look(1).code == "token_invalid"
    assert table.view(2)["you"]["seat"] == 2


def test_whoever_takes_a_freed_seat_gets_another_token(wire: Wire) -> None:
    table = seat_all(wire)
    table.done(1, "leave")
    again = join(table, "Zenobia Zest")
    assert again != table.tokens[1]
    assert table.look(1).code == "token_invalid"
    assert wire.get(table.path, again).json["you"]["seat"] == 1


def test_a_renewed_token_is_the_only_one(wire: Wire) -> None:
    table = host(wire)
    given = [table.tokens[0]]
    for _ in range(3):
        given.append(wire.post(f"{table.path}/token", None, given[-1]).json["token"])
    assert len(set(given)) == 4
    assert [wire.get(table.path, token).status for token in given] == [401, 401, 401, 200]


def test_an_invite_looks_and_joins_and_does_nothing_else(wire: Wire) -> None:
    table, other = host(wire, visibility="private"), host(wire, visibility="private")
    asked = f"{table.path}?invite={table.invite}"
    assert wire.get(asked).json["you"] is None
    for wrong in ("", "x", table.invite[:-1], table.invite + "A", other.invite, "\xe9"):
        sent = "%C3%A9" if wrong == "\xe9" else wrong
        assert wire.get(f"{table.path}?invite={sent}").code in (
            "game_not_found",
            "malformed_request",
        )
        body = {"name": "Zenobia Zest", "invite": wrong}
        refused = wire.post(f"{table.path}/players", body)
        assert refused.code in ("game_not_found", "invalid_request")
    assert wire.post(f"{table.path}/deal?invite={table.invite}").code == "token_required"
    assert wire.get(asked, table.invite).code == "token_invalid"


def test_tokens_and_invites_are_compared_in_constant_time_and_by_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[bool] = []

    def never(given: object, right: object) -> bool:
        compared.append(given == right)
        return False

    keys = Tokens("k" * 32, "p" * 32)
    claim = Claim("g" * 22, 0, "o" * 8)
    token, invite = keys.seat_token(claim, "n" * 16), keys.invite(claim.game_id)
    assert keys.opens(token, claim, "n" * 16)
    assert keys.invites(invite, claim.game_id)
    monkeypatch.setattr("service.games.tokens.hmac.compare_digest", never)
    assert not keys.opens(token, claim, "n" * 16)
    assert not keys.invites(invite, claim.game_id)
    assert compared == [True, False, True, False]


def test_what_the_store_keeps_opens_nothing(service: Service, wire: Wire, tally: Tally) -> None:
    table = dealt(wire, visibility="private")
    opening = [secret.encode() for secret in (*table.tokens, table.invite)]
    files = [path for path in stored_files(service.data_dir) if path.is_file()]
    kept = {path: path.read_bytes() for path in files}
    assert any(table.game_id.encode() in content for content in kept.values())
    assert [path for path in kept if any(secret in kept[path] for secret in opening)] == []
    tally(stored_files_read=len(kept))


def stored_files(data_dir: Path) -> Iterator[Path]:
    return (data_dir / "valkey").rglob("*")
