"""Compares what callers were told with what the log holds, and names every difference."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Self

from tests.chaos.ledger import Entry, Trace


@dataclass(frozen=True, slots=True)
class Logged:
    """An event of a game's log, as far as it can be told from a request."""

    version: int
    id: str
    trace: Trace


@dataclass(slots=True)
class Verdict:
    """Sentences on what is wrong, by kind; all empty where nothing is.

    ``lost``: acknowledged, but not in the log. ``doubled``: in the log more often than asked for.
    ``traces``: refused, but in the log. ``gaps``: versions that are not 1 to n with one event each.
    ``contradictions``: a caller was told two things about one request.
    """

    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    traces: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    contradictions: list[str] = field(default_factory=list)

    def __add__(self, other: Self) -> "Verdict":
        return Verdict(
            **{
                each.name: getattr(self, each.name) + getattr(other, each.name)
                for each in fields(self)
            }
        )

    @property
    def faults(self) -> list[str]:
        """All sentences."""
        return [text for each in fields(self) for text in getattr(self, each.name)]


def check(entries: Iterable[Entry], log: Sequence[Logged], version: int) -> Verdict:
    """Return how a game's entries and its log differ; ``version`` is what its view says.

    Requests without an If-Match that only ever got replays are matched by their traces alone, so
    their kind of request must not be sent with an If-Match as well.
    """
    verdict = Verdict(gaps=_gaps(log, version))
    unclaimed = {event.version: event for event in log}
    by_outcome: dict[str, list[Entry]] = {"applied": [], "refused": [], "unknown": []}
    for entry in entries:
        by_outcome[entry.outcome].append(entry)
        _check_answers(entry, verdict)
    # Those that can name their version choose first, and the applied ones before the unknown.
    for entry in sorted(by_outcome["applied"], key=lambda entry: not _version_of(entry)):
        if not _claim(entry, unclaimed):
            verdict.lost.append(f"{_told(entry)} was acknowledged and is not in the log")
    for entry in sorted(by_outcome["unknown"], key=lambda entry: not _version_of(entry)):
        _claim(entry, unclaimed)
    for event in unclaimed.values():
        _blame(event, by_outcome["refused"], verdict)
    return verdict


def _gaps(log: Sequence[Logged], version: int) -> list[str]:
    versions = [event.version for event in log]
    found = []
    if versions != list(range(1, version + 1)):
        odd = sorted(set(range(1, version + 1)).symmetric_difference(versions)) or versions
        found.append(f"the view is at version {version}; wrong in the log: {odd[:5]}")
    if len({event.id for event in log}) != len(log):
        found.append("two events have one id")
    return found


def _check_answers(entry: Entry, verdict: Verdict) -> None:
    fresh = [attempt.version for attempt in entry.attempts if attempt.fresh]
    if len(fresh) > 1:
        verdict.doubled.append(f"{_told(entry)} was applied as new at versions {fresh}")
    if entry.base and any(version != entry.base + 1 for version in fresh):
        verdict.contradictions.append(f"{_told(entry)} was applied at versions {fresh}")
    outcomes = {attempt.outcome for attempt in entry.attempts}
    if {"applied", "refused"} <= outcomes:
        verdict.contradictions.append(f"{_told(entry)} was acknowledged and refused")


def _version_of(entry: Entry) -> int:
    """Return the only version that the entry's event can have, 0 where any can be it."""
    if entry.base:
        return entry.base + 1
    return next((attempt.version for attempt in entry.attempts if attempt.fresh), 0)


def _claim(entry: Entry, unclaimed: dict[int, Logged]) -> bool:
    """Take the entry's event out of those that nobody accounts for, if it is there."""
    version = _version_of(entry)
    candidates = [version] if version else list(unclaimed)
    for candidate in candidates:
        event = unclaimed.get(candidate)
        if event and event.trace == entry.trace:
            del unclaimed[candidate]
            return True
    return False


def _blame(event: Logged, refused: Sequence[Entry], verdict: Verdict) -> None:
    for entry in refused:
        if entry.trace == event.trace and entry.base in (0, event.version - 1):
            verdict.traces.append(f"{_told(entry)} was refused and is in the log: {event}")
            return
    verdict.doubled.append(f"no request accounts for {event}")


def _told(entry: Entry) -> str:
    on = f" on version {entry.base}" if entry.base else ""
    trace = entry.trace
    return f"{entry.game_id}: seat {trace.seat} {trace.type} {trace.detail}{on}"
