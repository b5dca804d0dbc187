"""``python -m tests.store.released`` keeps a game as this release stores it, for all later ones.

Each file of ``released/`` holds what Redis held of one game, under the number of its format; it is
written once, when a format is released, and never again.
"""

import json
import tempfile
from base64 import b64decode, b64encode
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from redis import Redis

from service.rules.ruleset import choose_rules
from service.store.codec import SCHEMA
from service.store.redis_store import RedisGameStore
from tests.games.playing import Table
from tests.servers import client_of, start_store

HERE: Final = Path(__file__).with_name("released")
PARTS: Final = ("", ":keys", ":internal", ":events", ":rounds", ":results")


def file_of(schema: int) -> Path:
    """Return where the game of a format is kept."""
    return HERE / f"schema-{schema}.json"


@dataclass(frozen=True, slots=True)
class Released:
    """A game of an earlier release: its id, the tokens of its seats, and its keys' contents."""

    game_id: str
    tokens: list[str]
    version: int
    keys: dict[str, Any]

    def put(self, redis: Redis) -> None:
        """Store the game as that release had stored it."""
        for part, kept in self.keys.items():
            name = f"okg:{{{self.game_id}}}{part}"
            if isinstance(kept, dict):
                redis.hset(name, mapping={field: b64decode(value) for field, value in kept.items()})
            elif part == ":events":
                for version, entry in kept:
                    redis.xadd(name, {"e": b64decode(entry)}, id=version)
            else:
                redis.rpush(name, *(b64decode(value) for value in kept))


def read(schema: int) -> Released:
    """Return the game of a format."""
    return Released(**json.loads(file_of(schema).read_text(encoding="utf-8")))


def write() -> None:
    """Keep a game in its second round, unless this format has one already."""
    path = file_of(SCHEMA)
    if path.exists():
        raise SystemExit(f"{path.name} is there already; a released format does not change.")
    with tempfile.TemporaryDirectory() as directory, start_store(Path(directory)) as url:
        path.write_text(json.dumps(_played(url), indent=1) + "\n", encoding="utf-8")


def _played(url: str) -> dict[str, Any]:
    dice, table = Random(1), Table(rules=choose_rules("oklahoma", {"target_score": 250}))
    table.play_round(dice)
    for _ in range(8):
        table.go_on(dice)
    store = RedisGameStore(url, timeout_seconds=2, pool_size=1)
    for commit in table.store.commits:
        store.commit(commit)
    store.close()
    with client_of(url) as redis:
        name = f"okg:{{{table.game_id}}}"
        keys = {part: _kept(redis, name + part) for part in PARTS if redis.exists(name + part)}
    version = table.record.version
    return {"game_id": table.game_id, "tokens": table.tokens, "version": version, "keys": keys}


def _kept(redis: Any, name: str) -> Any:
    kind = redis.type(name)
    if kind == b"hash":
        return {field.decode(): _text(value) for field, value in redis.hgetall(name).items()}
    if kind == b"stream":
        return [(entry.decode(), _text(told[b"e"])) for entry, told in redis.xrange(name)]
    return [_text(value) for value in redis.lrange(name, 0, -1)]


def _text(value: bytes) -> str:
    return b64encode(value).decode()


if __name__ == "__main__":
    write()
