"""What the log of a service may hold: lines of known members, and nothing that opens anything."""

import json
import re
from collections.abc import Callable, Collection

from service.api.factory import all_operations
from service.api.problems import CATALOGUE

_OPERATIONS = {operation.id for operation in all_operations()}

_GUNICORN = re.compile(r"\[[^]]+\] \[\d+\] \[(?:INFO|WARNING|ERROR)\] (.*)|Serving on http://.*")

_MEMBERS: dict[str, Callable[[object], bool]] = {
    "at": lambda at: bool(re.fullmatch(r"[\d-]{10}T[\d:.]+Z", str(at))),
    "event": lambda event: event == "request",
    "level": lambda level: level == "info",
    "request_id": lambda asked: bool(re.fullmatch(r"[\w.-]{1,128}", str(asked), re.ASCII)),
    "operation": lambda name: name is None or name in _OPERATIONS,
    "game_id": lambda game_id: (
        game_id is None or bool(re.fullmatch(r"[\w-]{1,64}", str(game_id), re.ASCII))
    ),
    "status": lambda status: type(status) is int,
    "code": lambda code: code is None or code in CATALOGUE,
    "ms": lambda ms: isinstance(ms, float),
    "trace_id": lambda trace: trace is None or bool(re.fullmatch(r"[0-9a-f]{32}", str(trace))),
    "span_id": lambda span: span is None or bool(re.fullmatch(r"[0-9a-f]{16}", str(span))),
    "seat": lambda seat: seat in (None, 0, 1, 2, 3),
    "version_before": lambda version: version is None or type(version) is int,
    "version_after": lambda version: version is None or type(version) is int,
    "redis_ms": lambda ms: isinstance(ms, float),
    "redis_trips": lambda trips: type(trips) is int,
}


def request_lines(log: str) -> list[dict[str, object]]:
    """Return the lines that tell of requests, in the order of their answers."""
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    return [line for line in lines if line["event"] == "request"]


def unknown_lines(log: str) -> list[str]:
    """Return the lines that hold anything but what every line may hold."""
    return [line for line in log.splitlines() if not _is_known(line)]


def told_secrets(log: str, secrets: Collection[bytes]) -> list[bytes]:
    """Return the secrets that stand somewhere in a log."""
    text = log.encode()
    return [secret for secret in secrets if secret in text]


def _is_known(line: str) -> bool:
    if not line.startswith("{"):
        return bool(_GUNICORN.fullmatch(line))
    told = json.loads(line)
    return told.keys() == _MEMBERS.keys() and all(_MEMBERS[key](told[key]) for key in told)
