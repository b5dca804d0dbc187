"""Callers who send at the same moment, and a course of games for them to race on."""

import random
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, Self

from tests.chaos.audit import log_of
from tests.chaos.caller import Answer, Caller, Request
from tests.chaos.checker import Logged
from tests.chaos.ledger import Trace
from tests.chaos.moves import Game, Move, choose

LONGEST_GAME: Final = 80
START_SECONDS: Final = 10.0


@dataclass(slots=True)
class Standings:
    """What came of the rounds of one kind of race; ``faults`` is empty where all went well."""

    rounds: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    replays: int = 0
    longest_wait: float = 0.0
    faults: list[str] = field(default_factory=list)

    @property
    def line(self) -> str:
        """The figures in one line."""
        answers = ", ".join(
            f"{number} x {status}" for status, number in sorted(self.statuses.items())
        )
        wait = f"longest wait {self.longest_wait:.2f} s"
        return f"{self.rounds} rounds: {answers}, {self.replays} of them replays; {wait}"

    @property
    def applied(self) -> int:
        """How many requests were applied as new."""
        return self.statuses[200] + self.statuses[201] - self.replays

    @property
    def refused(self) -> int:
        """How many requests changed nothing."""
        return self.statuses.total() - self.applied - self.replays

    def count(self, answers: Sequence[Answer]) -> None:
        """Add a round, and say which of its answers break the promise to callers."""
        self.rounds += 1
        for answer in answers:
            attempt = answer.attempt
            self.statuses[attempt.status] += 1
            self.replays += attempt.replayed
            self.longest_wait = max(self.longest_wait, attempt.ended - attempt.began)
            if attempt.breach:
                self.faults.append(f"round {self.rounds}: {attempt.breach}")

    def expect(self, holds: bool, otherwise: str) -> None:
        """Add a fault unless something holds."""
        if not holds:
            self.faults.append(f"round {self.rounds}: {otherwise}")


class Crowd:
    """Callers, each with a connection of its own, who send at the same moment."""

    def __init__(self, url: str, size: int) -> None:
        self.size = size
        self._callers = [Caller(url) for _ in range(size)]
        self._pool = ThreadPoolExecutor(size)
        self._line = threading.Barrier(size, timeout=START_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()
        for caller in self._callers:
            caller.close()

    def connect(self) -> None:
        """Have every caller open a new connection, all at once."""
        for caller in self._callers:
            caller.close()
        self.send([Request("GET", "/livez")] * self.size)

    def alone(self, request: Request) -> Answer:
        """Send one request from one of the callers."""
        return self._callers[0].send(request)

    def send(self, requests: Sequence[Request]) -> list[Answer]:
        """Send one request from each caller at once."""
        return list(self._pool.map(self._send, self._callers, requests))

    def log(self, game: Game) -> Sequence[Logged]:
        """Return the log of a game."""
        return log_of(self._callers[0], game)

    def _send(self, caller: Caller, request: Request) -> Answer:
        self._line.wait()
        return caller.send(request)


class Course:
    """Games one after the other, in which the next move is there for whoever comes first."""

    def __init__(self, crowd: Crowd, seed: int) -> None:
        self._crowd = crowd
        self.dice = random.Random(seed)
        self.game = new_game(crowd)
        self.view: Mapping[str, Any] = self._look(0)

    def advance(self) -> int:
        """See the game as it is, or begin another, and return the seat that may move."""
        self.view = self._look(0)
        if self.view["version"] > LONGEST_GAME or self.view["result"]:
            self.game = new_game(self._crowd)
            self.view = self._look(0)
        if self.view["actions"]["deal"] or choose(self.view["actions"], random.Random(1)):
            return 0
        self.view = self._look(1)
        return 1

    def request(self, seat: int, move: Move, *, conditional: bool, key: str | None) -> Request:
        """Return a move of a seat on the view that was last seen."""
        headers = {"If-Match": self.view["etag"]} if conditional else {}
        if key:
            headers["Idempotency-Key"] = key
        path = f"/v1/games/{self.game.game_id}/{move.name}"
        return Request("POST", path, self.game.tokens[seat], move.body, headers)

    def last_trace(self) -> Trace:
        """Return what the log tells of its last event."""
        return self._crowd.log(self.game)[-1].trace

    def version(self) -> int:
        """Return the game's version now."""
        return int(self._look(0)["version"])

    def _look(self, seat: int) -> Mapping[str, Any]:
        path = f"/v1/games/{self.game.game_id}"
        return self._crowd.alone(Request("GET", path, self.game.tokens[seat])).body


def new_game(crowd: Crowd) -> Game:
    """Create a game for two and take both seats."""
    created = create(crowd).body
    game_id = str(created["game"]["game_id"])
    path = f"/v1/games/{game_id}/players"
    joined = crowd.alone(Request("POST", path, body={"name": "Bob"})).body
    return Game(game_id, (str(created["token"]), str(joined["token"])))


def create(crowd: Crowd) -> Answer:
    """Create a game for two, with one seat free."""
    return crowd.alone(Request("POST", "/v1/games", body={"name": "Ann"}))
