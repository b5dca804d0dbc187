"""One fault in mid-load, and what callers and the log say of it afterwards."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from tests.chaos.audit import audit
from tests.chaos.checker import Verdict
from tests.chaos.faults import Fault, Sight
from tests.chaos.ledger import Ledger
from tests.chaos.load import Load
from tests.chaos.stage import Stage
from tests.e2e.service import Service

TABLES: Final = 6
HEADINGS: Final = (
    "acknowledged",
    "refused",
    "unknown",
    "lost",
    "doubled",
    "longest wait s",
    "first success s",
)
CALM_SECONDS: Final = 0.5
PAUSE_SECONDS: Final = 0.05
PATIENCE_SECONDS: Final = 20.0


@dataclass(frozen=True, slots=True)
class Report:
    """A fault's figures: requests by outcome, and seconds.

    ``unknown`` were in doubt at some time, ``unresolved`` stayed so. ``recovery`` is the time from
    the end of the fault to the next request that was applied, none if there was none.
    """

    name: str
    acknowledged: int
    refused: int
    unknown: int
    unresolved: int
    verdict: Verdict
    longest_wait: float
    recovery: float | None
    breaches: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of requests, and of moves lost and doubled, by their names."""
        return {
            "moves_acknowledged": self.acknowledged,
            "refused": self.refused,
            "unknown": self.unknown,
            "lost": len(self.verdict.lost),
            "doubled": len(self.verdict.doubled),
        }

    @property
    def line(self) -> str:
        """The figures, as wide as ``HEADINGS``."""
        recovery = "never" if self.recovery is None else f"{self.recovery:.2f}"
        figures = (
            *self.counts.values(),
            f"{self.longest_wait:.2f}",
            recovery,
        )
        return "".join(
            f"{figure:>{len(heading) + 2}}"
            for figure, heading in zip(figures, HEADINGS, strict=True)
        )

    @property
    def faults(self) -> list[str]:
        """Everything that should not be, one sentence each."""
        found = [*self.verdict.faults, *self.breaches]
        if self.recovery is None:
            found.append("the service did not come back by itself")
        if self.unresolved:
            found.append(f"{self.unresolved} requests stayed unknown")
        return found


def try_out(stage: Stage, fault: Fault, seconds: float, *, tables: int = TABLES) -> Report:
    """Let a fault strike players in mid-game and audit every game of theirs."""
    stage.await_workers()
    return strike_at(
        stage.service,
        fault.name,
        lambda load: fault.strike(stage, load, seconds),
        fault.seen,
        url=stage.url,
        tables=tables,
    )


def strike_at(
    service: Service,
    name: str,
    strike: Callable[[Load], float],
    seen: Sight,
    *,
    url: str | None = None,
    tables: int = TABLES,
) -> Report:
    """Let something befall a service while players, who may find it elsewhere, are in mid-game."""
    with Load(url or service.url, tables, seed=len(name)) as load:
        load.run_for(CALM_SECONDS)
        over = strike(load)
        _await_success(load, over)
        load.run_for(CALM_SECONDS)
    return _report(name, seen, load, over, audit(service.url, load.ledger, load.games()))


def _report(name: str, seen: Sight, load: Load, over: float, verdict: Verdict) -> Report:
    entries = list(load.ledger)
    outcomes = [entry.outcome for entry in entries]
    attempts = load.ledger.attempts()
    return Report(
        name=name,
        acknowledged=outcomes.count("applied"),
        refused=outcomes.count("refused"),
        unknown=sum(entry.doubtful for entry in entries),
        unresolved=outcomes.count("unknown"),
        verdict=verdict,
        longest_wait=max(attempt.ended - attempt.began for attempt in attempts),
        recovery=_recovery(load.ledger, over),
        breaches=(
            *(breach for each in attempts if (breach := each.breach)),
            *_unlike(seen, {attempt.status for attempt in attempts}),
            *load.errors,
        ),
    )


def _unlike(seen: Sight, statuses: set[int]) -> Iterator[str]:
    """Yield how what callers saw differs from what the fault lets them see."""
    if seen == "503" and 503 not in statuses:
        yield "nobody was told 503"
    if seen == "lost" and 0 not in statuses:
        yield "nobody lost an answer"
    if seen != "lost" and 0 in statuses:
        yield "a connection ended without an answer"


def _await_success(load: Load, over: float) -> None:
    while _recovery(load.ledger, over) is None and time.monotonic() < over + PATIENCE_SECONDS:
        load.run_for(PAUSE_SECONDS)


def _recovery(ledger: Ledger, over: float) -> float | None:
    for attempt in ledger.attempts():
        if attempt.ended >= over and attempt.outcome == "applied":
            return attempt.ended - over
    return None
