"""Every game of a store, found without holding up its server."""

from collections.abc import Iterator
from typing import Final

from redis.exceptions import RedisError

from service.store.connections import Connections, unavailable
from service.store.pool import Pool

_GAMES: Final = "okg:{*}"
_CANARY: Final = "canary-"  # what a store's check leaves for a moment
_AT_ONCE: Final = 500


def game_ids(connections: Connections) -> list[str]:
    """Return the ids of all games stored, in order; one that comes or goes meanwhile may be missed.

    :raises StoreUnavailable: if the server does not answer.
    """
    try:
        found = {game_id for pool in connections.pools() for game_id in _kept_by(pool)}
    except RedisError as error:
        raise unavailable(error) from error
    return sorted(game_id for game_id in found if not game_id.startswith(_CANARY))


def _kept_by(pool: Pool) -> Iterator[str]:
    cursor = b"0"
    while True:
        [(cursor, keys)] = pool.trip([["SCAN", cursor, "MATCH", _GAMES, "COUNT", _AT_ONCE]])
        yield from (key.decode().removeprefix("okg:{").removesuffix("}") for key in keys)
        if cursor == b"0":
            return
