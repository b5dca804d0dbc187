"""A client for tests that holds every answer against the contract."""

import re
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from io import BytesIO
from typing import Any

from flask import Flask
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import best_match
from werkzeug.test import TestResponse

from service.api.answers import PROBLEM_JSON
from service.api.factory import all_operations, create_app
from service.api.operation import JSON
from service.api.services import Services
from service.api.spec import document
from service.api.trace import make_log
from service.games.usecases import Games
from tests.games.table import games_over
from tests.streams.following import streams_over

SECRET = "3f0c7a52-6f1a-4f6c-9a53-0a7d6ff1f8f0"


@cache
def strict_contract() -> dict[str, Any]:
    """Return the contract with every object closed, so that an undocumented field is noticed."""
    contract = deepcopy(document(all_operations()))
    for name, schema in contract["components"]["schemas"].items():
        if name != "Problem":
            schema["additionalProperties"] = False
    return contract


def inlined(schema: Any) -> Any:
    """Return a schema with its references replaced by what they name, for speed."""
    if isinstance(schema, list):
        return [inlined(member) for member in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/components/schemas/")
        return inlined(strict_contract()["components"]["schemas"][name])
    return {word: inlined(member) for word, member in schema.items()}


@cache
def validator(pointer: str) -> Draft202012Validator:
    """Return the validator of a schema at a JSON Pointer into the contract."""
    schema = strict_contract()
    for part in pointer.split("/")[1:]:
        schema = schema[part.replace("~1", "/").replace("~0", "~")]
    return Draft202012Validator(inlined(schema), format_checker=FormatChecker())


def template_of(path: str) -> str | None:
    """Return the contract's path that a request's path is one of; a plain one comes first."""
    for template in sorted(strict_contract()["paths"], key=lambda each: each.count("{")):
        if re.fullmatch(re.sub(r"{\w+}", "[^/]+", template), path):
            return str(template)
    return None


def escaped(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")


def check_answer(method: str, path: str, response: TestResponse) -> None:
    """Fail unless the contract documents the status, the type and the body of an answer."""
    assert response.headers["X-Request-Id"]
    method = "get" if method == "HEAD" else method.lower()
    template = template_of(path)
    operations = strict_contract()["paths"].get(template, {})
    if method not in operations:
        assert response.status_code in (404, 405)
        check_body(response, "/components/schemas/Problem")
        return
    answers = operations[method]["responses"]
    status = str(response.status_code)
    assert status in answers, f"{method} {path} answered {status}: {response.get_data(True)}"
    for name in answers[status].get("headers", {}):
        optional = name in ("Idempotency-Replayed", "ETag")
        assert optional or name in response.headers, f"{path} {status} lacks {name}"
    content = answers[status].get("content")
    if content is None:
        assert response.get_data() == b""
        return
    media = response.mimetype or ""
    assert media in content, f"{path} answered {media}"
    if media == PROBLEM_JSON:
        code = (response.get_json(silent=True) or {}).get("code")
        assert code is None or code in content[media]["examples"], f"{path} {status} {code}"
    if media in (JSON, PROBLEM_JSON):
        place = f"/paths/{escaped(template or '')}/{method}/responses/{status}/content"
        check_body(response, f"{place}/{escaped(media)}/schema")


def check_body(response: TestResponse, pointer: str) -> None:
    if response.request.method == "HEAD":
        assert response.get_data() == b""
        return
    error = best_match(validator(pointer).iter_errors(response.get_json()))
    assert error is None, f"{error.json_path}: {error.message}"


class Client:
    """Sends requests to an app and checks every answer."""

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
        response = self._client.open(path, method=method, headers=sent, **words)
        check_answer(method, path.partition("?")[0], response)
        return response

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
    made = Services(games, make_log(stream=stream), streams_over(games), sandbox, **services)
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
