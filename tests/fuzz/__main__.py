"""``python -m tests.fuzz [EXAMPLES]``: requests made from the contract at length, with figures.

The exit status is 1 if anything was answered that the contract does not tell of.
"""

import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.fuzz.run import fuzz
from tests.fuzz.stage import set_stage
from tests.servers import start_store

EXAMPLES: Final = 250
WALKS: Final = 40
EACH: Final = 500


class Progress:
    """Tells on standard error, from time to time, how many cases there were."""

    def __init__(self) -> None:
        self._next = EACH

    def __call__(self, cases: int) -> None:
        """Hear of so many cases."""
        if cases >= self._next:
            self._next = cases + EACH
            sys.stderr.write(f"... {cases} cases\n")


def main(examples: int) -> int:
    """Run with so many examples of each operation and phase, and return the exit status."""
    with (
        tempfile.TemporaryDirectory() as directory,
        start_store(Path(directory)) as url,
        set_stage(url) as stage,
    ):
        report = fuzz(stage, examples, WALKS, Progress())
    for name, figure in report.figures().items():
        _say(f"{figure:>8} {name.replace('_', ' ')}")
    _say("by phase: " + ", ".join(f"{count} {name}" for name, count in report.asked.items()))
    _say("by status: " + ", ".join(f"{count} x {code}" for code, count in report.by_status()))
    for fault in report.faults:
        _say(f"\n{fault}")
    return 1 if report.faults else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else EXAMPLES))
