"""The measurements: what is run in which order, and what of it is kept."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from benchmarks.http.followers import following
from benchmarks.http.games import Games
from benchmarks.http.meters import Meters, Spent
from benchmarks.http.wrk import Driver, Kind, Run
from benchmarks.served import Served, serve

KINDS: Final[tuple[Kind, ...]] = ("livez", "view", "unchanged", "play")


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured: pairs of runs, seconds of each, and with what."""

    pairs: int
    seconds: int
    workers: tuple[int, ...]
    connections: tuple[int, ...]
    tail_pairs: int
    tail_connections: int
    streams: int


FULL: Final = Plan(5, 2, (1, 2), (1, 16, 64), 5, 16, 256)
QUICK: Final = Plan(3, 1, (1, 2), (1, 16), 3, 16, 64)


@dataclass(slots=True)
class Measured:
    """The runs of each kind under one number of workers and connections, in pairs.

    ``made`` are the moves of each pair, as the games' versions tell.
    """

    workers: int
    connections: int
    runs: dict[Kind, list[Run]] = field(default_factory=dict)
    spent: dict[Kind, list[Spent]] = field(default_factory=dict)
    made: list[int] = field(default_factory=list)

    def middle(self, kind: Kind, figure: str) -> float:
        """Return the median of a figure of the runs of a kind."""
        return float(median(getattr(run, figure) for run in self.runs[kind]))

    def ratio(self, kind: Kind, figure: str = "rate") -> float:
        """Return the median, over the pairs, of a kind's figure by that of ``/livez``."""
        pairs = zip(self.runs[kind], self.runs["livez"], strict=True)
        ratios = [getattr(one, figure) / getattr(floor, figure) for one, floor in pairs]
        return float(median(ratios))

    def each(self, kind: Kind, figure: str) -> float:
        """Return how much of something one request of a kind took."""
        return float(sum(getattr(each, figure) for each in self.spent[kind])) / self.served(kind)

    def commands(self, kind: Kind) -> Counter[str]:
        """Return the commands that Redis ran for all requests of a kind."""
        return sum((each.commands for each in self.spent[kind]), Counter())

    def served(self, kind: Kind) -> int:
        """Return how many requests of a kind there were; of moves those too that wrk cut off."""
        return sum(self.made) if kind == "play" else sum(run.answered for run in self.runs[kind])


@dataclass(slots=True)
class Tail:
    """Moves beside ``/livez`` at half the rate of moves that was reached, with streams or not."""

    rate: float
    streams: int
    measured: Measured


@dataclass(slots=True)
class Trial:
    """All that was measured, and all that went wrong, in sentences."""

    plan: Plan
    measured: list[Measured] = field(default_factory=list)
    tails: list[Tail] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Bench:
    """A service with its games, a driver and meters; what goes wrong is noted in the trial."""

    served: Served
    trial: Trial
    games: Games
    driver: Driver
    meters: Meters

    def pair(self, measured: Measured, kinds: tuple[Kind, ...], rate: float | None) -> None:
        """Run each kind once; afterwards every acknowledged move has to be in its game."""
        before = self.games.look()
        for kind in kinds:
            start = self.meters.read()
            run = self.driver.run(kind, measured.connections, rate)
            measured.spent.setdefault(kind, []).append(self.meters.read().since(start))
            measured.runs.setdefault(kind, []).append(run)
            if not run.clean:
                self.trial.wrong.append(f"{kind}: {run}")
        made = self.games.look() - before
        measured.made.append(made)
        told = measured.runs["play"][-1].answered
        # What wrk cut off when its time was up may have been applied.
        if not told <= made <= told + measured.connections:
            self.trial.wrong.append(f"{told} moves were acknowledged and {made} made")


@contextmanager
def bench(trial: Trial, workers: int) -> Iterator[Bench]:
    """Serve with so many workers; when all is measured the games' logs have to be whole."""
    plan = trial.plan
    with serve(workers) as served:
        games = Games.start(served, 2 * max(plan.connections))
        meters = Meters(served)
        try:
            yield Bench(served, trial, games, Driver(served, games.file, plan.seconds), meters)
            trial.wrong += games.gaps()
        finally:
            meters.close()


def measure(plan: Plan) -> Trial:
    """Run the whole plan."""
    trial = Trial(plan)
    for workers in plan.workers:
        with bench(trial, workers) as stage:
            for connections in plan.connections:
                trial.measured.append(_measured(stage, workers, connections))
            if workers == max(plan.workers):
                half = _rate_reached(trial) / 2
                for streams in (0, plan.streams):
                    trial.tails.append(_tail(stage, workers, half, streams))
    return trial


def _measured(stage: Bench, workers: int, connections: int) -> Measured:
    measured = Measured(workers, connections)
    for number in range(stage.trial.plan.pairs):
        progress(f"{workers} workers, {connections} connections, pair {number + 1}")
        stage.pair(measured, KINDS, None)
    return measured


def _rate_reached(trial: Trial) -> float:
    plan = trial.plan
    return next(
        each.middle("play", "rate")
        for each in trial.measured
        if (each.workers, each.connections) == (max(plan.workers), plan.tail_connections)
    )


def _tail(stage: Bench, workers: int, rate: float, streams: int) -> Tail:
    plan = stage.trial.plan
    measured = Measured(workers, plan.tail_connections)
    with following(stage.games, streams) if streams else nullcontext():
        for number in range(plan.tail_pairs):
            progress(f"{rate:.0f} requests a second, {streams} streams, pair {number + 1}")
            stage.pair(measured, ("livez", "play"), rate)
    return Tail(rate, streams, measured)


def progress(text: str) -> None:
    """Tell on standard error what is being measured."""
    print(f"... {text}", file=sys.stderr, flush=True)
