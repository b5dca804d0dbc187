"""The games that are played on: made, looked up again before each run, and held to their log."""

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final

from redis import Redis

from benchmarks.served import Served

# No game of these ends in the middle of a run.
RULES: Final = {"preset": "oklahoma", "target_score": 10_000}
PAGE: Final = 100
KEPT: Final = 1_000
PAUSE_SECONDS: Final = 0.1


@dataclass(frozen=True, slots=True)
class Game:
    """A game of two and the tokens of both."""

    game_id: str
    tokens: tuple[str, str]

    @property
    def path(self) -> str:
        """Where it is."""
        return f"/v1/games/{self.game_id}"


@dataclass(slots=True)
class Caller:
    """Asks one request after the other over one connection."""

    connection: HTTPConnection

    def ask(
        self, path: str, token: str | None = None, body: Mapping[str, Any] | None = None
    ) -> bytes:
        """Return the answer's body; a body makes it a POST.

        :raises RuntimeError: if the answer is no success.
        """
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        sent = None if body is None else json.dumps(body)
        if sent is not None:
            headers["Content-Type"] = "application/json"
        self.connection.request("POST" if sent else "GET", path, sent, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{path} answered {answer.status}: {content[:400]!r}")
        return content

    def start(self) -> Game:
        """Return a new game with two players, not dealt yet."""
        made = json.loads(self.ask("/v1/games", body={"name": "Ann", "rules": RULES}))
        game_id = made["game"]["game_id"]
        joined = json.loads(self.ask(f"/v1/games/{game_id}/players", body={"name": "Bob"}))
        return Game(game_id, (made["token"], joined["token"]))

    def view(self, game: Game) -> bytes:
        """Return the view of whoever is on turn, the host's where nobody is."""
        content = self.ask(game.path, game.tokens[0])
        table = json.loads(content)["round"]
        if table and table["turn"]:
            content = self.ask(game.path, game.tokens[table["turn"]])
        return content

    def versions(self, game: Game, after: int) -> list[int]:
        """Return the versions in the game's log above ``after``."""
        found: list[int] = []
        while True:
            since = found[-1] if found else after
            page = json.loads(self.ask(f"{game.path}/events?after={since}&limit={PAGE}"))
            found += (event["version"] for event in page["events"])
            if len(page["events"]) < PAGE:
                return found


def settle(served: Served) -> None:
    """Wait until the service has done with what wrk cut off: until nobody else asks Redis."""
    with Redis.from_url(served.redis_url) as client:
        seen = -1
        while (told := client.info("stats")["total_commands_processed"]) != seen + 1:
            seen = told
            time.sleep(PAUSE_SECONDS)


@dataclass(slots=True)
class Games:
    """Some games of one service, with a file of their views for ``drive.lua``."""

    served: Served
    games: Sequence[Game]
    file: Path

    @classmethod
    def start(cls, served: Served, number: int) -> "Games":
        """Start games on a service."""
        with closing(HTTPConnection(served.host, served.port, timeout=30)) as connection:
            caller = Caller(connection)
            games = [caller.start() for _ in range(number)]
        return cls(served, games, served.directory / "tables.txt")

    def look(self) -> int:
        """Write the file as the games stand, and return the sum of their versions."""
        settle(self.served)
        with closing(HTTPConnection(self.served.host, self.served.port, timeout=30)) as connection:
            caller = Caller(connection)
            views = [caller.view(game) for game in self.games]
        lines = (
            f"{game.tokens[0]}\t{game.tokens[1]}\t{view.decode()}\n"
            for game, view in zip(self.games, views, strict=True)
        )
        self.file.write_text("".join(lines), encoding="utf-8")
        return sum(int(json.loads(view)["version"]) for view in views)

    def gaps(self) -> list[str]:
        """Return a sentence for each game whose log is not whole, as far back as logs are kept."""
        found = []
        with closing(HTTPConnection(self.served.host, self.served.port, timeout=30)) as connection:
            caller = Caller(connection)
            for game in self.games:
                version = json.loads(caller.ask(game.path))["version"]
                after = max(0, version - KEPT)
                versions = caller.versions(game, after)
                if versions != list(range(after + 1, version + 1)):
                    found.append(f"{game.game_id} is at version {version} and logs {versions}")
        return found
