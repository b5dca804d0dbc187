"""What goes over the wire: addresses, headers, bodies, time-outs."""

from collections.abc import Callable
from uuid import UUID

import pytest
import requests
from requests.adapters import HTTPAdapter

from oklahoma_gin import Client, HandToSettle, Layoff, Seat, View
from tests.clients.http_stub import Reply, Stub
from tests.clients.samples import (
    GAME_ID,
    TOKEN,
    a_view,
    event_json,
    moved_json,
    page_json,
    result_json,
    view_json,
)

Move = Callable[[Seat], View]
MOVES: list[tuple[Move, str, bytes]] = [
    (lambda seat: seat.deal(), "deal", b""),
    (lambda seat: seat.deal("tea leaves"), "deal", b'{"entropy": "tea leaves"}'),
    (lambda seat: seat.pass_upcard(), "pass", b""),
    (lambda seat: seat.draw("stock"), "draw", b'{"source": "stock"}'),
    (lambda seat: seat.discard("TD"), "discard", b'{"card": "TD"}'),
    (lambda seat: seat.knock("TD"), "knock", b'{"discard": "TD"}'),
    (lambda seat: seat.knock(), "knock", b""),
    (
        lambda seat: seat.knock("TD", [("AC", "2C", "3C")]),
        "knock",
        b'{"discard": "TD", "melds": [["AC", "2C", "3C"]]}',
    ),
    (lambda seat: seat.layoff(), "layoff", b""),
    (lambda seat: seat.layoff([]), "layoff", b'{"layoffs": []}'),
    (
        lambda seat: seat.layoff([Layoff("7D", 0)], []),
        "layoff",
        b'{"layoffs": [{"card": "7D", "meld": 0}], "melds": []}',
    ),
    (lambda seat: seat.resign(), "resign", b""),
    (lambda seat: seat.claim(), "claim", b""),
    (lambda seat: seat.leave(), "leave", b""),
    (lambda seat: seat.remove(1), "remove", b'{"seat": 1}'),
    (lambda seat: seat.add_bot("easy"), "bots", b'{"level": "easy"}'),
    (
        lambda seat: seat.add_bot("medium", "Rosie"),
        "bots",
        b'{"level": "medium", "name": "Rosie"}',
    ),
]


@pytest.mark.parametrize("move, name, body", MOVES)
def test_a_move_says_who_what_and_on_which_version(
    stub: Stub, seat: Seat, move: Move, name: str, body: bytes
) -> None:
    bots = event_json(19, "passed", seat=1)
    stub.will_answer(Reply(200, moved_json(19, event_json(18), bots)))
    moved = move(seat)
    assert moved is seat.game
    assert moved == a_view(19)
    assert [(event.type, event.seat) for event in moved.events] == [("drew", 0), ("passed", 1)]
    (asked,) = stub.asked
    assert (asked.method, asked.target) == ("POST", f"/v1/games/{GAME_ID}/{name}")
    assert asked.body == body
    assert asked.headers["Authorization"] == f"Bearer {TOKEN}"
    assert asked.headers["If-Match"] == '"17-9f3c1a2b.0"'
    assert UUID(asked.headers["Idempotency-Key"]).version == 4
    assert asked.headers["User-Agent"].startswith("oklahoma-gin-python/")
    assert asked.headers.get("Content-Type") == ("application/json" if body else None)


def test_each_move_rests_on_the_view_before_it_and_has_a_key_of_its_own(
    stub: Stub, seat: Seat
) -> None:
    stub.will_answer(Reply(200, moved_json(18)), Reply(200, moved_json(19)))
    seat.draw("stock")
    seat.discard("TD")
    first, second = stub.asked
    assert second.headers["If-Match"] == '"18-9f3c1a2b.0"'
    assert first.headers["Idempotency-Key"] != second.headers["Idempotency-Key"]


def test_create_names_only_what_the_caller_named(stub: Stub, client: Client) -> None:
    stub.will_answer(Reply(201, {"game": view_json(), "seat": 0, "token": TOKEN, "invite": "inv"}))
    made = client.create_game("Ann")
    (asked,) = stub.asked
    assert (asked.method, asked.target) == ("POST", "/v1/games")
    assert asked.fields == {"name": "Ann", "seats": 2}
    assert len(asked.headers["Idempotency-Key"]) >= 22
    assert "Authorization" not in asked.headers
    assert (made.seat, made.token, made.invite, made.game_id) == (0, TOKEN, "inv", GAME_ID)


def test_create_puts_the_preset_among_the_rules(stub: Stub, client: Client) -> None:
    stub.will_answer(Reply(201, {"game": view_json(), "seat": 0, "token": TOKEN, "invite": "inv"}))
    client.create_game(
        "Ann",
        seats=3,
        preset="gin",
        rules={"gin_bonus": 20},
        visibility="private",
        turn_seconds=60,
        timeout_action="forfeit",
        deck=[("AS", "KD")],
        idempotency_key="k" * 22,
    )
    (asked,) = stub.asked
    assert asked.fields == {
        "name": "Ann",
        "seats": 3,
        "rules": {"preset": "gin", "gin_bonus": 20},
        "visibility": "private",
        "turn_seconds": 60,
        "timeout_action": "forfeit",
        "deck": [["AS", "KD"]],
    }
    assert asked.headers["Idempotency-Key"] == "k" * 22


def test_join_carries_invite_and_entropy_in_the_body(stub: Stub, client: Client) -> None:
    stub.will_answer(Reply(201, {"game": view_json(2), "seat": 1, "token": TOKEN}))
    made = client.join(GAME_ID, "Bob", invite="inv", entropy="tea")
    (asked,) = stub.asked
    assert asked.target == f"/v1/games/{GAME_ID}/players"
    assert asked.fields == {"name": "Bob", "invite": "inv", "entropy": "tea"}
    assert (made.seat, made.invite) == (1, None)


def test_a_kept_token_finds_its_seat(stub: Stub, client: Client) -> None:
    stub.will_answer(Reply(200, {"game_id": GAME_ID, "seat": 1, "game": view_json()}))
    made = client.seat(TOKEN)
    (asked,) = stub.asked
    assert (asked.method, asked.target) == ("GET", "/v1/seat")
    assert asked.headers["Authorization"] == f"Bearer {TOKEN}"
    assert (made.seat, made.token, made.game) == (1, TOKEN, a_view())


def test_a_seat_never_shows_its_token(seat: Seat) -> None:
    assert repr(seat) == f"<Seat 0 of game {GAME_ID} at version 17>"


def test_a_view_that_has_not_changed_is_the_one_that_is_known(stub: Stub, seat: Seat) -> None:
    known = seat.game
    stub.will_answer(Reply(304))
    assert seat.view() is known
    (asked,) = stub.asked
    assert asked.target == f"/v1/games/{GAME_ID}"
    assert asked.headers["If-None-Match"] == '"17-9f3c1a2b.0"'


def test_waiting_asks_the_server_to_hold_the_answer(stub: Stub, seat: Seat) -> None:
    stub.will_answer(Reply(200, view_json(18)))
    assert seat.view(wait=20) == a_view(18)
    assert stub.asked[0].target == f"/v1/games/{GAME_ID}?wait=20"


def test_a_spectator_sends_the_invite_and_no_token(stub: Stub, client: Client) -> None:
    stub.will_answer(Reply(200, view_json(you=None)), Reply(304))
    seen = client.view(GAME_ID, invite="a b&c")
    assert client.view(GAME_ID, since=seen, wait=5) is seen
    first, second = stub.asked
    assert first.target == f"/v1/games/{GAME_ID}?invite=a+b%26c"
    assert "If-None-Match" not in first.headers
    assert second.headers["If-None-Match"] == seen.etag
    assert "Authorization" not in second.headers


@pytest.mark.parametrize(
    "game_id, target",
    [
        ("a/b", "/v1/games/a%2Fb"),
        ("a?b=c#d", "/v1/games/a%3Fb%3Dc%23d"),
        ("../seat", "/v1/games/..%2Fseat"),
        ("é%2F", "/v1/games/%C3%A9%252F"),
    ],
)
def test_path_segments_are_quoted(stub: Stub, client: Client, game_id: str, target: str) -> None:
    stub.will_answer(Reply(200, view_json()))
    client.view(game_id)
    assert stub.asked[0].target == target


@pytest.mark.parametrize("game_id", ["", ".", ".."])
def test_a_segment_that_would_climb_is_refused_here(client: Client, game_id: str) -> None:
    with pytest.raises(ValueError, match="cannot be part of an address"):
        client.view(game_id)


def test_a_base_url_may_have_a_path_and_a_slash(stub: Stub) -> None:
    stub.will_answer(Reply(200, view_json()))
    with Client(f"{stub.url}/gin/") as client:
        client.view("g1")
    assert stub.asked[0].target == "/gin/v1/games/g1"


@pytest.mark.parametrize(
    "base_url", ["", "127.0.0.1:8000", "ftp://host", "http://", "http://host/?a=b"]
)
def test_a_base_url_that_is_none_is_refused(base_url: str) -> None:
    with pytest.raises(ValueError, match="is not the address of a service"):
        Client(base_url)


@pytest.mark.parametrize("timeout", [0.0, -1.0, float("inf"), float("nan")])
def test_a_timeout_is_finite_and_above_zero(timeout: float) -> None:
    with pytest.raises(ValueError, match="pass a finite number of seconds above 0"):
        Client("http://127.0.0.1:8000", timeout=timeout)


def test_negative_retries_are_refused() -> None:
    with pytest.raises(ValueError, match="0 for never"):
        Client("http://127.0.0.1:8000", retries=-1)


def test_every_call_has_finite_timeouts_and_a_held_one_reads_longer(
    monkeypatch: pytest.MonkeyPatch, stub: Stub, seat: Seat
) -> None:
    send = HTTPAdapter.send
    timeouts: list[object] = []

    def spy(
        self: HTTPAdapter, request: requests.PreparedRequest, **options: object
    ) -> requests.Response:
        timeouts.append(options["timeout"])
        return send(self, request, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(HTTPAdapter, "send", spy)
    stub.will_answer(Reply(304), Reply(200, view_json(18)))
    seat.view(wait=25)
    seat.draw("stock")
    assert timeouts == [(10.0, 35.0), (10.0, 10.0)]


def test_a_netrc_file_never_replaces_the_token(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
    stub: Stub,
    seat: Seat,
) -> None:
    netrc = tmp_path_factory.mktemp("home") / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password else\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    stub.will_answer(Reply(304))
    seat.view()
    assert stub.asked[0].headers["Authorization"] == f"Bearer {TOKEN}"


def test_cookies_are_not_kept(stub: Stub, seat: Seat) -> None:
    stub.will_answer(Reply(200, view_json(18), {"Set-Cookie": "a=b; Path=/"}), Reply(304))
    seat.draw("stock")
    seat.view()
    assert "Cookie" not in stub.asked[1].headers


def test_records_are_asked_for_by_number_and_page(stub: Stub, seat: Seat) -> None:
    score = {"players": [{"seat": 0, "name": "Ann", "total": 5, "boxes": 1}], "result": None}
    record = {"number": 2, "dealer": 0, "deck": [], "moves": [], "result": result_json()}
    page = {"events": [], "first_version": 1, "version": 17}
    stub.will_answer(
        Reply(200, {**score, "rounds": [result_json()]}), Reply(200, record), Reply(200, page)
    )
    assert seat.score().rounds[0].kind == "undercut"
    assert seat.round(2).shuffle is None
    assert seat.events_page(after=9, limit=50).version == 17
    assert [asked.target.removeprefix(f"/v1/games/{GAME_ID}") for asked in stub.asked] == [
        "/score",
        "/rounds/2",
        "/events?after=9&limit=50",
    ]


def test_what_rests_on_no_version_is_sent_without_one(stub: Stub, seat: Seat) -> None:
    ticket = {"ticket": "okt_s", "expires_at": "2030-01-02T04:04:05Z"}
    stub.will_answer(Reply(200, view_json(18)), Reply(200, ticket))
    assert seat.set_entropy("seven herons") == seat.game == a_view(18)
    assert seat.stream_ticket().ticket == "okt_s"
    entropy, tickets = stub.asked
    assert entropy.target == f"/v1/games/{GAME_ID}/entropy"
    assert entropy.fields == {"entropy": "seven herons"}
    assert tickets.target == f"/v1/games/{GAME_ID}/stream-tickets"
    for asked in stub.asked:
        assert "If-Match" not in asked.headers
        assert UUID(asked.headers["Idempotency-Key"]).version == 4


def test_a_rematch_is_another_seat_of_another_game(stub: Stub, seat: Seat) -> None:
    follows = {"game": view_json(1, game_id="g2"), "seat": 1, "token": "okg_next"}
    stub.will_answer(Reply(201, follows))
    again = seat.rematch()
    assert (again.game_id, again.seat, again.token) == ("g2", 1, "okg_next")
    assert (seat.game_id, seat.token) == (GAME_ID, TOKEN)
    assert stub.asked[0].target == f"/v1/games/{GAME_ID}/rematch"
    assert "If-Match" not in stub.asked[0].headers


def test_a_renewed_token_takes_the_place_of_the_old_one(stub: Stub, seat: Seat) -> None:
    stub.will_answer(Reply(200, {"game": view_json(18), "seat": 0, "token": "okg_new"}), Reply(304))
    assert seat.renew_token() == seat.token == "okg_new"
    seat.view()
    assert stub.asked[0].headers["Authorization"] == f"Bearer {TOKEN}"
    assert stub.asked[1].headers["Authorization"] == "Bearer okg_new"


def lobby_json(game_id: str, cursor: str | None, status: str = "waiting") -> dict[str, object]:
    entry = {
        "game_id": game_id,
        "status": status,
        "preset": "gin",
        "title": "Gin Rummy",
        "options": {"target_score": 50, "upcard_offer": False},
        "seats": 3,
        "players": [{"seat": 0, "name": "Ann", "kind": "human"}],
        "turn_seconds": 0,
        "created_at": "2030-01-02T03:04:05Z",
    }
    return {"games": [entry], "next_cursor": cursor}


def test_the_lobby_is_read_by_pages(stub: Stub, client: Client) -> None:
    stub.will_answer(Reply(200, lobby_json("g1", "c/1")))
    page = client.games(limit=1)
    assert page.next_cursor == "c/1"
    [game] = page.games
    assert [player.name for player in game.players] == ["Ann"]
    assert (game.status, game.title) == ("waiting", "Gin Rummy")
    assert game.options == {"target_score": 50, "upcard_offer": False}
    assert stub.asked[0].target == "/v1/games?limit=1"


def test_all_open_games_are_read_page_after_page(stub: Stub, client: Client) -> None:
    stub.will_answer(Reply(200, lobby_json("g1", "c/1")), Reply(200, lobby_json("g2", None)))
    assert [game.game_id for game in client.open_games()] == ["g1", "g2"]
    assert [asked.target for asked in stub.asked] == [
        "/v1/games?limit=100",
        "/v1/games?limit=100&cursor=c%2F1",
    ]


def test_all_games_that_can_be_watched_are_read_page_after_page(stub: Stub, client: Client) -> None:
    stub.will_answer(Reply(200, lobby_json("g1", "c/1", "playing")))
    stub.will_answer(Reply(200, lobby_json("g2", None, "playing")))
    watched = [(game.game_id, game.status) for game in client.games_to_watch()]
    assert watched == [("g1", "playing"), ("g2", "playing")]
    assert [asked.target for asked in stub.asked] == [
        "/v1/games?status=playing&limit=100",
        "/v1/games?status=playing&limit=100&cursor=c%2F1",
    ]


def test_a_page_of_events_can_be_waited_for_with_its_view(stub: Stub, seat: Seat) -> None:
    page = {**page_json(18, event_json(18)), "game": view_json(18)}
    stub.will_answer(Reply(200, page), Reply(200, page_json(18)))
    waited = seat.events_page(17, wait=25, with_view=True)
    assert waited.game == a_view(18)
    assert [event.version for event in waited.events] == [18]
    assert seat.events_page().game is None
    assert [asked.target.partition("events")[2] for asked in stub.asked] == [
        "?after=17&wait=25&include=view",
        "?after=0",
    ]


def test_a_layoff_is_analysed(stub: Stub, client: Client) -> None:
    best = {"melds": [], "layoffs": [{"card": "7D", "meld": 0}], "deadwood": ["AC"]}
    target = {"card": "7D", "meld": 0, "requires": [], "deadwood_points": 1}
    stub.will_answer(Reply(200, {**best, "deadwood_points": 1, "targets": [target]}))
    answer = client.analyse_layoff(("7D", "AC"), [("8D", "9D", "TD")])
    assert answer.layoffs == (Layoff("7D", 0),)
    assert stub.asked[0].target == "/v1/analysis/layoff"
    assert stub.asked[0].fields == {"hand": ["7D", "AC"], "melds": [["8D", "9D", "TD"]]}


def test_a_settlement_is_analysed(stub: Stub, client: Client) -> None:
    stub.will_answer(Reply(200, result_json()))
    hands = [
        HandToSettle(("AC", "KD"), melds=(("AC",),)),
        HandToSettle(("2C",), layoffs=(Layoff("2C", 0),)),
    ]
    settled = client.analyse_settlement(
        hands, upcard="7S", knocker=0, discard="KD", preset="gin", rules={"gin_bonus": 20}
    )
    assert settled.kind == "undercut"
    assert stub.asked[0].target == "/v1/analysis/settlement"
    assert stub.asked[0].fields == {
        "rules": {"preset": "gin", "gin_bonus": 20},
        "upcard": "7S",
        "knocker": 0,
        "discard": "KD",
        "seats": [
            {"hand": ["AC", "KD"], "melds": [["AC"]]},
            {"hand": ["2C"], "layoffs": [{"card": "2C", "meld": 0}]},
        ],
    }


def test_a_hand_is_analysed_without_a_seat(stub: Stub, client: Client) -> None:
    option = {"card": "KD", "deadwood_points": 0, "gin": True, "can_knock": True, "melds": []}
    split = {"melds": [], "deadwood": ["KD"], "deadwood_points": 10, "possible_melds": []}
    stub.will_answer(Reply(200, {**split, "discards": [option]}))
    analysis = client.analyse_hand(("KD",), knock_limit=7)
    assert stub.asked[0].target == "/v1/analysis/hand"
    assert stub.asked[0].fields == {"hand": ["KD"], "knock_limit": 7}
    assert analysis.discards is not None
    assert analysis.discards[0].gin is True
