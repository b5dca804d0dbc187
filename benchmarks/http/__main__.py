"""Moves over HTTP, each durable in Redis, beside ``GET /livez``: ``python -m benchmarks.http``.

Everything is measured interleaved in one run, so that a noisy machine disturbs all alike; figures
are medians, ratios are medians of the pairs. The goals are printed, not asserted; an answer that
was refused, and a move that was lost or made twice, end the command with an error.
"""

import argparse
import sys

from benchmarks.http.report import report
from benchmarks.http.trial import FULL, QUICK, measure


def main() -> None:
    """Measure and print, and fail if any answer was not as it had to be."""
    parser = argparse.ArgumentParser(description="Moves over HTTP beside GET /livez.")
    parser.add_argument(
        "--quick", action="store_true", help="fewer and shorter runs, rough figures"
    )
    trial = measure(QUICK if parser.parse_args().quick else FULL)
    for line in report(trial):
        print(line)
    sys.exit(1 if trial.wrong else 0)


if __name__ == "__main__":
    main()
