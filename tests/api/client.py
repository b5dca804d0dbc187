"""A client for tests of the API."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from service.api.factory import create_app
from service.api.log import Log as ServiceLog
from service.api.services import Services
from service.games.usecases import Games
from tests.games.table import games_over
from tests.streams.following import streams_over

SECRET = "3f0c7a52-6f1a-4f6c-9a53-0a7d6ff1f8f0"


class Client:
    """Sends requests to an app."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self._client = app.test_client()

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        key: str | None = None,
        raw: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        chunked: bool = False,
    ) -> TestResponse:
        sent = dict(headers or {})
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        if key is not None:
            sent["Idempotency-Key"] = key
        words: dict[str, Any] = {"json": body} if body is not None else {}
        if raw is not None:
            sent.setdefault("Content-Type", "application/json")
            words = {"data": raw}
        if chunked:
            words = {
                "input_stream": BytesIO(raw or b""),
                "environ_overrides": {"wsgi.input_terminated": True},
            }
        return self._client.open(path, method=method, headers=sent, **words)

    def get(self, path: str, **words: Any) -> TestResponse:
        return self.send("GET", path, **words)

    def post(self, path: str, body: Any = None, **words: Any) -> TestResponse:
        return self.send("POST", path, body, **words)

    def create(self, **body: Any) -> dict[str, Any]:
        response = self.post("/v1/games", {"name": "Ann", **body})
        assert response.status_code == 201, response.get_data(True)
        answer: dict[str, Any] = response.get_json()
        return answer


class Log:
    """Keeps what is logged."""

    def __init__(self) -> None:
        self.stream = BytesIO()

    def text(self) -> str:
        return self.stream.getvalue().decode()


def client_over(
    games: Games | None = None,
    *,
    sandbox: bool = True,
    log: Log | None = None,
    **services: Any,
) -> Client:
    """Return a client of an app over use cases, those of a memory store unless others are given."""
    stream = (log or Log()).stream
    games = games or games_over()
    made = Services(games, ServiceLog("info", stream), streams_over(games), sandbox, **services)
    return Client(create_app(made))


class Table:
    """A game of two over HTTP: Ann in seat 0 and Bob in seat 1."""

    def __init__(self, client: Client, **created: Any) -> None:
        self.client = client
        made = client.create(**created)
        self.game_id: str = made["game"]["game_id"]
        self.path = f"/v1/games/{self.game_id}"
        invited = {"invite": made["invite"]} if created.get("visibility") == "private" else {}
        joined = client.post(f"{self.path}/players", {"name": "Bob", **invited}).get_json()
        self.tokens: list[str] = [made["token"], joined["token"]]
        self.invite: str = made["invite"]

    def view(self, seat: int | None = 0) -> dict[str, Any]:
        token = None if seat is None else self.tokens[seat]
        shown: dict[str, Any] = self.client.get(self.path, token=token).get_json()
        return shown

    def move(self, seat: int, name: str, body: Any = None, **words: Any) -> TestResponse:
        return self.client.post(f"{self.path}/{name}", body, token=self.tokens[seat], **words)

    def turn(self) -> int:
        seat: int = self.view()["round"]["turn"]
        return seat
