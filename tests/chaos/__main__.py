"""``python -m tests.chaos``: every fault and every race for longer, with a line of figures each.

The exit status is 1 if anything was lost, doubled, refused with a trace, or late.
"""

import argparse
import signal
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.chaos.failovers import FAILOVERS, try_failover
from tests.chaos.faults import FAULTS
from tests.chaos.races import RACES, race
from tests.chaos.stage import serve, set_stage
from tests.chaos.trial import HEADINGS, TABLES, try_out
from tests.servers import start_store

WIDTH: Final = 32
SHOWN: Final = 5
TERMINATED: Final = 143


def main() -> int:
    """Run what the command line asks for and return the exit status."""
    asked = _arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))  # every server is stopped then
    broken = 0
    with tempfile.TemporaryDirectory() as directory:
        if asked.factor:
            broken += _try_faults(Path(directory), asked.factor, asked.tables)
            broken += _try_failovers(Path(directory), asked.factor, asked.tables)
        if asked.rounds:
            broken += _run_races(Path(directory), asked.rounds)
    _say(
        f"{broken} faults found" if broken else "Nothing lost, nothing doubled, nobody kept waiting"
    )
    return 1 if broken else 0


def _try_faults(directory: Path, factor: float, tables: int) -> int:
    """Strike with every fault and return how many things went wrong."""
    broken = 0
    with set_stage(directory) as stage:
        _say(" " * WIDTH + "".join(f"  {heading}" for heading in HEADINGS))
        for fault in FAULTS:
            report = try_out(stage, fault, fault.seconds * factor, tables=tables)
            broken += _tell(fault.name, report.line, report.faults)
    return broken


def _try_failovers(directory: Path, factor: float, tables: int) -> int:
    """Take every kind of primary away and return how many things went wrong."""
    broken = 0
    for failover in FAILOVERS:
        report = try_failover(directory, failover, factor, tables=tables)
        broken += _tell(failover.name, report.line, report.faults)
    return broken


def _run_races(directory: Path, rounds: int) -> int:
    """Run every race and return how many things went wrong."""
    broken = 0
    with start_store(directory) as url, serve(directory, url) as service:
        for name in RACES:
            standings = race(service, name, rounds)
            broken += _tell(name, f"  {standings.line}", standings.faults)
    return broken


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument(
        "--factor", type=float, default=3.0, help="times a short run's length of a fault; 0: none"
    )
    parser.add_argument(
        "--tables", type=int, default=TABLES, help="games at once, two players each"
    )
    parser.add_argument("--rounds", type=int, default=500, help="rounds of each race; 0: none")
    return parser.parse_args()


def _tell(name: str, line: str, faults: list[str]) -> int:
    _say(f"{name:<{WIDTH}}{line}")
    for fault in faults[:SHOWN]:
        _say(f"  {fault}")
    return len(faults)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
