"""The callers' side of the story: every request, with every answer it got, as it came."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Outcome: TypeAlias = Literal["applied", "refused", "unknown"]

LONGEST_WAIT_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Trace:
    """What a request leaves in the log if it is applied: its event, and what tells it apart."""

    type: str
    seat: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One answer, or none (``status`` 0). ``version`` is that of the view it carried."""

    began: float
    ended: float
    status: int
    version: int = 0
    replayed: bool = False
    retry_after: bool = False

    @property
    def outcome(self) -> Outcome:
        """What the caller may conclude: only 2xx and 4xx are certain."""
        if 200 <= self.status < 300:
            return "applied"
        return "refused" if 400 <= self.status < 500 else "unknown"

    @property
    def fresh(self) -> bool:
        """Whether the answer says that it was this very request that was applied."""
        return self.outcome == "applied" and not self.replayed

    @property
    def breach(self) -> str | None:
        """How the answer breaks the promise to callers, if it does."""
        if self.ended - self.began > LONGEST_WAIT_SECONDS:
            return f"{self.status or 'no answer'} after {self.ended - self.began:.1f} s"
        if self.status >= 500 and self.status != 503:
            return f"status {self.status}"
        if self.status == 503 and not self.retry_after:
            return "503 without Retry-After"
        return None


@dataclass(frozen=True, slots=True)
class Entry:
    """One request under one key, sent as often as its outcome was unknown, or more often.

    ``base`` is the version that its If-Match named, 0 without one.
    """

    game_id: str
    trace: Trace
    attempts: tuple[Attempt, ...]
    base: int = 0

    @property
    def outcome(self) -> Outcome:
        """What the caller knows in the end."""
        outcomes = {attempt.outcome for attempt in self.attempts}
        if "applied" in outcomes:
            return "applied"
        return self.attempts[-1].outcome

    @property
    def doubtful(self) -> bool:
        """Whether the caller was ever left without an answer that is certain."""
        return any(attempt.outcome == "unknown" for attempt in self.attempts)


class Ledger:
    """All entries of a run; threads may write it together, as a list's append is one step."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._reads: list[Attempt] = []

    def __iter__(self) -> Iterator[Entry]:
        return iter(tuple(self._entries))

    def add(self, entry: Entry) -> None:
        """Keep an entry, and with it all its attempts."""
        self._entries.append(entry)

    def add_read(self, attempt: Attempt) -> None:
        """Keep the answer to a request that changes nothing."""
        self._reads.append(attempt)

    def attempts(self) -> list[Attempt]:
        """Return all attempts, of reads too, in the order in which they ended."""
        found = [attempt for entry in self for attempt in entry.attempts] + self._reads
        return sorted(found, key=lambda attempt: attempt.ended)

    def by_game(self) -> dict[str, list[Entry]]:
        """Return the entries of each game."""
        found: dict[str, list[Entry]] = {}
        for entry in self:
            found.setdefault(entry.game_id, []).append(entry)
        return found
