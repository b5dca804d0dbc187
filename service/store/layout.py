"""How a game lies in Redis: its keys, and what the commit script is given.

All keys of a game carry its id as their hash tag.
"""

from collections.abc import Sequence
from itertools import pairwise

from service.games.ports import Commit, FinishedRound
from service.games.record import LoggedEvent
from service.store import codec
from service.store.line import Argument


def key_of(game_id: str, part: str = "") -> str:
    """Return the key of a game, or of a part of it."""
    return f"okg:{{{game_id}}}:{part}" if part else f"okg:{{{game_id}}}"


def keys_of(game_id: str) -> tuple[str, ...]:
    """Return the keys that the commit script takes, in its order."""
    game = key_of(game_id)
    return (
        game,
        f"{game}:keys",
        f"{game}:internal",
        f"{game}:events",
        f"{game}:rounds",
        f"{game}:results",
    )


def field_of(operation_id: str) -> str:
    """Return the field of a game under which an operation is kept."""
    return f"op:{operation_id}"


def log_id(version: int) -> str:
    """Return the id of a version's entry in the log."""
    return f"{version}-0"


def check_versions(commit: Commit) -> None:
    """Let a commit pass whose events lead up to its record.

    :raises ValueError: if they are not consecutive, or end with another version.
    """
    versions = [logged.version for logged in commit.events]
    consecutive = all(after == before + 1 for before, after in pairwise(versions))
    if versions and not (consecutive and versions[-1] == commit.record.version):
        raise ValueError(
            f"The events have versions {versions}; a commit takes consecutive ones that end with "
            f"the record's, {commit.record.version}."
        )


def arguments_of(commit: Commit) -> list[Argument]:
    """Return the arguments that the commit script takes, in its order."""
    operation = commit.operation
    arguments: list[Argument] = [
        commit.expected or "",
        commit.record.revision,
        codec.encode_snapshot(commit.record),
        field_of(operation.id),
        codec.encode_operation(operation),
        operation.ring,
        log_id(commit.keep_from),
        commit.ttl_seconds,
        len(commit.events),
    ]
    for logged in commit.events:
        arguments += (log_id(logged.version), codec.encode_event(logged))
    arguments.append(len(commit.finished))
    for finished in commit.finished:
        arguments += (
            finished.record.number,
            log_id(finished.first_version),
            log_id(_last_version(finished, commit.events)),
            codec.encode_round_head(finished.record),
            codec.encode_result(finished.record.result),
        )
    return arguments


def _last_version(finished: FinishedRound, events: Sequence[LoggedEvent]) -> int:
    """Return the version of the event that tells the round's result; a new deal may follow it."""
    for logged in events:
        if logged.event.result and logged.event.result.number == finished.record.number:
            return logged.version
    return events[-1].version
