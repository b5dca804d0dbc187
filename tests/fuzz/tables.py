"""Games kept in every phase, so that what is asked about them meets more than 401 and 404."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from werkzeug.test import Client

from tests.games.table import StoppedClock

CARDS: Final = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
KNOCKER: Final = ["AC", "2C", "3C", "4D", "5D", "6D", "7H", "8H", "9H", "KS"]
OPPONENT: Final = ["4C", "7D", "TH", "KC", "KD", "KH", "AS", "3S", "5S", "9S"]
TURN_SECONDS: Final = 5
LATE_MILLIS: Final = 60_000
RUNNING: Final = {"offer": "upcard_offer"}

View = Mapping[str, Any]


def rigged() -> list[str]:
    """Return a deck with which seat 0 may knock after one draw, and seat 1 has cards to lay off."""
    dealt = [card for pair in zip(KNOCKER, OPPONENT, strict=True) for card in pair]
    return dealt + [card for card in CARDS if card not in dealt]


@dataclass(frozen=True, slots=True)
class Held:
    """A seat of a game: its token, what it sees, and the invite of the game."""

    game_id: str
    seat: int
    token: str
    invite: str
    view: View


@dataclass(slots=True)
class Game:
    """A game and its tokens by seat."""

    game_id: str
    invite: str
    tokens: list[str]


class Tables:
    """Makes games in whatever phase is asked for, and keeps them until they have moved on."""

    def __init__(self, client: Client, clock: StoppedClock, dice: Random) -> None:
        self._client = client
        self._clock = clock
        self._dice = dice
        self._kept: dict[str, Game] = {}
        self.making: dict[str, Callable[[], Game]] = {
            "open": lambda: self._create("Ann", seats=3),
            "full": self._pair,
            "private": lambda: self._pair(visibility="private"),
            "offer": lambda: self._dealt(rules={"first_player": "host"}),
            "draw": self._rigged,
            "discard": lambda: self._after(self._rigged, ("draw", {"source": "stock"})),
            "layoff": lambda: self._after(self._discarding, ("knock", {"discard": "KS"})),
            "over": lambda: self._settled(100),
            "finished": lambda: self._settled(1),
            "late": self._late,
            "three": lambda: self._dealt(seats=3),
        }

    def seat(self, phase: str, *, in_turn: bool = True) -> Held:
        """Return a seat of a game that is still in a phase, the one to move unless told not to."""
        kept = self._kept.get(phase)
        held = self._held(phase, kept, in_turn=in_turn) if kept else None
        if held is None:
            made = self._kept[phase] = self.making[phase]()
            held = self._held(phase, made, in_turn=in_turn)
        assert held, f"a new game in {phase} is not open to its own seats"
        return held

    def ticket(self, held: Held) -> str:
        """Return a ticket for the stream of a seat."""
        ticket: str = self.post(f"/v1/games/{held.game_id}/stream-tickets", held.token)["ticket"]
        return ticket

    def _moved_on(self, phase: str, view: View) -> bool:
        running = view["round"]["phase"] if view["round"] else None
        match phase:
            case "open" | "full" | "private":
                moved = view["status"] != "waiting" or view["actions"]["deal"] == (phase == "open")
            case "finished":
                moved = view["status"] != phase
            case "late" | "three":
                moved = running in (None, "over")
            case _:
                moved = view["result"] is not None or running != RUNNING.get(phase, phase)
        return bool(moved)

    def _held(self, phase: str, game: Game, *, in_turn: bool) -> Held | None:
        """Return the seat wanted, nothing where its token or the phase is gone."""
        view = self._look(game.game_id, game.tokens[0])
        if view is None or self._moved_on(phase, view):
            return None
        turn = view["round"]["turn"] if view["round"] else None
        others = [seat for seat in range(len(game.tokens)) if seat != turn]
        seat = (turn or 0) if in_turn else self._dice.choice(others or [0])
        seen = self._look(game.game_id, game.tokens[seat]) if seat else view
        return Held(game.game_id, seat, game.tokens[seat], game.invite, seen) if seen else None

    def _look(self, game_id: str, token: str) -> View | None:
        answer = self._client.get(f"/v1/games/{game_id}", headers=_bearer(token))
        seen = answer.get_json()
        return seen if answer.status_code == 200 and seen["you"] else None

    def post(self, path: str, token: str | None = None, body: object = None) -> dict[str, Any]:
        """Return the answer to a request that has to be accepted."""
        answer = self._client.post(path, json=body or {}, headers=_bearer(token) if token else {})
        assert answer.status_code in (200, 201), answer.get_data(as_text=True)
        made: dict[str, Any] = answer.get_json()
        return made

    def _create(self, name: str, **body: object) -> Game:
        made = self.post("/v1/games", body={"name": name, **body})
        return Game(made["game"]["game_id"], made["invite"], [made["token"]])

    def _pair(self, **body: object) -> Game:
        game = self._create("Ann", **body)
        for name in ("Bob", "Cid")[: int(str(body.get("seats", 2))) - 1]:
            seated = {"name": name, "invite": game.invite}
            joined = self.post(f"/v1/games/{game.game_id}/players", body=seated)
            game.tokens.append(joined["token"])
        return game

    def _dealt(self, **body: object) -> Game:
        return self._after(lambda: self._pair(**body), ("deal", {}))

    def _rigged(self, **rules: object) -> Game:
        chosen = {"preset": "gin", "upcard_offer": False, **rules}
        return self._dealt(rules=chosen, deck=[rigged()])

    def _discarding(self, **rules: object) -> Game:
        return self._after(lambda: self._rigged(**rules), ("draw", {"source": "stock"}))

    def _settled(self, target_score: int) -> Game:
        game = self._after(
            lambda: self._discarding(target_score=target_score), ("knock", {"discard": "KS"})
        )
        self.post(f"/v1/games/{game.game_id}/layoff", game.tokens[1])
        return game

    def _late(self) -> Game:
        game = self._dealt(turn_seconds=TURN_SECONDS)
        self._clock.millis += LATE_MILLIS
        return game

    def _after(self, make: Callable[[], Game], *moves: tuple[str, object]) -> Game:
        game = make()
        for verb, body in moves:
            self.post(f"/v1/games/{game.game_id}/{verb}", game.tokens[0], body)
        return game


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
