"""A game for these tests: its seats, their tokens, and all that anybody can read of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from tests.contract.http import Answer, Body, Wire

CARDS = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
NAMES = ("Annabelle Host", "Bartholomew", "Christabel", "Desdemona")


@dataclass(slots=True)
class Table:
    """A game and the tokens of its seats, in turn order."""

    wire: Wire
    game_id: str
    tokens: list[str]
    invite: str
    created: Answer = field(repr=False)

    @property
    def path(self) -> str:
        return f"/v1/games/{self.game_id}"

    def look(self, seat: int | None = None, *headers: tuple[str, str]) -> Answer:
        return self.wire.get(self.path, self.token(seat), *headers)

    def view(self, seat: int | None = None) -> dict[str, Any]:
        answer = self.look(seat)
        assert answer.status == 200, answer.content
        view: dict[str, Any] = answer.json
        return view

    def post(
        self, seat: int | None, verb: str, body: Body = None, *headers: tuple[str, str | bytes]
    ) -> Answer:
        return self.wire.post(f"{self.path}/{verb}", body, self.token(seat), *headers)

    def done(self, seat: int, verb: str, body: Body = None) -> dict[str, Any]:
        """Make a move that must succeed and return the new view."""
        answer = self.post(seat, verb, body)
        assert answer.status == 200, (verb, body, answer.content)
        view: dict[str, Any] = answer.json
        return view

    def token(self, seat: int | None) -> str | None:
        return None if seat is None else self.tokens[seat]

    def whole(self) -> list[bytes]:
        """Return every byte that anybody can read of the game."""
        return list(self._read_all())

    def _read_all(self) -> Iterator[bytes]:
        host = self.tokens[0]
        for token in self.tokens:
            yield self.wire.get(self.path, token).content
        yield self.wire.get(f"{self.path}?invite={self.invite}").content
        for page in ("score", "events?limit=100"):
            answer = self.wire.get(f"{self.path}/{page}", host)
            assert answer.status == 200, answer.content
            yield answer.content


def new_key() -> str:
    return str(uuid4())


def host(wire: Wire, **body: Any) -> Table:
    """Create a game with its host alone."""
    created = wire.post("/v1/games", {"name": NAMES[0], **body})
    assert created.status == 201, created.content
    told = created.json
    return Table(wire, told["game"]["game_id"], [told["token"]], told["invite"], created)


def join(table: Table, name: str) -> str:
    """Seat somebody and return the token."""
    joined = table.wire.post(f"{table.path}/players", {"name": name, "invite": table.invite})
    assert joined.status == 201, joined.content
    token: str = joined.json["token"]
    return token


def seat_all(wire: Wire, seats: int = 2, **body: Any) -> Table:
    """Create a game and take all of its seats."""
    table = host(wire, seats=seats, **body)
    table.tokens += [join(table, name) for name in NAMES[1:seats]]
    return table


def dealt(wire: Wire, seats: int = 2, **body: Any) -> Table:
    """Deal a sandbox's first round; seat 0 is to move, and has the upcard offered."""
    table = seat_all(wire, seats, **{"deck": [CARDS], **body})
    table.done(0, "deal")
    return table


def deck_of(hands: Sequence[str], upcard: str, stock: str = "") -> list[str]:
    """Return the sandbox deck that deals these cards, seat 0's hand first; the rest is in order."""
    dealt_first = [
        card for turn in zip(*(hand.split() for hand in hands), strict=True) for card in turn
    ]
    named = [*dealt_first, upcard, *stock.split()]
    return [*named, *(card for card in CARDS if card not in named)]


def short(case: object) -> str:
    """Return what a case is called: its start, and its length where it is long."""
    text = ascii(case)
    return text if len(text) <= 30 else f"{text[:24]}... of {len(text)}"
