"""What the store keeps, as bytes, decoded straight into the frozen values of the domain.

A snapshot, written with every move, is MessagePack, three quarters the size of JSON; the rest is
JSON, so that the store's script can join a round from its moves. A snapshot carries the number of
its format. A new field that has a default needs no new number, since what is absent is read as its
default and what is unknown is passed over.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias, TypeVar

import msgspec

from service.games.ports import Operation, Ring, UnreadableGame
from service.games.record import (
    GameRecord,
    LoggedEvent,
    Player,
    RoundRecord,
    Shuffle,
    TimeoutAction,
    Visibility,
)
from service.rules.cards import Card
from service.rules.errors import InvalidRules
from service.rules.moves import Occupant
from service.rules.ruleset import RuleSet
from service.rules.state import Event, GameResult, GameState, Round, RoundResult

SCHEMA: Final = 1

_Value = TypeVar("_Value")

Upgrade: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]

UPGRADES: Final[Mapping[int, Upgrade]] = {}
"""From a schema number to the function that turns its raw snapshot into the next one's."""


class Snapshot(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The kept form of a ``GameRecord`` and its ``GameState``, in one level.

    ``rules`` stay raw: a game's options never change, so equal bytes are decoded once.
    """

    schema: Literal[1]
    game_id: str
    version: int
    nonce: str
    created_at: int
    updated_at: int
    expires_at: int
    preset: str
    rules: msgspec.Raw
    visibility: Visibility
    turn_seconds: int
    timeout_action: TimeoutAction
    sandbox: bool
    players: tuple[Player | None, ...]
    occupants: tuple[Occupant | None, ...]
    totals: tuple[int, ...]
    boxes: tuple[int, ...]
    out: tuple[bool, ...]
    next_secret: str
    round: Round | None = None
    last_round: RoundResult | None = None
    result: GameResult | None = None
    shuffle: Shuffle | None = None
    round_versions: tuple[int, ...] = ()
    decks: tuple[tuple[Card, ...], ...] = ()
    turn_deadline: int | None = None
    rematch_game_id: str | None = None
    listed: bool = True


_pack: Final = msgspec.msgpack.Encoder().encode
_snapshot_from: Final = msgspec.msgpack.Decoder(Snapshot).decode
_rules_from: Final = msgspec.msgpack.Decoder(RuleSet).decode
_raw_from: Final = msgspec.msgpack.Decoder(dict[str, Any]).decode

_encode: Final = msgspec.json.Encoder().encode
_event_from: Final = msgspec.json.Decoder(LoggedEvent).decode
_round_from: Final = msgspec.json.Decoder(RoundRecord).decode
_result_from: Final = msgspec.json.Decoder(RoundResult).decode
_operation_from: Final = msgspec.json.Decoder(tuple[str, str, Ring]).decode

_EVENT_FIELDS: Final = tuple(row.name for row in fields(Event))
_NO_MOVES: Final = b"]}"


def _read(decode: Callable[[bytes], _Value], stored: bytes, what: str) -> _Value:
    try:
        return decode(stored)
    except (msgspec.MsgspecError, InvalidRules) as error:
        raise UnreadableGame(
            f"The stored {what} cannot be read: {error}. It was left as it is; run the release "
            "that wrote it, or restore it from a backup."
        ) from error


@lru_cache(maxsize=1024)
def _encoded_rules(rules: RuleSet) -> msgspec.Raw:
    return msgspec.Raw(_pack(rules))


@lru_cache(maxsize=1024)
def _decoded_rules(stored: bytes) -> RuleSet:
    return _read(_rules_from, stored, "rules")


def encode_snapshot(record: GameRecord) -> bytes:
    """Return the snapshot of a game, in the newest format."""
    state = record.state
    return _pack(
        Snapshot(
            schema=SCHEMA,
            game_id=record.game_id,
            version=record.version,
            nonce=record.nonce,
            created_at=record.created_at,
            updated_at=record.updated_at,
            expires_at=record.expires_at,
            preset=record.preset,
            rules=_encoded_rules(state.rules),
            visibility=record.visibility,
            turn_seconds=record.turn_seconds,
            timeout_action=record.timeout_action,
            sandbox=record.sandbox,
            players=record.players,
            occupants=state.occupants,
            totals=state.totals,
            boxes=state.boxes,
            out=state.out,
            next_secret=record.next_secret,
            round=state.round,
            last_round=state.last_round,
            result=state.result,
            shuffle=record.shuffle,
            round_versions=record.round_versions,
            decks=record.decks,
            turn_deadline=record.turn_deadline,
            rematch_game_id=record.rematch_game_id,
            listed=record.listed,
        )
    )


def decode_snapshot(stored: bytes) -> GameRecord:
    """Return the game of a snapshot, upgraded if its format is an older one.

    :raises UnreadableGame: if the format is newer than this code's, or the bytes are damaged.
    """
    try:
        kept = _snapshot_from(stored)
    except msgspec.MsgspecError:
        kept = _upgraded(stored)
    rules = _decoded_rules(bytes(kept.rules))
    return GameRecord(
        game_id=kept.game_id,
        version=kept.version,
        nonce=kept.nonce,
        created_at=kept.created_at,
        updated_at=kept.updated_at,
        expires_at=kept.expires_at,
        preset=kept.preset,
        visibility=kept.visibility,
        turn_seconds=kept.turn_seconds,
        timeout_action=kept.timeout_action,
        sandbox=kept.sandbox,
        players=kept.players,
        state=GameState(
            rules=rules,
            occupants=kept.occupants,
            totals=kept.totals,
            boxes=kept.boxes,
            out=kept.out,
            round=kept.round,
            last_round=kept.last_round,
            result=kept.result,
        ),
        next_secret=kept.next_secret,
        shuffle=kept.shuffle,
        round_versions=kept.round_versions,
        decks=kept.decks,
        turn_deadline=kept.turn_deadline,
        rematch_game_id=kept.rematch_game_id,
        listed=kept.listed,
    )


def _upgraded(stored: bytes) -> Snapshot:
    raw = _read(_raw_from, stored, "snapshot")
    schema = raw.get("schema")
    if isinstance(schema, int) and schema > SCHEMA:
        raise UnreadableGame(
            f"The snapshot has format {schema} and this release reads up to {SCHEMA}. It was left "
            "as it is; run the release that wrote it, or a newer one."
        )
    while upgrade := UPGRADES.get(raw.get("schema", 0)):
        raw = upgrade(raw)
    return _read(_snapshot_from, _pack(raw), "snapshot")


def encode_event(logged: LoggedEvent) -> bytes:
    """Return an entry of the log without the fields that its event does not have."""
    event = logged.event
    entry: dict[str, object] = {
        "version": logged.version,
        "id": logged.id,
        "at": logged.at,
        "event": {
            name: value for name in _EVENT_FIELDS if (value := getattr(event, name)) is not None
        },
    }
    if logged.name is not None:
        entry["name"] = logged.name
    return _encode(entry)


def decode_event(stored: bytes) -> LoggedEvent:
    """Return an entry of the log.

    :raises UnreadableGame: if the bytes are damaged.
    """
    return _read(_event_from, stored, "event")


def encode_round_head(record: RoundRecord) -> bytes:
    """Return a round record up to its moves; they, separated by commas, and ``]}`` complete it."""
    return _encode(replace(record, moves=())).removesuffix(_NO_MOVES)


def decode_round(stored: bytes) -> RoundRecord:
    """Return a round record with its moves.

    :raises UnreadableGame: if the bytes are damaged.
    """
    return _read(_round_from, stored, "round")


def encode_result(result: RoundResult) -> bytes:
    """Return a round's result."""
    return _encode(result)


def decode_result(stored: bytes) -> RoundResult:
    """Return a round's result.

    :raises UnreadableGame: if the bytes are damaged.
    """
    return _read(_result_from, stored, "result")


def encode_operation(operation: Operation) -> bytes:
    """Return all of an operation but its id, under which it is kept."""
    return _encode((operation.fingerprint, operation.note, operation.ring))


def decode_operation(operation_id: str, stored: bytes) -> Operation:
    """Return the operation that is kept under an id.

    :raises UnreadableGame: if the bytes are damaged.
    """
    return Operation(operation_id, *_read(_operation_from, stored, "operation"))
