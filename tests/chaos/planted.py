"""Faults that a sound service does not have, done to the store behind its back."""

from collections.abc import Mapping
from typing import TypeAlias

from redis import Redis

Copy: TypeAlias = Mapping[bytes, tuple[bytes, int]]


def copy_of(redis: "Redis", game_id: str) -> Copy:
    """Return all that the store holds of a game."""
    keys = list(redis.scan_iter(f"okg:{{{game_id}}}*"))
    return {key: (redis.dump(key) or b"", redis.pttl(key)) for key in keys}


def turn_back(redis: "Redis", copy: Copy) -> None:
    """Put a game back to what it was: what was acknowledged since then is lost."""
    for key, (stored, life) in copy.items():
        redis.restore(key, life, stored, replace=True)


def forget_operations(redis: "Redis", game_id: str) -> None:
    """Drop what is known of a game's keys: whatever is repeated is applied again."""
    game = f"okg:{{{game_id}}}"
    operations = [name for name, _ in redis.hscan_iter(game, match="op:*")]
    redis.hdel(game, *operations)


def drop_event(redis: "Redis", game_id: str, version: int) -> None:
    """Take an event out of a game's log."""
    redis.xdel(f"okg:{{{game_id}}}:events", f"{version}-0")
