"""Two games with one public history and other hidden cards: all that a viewer gets of each.

A script is played twice. The second deck has the cards that a viewer does not know in other places,
and the other seats mix other texts into the shuffle. After every move each viewer reads what there
is to read and asks for what is refused; with names, nonces and times made equal, every byte of
every answer has to be the same.
"""

import random
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.contract.http import Answer, Body, Headers
from tests.contract.table import CARDS, NAMES

PAGES = ("/score", "/events?limit=100&include=view", "/events", "/rounds/1", "/rounds/2")
OLD_TAG = '"1-00000000.0"'

Request = tuple[str, dict[str, Any] | None]

OUTSIDE: Sequence[Request] = (
    ("draw", {"source": "stock"}),
    ("players", {"name": "Zenobia Zest"}),
)

_NONCE = re.compile(r"\b(\d+)-[0-9a-f]{8}\b")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
_HASH = re.compile(r"\b[0-9a-f]{64}\b")
# How many trips it took depends on which worker had seen the game last.
_TOOK = re.compile(r'"((redis_)?ms|redis_trips)":[\d.e-]+')


class Asker(Protocol):
    """Whatever answers a request."""

    def ask(self, method: str, path: str, headers: Headers = (), body: Body = None) -> Answer:
        """Send a request and return the answer."""


@dataclass(frozen=True, slots=True)
class Move:
    """What a seat does."""

    seat: int
    verb: str
    body: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """What both games have in common."""

    seats: int = 2
    visibility: str = "public"
    rules: dict[str, Any] = field(default_factory=lambda: {"preset": "gin"})


@dataclass(slots=True)
class Viewer:
    """Who looks: their token, what they know besides, and what they may repeat."""

    name: str
    token: str | None = None
    query: str = ""
    repeats: list[tuple[str, dict[str, Any] | None, str]] = field(default_factory=list)


class Twin:
    """One of the games: plays moves, and keeps what each viewer got, made comparable."""

    def __init__(
        self, asker: Asker, setting: Setting, decks: Sequence[Sequence[str]], texts: Sequence[str]
    ) -> None:
        self._asker = asker
        self._known: dict[str, str] = {}
        self._asked = 0
        self.got: list[tuple[str, str]] = []
        self.viewers: dict[str, Viewer] = {}
        self._open(setting, [list(deck) for deck in decks])
        self._fill(setting, texts)

    def _open(self, setting: Setting, decks: list[list[str]]) -> None:
        created = self._send(
            "POST",
            "/v1/games",
            None,
            {
                "name": NAMES[0],
                "seats": setting.seats,
                "visibility": setting.visibility,
                "rules": setting.rules,
                "deck": decks,
            },
        ).json
        self.game_id = created["game"]["game_id"]
        self.path = f"/v1/games/{self.game_id}"
        self._invite = created["invite"]
        self._known |= {self.game_id: "GAME", self._invite: "INVITE"}
        self._seat("seat 0", created["token"])
        invited = f"?invite={self._invite}" if setting.visibility == "private" else ""
        self.viewers["spectator"] = Viewer("spectator", query=invited)
        self.viewers["stranger"] = Viewer("stranger")

    def _fill(self, setting: Setting, texts: Sequence[str]) -> None:
        self._seat("removed", self._join("Evangeline"))
        self.play(Move(0, "remove", {"seat": 1}))
        self._seat("left", self._join("Leopoldine"))
        self._post(self.viewers["left"], "leave", None)
        for seat in range(1, setting.seats):
            self._seat(f"seat {seat}", self._join(NAMES[seat]))
        for seat in range(setting.seats):
            self.play(Move(seat, "entropy", {"entropy": texts[seat]}))

    def _join(self, name: str) -> str:
        body = {"name": name, "invite": self._invite}
        token: str = self._send("POST", f"{self.path}/players", None, body).json["token"]
        return token

    def _seat(self, name: str, token: str) -> None:
        self.viewers[name] = Viewer(name, token)
        self._known[token] = f"TOKEN OF {name}"

    def view(self, seat: int) -> dict[str, Any]:
        view: dict[str, Any] = self._send("GET", self.path, self.viewers[f"seat {seat}"]).json
        return view

    def play(self, move: Move) -> None:
        """Make a move that must succeed; what its seat is answered is compared as well."""
        viewer = self.viewers[f"seat {move.seat}"]
        answer = self._post(viewer, move.verb, move.body)
        assert answer.status == 200, (move, answer.content)

    def _post(self, viewer: Viewer, verb: str, body: dict[str, Any] | None) -> Answer:
        key = f"key {len(viewer.repeats)} of {viewer.name}"
        viewer.repeats.append((verb, body, key))
        path = f"{self.path}/{verb}"
        answer = self._send("POST", path, viewer, body, ("Idempotency-Key", key))
        self._keep(viewer, f"POST {verb} for itself", answer)
        return answer

    def look_around(self, names: Iterable[str], hidden: Sequence[str]) -> None:
        """Have viewers read all there is and ask for what they are refused."""
        for name in names:
            viewer = self.viewers[name]
            looked = self._probe(viewer, "GET", "")
            tag = ("If-None-Match", looked.header("ETag") or OLD_TAG)
            self._probe(viewer, "GET", "", None, tag)
            self._probe(viewer, "HEAD", "")
            for page in PAGES:
                self._probe(viewer, "GET", page)
            self._probe(viewer, "GET", "/v1/seat")
            sits = name.startswith("seat ")
            tried = _refused(looked.json["actions"], hidden) if sits else OUTSIDE
            for verb, body in tried:
                self._probe(viewer, "POST", f"/{verb}", body)
            self._probe(viewer, "POST", "/resign", None, ("If-Match", OLD_TAG))
            for verb, body, key in viewer.repeats[-2:]:
                self._probe(viewer, "POST", f"/{verb}", body, ("Idempotency-Key", key))

    def _probe(
        self,
        viewer: Viewer,
        method: str,
        page: str,
        body: dict[str, Any] | None = None,
        *headers: tuple[str, str],
    ) -> Answer:
        path = page if page.startswith("/v1") else self.path + page
        if viewer.query and method == "GET":
            path += viewer.query.replace("?", "&") if "?" in path else viewer.query
        answer = self._send(method, path, viewer, body, *headers)
        assert method != "POST" or answer.status >= 400 or answer.replayed, (page, answer.content)
        self._keep(viewer, f"{method} {page} {body or ''} {dict(headers) or ''}", answer)
        return answer

    def _send(
        self,
        method: str,
        path: str,
        viewer: Viewer | None,
        body: dict[str, Any] | None = None,
        *headers: tuple[str, str],
    ) -> Answer:
        self._asked += 1
        sent = [("X-Request-Id", f"asked-{self._asked}"), *headers]
        if viewer and viewer.token:
            sent.append(("Authorization", f"Bearer {viewer.token}"))
        if body is not None:
            sent.append(("Content-Type", "application/json"))
        return self._asker.ask(method, path, sent, body)

    def _keep(self, viewer: Viewer, label: str, answer: Answer) -> None:
        headers = [f"{name}: {value}" for name, value in answer.headers if name != "Date"]
        told = "\n".join((str(answer.status), *headers, answer.content.decode()))
        self.got.append((self.alike(f"{viewer.name}: {label}"), self.alike(told)))

    def alike(self, text: str) -> str:
        """Return a text with what differs between any two games made equal."""
        for own, common in self._known.items():
            text = text.replace(own, common)
        text = _HASH.sub("HASH", _TIME.sub("TIME", _NONCE.sub(r"\1-NONCE", text)))
        return _TOOK.sub("TOOK", text)


def _refused(actions: dict[str, Any], hidden: Sequence[str]) -> Iterable[Request]:
    """Yield requests that a seat's own actions do not offer; some name what it cannot know."""
    if hidden:
        yield "discard", {"card": hidden[0]}
        yield "knock", {"discard": hidden[-1]}
        yield "knock", {"discard": hidden[0], "melds": [list(hidden)]}
        yield "layoff", {"layoffs": [{"card": card, "meld": 0} for card in hidden]}
        yield "layoff", {"melds": [list(hidden)]}
    for verb in ("pass", "deal", "leave"):
        if not actions[verb]:
            yield verb, None
    for source in ("stock", "discard"):
        if source not in actions["draw"]:
            yield "draw", {"source": source}
    yield "players", {"name": "Zenobia Zest"}


def differences(one: Twin, other: Twin) -> list[str]:
    """Return what a viewer could tell the games apart by: the requests whose answers differ."""
    assert len(one.got) == len(other.got)
    return [
        f"{label}:\n{mine}\n{theirs}"
        for (label, mine), (again, theirs) in zip(one.got, other.got, strict=True)
        if (label, mine) != (again, theirs)
    ]


def rearranged(
    deck: Sequence[str], known: Collection[str], shuffle: Callable[[list[str]], None]
) -> list[str]:
    """Return a deck with all cards but the known ones in other places."""
    places = [place for place, card in enumerate(deck) if card not in known]
    cards = [deck[place] for place in places]
    turned = list(deck)
    while len(places) > 1 and any(turned[place] == deck[place] for place in places):
        shuffle(cards)
        for place, card in zip(places, cards, strict=True):
            turned[place] = card
    return turned


def good_deck(dice: random.Random, seats: int) -> list[str]:
    """Return a deck that deals seat 0 all but one card in melds, and seat 0 plays first."""
    size = 10 if seats == 2 else 7
    melds = [[rank + suit for suit in "CDH"] for rank in dice.sample("23456789", size // 3)]
    hand = [card for meld in melds for card in meld]
    rest = [card for card in CARDS if card not in hand]
    dice.shuffle(rest)
    hand.append(rest.pop())
    hands = [hand, *([rest.pop() for _ in range(size)] for _ in range(1, seats))]
    return [*(cards[turn] for turn in range(size) for cards in hands), *rest]
