"""Games in Redis 6.2 or later, or in Valkey: one read to load a game, one script to commit."""

from collections.abc import Mapping, Sequence
from hashlib import sha1
from importlib.resources import files
from secrets import token_hex
from typing import Any, Final

from redis.exceptions import NoScriptError

from service.games.ports import (
    Applied,
    Commit,
    EventLog,
    Listing,
    Loaded,
    Missing,
    Outcome,
    Replayed,
    Stale,
    StoreUnavailable,
    UnreadableGame,
)
from service.games.record import GameRecord, RoundRecord
from service.rules.state import RoundResult
from service.store import codec
from service.store.connections import Connections, Observe
from service.store.layout import arguments_of, check_versions, field_of, key_of, keys_of, log_id
from service.store.line import Argument, Command
from service.store.seen import Seen

_LISTS: Final[Mapping[Listing, str]] = {"waiting": "okg:lobby", "playing": "okg:playing"}
_CANARY_SECONDS: Final = 5
_CONFIRM: Final = b"""
local found = redis.call('HMGET', KEYS[1], 'rev', 'snap', ARGV[1])
if found[1] then
  redis.call('HSET', KEYS[1], 'rev', found[1])
end
return found
"""
WAITS_FOR_REPLICAS: Final = 0.5
"""The part of the time for an answer that replicas may take, so that the answer still comes."""
_LARGEST_VERSION: Final = 1 << 53


class RedisGameStore:
    """A ``GameStore`` on one server or on several; threads and greenlets may share it.

    All keys of a game carry its id as their hash tag, so that they live in one slot of a cluster
    and one script can write them all. ``timeout_seconds`` bounds each single wait, ``pool_size``
    the connections to each server; no call takes longer than 5 seconds. ``wait_replicas`` replicas
    have to take a commit before it is answered, and before a repetition of it is. ``observe`` is
    told of each trip its seconds and whether it failed.
    """

    def __init__(
        self,
        url: str,
        *,
        timeout_seconds: float,
        pool_size: int,
        wait_replicas: int = 0,
        observe: Observe | None = None,
    ) -> None:
        self._connections = Connections(
            url, timeout_seconds=timeout_seconds, pool_size=pool_size, observe=observe
        )
        self._replicas = wait_replicas
        self._wait = int(timeout_seconds * WAITS_FOR_REPLICAS * 1000)
        self._seen = Seen()
        self._script = (files("service.store") / "commit.lua").read_bytes()
        self._digest = sha1(self._script, usedforsecurity=False).hexdigest()

    @property
    def connections_in_use(self) -> int:
        """How many connections a trip is being made over."""
        return self._connections.in_use

    @property
    def servers_left_alone(self) -> int:
        """How many servers rest because they failed again and again."""
        return self._connections.left_alone

    def load(self, game_id: str, operation_id: str | None = None) -> Loaded | None:
        """Return the game and whether the operation was applied, read at one moment."""
        wanted = [] if operation_id is None else [field_of(operation_id)]
        key = key_of(game_id)
        [found] = self._connections.call(key, ["HMGET", key, "rev", "snap", *wanted])
        if self._replicas and operation_id is not None and found[-1] is not None:
            found = self._confirmed(key, operation_id)
        revision, snapshot, *kept = found
        record = self._record(game_id, revision, snapshot)
        if record is None:
            return None
        applied = None
        if operation_id is not None and kept[0] is not None:
            applied = codec.decode_operation(operation_id, kept[0])
        return Loaded(record, applied)

    def recall(self, game_id: str) -> GameRecord | None:
        """Return the game as this process saw it last, without asking anybody."""
        return self._seen.recall(game_id)

    def commit(self, commit: Commit) -> Outcome:
        """Store a commit unless its operation was applied before or its revision is stale.

        A commit whose answer was lost and that the store itself repeated comes back ``Replayed``.

        :raises ValueError: if the events' versions do not lead up to the record's.
        """
        check_versions(commit)
        match self._commit(commit.record.game_id, arguments_of(commit)):
            case [b"applied"]:
                self._seen.keep(commit.record)
                return Applied()
            case [b"replayed", kept, snapshot]:
                operation = codec.decode_operation(commit.operation.id, kept)
                return Replayed(operation, self._see(snapshot))
            case [b"stale", snapshot]:
                return Stale(self._see(snapshot))
            case _:
                self._seen.forget(commit.record.game_id)
                return Missing()

    def events(self, game_id: str, after: int, limit: int) -> EventLog:
        """Return up to ``limit`` events with a version above ``after``."""
        page, oldest = self._connections.call(key_of(game_id), *_reads(game_id, after, limit))
        return _log_of(page, oldest, after)

    def load_since(
        self, game_id: str, after: int, limit: int
    ) -> tuple[GameRecord, EventLog] | None:
        """Return the game and what ``events`` does, in one trip."""
        key = key_of(game_id)
        game: Command = ["HMGET", key, "rev", "snap"]
        found, page, oldest = self._connections.call(key, game, *_reads(game_id, after, limit))
        record = self._record(game_id, *found)
        return (record, _log_of(page, oldest, after)) if record else None

    def round(self, game_id: str, number: int) -> RoundRecord | None:
        """Return a finished round with its moves."""
        rounds = key_of(game_id, "rounds")
        [stored] = self._connections.call(rounds, ["HGET", rounds, number])
        return None if stored is None else codec.decode_round(stored)

    def results(self, game_id: str) -> tuple[RoundResult, ...]:
        """Return the results of all finished rounds, in order."""
        results = key_of(game_id, "results")
        [stored] = self._connections.call(results, ["LRANGE", results, 0, -1])
        return tuple(map(codec.decode_result, stored))

    def load_all(self, game_ids: Sequence[str]) -> tuple[GameRecord | None, ...]:
        """Return several games as they stand, none for each that is not there or is unreadable."""
        keys = [key_of(game_id) for game_id in game_ids]
        found = self._connections.call_each([(key, ["HGET", key, "snap"]) for key in keys])
        return tuple(snapshot and _readable(snapshot) for snapshot in found)

    def list_game(self, listing: Listing, place: str, life: int) -> None:
        """Keep a place in a list, for ``life`` milliseconds at least; older ones are dropped.

        A place begins with the game's creation in milliseconds, so places sort by age.
        """
        key = _LISTS[listing]
        oldest = int(place.partition(":")[0]) - life
        self._connections.call(
            key,
            ["ZADD", key, 0, place],
            ["ZREMRANGEBYLEX", key, "-", f"({max(oldest, 0):013d}"],
            ["PEXPIRE", key, life],
        )

    def strike(self, listing: Listing, place: str) -> None:
        """Take a place out of a list."""
        key = _LISTS[listing]
        self._connections.call(key, ["ZREM", key, place])

    def places(self, listing: Listing, before: str | None, limit: int) -> tuple[str, ...]:
        """Return up to ``limit`` places of a list, highest first, that sort below ``before``."""
        key = _LISTS[listing]
        highest = f"({before}" if before else "+"
        [places] = self._connections.call(
            key, ["ZREVRANGEBYLEX", key, highest, "-", "LIMIT", 0, limit]
        )
        return tuple(place.decode() for place in places)

    def check(self) -> None:
        """Run the real commit on a canary key, which goes by itself after 5 seconds.

        :raises StoreUnavailable: if the canary was not stored.
        """
        canary = f"canary-{token_hex(8)}"
        outcome = self._commit(
            canary,
            ["", "1-canary", "{}", field_of("check"), "[]", "pinned", "0-0", _CANARY_SECONDS, 0, 0],
        )
        [revision] = self._connections.call(key_of(canary), ["HGET", key_of(canary), "rev"])
        if outcome != [b"applied"] or revision != b"1-canary":
            raise StoreUnavailable(
                f"The store answered {outcome!r} to a trial commit and holds {revision!r} for it, "
                "where b'applied' and b'1-canary' were due. Check that it is a Redis 6.2 or later, "
                "or a Valkey, that takes writes."
            )

    def close(self) -> None:
        """Close every connection."""
        self._connections.close()

    def _record(
        self, game_id: str, revision: bytes | None, snapshot: bytes | None
    ) -> GameRecord | None:
        """Return the game that was read, decoded only where this process has not seen it so."""
        if snapshot is None:
            self._seen.forget(game_id)
            return None
        seen = self._seen.recall(game_id)
        if seen is not None and seen.revision.encode() == revision:
            return seen
        return self._see(snapshot)

    def _see(self, snapshot: bytes) -> GameRecord:
        return self._seen.keep(codec.decode_snapshot(snapshot))

    def _commit(self, game_id: str, arguments: Sequence[Argument]) -> list[bytes]:
        keys = keys_of(game_id)
        tail = (len(keys), *keys, *arguments)
        try:
            return self._written(keys[0], ["EVALSHA", self._digest, *tail])
        except NoScriptError:
            return self._written(keys[0], ["EVAL", self._script, *tail])

    def _written(self, key: str, write: Command) -> list[bytes]:
        """Return the reply to a write that as many replicas have taken as were asked for.

        WAIT counts them for what its own connection wrote, so it goes along on the same trip.

        :raises StoreUnavailable: if fewer replicas say so in time; the write stands here.
        """
        if not self._replicas:
            [reply] = self._connections.call(key, write)
            return reply  # type: ignore[no-any-return]  # the script returns lists of strings
        reply, taken = self._connections.call(key, write, ["WAIT", self._replicas, self._wait])
        if taken < self._replicas:
            # It may be the primary no more, and lines that are open lead to it all the same.
            self._connections.close()
            raise StoreUnavailable(
                f"{taken} of {self._replicas} replicas took the commit in time. Repeat the "
                "operation to learn whether it is safe."
            )
        return reply  # type: ignore[no-any-return]

    def _confirmed(self, key: str, operation_id: str) -> list[bytes]:
        """Return revision, snapshot and operation once the replicas have them.

        They are read again, on the trip that waits: where a primary is being replaced, the first
        read may have been of the former one, whose last operations are lost.

        :raises StoreUnavailable: if too few replicas have them in time.
        """
        return self._written(key, ["EVAL", _CONFIRM, 1, key, field_of(operation_id)])


def _reads(game_id: str, after: int, limit: int) -> tuple[Command, Command]:
    """Return the commands that read a page of the log, and its oldest entry."""
    log = key_of(game_id, "events")
    start = log_id(min(max(after, 0), _LARGEST_VERSION) + 1)
    page: Command = ["XRANGE", log, start, "+", "COUNT", limit]
    return page, ["XRANGE", log, "-", "+", "COUNT", 1]


def _log_of(page: list[Any], oldest: list[Any], after: int) -> EventLog:
    events = tuple(codec.decode_event(entry) for _, (_, entry) in page)
    # A trim between the two reads can leave the page older than what is the oldest by now.
    held = [int(entry_id.partition(b"-")[0]) for entry_id, _ in (*page[:1], *oldest)]
    return EventLog(events, min(held, default=after + 1))


def _readable(snapshot: bytes) -> GameRecord | None:
    """Return the game of a snapshot, unless another release alone can read it."""
    try:
        return codec.decode_snapshot(snapshot)
    except UnreadableGame:
        return None
