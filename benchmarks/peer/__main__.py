"""Moves on our service beside moves on boardgame.io 0.50.2: ``python -m benchmarks.peer``.

Both are driven from Node by a client of their kind, taking turns in one run on the same cores.
Every figure is a median; the goal is printed, not asserted.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.http.meters import processor_seconds
from benchmarks.served import Served, serve

HERE: Final = Path(__file__).parent
MATCHES: Final = (16, 64)
ENVIRONMENT: Final = {**os.environ, "NODE_ENV": "production"}
THEIRS: Final = (
    "boardgame.io 0.50.2: one Node process, matches in memory, nothing saved; its own clients over "
    "WebSockets, two a match, both told of each move; draw and discard, no melds."
)
OURS: Final = (
    "ours: gunicorn with two workers, each move saved by Redis (appendfsync always) before it is "
    "answered; undici, a connection a match, If-Match and Idempotency-Key on each move; whole "
    "games with melds, knocks, layoffs and scores."
)


@dataclass(frozen=True, slots=True)
class Run:
    """What a driver counted: milliseconds of latency, seconds of its and the server's processor."""

    moves: int
    seconds: float
    p50: float
    p99: float
    driver: float
    server: float

    @property
    def rate(self) -> float:
        """Moves a second."""
        return self.moves / self.seconds


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: its driver, the port of its server and the processes that make it up."""

    name: str
    driver: str
    port: int
    pids: tuple[int, ...]

    def run(self, matches: int, seconds: int) -> Run:
        """Play so many matches at once for some seconds."""
        before = sum(map(processor_seconds, self.pids))
        command = ["node", self.driver, str(self.port), str(matches), str(seconds)]
        played = subprocess.run(  # noqa: S603
            command, cwd=HERE, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True, check=True
        )
        spent = sum(map(processor_seconds, self.pids)) - before
        return Run(**json.loads(played.stdout), server=spent)


@contextmanager
def boardgame_io() -> Iterator[Side]:
    """Run their server for as long as the context lasts."""
    with subprocess.Popen(
        ["node", "server.js"],  # noqa: S607
        cwd=HERE,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            said = process.stdout.readline() if process.stdout else ""
            if not said.strip().isdigit():
                raise RuntimeError(f"boardgame.io's server did not start; it said {said!r}")
            yield Side("boardgame.io", "theirs.js", int(said), (process.pid,))
        finally:
            process.kill()


def ours(served: Served) -> Side:
    """Return our side: gunicorn's master and workers, and the private Valkey."""
    valkey = int((served.directory / "valkey" / "valkey.pid").read_text(encoding="ascii"))
    return Side("ours", "ours.js", served.port, (served.pid, valkey, *served.workers()))


def measure(sides: tuple[Side, Side], matches: int, pairs: int, seconds: int) -> list[list[Run]]:
    """Return the runs of each side, taken in turns."""
    runs: list[list[Run]] = [[] for _ in sides]
    for pair in range(pairs):
        print(f"... {matches} matches, pair {pair + 1} of {pairs}", file=sys.stderr, flush=True)
        for side, of_side in zip(sides, runs, strict=True):
            of_side.append(side.run(matches, seconds))
    return runs


def show(sides: tuple[Side, Side], matches: int, runs: list[list[Run]]) -> None:
    """Print the figures of both sides and their ratio."""
    print(
        f"{f'{matches} matches':<16}{'moves a second':>16}{'p50 ms':>9}{'p99 ms':>9}"
        f"{'server':>10}{'driver':>9}  CPU s per 1,000 moves"
    )
    for side, of_side in zip(sides, runs, strict=True):
        moves = sum(run.moves for run in of_side) / 1000
        print(
            f"  {side.name:<14}{median(run.rate for run in of_side):>16.0f}"
            f"{median(run.p50 for run in of_side):>9.2f}{median(run.p99 for run in of_side):>9.2f}"
            f"{sum(run.server for run in of_side) / moves:>10.2f}"
            f"{sum(run.driver for run in of_side) / moves:>9.2f}"
        )
    ratio = median(our.rate / their.rate for our, their in zip(*runs, strict=True))
    print(f"  ours / theirs {ratio:>16.2f}    goal: 1.0 or more, aiming at 1.5\n", flush=True)


def main() -> None:
    """Measure both and print the table."""
    parser = argparse.ArgumentParser(description="Our moves beside boardgame.io's.")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5, help="of each run")
    asked = parser.parse_args()
    print(f"{THEIRS}\n{OURS}\n")
    with serve() as served, boardgame_io() as theirs:
        sides = (ours(served), theirs)
        for matches in MATCHES:
            show(sides, matches, measure(sides, matches, asked.pairs, asked.seconds))


if __name__ == "__main__":
    main()
