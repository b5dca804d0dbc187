"""What the use cases need of the world: a store of games, a clock and a source of randomness."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from service.games.record import GameRecord, LoggedEvent, RoundRecord
from service.rules.state import RoundResult

Ring: TypeAlias = Literal["keys", "internal", "pinned"]
Listing: TypeAlias = Literal["waiting", "playing"]


@dataclass(frozen=True, slots=True)
class Operation:
    """One request's identity, kept in the commit that applies it so that it is never applied twice.

    ``id`` names caller, method, path and key; ``fingerprint`` the body, so that another body under
    the same id is noticed; ``note`` is what a replay needs to answer with (at most 200 bytes).
    ``ring``: the last 64 of ``keys`` and the last 64 of ``internal`` ones are kept, ``pinned`` ones
    as long as the game.
    """

    id: str
    fingerprint: str
    note: str
    ring: Ring


@dataclass(frozen=True, slots=True)
class Loaded:
    """A game as it stands and, if the operation asked for was applied to it, that operation."""

    record: GameRecord
    applied: Operation | None


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """What a commit that ends a round stores for good beside the snapshot.

    The record's moves are the log's events from ``first_version`` on, this commit's included.
    """

    record: RoundRecord
    first_version: int


@dataclass(frozen=True, slots=True)
class Commit:
    """One atomic write: the new record under the expected revision, its events and its operation.

    ``expected`` is the revision that was loaded, none to create the game. ``keep_from`` is the
    oldest version that the log must still hold. ``ttl_seconds`` is the life of all keys of the game
    from now.
    """

    record: GameRecord
    expected: str | None
    operation: Operation
    events: tuple[LoggedEvent, ...]
    keep_from: int
    ttl_seconds: int
    finished: tuple[FinishedRound, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Applied:
    """The commit was stored."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """The operation had been applied before; nothing was stored. ``record`` is the game now."""

    operation: Operation
    record: GameRecord


@dataclass(frozen=True, slots=True)
class Stale:
    """The revision was not the expected one; nothing was stored. ``record`` is the game now."""

    record: GameRecord


@dataclass(frozen=True, slots=True)
class Missing:
    """The game does not exist (any more); nothing was stored."""


Outcome: TypeAlias = Applied | Replayed | Stale | Missing


@dataclass(frozen=True, slots=True)
class EventLog:
    """A page of the log, oldest first; ``first_version`` is the oldest that the log still holds."""

    events: tuple[LoggedEvent, ...]
    first_version: int


class StoreUnavailable(Exception):
    """The store did not answer in time; whether a commit was applied is unknown."""


class UnreadableGame(StoreUnavailable):
    """What is stored of a game is damaged or of a newer format; it was left as it is.

    During a rolling update another worker can read a newer format, so trying again makes sense.
    """


class GameStore(Protocol):
    """Where games live. Every method raises ``StoreUnavailable`` within 5 seconds if it must."""

    def load(self, game_id: str, operation_id: str | None = None) -> Loaded | None:
        """Return the game and whether the operation was applied, read at one moment."""

    def recall(self, game_id: str) -> GameRecord | None:
        """Return the game as this process saw it last, without asking anybody.

        It may be past: a commit upon it is compared with what is kept, and nothing is refused for
        it.
        """

    def commit(self, commit: Commit) -> Outcome:
        """Store a commit unless its operation was applied before or its revision is stale."""

    def events(self, game_id: str, after: int, limit: int) -> EventLog:
        """Return up to ``limit`` events with a version above ``after``."""

    def load_since(
        self, game_id: str, after: int, limit: int
    ) -> tuple[GameRecord, EventLog] | None:
        """Return the game and what ``events`` does, in one trip.

        The events are read after the game, so they may lead beyond it.
        """

    def round(self, game_id: str, number: int) -> RoundRecord | None:
        """Return a finished round with its moves."""

    def results(self, game_id: str) -> tuple[RoundResult, ...]:
        """Return the results of all finished rounds, in order."""

    def load_all(self, game_ids: Sequence[str]) -> tuple[GameRecord | None, ...]:
        """Return several games as they stand, none for each that is not there or is unreadable."""

    def list_game(self, listing: Listing, place: str, life: int) -> None:
        """Keep a place in a list, for ``life`` milliseconds at least."""

    def strike(self, listing: Listing, place: str) -> None:
        """Take a place out of a list."""

    def places(self, listing: Listing, before: str | None, limit: int) -> tuple[str, ...]:
        """Return up to ``limit`` places of a list, highest first, that sort below ``before``."""

    def check(self) -> None:
        """Run the real commit on a canary key."""


class Clock(Protocol):
    """The time, as an argument."""

    def now(self) -> int:
        """Return the time in milliseconds since 1970 UTC."""


class RandomSource(Protocol):
    """The operating system's randomness, as an argument."""

    def token_bytes(self, size: int) -> bytes:
        """Return ``size`` unpredictable bytes."""
