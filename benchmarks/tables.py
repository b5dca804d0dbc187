"""Tables that play over HTTP at a set pace: ``python -m benchmarks.tables HOST PORT RATE``.

Ends when its standard input does, and then prints how many moves it made a second.
"""

import json
import sys
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from itertools import count
from typing import Any, Final

TABLES: Final = 8

Sent = tuple[int, str, dict[str, Any]]


class Table:
    """A game of two on one connection."""

    def __init__(self, host: str, port: int, preset: str = "gin") -> None:
        self.connection = HTTPConnection(host, port, timeout=30)
        made = self.post("/v1/games", {"name": "Ann", "rules": {"preset": preset}}, None)
        self.path = f"/v1/games/{made['game']['game_id']}"
        joined = self.post(f"{self.path}/players", {"name": "Bob"}, None)
        self.tokens = (made["token"], joined["token"])

    def post(self, path: str, body: dict[str, Any], token: str | None) -> Any:
        """Send a POST and return what it is answered."""
        self.connection.request("POST", path, json.dumps(body), self.headers(token))
        return json.loads(self.connection.getresponse().read())

    @staticmethod
    def headers(token: str | None) -> dict[str, str]:
        """Return the headers of a request with a body."""
        bearer = {"Authorization": f"Bearer {token}"} if token else {}
        return {"Content-Type": "application/json", **bearer}

    def next(self) -> Sent | None:
        """Return a seat's next move, nothing when the game is over."""
        self.connection.request("GET", self.path, headers=self.headers(self.tokens[0]))
        game = json.loads(self.connection.getresponse().read())
        seat = game["round"]["turn"] or 0 if game["round"] else 0
        if seat:
            self.connection.request("GET", self.path, headers=self.headers(self.tokens[seat]))
            game = json.loads(self.connection.getresponse().read())
        return chosen(game, seat)

    def reconnect(self) -> None:
        """Leave the connection, which the service may have closed, for a new one."""
        self.connection.close()

    def send(self, move: Sent) -> None:
        """Send a move; its answer is still to be read."""
        seat, verb, body = move
        headers = self.headers(self.tokens[seat])
        self.connection.request("POST", f"{self.path}/{verb}", json.dumps(body), headers)

    def play(self) -> Iterator[None]:
        """Make moves one at a time until the game is over."""
        while move := self.next():
            self.send(move)
            self.connection.getresponse().read()
            yield


def chosen(game: dict[str, Any], seat: int) -> Sent | None:
    """Return a move of those that are offered."""
    may = game["actions"]
    for verb, body in (
        ("deal", {}),
        ("pass", {}),
        ("draw", {"source": "stock"}),
        ("layoff", {}),
    ):
        if may[verb]:
            return seat, verb, body
    if may["knock"]:
        return seat, "knock", {"discard": may["knock"][0]["discard"]}
    if may["discard"]:
        card = min(may["discard"], key=lambda option: int(option["deadwood_points"]))["card"]
        return seat, "discard", {"card": card}
    return None


def keep_playing(host: str, port: int, pause: float, moves: "count[int]") -> None:
    """Play game after game, a move every so many seconds as far as the service keeps up."""
    due = time.perf_counter()
    while True:
        for _ in Table(host, port).play():
            next(moves)
            due += pause
            time.sleep(max(0.0, due - time.perf_counter()))


def main() -> None:
    """Play until there is no more input."""
    host, port, rate = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    moves, start = count(), time.perf_counter()
    for _ in range(TABLES):
        arguments = (host, port, TABLES / rate, moves)
        threading.Thread(target=keep_playing, args=arguments, daemon=True).start()
    sys.stdin.read()
    print(next(moves) / (time.perf_counter() - start))


if __name__ == "__main__":
    main()
