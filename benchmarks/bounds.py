"""What holds a move back, by replacing a part with nothing: ``python -m benchmarks.bounds``.

One worker as it is, one whose disk syncs nothing, one without Redis behind its moves, taking turns
in one run. Figures are medians of the pairs.
"""

import argparse
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from redis import Redis

from benchmarks.http.games import Games
from benchmarks.http.wrk import Driver, Kind, Run
from benchmarks.served import serve

CONNECTIONS: Final = 16
SECONDS: Final = 2
KINDS: Final[tuple[Kind, ...]] = ("livez", "play")


@dataclass(slots=True)
class Side:
    """A service with a part replaced: its runs at full load and at half of what moves reach."""

    name: str
    games: Games
    full: list[tuple[Run, Run]] = field(default_factory=list)
    half: list[tuple[Run, Run]] = field(default_factory=list)

    def run(self) -> None:
        """Run ``/livez`` and moves, as fast as they go and then both at half of the moves' rate."""
        self.full.append(self._pair(None))
        self.half.append(self._pair(median(moves.rate for _, moves in self.full) / 2))

    def _pair(self, rate: float | None) -> tuple[Run, Run]:
        self.games.look()
        driver = Driver(self.games.served, self.games.file, SECONDS)
        floor, moves = (driver.run(kind, CONNECTIONS, rate) for kind in KINDS)
        if not moves.clean:
            raise RuntimeError(f"{self.name}: not every move was taken: {moves}")
        return floor, moves

    def line(self) -> str:
        """Return the medians."""
        rate = median(moves.rate for _, moves in self.full)
        ratio = median(moves.rate / floor.rate for floor, moves in self.full)
        tail = median(moves.p99 / floor.p99 for floor, moves in self.half)
        return f"{self.name:<34}{rate:>12.0f}{ratio:>12.2f}{tail:>22.1f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="A move with parts of it replaced by nothing.")
    parser.add_argument("--pairs", type=int, default=5)
    pairs: int = parser.parse_args().pairs
    with ExitStack() as running:
        served = {
            "as it is": running.enter_context(serve(1)),
            "with a disk that syncs nothing": running.enter_context(serve(1)),
            "without Redis behind the moves": running.enter_context(
                serve(1, module="benchmarks.unsaved")
            ),
        }
        with Redis.from_url(served["with a disk that syncs nothing"].redis_url) as client:
            client.config_set("appendfsync", "no")
        sides = [Side(name, Games.start(it, 2 * CONNECTIONS)) for name, it in served.items()]
        for pair in range(pairs):
            print(f"... pair {pair + 1} of {pairs}", file=sys.stderr, flush=True)
            for side in sides:
                side.run()
    print(
        f"{'a move, one worker':<34}{'a second':>12}{'of /livez':>12}{'p99 by that of /livez':>22}"
    )
    for side in sides:
        print(side.line())


if __name__ == "__main__":
    main()
