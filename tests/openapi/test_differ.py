"""The differ names what breaks a client, and nothing that does not."""

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from service.api.factory import all_operations
from service.api.spec import document
from tests.openapi.__main__ import RELEASED, main, read
from tests.openapi.differ import additions, breaking_changes

Change = Callable[[dict[str, Any]], object]

GAMES = "/v1/games"
MOVE = "/v1/games/{game_id}/discard"


@cache
def made_once() -> dict[str, Any]:
    return document(all_operations())


def contract() -> dict[str, Any]:
    return deepcopy(made_once())


def schema(made: dict[str, Any], name: str) -> Any:
    return made["components"]["schemas"][name]


def field(made: dict[str, Any], name: str, member: str) -> Any:
    return schema(made, name)["properties"][member]


def answer(made: dict[str, Any], path: str, method: str, status: str) -> Any:
    return made["paths"][path][method]["responses"][status]


def broken_by(change: Change) -> list[str]:
    made = contract()
    change(made)
    return [str(each) for each in breaking_changes(contract(), made)]


BREAKING: dict[str, tuple[Change, str]] = {
    "a path that is gone": (lambda it: it["paths"].pop(MOVE), f"POST {MOVE}: the operation"),
    "an operation that is gone": (lambda it: it["paths"][GAMES].pop("get"), f"GET {GAMES}: the"),
    "an operation renamed": (
        lambda it: it["paths"][GAMES]["post"].update(operationId="newGame"),
        "operationId createGame is newGame now",
    ),
    "a parameter that is gone": (
        lambda it: it["paths"][GAMES]["get"].update(parameters=[]),
        "query parameter cursor: parameter is gone",
    ),
    "a new parameter that is required": (
        lambda it: it["paths"][GAMES]["get"]["parameters"].append(
            {"in": "query", "name": "era", "required": True, "schema": {"type": "string"}}
        ),
        "query parameter era: parameter has become required",
    ),
    "a token that is required now": (
        lambda it: it["paths"][GAMES]["get"].update(security=[{"seatToken": []}]),
        "a token has become required",
    ),
    "a body that is required now": (
        lambda it: it["paths"]["/v1/games/{game_id}/deal"]["post"]["requestBody"].update(
            required=True
        ),
        "body: has become required",
    ),
    "a field that is required now": (
        lambda it: schema(it, "CreateGameRequest")["required"].append("seats"),
        "body .seats: input field has become required",
    ),
    "a field of a request that is gone": (
        lambda it: schema(it, "CreateGameRequest")["properties"].pop("seats"),
        "body .seats: input field is gone",
    ),
    "a lower maximum": (
        lambda it: field(it, "CreateGameRequest", "seats").update(maximum=3),
        "body .seats: input takes less: maximum 4 and 3",
    ),
    "a value that is taken no more": (
        lambda it: field(it, "DrawRequest", "source").update(enum=["stock"]),
        "input takes less: values",
    ),
    "another pattern": (
        lambda it: field(it, "DiscardRequest", "card").update(pattern="^.$"),
        "body .card: input takes less: pattern",
    ),
    "another type": (
        lambda it: field(it, "DiscardRequest", "card").update(type="integer"),
        "input takes less: type string and integer",
    ),
    "a field of an answer that is gone": (
        lambda it: schema(it, "Game")["properties"].pop("etag"),
        ".etag: output field is gone",
    ),
    "a field of an answer that may be absent": (
        lambda it: schema(it, "Game")["required"].remove("etag"),
        ".etag: output field may be absent now",
    ),
    "a field of an answer that may be null": (
        lambda it: field(it, "Game", "etag").update(type=["string", "null"]),
        "output gives more: type null or string and string",
    ),
    "a kind of answer that is gone": (
        lambda it: answer(it, GAMES, "post", "201")["content"].pop("application/json"),
        "201 application/json: is gone",
    ),
    "a success that is another": (
        lambda it: it["paths"][GAMES]["post"]["responses"].update(
            {"200": it["paths"][GAMES]["post"]["responses"].pop("201")}
        ),
        "201: the answer is gone",
    ),
    "a header that is gone": (
        lambda it: answer(it, GAMES, "post", "201")["headers"].pop("Location"),
        "201 header Location: is gone",
    ),
}

HARMLESS: dict[str, Change] = {
    "nothing": lambda _it: None,
    "a new path": lambda it: it["paths"].update({"/new": it["paths"][GAMES]}),
    "a new field of an answer": lambda it: schema(it, "Game")["properties"].update(
        mood={"type": "string"}
    ),
    "a new field of a request": lambda it: schema(it, "CreateGameRequest")["properties"].update(
        mood={"type": "string"}
    ),
    "a higher maximum": lambda it: field(it, "CreateGameRequest", "seats").update(maximum=6),
    "one more value": lambda it: field(it, "DrawRequest", "source")["enum"].append("hand"),
    "no pattern": lambda it: field(it, "DiscardRequest", "card").pop("pattern"),
    "a field required no more": lambda it: schema(it, "DrawRequest").update(required=[]),
    "another description": lambda it: schema(it, "Game").update(description="A table."),
    "one more refusal": lambda it: it["paths"][GAMES]["get"]["responses"].update(
        {"418": answer(it, GAMES, "get", "503")}
    ),
    "no token needed": lambda it: it["paths"][MOVE]["post"].update(security=[]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BREAKING)
def test_what_breaks_a_client_is_named(name: str) -> None:
    change, sentence = BREAKING[name]
    found = broken_by(change)
    assert any(sentence in each for each in found), found


@pytest.mark.slow
@pytest.mark.parametrize("name", HARMLESS)
def test_what_breaks_no_client_is_let_through(name: str) -> None:
    assert broken_by(HARMLESS[name]) == []


def test_a_closed_answer_that_grows_breaks_its_readers() -> None:
    old = contract()
    field(old, "Game", "status").update(enum=["waiting", "playing", "finished"])
    new = deepcopy(old)
    field(new, "Game", "status")["enum"].append("paused")
    assert any("output gives more: values" in str(each) for each in breaking_changes(old, new))


def test_new_operations_are_told() -> None:
    made = contract()
    made["paths"]["/new"] = {"get": made["paths"][GAMES]["get"]}
    assert additions(contract(), made) == ["GET /new"]


def test_the_last_released_contract_is_kept() -> None:
    assert breaking_changes(read(RELEASED), contract()) == []


def test_the_command_tells_of_every_break(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "old.yaml"
    old.write_text('{"info": {"version": "1"}, "paths": {"/a": {"get": {"responses": {}}}}}')
    new = tmp_path / "new.yaml"
    new.write_text('{"info": {"version": "2"}, "paths": {}}')
    assert main([str(old), str(new)]) == 1
    assert "breaking  GET /a: the operation is gone" in capsys.readouterr().out
    assert main([str(old), str(old)]) == 0
