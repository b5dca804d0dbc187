"""A game store in memory with the store's own semantics, for tests of what stands above it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from service.games.ports import (
    Applied,
    Commit,
    EventLog,
    Listing,
    Loaded,
    Missing,
    Operation,
    Outcome,
    Replayed,
    Stale,
)
from service.games.record import GameRecord, LoggedEvent, RoundRecord
from service.rules.state import RoundResult


@dataclass
class Kept:
    record: GameRecord
    operations: dict[str, Operation] = field(default_factory=dict)
    log: list[LoggedEvent] = field(default_factory=list)
    rounds: dict[int, RoundRecord] = field(default_factory=dict)


class MemoryStore:
    """Keeps games in a dict; nothing expires and no operation is forgotten."""

    def __init__(self) -> None:
        self.games: dict[str, Kept] = {}
        self.lists: dict[Listing, set[str]] = {"waiting": set(), "playing": set()}
        self.seen: dict[str, GameRecord] = {}

    def load(self, game_id: str, operation_id: str | None = None) -> Loaded | None:
        kept = self.games.get(game_id)
        if kept is None:
            return None
        self.seen[game_id] = kept.record
        return Loaded(kept.record, kept.operations.get(operation_id or ""))

    def recall(self, game_id: str) -> GameRecord | None:
        return self.seen.get(game_id)

    def commit(self, commit: Commit) -> Outcome:
        game_id = commit.record.game_id
        kept = self.games.get(game_id)
        if kept is None:
            if commit.expected is not None:
                return Missing()
            kept = self.games[game_id] = Kept(commit.record)
        elif applied := kept.operations.get(commit.operation.id):
            return Replayed(applied, kept.record)
        elif kept.record.revision != commit.expected:
            return Stale(kept.record)
        kept.record = self.seen[game_id] = commit.record
        kept.operations[commit.operation.id] = commit.operation
        kept.log.extend(commit.events)
        for finished in commit.finished:
            moves = tuple(e for e in kept.log if e.version >= finished.first_version)
            kept.rounds[finished.record.number] = replace(finished.record, moves=moves)
        return Applied()

    def events(self, game_id: str, after: int, limit: int) -> EventLog:
        log = self.games[game_id].log
        return EventLog(tuple(e for e in log if e.version > after)[:limit], log[0].version)

    def load_since(
        self, game_id: str, after: int, limit: int
    ) -> tuple[GameRecord, EventLog] | None:
        loaded = self.load(game_id)
        return (loaded.record, self.events(game_id, after, limit)) if loaded else None

    def round(self, game_id: str, number: int) -> RoundRecord | None:
        return self.games[game_id].rounds.get(number)

    def results(self, game_id: str) -> tuple[RoundResult, ...]:
        return tuple(record.result for _, record in sorted(self.games[game_id].rounds.items()))

    def load_all(self, game_ids: Sequence[str]) -> tuple[GameRecord | None, ...]:
        kept = [self.games.get(game_id) for game_id in game_ids]
        return tuple(each.record if each else None for each in kept)

    def list_game(self, listing: Listing, place: str, life: int) -> None:
        assert life > 0
        self.lists[listing].add(place)

    def strike(self, listing: Listing, place: str) -> None:
        self.lists[listing].discard(place)

    def places(self, listing: Listing, before: str | None, limit: int) -> tuple[str, ...]:
        below = [place for place in self.lists[listing] if before is None or place < before]
        return tuple(sorted(below, reverse=True)[:limit])

    def check(self) -> None:
        pass
