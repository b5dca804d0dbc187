"""A game over the app and a real store, request by request, each seen by what counts its cost."""

import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from flask import Flask
from werkzeug.test import EnvironBuilder

Move = tuple[int, str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    content: bytes

    @property
    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.content)
        return found


@dataclass
class Playing:
    """A game of two whose every move carries If-Match and a key of its own; ``view`` is the last
    mover's.

    ``watched`` is entered around every request, while the app answers it.
    """

    app: Flask
    watched: AbstractContextManager[object] = nullcontext()
    moves: int = 0

    def start(self) -> None:
        """Create, join and deal."""
        rules = {"preset": "oklahoma", "target_score": 10_000}
        made = self.ask("POST", "/v1/games", {"name": "Ann", "rules": rules}).view
        self.game_id: str = made["game"]["game_id"]
        self.path = f"/v1/games/{self.game_id}"
        joined = self.ask("POST", f"{self.path}/players", {"name": "Bob"}).view
        self.tokens = (made["token"], joined["token"])
        self.view: dict[str, Any] = joined["game"]

    def ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send one request."""
        sent = list((headers or {}).items())
        environ = EnvironBuilder(path, method=method, headers=sent, json=body).get_environ()
        statuses: list[str] = []

        def start_response(status: str, _headers: object, _error: object = None) -> Any:
            statuses.append(status)

        with self.watched:
            content = b"".join(self.app(environ, start_response))
        return Answer(int(statuses[0].split()[0]), content)

    def move(self) -> Answer:
        """Make the next move."""
        seat, verb, body = next_move(self.view)
        self.moves += 1
        headers = {
            "Authorization": f"Bearer {self.tokens[seat]}",
            "If-Match": self.view["etag"],
            "Idempotency-Key": str(UUID(int=self.moves)),
        }
        answer = self.ask("POST", f"{self.path}/{verb}", body, headers)
        assert answer.status == 200, answer.content
        self.view = answer.view
        return answer

    def rounds(self) -> Iterator[int]:
        """Make moves for ever, and yield the number of the round after each."""
        while True:
            self.move()
            yield self.view["round"]["number"]

    def look(self, etag: str | None = None) -> Answer:
        """Ask for the view of seat 0, if it is another than that of the entity tag."""
        condition = {"If-None-Match": etag} if etag else {}
        headers = {"Authorization": f"Bearer {self.tokens[0]}", **condition}
        return self.ask("GET", self.path, headers=headers)


def next_move(view: Mapping[str, Any]) -> Move:
    """Return the seat to move, its operation and the body of it, as the last mover knows them."""
    table, actions = view["round"], view["actions"]
    if table is None or table["phase"] == "over":
        return 0, "deal", {}
    seat, phase = table["turn"], table["phase"]
    plain: dict[str, tuple[str, dict[str, Any]]] = {
        "upcard_offer": ("pass", {}),
        "draw": ("draw", {"source": "stock"}),
        "layoff": ("layoff", {}),
    }
    if phase in plain:
        return (seat, *plain[phase])
    if actions["knock"]:
        return seat, "knock", {"discard": actions["knock"][0]["discard"]}
    lightest = min(actions["discard"], key=lambda option: int(option["deadwood_points"]))
    return seat, "discard", {"card": lightest["card"]}
