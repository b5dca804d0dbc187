"""What earlier releases stored is read, audited and played on; what a later one stored is left."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from redis import Redis

from service.games.audit import audit
from service.store import codec
from service.store.codec import SCHEMA
from service.store.redis_store import RedisGameStore
from tests.api.client import Client, client_over
from tests.games.table import games_over
from tests.store.released import Released, file_of, read

FORMATS = range(1, SCHEMA + 1)
NEWER = SCHEMA + 1


@pytest.fixture
def client(store: RedisGameStore) -> Client:
    return client_over(games_over(store))


def put(redis: Redis, schema: int) -> Released:
    redis.flushall()
    kept = read(schema)
    kept.put(redis)
    return kept


def test_every_released_format_has_a_game() -> None:
    missing = [schema for schema in FORMATS if not file_of(schema).exists()]
    assert missing == [], "python -m tests.store.released"


@pytest.mark.parametrize("schema", FORMATS)
def test_a_game_of_an_earlier_release_is_whole(
    server: Redis, store: RedisGameStore, schema: int
) -> None:
    kept = put(server, schema)
    found = audit(store, kept.game_id)
    assert found
    assert (found.rounds, found.difference) == (1, None)


@pytest.mark.parametrize("schema", FORMATS)
def test_a_game_of_an_earlier_release_goes_on_in_the_newest_format(
    server: Redis, client: Client, schema: int
) -> None:
    kept = put(server, schema)
    path = f"/v1/games/{kept.game_id}"
    views = [client.get(path, token=token).get_json() for token in kept.tokens]
    [turn] = [seat for seat, view in enumerate(views) if can_move(view["actions"])]
    assert views[turn]["version"] == kept.version
    verb, body = a_move(views[turn]["actions"])
    assert client.post(f"{path}/{verb}", body, token=kept.tokens[turn]).status_code == 200
    snapshot = msgspec.msgpack.decode(server.hget(f"okg:{{{kept.game_id}}}", "snap"))  # type: ignore[arg-type]
    assert (snapshot["schema"], snapshot["version"]) == (SCHEMA, kept.version + 1)


def can_move(actions: dict[str, Any]) -> bool:
    return bool(actions["draw"] or actions["discard"])


def a_move(actions: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if actions["draw"]:
        return "draw", {"source": "stock"}
    return "discard", {"card": actions["discard"][0]["card"]}


def test_an_older_format_is_upgraded_when_it_is_read(
    server: Redis, store: RedisGameStore, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A format that never was, in which the preset had another name and nobody a clock."""
    kept = put(server, SCHEMA)

    def older(snapshot: dict[str, Any]) -> None:
        snapshot["schema"] = 0
        snapshot["sheet"] = snapshot.pop("preset")
        del snapshot["turn_seconds"]

    def upgrade(raw: dict[str, Any]) -> dict[str, Any]:
        return {**raw, "schema": 1, "preset": raw["sheet"], "turn_seconds": 0}

    monkeypatch.setattr(codec, "UPGRADES", {**codec.UPGRADES, 0: upgrade})
    rewrite(server, kept.game_id, older)
    view = client.get(f"/v1/games/{kept.game_id}", token=kept.tokens[0]).get_json()
    assert (view["preset"], view["turn_seconds"], view["version"]) == ("oklahoma", 0, kept.version)
    found = audit(store, kept.game_id)
    assert found
    assert found.difference is None


def rewrite(redis: Redis, game_id: str, change: Callable[[dict[str, Any]], None]) -> None:
    name = f"okg:{{{game_id}}}"
    snapshot = msgspec.msgpack.decode(redis.hget(name, "snap"))  # type: ignore[arg-type]
    change(snapshot)
    redis.hset(name, "snap", msgspec.msgpack.encode(snapshot))


def everything(redis: Redis) -> dict[object, object]:
    return {key: redis.dump(key) for key in redis.keys("*")}


ASKED: tuple[tuple[str, str, dict[str, Any] | None], ...] = (
    ("GET", "", None),
    ("GET", "/score", None),
    ("GET", "/events", None),
    ("GET", "/rounds/1", None),
    ("GET", "/stream", None),
    ("POST", "/draw", {"source": "stock"}),
    ("POST", "/deal", {}),
    ("POST", "/resign", None),
    ("POST", "/entropy", {"entropy": "text"}),
    ("POST", "/players", {"name": "Cyd"}),
    ("POST", "/token", None),
    ("POST", "/stream-tickets", None),
)


@pytest.mark.parametrize("damage", [{"schema": NEWER}, {"players": "of another kind"}])
def test_a_newer_or_damaged_game_is_refused_and_left_as_it_is(
    server: Redis, client: Client, damage: dict[str, Any]
) -> None:
    kept = put(server, SCHEMA)
    rewrite(server, kept.game_id, lambda snapshot: snapshot.update(damage))
    before = everything(server)
    path, token = f"/v1/games/{kept.game_id}", kept.tokens[0]
    answers = [client.send(method, path + page, body, token=token) for method, page, body in ASKED]
    answers.append(client.get("/v1/seat", token=token))
    for answer in answers:
        assert (answer.status_code, answer.get_json()["code"]) == (503, "store_unavailable")
        assert "it was left as it is and nothing was applied" in answer.get_json()["detail"]
        assert int(answer.headers["Retry-After"]) > 0
    assert everything(server) == before


def test_a_game_that_became_newer_behind_a_worker_is_left_as_it_is(
    server: Redis, client: Client
) -> None:
    """The worker has seen the game; another one, of a newer release, has moved on since."""
    kept = put(server, SCHEMA)
    path, token = f"/v1/games/{kept.game_id}", kept.tokens[0]
    assert client.get(path, token=token).status_code == 200
    rewrite(server, kept.game_id, lambda snapshot: snapshot.update(schema=NEWER))
    server.hset(f"okg:{{{kept.game_id}}}", "rev", f"{kept.version + 1}-0badcafe")
    before = everything(server)
    for _ in range(2):
        answer = client.post(f"{path}/entropy", {"entropy": "text"}, token=token)
        assert (answer.status_code, answer.get_json()["code"]) == (503, "store_unavailable")
    assert everything(server) == before


def test_the_lobby_leaves_out_what_it_cannot_read(server: Redis, client: Client) -> None:
    server.flushall()
    newer, ours = (client.create()["game"]["game_id"] for _ in range(2))
    rewrite(server, newer, lambda snapshot: snapshot.update(schema=NEWER))
    places = server.zrange("okg:lobby", 0, -1)
    listed = client.get("/v1/games").get_json()["games"]
    assert [game["game_id"] for game in listed] == [ours]
    assert server.zrange("okg:lobby", 0, -1) == places
