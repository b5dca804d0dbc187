"""Idempotency keys, every case, over both workers: nothing is applied twice."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.conftest import Tally
from tests.contract.http import Answer, Body, Wire
from tests.contract.table import NAMES, Table, dealt, deck_of, host, join, new_key, seat_all

pytestmark = pytest.mark.slow

KEPT = 64
AT_ONCE = 20
TEXT = {"entropy": "seven herons"}
ZEST = {"name": "Zenobia Zest"}
KNOCKING = deck_of(
    ("AC 2C 3C AD 2D 3D 5S 6S 7S KD", "KC KH QC QD JH 9C 9D 7C 5D 4H"),
    upcard="TH",
)

Keyed = Callable[[str], Answer]


def keyed(table: Table, seat: int | None, verb: str, body: Body, key: str) -> Answer:
    return table.post(seat, verb, body, ("Idempotency-Key", key))


def create(wire: Wire, key: str, body: Body = None) -> Answer:
    body = {"name": NAMES[0]} if body is None else body
    return wire.post("/v1/games", body, None, ("Idempotency-Key", key))


def assert_replay(again: Answer, first: Answer) -> None:
    """Check that an answer is the success of the first one again."""
    assert (again.status, again.replayed) == (first.status, True), again.content
    assert not first.replayed
    assert again.header("ETag") == _game(again.json)["etag"]
    for name in ("seat", "token", "invite", "events"):
        assert again.json.get(name) == first.json.get(name)


def _game(told: dict[str, Any]) -> dict[str, Any]:
    game: dict[str, Any] = told.get("game", told)
    return game


def operations(wire: Wire) -> dict[str, tuple[Table | None, Keyed]]:
    """Return every kind of operation, each ready to be sent on a table of its own."""

    def on(table: Table, seat: int | None, verb: str, body: Body = None) -> tuple[Table, Keyed]:
        return table, lambda key: keyed(table, seat, verb, body, key)

    drawn = dealt(wire)
    drawn.done(0, "draw", {"source": "discard"})
    return {
        "create": (None, lambda key: create(wire, key)),
        "join": on(host(wire), None, "players", ZEST),
        "deal": on(seat_all(wire), 1, "deal", TEXT),
        "pass": on(dealt(wire), 0, "pass"),
        "draw": on(dealt(wire), 0, "draw", {"source": "discard"}),
        "discard": on(drawn, 0, "discard", {"card": drawn.view(0)["you"]["hand"][0]}),
        "resign": on(dealt(wire), 1, "resign"),
        "entropy": on(seat_all(wire), 1, "entropy", TEXT),
        "remove": on(seat_all(wire), 0, "remove", {"seat": 1}),
        "leave": on(seat_all(wire), 1, "leave"),
        "token": on(seat_all(wire), 1, "token"),
    }


OPERATIONS = (
    *("create", "join", "deal", "pass", "draw", "discard"),
    *("resign", "entropy", "remove", "leave", "token"),
)


@pytest.fixture(scope="module")
def ready(wire: Wire) -> dict[str, tuple[Table | None, Keyed]]:
    return operations(wire)


@pytest.mark.parametrize("name", OPERATIONS)
def test_one_of_many_at_once_is_applied_and_all_others_replay_it(
    wire: Wire, ready: dict[str, tuple[Table | None, Keyed]], name: str, tally: Tally
) -> None:
    table, send = ready[name]
    before = table.view()["version"] if table else 0
    key = new_key()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(send, [key] * AT_ONCE))
    [first] = [answer for answer in answers if not answer.replayed]
    for answer in answers:
        if answer is not first:
            assert_replay(answer, first)
    after = wire.get(f"/v1/games/{_game(first.json)['game_id']}").json["version"]
    assert after == before + 1
    late = send(key)
    assert_replay(late, first)
    tally(applied=1, replayed=AT_ONCE)


def test_every_operation_is_among_them(ready: dict[str, tuple[Table | None, Keyed]]) -> None:
    assert tuple(ready) == OPERATIONS


def test_a_knock_and_a_layoff_are_applied_once(wire: Wire, tally: Tally) -> None:
    table = dealt(wire, deck=[KNOCKING])
    table.done(0, "draw", {"source": "discard"})
    knock, answer_key = new_key(), new_key()
    body = {"discard": "KD"}
    first = keyed(table, 0, "knock", body, knock)
    assert first.json["round"]["phase"] == "layoff"
    assert_replay(keyed(table, 0, "knock", body, knock), first)
    laid = keyed(table, 1, "layoff", {"layoffs": []}, answer_key)
    again = keyed(table, 1, "layoff", {"layoffs": []}, answer_key)
    assert_replay(again, laid)
    assert_replay(keyed(table, 0, "knock", body, knock), first)
    lines = table.wire.get(f"{table.path}/score", table.tokens[0]).json["rounds"]
    assert len(lines) == 1
    tally(applied=2, replayed=3)


def test_a_replay_shows_the_game_as_it_is_now(wire: Wire) -> None:
    table = dealt(wire)
    key = new_key()
    first = keyed(table, 0, "pass", None, key)
    for seat, verb, body in (
        (1, "draw", {"source": "discard"}),
        (1, "discard", {"card": table.view(1)["you"]["hand"][0]}),
        (0, "draw", {"source": "stock"}),
    ):
        table.done(seat, verb, body)
    again = keyed(table, 0, "pass", None, key)
    assert_replay(again, first)
    assert again.json == {**table.view(0), "events": first.json["events"]}
    assert again.json["version"] == first.json["version"] + 3


def test_a_replay_after_the_game_is_over_is_still_the_success(wire: Wire) -> None:
    table = dealt(wire)
    key = new_key()
    first = keyed(table, 0, "pass", None, key)
    table.done(1, "resign")
    again = keyed(table, 0, "pass", None, key)
    assert_replay(again, first)
    assert again.json["status"] == "finished"


def test_a_refusal_is_not_recorded(wire: Wire, tally: Tally) -> None:
    table = dealt(wire)
    key = new_key()
    stale = ("If-Match", '"1-00000000.0"')
    refused = (
        (409, keyed(table, 1, "pass", None, key)),
        (422, keyed(table, 1, "pass", {"x": 1}, key)),
        (401, table.wire.post(f"{table.path}/pass", None, None, ("Idempotency-Key", key))),
        (412, table.post(1, "pass", None, ("Idempotency-Key", key), stale)),
    )
    assert [answer.status for _, answer in refused] == [status for status, _ in refused]
    table.done(0, "pass")
    applied = keyed(table, 1, "pass", None, key)
    assert (applied.status, applied.replayed) == (200, False)
    assert_replay(keyed(table, 1, "pass", None, key), applied)
    tally(refused=len(refused), applied=1, replayed=1)


@pytest.mark.parametrize("name", ["create", "join", "entropy", "draw"])
def test_another_body_under_the_key_is_refused_and_the_first_is_still_replayed(
    wire: Wire, name: str
) -> None:
    table, send = operations(wire)[name]
    key = new_key()
    first = send(key)
    assert first.status in (200, 201)
    before = (table or Table(wire, _game(first.json)["game_id"], [], "", first)).view()
    if name == "create":
        other = create(wire, key, {"name": NAMES[1]})
    else:
        assert table is not None
        seat, verb, body = {
            "join": (None, "players", {"name": "Zebedee Zest"}),
            "entropy": (1, "entropy", {"entropy": "eight herons"}),
            "draw": (0, "draw", {"source": "stock"}),
        }[name]
        other = keyed(table, seat, verb, body, key)
    assert (other.status, other.code) == (422, "idempotency_key_reused")
    assert "game" not in other.json
    assert "token" not in other.json
    assert_replay(send(key), first)
    assert wire.get(f"/v1/games/{before['game_id']}").json == before


@pytest.mark.parametrize(
    "same", ['{"entropy":"seven herons"}', '\n{ "entropy" : "seven\\u0020herons" }\t']
)
def test_spacing_and_escapes_make_no_other_body(wire: Wire, same: str) -> None:
    table, key = seat_all(wire), new_key()
    first = keyed(table, 1, "entropy", TEXT, key)
    assert_replay(keyed(table, 1, "entropy", same, key), first)


def test_no_body_is_an_empty_one(wire: Wire) -> None:
    table, key = dealt(wire), new_key()
    first = keyed(table, 0, "pass", None, key)
    assert_replay(keyed(table, 0, "pass", {}, key), first)


def test_a_key_belongs_to_its_caller_its_path_and_its_game(wire: Wire) -> None:
    table, other, key = seat_all(wire), seat_all(wire), new_key()
    answers = [
        keyed(table, 0, "entropy", TEXT, key),
        keyed(table, 1, "entropy", TEXT, key),
        keyed(table, 0, "deal", None, key),
        keyed(other, 0, "entropy", TEXT, key),
        create(wire, key),
    ]
    assert [(answer.status < 300, answer.replayed) for answer in answers] == [(True, False)] * 5
    assert table.view()["version"] == 5


def test_the_last_64_keys_of_a_game_are_kept(wire: Wire, tally: Tally) -> None:
    created_by, joined_by, first_key = new_key(), new_key(), new_key()
    created = create(wire, created_by)
    told = created.json
    table = Table(wire, told["game"]["game_id"], [told["token"]], told["invite"], created)
    joined = keyed(table, None, "players", ZEST, joined_by)
    first = keyed(table, 0, "entropy", TEXT, first_key)
    for _ in range(KEPT - 1):
        assert not keyed(table, 0, "entropy", TEXT, new_key()).replayed
    assert_replay(keyed(table, 0, "entropy", TEXT, first_key), first)
    assert not keyed(table, 0, "entropy", TEXT, new_key()).replayed
    evicted = keyed(table, 0, "entropy", TEXT, first_key)
    assert (evicted.status, evicted.replayed) == (200, False)
    assert_replay(create(wire, created_by), created)
    assert_replay(keyed(table, None, "players", ZEST, joined_by), joined)
    tally(applied=KEPT + 4, replayed=3)


def test_requests_without_a_key_push_none_out(wire: Wire) -> None:
    table, key = seat_all(wire), new_key()
    first = keyed(table, 0, "entropy", TEXT, key)
    for _ in range(KEPT + 6):
        table.done(0, "entropy", TEXT)
    assert_replay(keyed(table, 0, "entropy", TEXT, key), first)


BAD_KEYS: tuple[str | bytes, ...] = (
    "",
    " ",
    '""',
    '"',
    '"open',
    '"a"b"',
    '"a\\b"',
    '"a\\"',
    "x" * 256,
    '"' + "x" * 256 + '"',
    "tab\tinside",
    '"tab\tinside"',
    "k\xe9y",
    "schlüssel".encode(),
    "🂡".encode(),
)


@pytest.mark.parametrize("key", BAD_KEYS, ids=lambda key: ascii(key)[:24])
@pytest.mark.parametrize("verb", ["entropy", "players", "create"])
def test_a_key_that_is_none_is_malformed(
    wire: Wire, shared: Table, verb: str, key: str | bytes, tally: Tally
) -> None:
    before = shared.whole()
    sent = ("Idempotency-Key", key)
    if verb == "create":
        answer = wire.post("/v1/games", {"name": NAMES[0]}, None, sent)
    elif verb == "players":
        answer = shared.post(None, verb, ZEST, sent)
    else:
        answer = shared.post(0, verb, TEXT, sent)
    assert (answer.status, answer.code) == (400, "malformed_request")
    assert shared.whole() == before
    tally(bad_keys_refused=1)


@pytest.fixture(scope="module")
def shared(wire: Wire) -> Table:
    return host(wire)


@pytest.mark.parametrize("key", ["a", "x" * 21, '"' + "x" * 21 + '"', '"' + '\\"' * 21 + '"'])
def test_a_key_that_can_be_guessed_takes_no_seat(
    wire: Wire, shared: Table, key: str, tally: Tally
) -> None:
    before = shared.whole()
    for answer in (create(wire, key), keyed(shared, None, "players", ZEST, key)):
        assert (answer.status, answer.code) == (400, "malformed_request")
        assert "22" in answer.json["detail"]
    assert shared.whole() == before
    tally(short_keys_refused=2)


@pytest.mark.parametrize(
    "key", ["a", "~", "x" * 255, '"' + "x" * 255 + '"', "a b", '"a b"', "a,b", 'a"b']
)
def test_a_key_of_1_to_255_printable_characters_serves(wire: Wire, key: str) -> None:
    table = seat_all(wire)
    first = keyed(table, 0, "entropy", TEXT, key)
    assert_replay(keyed(table, 0, "entropy", TEXT, f" {key}\t"), first)


def test_a_quoted_key_is_the_bare_one(wire: Wire) -> None:
    table, key = seat_all(wire), new_key()
    first = keyed(table, 0, "entropy", TEXT, key)
    assert_replay(keyed(table, 0, "entropy", TEXT, f'"{key}"'), first)


def test_a_key_sent_twice_is_no_key_of_its_own(wire: Wire) -> None:
    table, key = seat_all(wire), new_key()
    first = keyed(table, 0, "entropy", TEXT, key)
    twice = table.post(0, "entropy", TEXT, ("Idempotency-Key", key), ("Idempotency-Key", key))
    assert not twice.replayed
    quoted = [("Idempotency-Key", f'"{key}"')] * 2
    assert table.post(0, "entropy", TEXT, *quoted).code == "malformed_request"
    assert_replay(keyed(table, 0, "entropy", TEXT, key), first)


def test_keys_survive_a_renewed_token_and_the_old_one_repeats_its_renewal_alone(
    wire: Wire,
) -> None:
    table = seat_all(wire)
    old, key, renewal = table.tokens[1], new_key(), new_key()
    first = keyed(table, 1, "entropy", TEXT, key)
    renewed = keyed(table, 1, "token", None, renewal)
    assert_replay(keyed(table, 1, "token", None, renewal), renewed)
    assert keyed(table, 1, "token", None, new_key()).code == "token_invalid"
    assert keyed(table, 1, "entropy", TEXT, key).code == "token_invalid"
    assert table.look(1).code == "token_invalid"
    table.tokens[1] = renewed.json["token"]
    assert table.tokens[1] != old
    assert_replay(keyed(table, 1, "entropy", TEXT, key), first)
    assert_replay(keyed(table, 1, "token", None, renewal), renewed)
    assert table.view(1)["you"]["seat"] == 1


def test_a_seat_that_was_left_repeats_its_leaving_alone(wire: Wire) -> None:
    table = seat_all(wire)
    leaving, moving = new_key(), new_key()
    keyed(table, 1, "entropy", TEXT, moving)
    left = keyed(table, 1, "leave", None, leaving)
    assert left.json["you"] is None
    assert_replay(keyed(table, 1, "leave", None, leaving), left)
    assert keyed(table, 1, "leave", None, new_key()).code == "token_invalid"
    assert keyed(table, 1, "entropy", TEXT, moving).code == "token_invalid"
    newcomer = join(table, "Zenobia Zest")
    again = keyed(table, 1, "leave", None, leaving)
    assert_replay(again, left)
    assert again.json == {**table.view(None), "events": left.json["events"]}
    theirs = wire.post(f"{table.path}/entropy", TEXT, newcomer, ("Idempotency-Key", moving))
    assert (theirs.status, theirs.replayed) == (200, False)


def test_a_replayed_joining_gives_the_token_it_gave(wire: Wire) -> None:
    table, key = host(wire, visibility="private"), new_key()
    body = {**ZEST, "invite": table.invite, "entropy": "nine herons"}
    joined = keyed(table, None, "players", body, key)
    table.tokens.append(joined.json["token"])
    renewed = table.post(1, "token")
    assert_replay(keyed(table, None, "players", body, key), joined)
    assert wire.get(table.path, joined.json["token"]).code == "game_not_found"
    table.tokens[1] = renewed.json["token"]
    table.done(1, "leave")
    again = keyed(table, None, "players", body, key)
    assert_replay(again, joined)
    assert again.json["game"]["you"] is None


def test_a_token_beside_the_key_of_a_joining_is_another_caller(wire: Wire) -> None:
    table, key = host(wire, seats=3), new_key()
    joined = keyed(table, None, "players", ZEST, key)
    seated = keyed(table, 0, "players", ZEST, key)
    assert (seated.status, seated.code) == (409, "already_seated")
    assert_replay(keyed(table, None, "players", ZEST, key), joined)
