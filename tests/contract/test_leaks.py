"""Nothing that is hidden changes a byte of what anybody else gets, or of the log."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import pairwise
from typing import Any

import pytest
from flask import Response

from service.api.factory import create_app
from service.api.log import Log as ServiceLog
from service.api.services import Services
from service.games import view
from service.rules.cards import card_name
from service.rules.state import Event, GameState
from service.rules.views import EventView, SeatView, event_for, view_for
from tests.conftest import Tally
from tests.contract.http import Answer, Body, Headers, Wire
from tests.contract.table import CARDS, dealt
from tests.contract.twins import (
    Asker,
    Move,
    Setting,
    Twin,
    differences,
    good_deck,
    rearranged,
)
from tests.e2e.service import Service
from tests.games.memory import MemoryStore
from tests.games.table import games_over
from tests.streams.following import streams_over

pytestmark = pytest.mark.slow

Decks = Sequence[Sequence[str]]

OUTSIDERS = ("spectator", "removed", "left", "stranger")
TURNS = 1
TRIED = 3


@dataclass(frozen=True, slots=True)
class Desk:
    """Who answers, and what they have logged so far."""

    asker: Asker
    log: Callable[[], str]


@dataclass(slots=True)
class Told:
    """A game that was played: its script, and who knew which cards after each move of it."""

    setting: Setting
    decks: list[list[str]]
    script: list[Move]
    seen: list[dict[str, set[str]]]
    shown: list[int]

    @property
    def parts(self) -> list[tuple[int, int]]:
        """Stretches of the script with no hand laid down but by their first move."""
        last = len(self.script)
        before = [each for each in range(last) if self.shown[each] != self.shown[each + 1]]
        return list(pairwise([0, *before, last]))


def choose(game: dict[str, Any], seat: int, dice: random.Random, turns: int) -> Move | None:
    """Return a move: seat 0 keeps its melds and knocks after so many turns, others do anything."""
    may = game["actions"]
    if may["pass"] and dice.random() < 0.6:
        return Move(seat, "pass")
    if may["draw"]:
        return Move(seat, "draw", {"source": dice.choice(may["draw"])})
    if seat == 0 and game["round"]["turns_played"] >= turns:
        knocks = [option["discard"] for option in may["knock"] if not option["gin"]]
        if knocks:
            return Move(seat, "knock", {"discard": dice.choice(knocks)})
    if may["discard"]:
        options = sorted(may["discard"], key=lambda option: option["deadwood_points"])
        thrown = options[0] if seat == 0 else dice.choice(options)
        return Move(seat, "discard", {"card": thrown["card"]})
    return Move(seat, "layoff", {"layoffs": []}) if may["layoff"] else None


def tell(asker: Asker, setting: Setting, seed: int) -> Told:
    """Play a game until one hand is still hidden, and note what each seat came to know."""
    dice = random.Random(seed)
    decks = [good_deck(dice, setting.seats), good_deck(dice, setting.seats)]
    twin = Twin(asker, setting, decks, ["text"] * setting.seats)
    names = [*(f"seat {seat}" for seat in range(setting.seats)), "outsiders"]
    told = Told(setting, decks, [], [{name: set() for name in names}], [0])
    move: Move | None = Move(0, "deal")
    while move is not None:
        twin.play(move)
        views = [twin.view(seat) for seat in range(setting.seats)]
        told.script.append(move)
        told.seen.append(_known(told.seen[-1], views))
        told.shown.append(len(views[0]["round"]["shown"]))
        turn = views[0]["round"]["turn"]
        move = None
        if told.shown[-1] < setting.seats - 1:
            move = choose(views[turn], turn, dice, TURNS * setting.seats)
    return told


def _known(before: dict[str, set[str]], views: Sequence[dict[str, Any]]) -> dict[str, set[str]]:
    table = views[0]["round"]
    public = {table["upcard"], *table["discard_pile"]}
    for laid in table["shown"]:
        public |= set(views[laid["seat"]]["you"]["hand"])
    known = {
        f"seat {seat}": before[f"seat {seat}"] | public | set(seen["you"]["hand"])
        for seat, seen in enumerate(views)
    }
    return {**known, "outsiders": before["outsiders"] | public}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Which part of a script is played for whom, and which cards they try to learn of."""

    part: tuple[int, int]
    names: tuple[str, ...]
    hidden: Sequence[str]


def replay(
    desk: Desk, told: Told, decks: Decks, texts: Sequence[str], comparison: Comparison
) -> Twin:
    """Play a script up to the end of a part, in which viewers look around after each move."""
    start, end = comparison.part
    begun = len(desk.log())
    twin = Twin(desk.asker, told.setting, decks, texts)
    if start == 0:
        twin.look_around(comparison.names, comparison.hidden)
    for length, move in enumerate(told.script[:end], 1):
        twin.play(move)
        if length > start:
            twin.look_around(comparison.names, comparison.hidden)
    theirs = tuple(f"{name}:" for name in comparison.names)
    twin.got = [(label, got) for label, got in twin.got if label.startswith(theirs)]
    twin.got.append(("the log", twin.alike(desk.log()[begun:])))
    return twin


def pairs(desk: Desk, told: Told, seed: int) -> Iterator[tuple[Twin, Twin]]:
    """Yield games that each viewer in turn must not be able to tell apart."""
    dice = random.Random(seed)
    seats = [f"seat {seat}" for seat in range(told.setting.seats)]
    for part in told.parts:
        for name, known in told.seen[part[1]].items():
            hidden = [card for card in CARDS if card not in known]
            tried = dice.sample(hidden, min(TRIED, len(hidden)))
            comparison = Comparison(part, OUTSIDERS if name == "outsiders" else (name,), tried)
            others = [rearranged(told.decks[0], known, dice.shuffle), told.decks[1][::-1]]
            texts = ["a text" if seat == name else "another text" for seat in seats]
            yield (
                replay(desk, told, told.decks, ["a text"] * len(seats), comparison),
                replay(desk, told, others, texts, comparison),
            )


SETTINGS = {
    "two seats": Setting(2),
    "three seats, private": Setting(3, "private", {"preset": "oklahoma-open"}),
}


@pytest.fixture
def desk(service: Service, wire: Wire) -> Desk:
    return Desk(wire, lambda: service.log)


@pytest.mark.parametrize("name", SETTINGS)
def test_no_viewer_can_tell_hidden_cards_apart(desk: Desk, name: str, tally: Tally) -> None:
    told = tell(desk.asker, SETTINGS[name], seed=len(name))
    phases = [0]
    for one, other in pairs(desk, told, seed=len(name)):
        assert differences(one, other) == []
        tally(answers_compared=len(one.got), pairs_of_games=1)
        phases.append(len(one.got))
    assert len(told.parts) == SETTINGS[name].seats
    assert len(phases) > len(told.parts) * SETTINGS[name].seats


def test_nobody_learns_of_the_next_deck_when_the_round_is_over(desk: Desk, tally: Tally) -> None:
    told = tell(desk.asker, Setting(2), seed=3)
    told.script.append(Move(1, "layoff", {"layoffs": []}))
    ended = len(told.script)
    everybody = Comparison((ended - 1, ended), ("seat 0", "seat 1", *OUTSIDERS), ())
    others = [told.decks[0], told.decks[1][::-1]]
    one = replay(desk, told, told.decks, ["a text"] * 2, everybody)
    other = replay(desk, told, others, ["a text"] * 2, everybody)
    assert any('"phase":"over"' in got for _, got in one.got)
    assert differences(one, other) == []
    tally(answers_compared=len(one.got), pairs_of_games=1)


STRANGE = (
    *(("GET", page, None) for page in ("", "/score", "/events", "/rounds/1")),
    ("HEAD", "", None),
    ("POST", "/players", {"name": "Zenobia Zest"}),
    ("POST", "/players", {"name": "Zenobia Zest", "invite": "B" * 22}),
    ("POST", "/draw", {"source": "stock"}),
    *(("POST", f"/{verb}", None) for verb in ("deal", "pass", "resign", "leave", "token", "knock")),
)


def test_a_private_game_is_to_strangers_like_none_at_all(wire: Wire, tally: Tally) -> None:
    private, own = dealt(wire, visibility="private"), dealt(wire)
    missing = "A" * len(private.game_id)
    compared = 0
    for token in (None, own.tokens[0], "okg_forged", private.tokens[0][:-1] + "."):
        for method, page, body in STRANGE:
            bearer = [("Authorization", f"Bearer {token}")] if token else []
            sent = [("X-Request-Id", "asked-1"), ("Content-Type", "application/json"), *bearer]
            there, nowhere = (
                wire.ask(method, f"/v1/games/{game_id}{page}", sent, body)
                for game_id in (private.game_id, missing)
            )
            seen = [
                [(each.status, each.content, name, value) for name, value in each.headers]
                for each in (there, nowhere)
            ]
            dateless = [[each for each in answer if each[2] != "Date"] for answer in seen]
            assert dateless[0] == dateless[1], (method, page, token)
            compared += 1
    tally(strange_requests=compared)


class Office:
    """The app in this process, in which a leak can be planted."""

    def __init__(self, plant: "Plant | None" = None) -> None:
        self.stream = BytesIO()
        self.store = MemoryStore()
        log = ServiceLog("info", self.stream)
        games = games_over(self.store)
        app = create_app(Services(games, log, streams_over(games), sandbox=True))
        if plant:
            app.after_request(lambda answer: plant(self, answer))
        self._client = app.test_client()

    def ask(self, method: str, path: str, headers: Headers = (), body: Body = None) -> Answer:
        content = None if body is None else json.dumps(body)
        told = self._client.open(path, method=method, headers=list(headers), data=content)
        return Answer(told.status_code, tuple(told.headers.items()), told.get_data())

    def log(self) -> str:
        return self.stream.getvalue().decode()

    @property
    def hidden(self) -> str:
        """The last card of the newest game's stock, which nobody sees before the round is over."""
        [*_, kept] = self.store.games.values()
        table = kept.record.state.round
        return card_name(table.deck[-1]) if table else ""


Plant = Callable[[Office, Response], Response]


def in_a_header(office: Office, answer: Response) -> Response:
    answer.headers["X-Debug"] = office.hidden
    return answer


def in_a_header_of_304(office: Office, answer: Response) -> Response:
    return in_a_header(office, answer) if answer.status_code == 304 else answer


def in_a_problem(office: Office, answer: Response) -> Response:
    if answer.status_code >= 400:
        answer.set_data(answer.get_data().replace(b'"title"', f'"{office.hidden}"'.encode()))
    return answer


def in_a_replay(office: Office, answer: Response) -> Response:
    return in_a_header(office, answer) if "Idempotency-Replayed" in answer.headers else answer


def in_the_length(office: Office, answer: Response) -> Response:
    if answer.status_code == 200:
        answer.set_data(answer.get_data() + b" " * (sum(office.hidden.encode()) % 7))
    return answer


def in_the_log(office: Office, answer: Response) -> Response:
    office.stream.write(office.hidden.encode() + b"\n")
    return answer


def found(plant: Plant | None = None) -> Iterator[str]:
    """Yield what tells two games in this process apart."""
    office = Office(plant)
    desk = Desk(office, office.log)
    told = tell(office, Setting(2), seed=2)
    for pair in pairs(desk, told, seed=2):
        yield from differences(*pair)


PLANTS = (
    *(in_a_header, in_a_header_of_304),
    pytest.param(in_a_problem, marks=pytest.mark.plants_answers),
    *(in_a_replay, in_the_length, in_the_log),
)


def test_nothing_is_found_where_nothing_is_planted() -> None:
    assert list(found()) == []


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found(plant: Plant, tally: Tally) -> None:
    assert any(found(plant))
    tally(planted_leaks_found=1)


def test_a_leak_in_an_event_is_found(monkeypatch: pytest.MonkeyPatch, tally: Tally) -> None:
    def all_see_what_the_actor_saw(event: Event, _seat: int | None) -> EventView:
        return event_for(event, event.seat)

    monkeypatch.setattr(view, "event_for", all_see_what_the_actor_saw)
    assert any("GET /events" in each for each in found())
    tally(planted_leaks_found=1)


def test_a_leak_in_what_may_be_done_is_found(monkeypatch: pytest.MonkeyPatch, tally: Tally) -> None:
    def clubs_on_top_may_not_resign(state: GameState, seat: int | None) -> SeatView:
        seen = view_for(state, seat)
        top = state.round.deck[state.round.stock_at] if state.round else 0
        return replace(seen, actions=replace(seen.actions, resign=top % 4 > 1))

    monkeypatch.setattr(view, "view_for", clubs_on_top_may_not_resign)
    assert any(": GET " in each for each in found())
    tally(planted_leaks_found=1)
