"""If-Match and If-None-Match in every form (RFC 9110, 13.1), over both workers."""

from collections import Counter

import pytest

from tests.conftest import Tally
from tests.contract.http import Answer, Wire
from tests.contract.table import CARDS, Table, dealt, host, new_key, seat_all, short

pytestmark = pytest.mark.slow

OLD = '"1-00000000.0"'
MANY = ", ".join(f'"{number}-00000000.0"' for number in range(1, 160))

NAMING = (
    "{tag}",
    "W/{tag}",
    "*",
    " * ",
    "\t{tag}\t",
    f"{OLD}, {{tag}}",
    f"{{tag}},{OLD}",
    f"{{tag}} , W/{OLD}",
    f"{OLD},W/{{tag}}",
    ",, {tag} ,,",
    '"", {tag}',
    '"\xe9", {tag}',
    f"{MANY}, {{tag}}",
)
ANOTHERS = ("{version}-{nonce}.1", "{version}-{nonce}.s", "{version}-{nonce}.3")
NOT_NAMING = (
    OLD,
    f"W/{OLD}",
    '""',
    'W/""',
    '"x"',
    '"*"',
    '"\x80\xff"',
    f"{OLD}, W/{OLD}",
    MANY,
    '"{version}-{nonce}"',
    '"{version}.0"',
    '"{nonce}.0"',
    '"{version}-ffffffff.0"',
    '"9{version}-{nonce}.0"',
    '"0{version}-{nonce}.0"',
    '"{version}-{upper}.0x.0"',
)
MALFORMED = (
    "",
    " ",
    ",",
    "x",
    "{version}-{nonce}.0",
    "'{version}-{nonce}.0'",
    '"{version}-{nonce}.0',
    '{version}-{nonce}.0"',
    "w/{tag}",
    "W{tag}",
    "W/ {tag}",
    "W/",
    "W/*",
    "**",
    "*, {tag}",
    "{tag}, *",
    "{tag} {tag}",
    "{tag};{tag}",
    '"a b"',
    '"a\tb"',
    "{tag}, x",
    '"' + "x" * 5000 + '"',
    ", " * 3000 + "{tag}",
)


def filled(form: str, etag: str) -> str:
    version, _, nonce = etag.strip('"').rpartition(".")[0].partition("-")
    for name, value in (
        ("{tag}", etag),
        ("{version}", version),
        ("{nonce}", nonce),
        ("{upper}", nonce.upper()),
    ):
        form = form.replace(name, value)
    return form


def current(table: Table, seat: int | None = 0) -> str:
    etag: str = table.view(seat)["etag"]
    return etag


def entropy_if(table: Table, form: str) -> Answer:
    """Send a move that is allowed at any time on the condition that is made of a form."""
    header = ("If-Match", filled(form, current(table)))
    return table.post(0, "entropy", {"entropy": "heron"}, header)


@pytest.fixture(scope="module")
def table(wire: Wire) -> Table:
    return seat_all(wire)


@pytest.mark.parametrize("form", [*NAMING, *(f'"{each}"' for each in ANOTHERS)], ids=short)
def test_a_move_is_applied_if_the_header_names_the_revision(
    table: Table, form: str, tally: Tally
) -> None:
    before = table.view(0)["version"]
    answer = entropy_if(table, form)
    assert (answer.status, answer.json["version"]) == (200, before + 1)
    assert answer.header("ETag") == answer.json["etag"]
    tally(applied=1)


@pytest.mark.parametrize("form", NOT_NAMING, ids=short)
def test_a_move_is_stale_if_the_header_names_other_revisions(
    table: Table, form: str, tally: Tally
) -> None:
    before = table.whole()
    answer = entropy_if(table, form)
    assert (answer.status, answer.code) == (412, "stale_version")
    assert answer.json["game"] == table.view(0)
    assert table.whole() == before
    tally(stale=1)


@pytest.mark.parametrize("form", MALFORMED, ids=short)
@pytest.mark.parametrize("header", ["If-Match", "If-None-Match"])
def test_a_header_that_is_no_list_of_tags_is_malformed(
    table: Table, header: str, form: str, tally: Tally
) -> None:
    before = table.whole()
    sent = (header, filled(form, current(table)))
    if header == "If-Match":
        answer = table.post(0, "entropy", {"entropy": "heron"}, sent)
    else:
        answer = table.look(0, sent)
    assert (answer.status, answer.code) == (400, "malformed_request")
    assert table.whole() == before
    tally(malformed=1)


def test_the_tag_of_another_game_is_stale(wire: Wire, table: Table) -> None:
    twin = seat_all(wire)
    answer = entropy_if(table, current(twin))
    assert (answer.status, answer.code) == (412, "stale_version")
    assert table.look(0, ("If-None-Match", current(twin))).status == 200


@pytest.mark.parametrize(
    "forms, status",
    [
        ((OLD, "{tag}"), 200),
        (("{tag}", OLD), 200),
        (("{tag}", "{tag}"), 200),
        ((OLD, OLD), 412),
        (("{tag}", "x"), 400),
        (("*", "*"), 400),
    ],
)
def test_a_header_sent_twice_is_one_list(
    table: Table, forms: tuple[str, str], status: int, tally: Tally
) -> None:
    headers = [("If-Match", filled(form, current(table))) for form in forms]
    answer = table.post(0, "entropy", {"entropy": "heron"}, *headers)
    assert answer.status == status
    tally(sent_twice=1)


def test_a_header_beyond_the_server_s_limit_is_answered_by_it(table: Table) -> None:
    before = table.whole()
    answer = entropy_if(table, '"' + "x" * 9000 + '"')
    assert 400 <= answer.status < 500
    assert table.whole() == before


def test_each_viewer_s_tag_serves_for_a_move_and_only_the_own_one_for_a_look(wire: Wire) -> None:
    table = seat_all(wire)
    own = {viewer: current(table, viewer) for viewer in (0, 1, None)}
    assert len(set(own.values())) == 3
    seen = {
        (viewer, tagged): table.look(viewer, ("If-None-Match", own[tagged])).status
        for viewer in own
        for tagged in own
    }
    assert seen == {pair: 304 if pair[0] == pair[1] else 200 for pair in seen}


@pytest.mark.parametrize(
    "form",
    [form for form in NAMING if "{tag}" in form or "*" in form],
    ids=short,
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("where", ["game", "seat"])
def test_a_look_is_304_if_the_header_names_the_view(
    table: Table, form: str, method: str, where: str, tally: Tally
) -> None:
    path = table.path if where == "game" else "/v1/seat"
    etag = current(table)
    answer = table.wire.ask(
        method,
        path,
        [
            ("Authorization", f"Bearer {table.tokens[0]}"),
            ("If-None-Match", filled(form, etag)),
            ("X-Request-Id", "look-1"),
        ],
    )
    assert (answer.status, answer.content) == (304, b"")
    assert answer.header("ETag") == etag
    assert answer.header("X-Request-Id") == "look-1"
    assert answer.header("Cache-Control") == "private, no-cache, no-transform"
    assert answer.header("Vary") == "Authorization"
    tally(not_modified=1)


@pytest.mark.parametrize("form", NOT_NAMING, ids=short)
def test_a_look_is_whole_if_the_header_names_other_views(
    table: Table, form: str, tally: Tally
) -> None:
    answer = table.look(0, ("If-None-Match", filled(form, current(table))))
    assert (answer.status, answer.content) == (200, table.look(0).content)
    tally(modified=1)


MOVES: tuple[tuple[str, dict[str, object] | None], ...] = (
    ("deal", None),
    ("pass", None),
    ("draw", {"source": "stock"}),
    ("discard", {"card": "AS"}),
    ("knock", {"discard": "AS"}),
    ("layoff", {"layoffs": []}),
    ("resign", None),
    ("leave", None),
    ("remove", {"seat": 1}),
    ("entropy", {"entropy": "heron"}),
    ("token", None),
    ("players", {"name": "Zenobia Zest"}),
)


@pytest.mark.parametrize("verb, body", MOVES, ids=short)
def test_every_post_of_a_game_asks_who_it_is_then_the_revision_then_the_rules(
    wire: Wire, verb: str, body: dict[str, object] | None, tally: Tally
) -> None:
    table, private = dealt(wire), dealt(wire, visibility="private")
    stranger = dealt(wire).tokens[0]
    before = [table.whole(), private.whole()]
    told: Counter[str] = Counter()

    def code(on: Table, token: str | None) -> str | None:
        answer = wire.post(f"{on.path}/{verb}", body, token, ("If-Match", OLD))
        told[str(answer.status)] += 1
        return answer.code

    may_be_nobody = verb == "players"
    assert code(table, None) == ("stale_version" if may_be_nobody else "token_required")
    assert code(table, "okg_forged") == "token_invalid"
    assert code(table, stranger) == "token_invalid"
    assert code(private, None) == ("game_not_found" if may_be_nobody else "token_required")
    assert code(private, stranger) == "game_not_found"
    assert code(table, table.tokens[1]) == "stale_version"
    assert code(private, private.tokens[1]) == "stale_version"
    assert [table.whole(), private.whole()] == before
    tally(**{f"answers_{status}": count for status, count in told.items()})


@pytest.mark.parametrize("header", ["*", '"x"', OLD])
def test_a_look_asks_who_it_is_before_it_says_that_nothing_changed(wire: Wire, header: str) -> None:
    table, private = seat_all(wire), seat_all(wire, visibility="private")
    sent = ("If-None-Match", header)
    assert wire.get(table.path, "okg_forged", sent).code == "token_invalid"
    assert wire.get(table.path, private.tokens[0], sent).code == "token_invalid"
    assert wire.get(private.path, None, sent).code == "game_not_found"
    assert wire.get(private.path, table.tokens[0], sent).code == "game_not_found"
    assert wire.get("/v1/seat", None, sent).code == "token_required"
    assert wire.get("/v1/seat", "okg_forged", sent).code == "token_invalid"
    assert wire.get("/v1/games/no-such-game", None, sent).code == "game_not_found"


def refused_now(table: Table) -> list[tuple[int, Answer]]:
    """Ask for what the table's state forbids; the upcard is offered to seat 0."""
    return [
        (seat, table.post(seat, verb, body))
        for seat, verb, body in (
            (0, "deal", None),
            (1, "pass", None),
            (1, "draw", {"source": "discard"}),
            (0, "draw", {"source": "stock"}),
            (1, "discard", {"card": "AS"}),
            (0, "discard", {"card": CARDS[0]}),
            (0, "layoff", None),
            (1, "leave", None),
            (0, "remove", {"seat": 1}),
            (1, "players", {"name": "Zenobia Zest"}),
        )
    ]


def test_409_and_412_carry_the_view_of_whoever_asked(wire: Wire, tally: Tally) -> None:
    table = dealt(wire)
    looks = [table.look(seat) for seat in (0, 1)]
    conflicts = refused_now(table)
    stale = [
        (seat, table.post(seat, "pass", None, ("If-Match", OLD))) for seat in (0, 1) for _ in "xx"
    ]
    for seat, answer in (*conflicts, *stale):
        assert answer.status in (409, 412), answer.content
        shown = looks[seat].content
        assert answer.content.endswith(b',"game":' + shown + b"}"), answer.content
        assert answer.header("ETag") in (None, looks[seat].header("ETag"))
    assert [answer.status for _, answer in conflicts] == [409] * len(conflicts)
    tally(conflicts_with_a_view=len(conflicts), stale_with_a_view=len(stale))


def test_a_spectator_who_joins_a_full_game_is_shown_what_a_spectator_sees(wire: Wire) -> None:
    table = dealt(wire)
    for headers in ((), (("If-Match", OLD),)):
        answer = table.post(None, "players", {"name": "Zenobia Zest"}, *headers)
        assert answer.json["game"] == table.view(None)
        assert answer.json["game"]["you"] is None


@pytest.mark.parametrize("value", ['"x"', "not a tag", "", "*, *", OLD])
def test_a_condition_means_nothing_where_no_game_is_asked_for(wire: Wire, value: str) -> None:
    headers = (("If-Match", value), ("If-None-Match", value))
    assert wire.post("/v1/games", {"name": "Annabelle"}, None, *headers).status == 201
    assert wire.post("/v1/analysis/hand", {"hand": ["AS"]}, None, *headers).status == 200
    assert wire.get("/v1/rules", None, *headers).status == 200


def test_a_condition_of_the_other_kind_is_not_read(wire: Wire) -> None:
    table = host(wire)
    assert table.look(0, ("If-Match", OLD)).status == 200
    moved = table.post(0, "entropy", {"entropy": "heron"}, ("If-None-Match", current(table)))
    assert moved.status == 200


def test_a_replay_does_not_read_the_revision(wire: Wire) -> None:
    table = seat_all(wire)
    headers = (("If-Match", current(table)), ("Idempotency-Key", new_key()))
    first = table.post(0, "entropy", {"entropy": "heron"}, *headers)
    again = table.post(0, "entropy", {"entropy": "heron"}, *headers)
    assert (first.status, first.replayed) == (200, False)
    assert (again.status, again.replayed) == (200, True)
    assert again.json == first.json
