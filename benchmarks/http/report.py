"""What the trial found, in lines: every figure, then the goals with ours beside each."""

from collections.abc import Iterator
from typing import Final

from benchmarks.http.trial import KINDS, Measured, Tail, Trial
from benchmarks.http.wrk import Kind

WORDS: Final[dict[Kind, str]] = {
    "livez": "GET /livez, the floor",
    "view": "GET of a view",
    "unchanged": "GET answered 304",
    "play": "a durable move",
}
GOAL: Final = 84
RATES: Final[dict[Kind, str]] = {
    "play": "a durable move: 0.3 of /livez or more, aiming at 0.45",
    "view": "GET of a view: 0.4 of /livez or more, aiming at 0.55",
    "unchanged": "a 304: 0.5 of /livez or more, aiming at 0.65",
}


def report(trial: Trial) -> Iterator[str]:
    """Yield the lines of the report."""
    for measured in trial.measured:
        yield from _measured(measured)
    for tail in trial.tails:
        yield from _tail(tail)
    yield from _goals(trial)
    yield from _verdict(trial)


def _measured(measured: Measured) -> Iterator[str]:
    yield (
        f"{f'workers {measured.workers}, connections {measured.connections}':<28}"
        f"{'a second':>12}{'of floor':>10}{'p50 ms':>9}{'p99 ms':>9}"
        f"{'gunicorn':>11}{'Redis':>8}  CPU s per 1,000"
    )
    for kind in KINDS:
        yield (
            f"  {WORDS[kind]:<24}{measured.middle(kind, 'rate'):>14.0f}"
            f"{measured.ratio(kind):>10.2f}"
            f"{measured.middle(kind, 'p50'):>9.2f}{measured.middle(kind, 'p99'):>9.2f}"
            f"{1000 * measured.each(kind, 'gunicorn'):>11.2f}"
            f"{1000 * measured.each(kind, 'redis'):>8.2f}"
        )
    yield f"  Redis, for a move: {_redis(measured)}"
    yield ""


def _redis(measured: Measured) -> str:
    moves = measured.served("play")
    ran = ", ".join(
        f"{name} {calls / moves:.2f}"
        for name, calls in measured.commands("play").most_common()
        if calls / moves >= 0.005
    )
    return (
        f"{measured.each('play', 'trips'):.2f} trips, "
        f"{measured.each('play', 'received'):.0f} bytes sent; commands, those in scripts too: {ran}"
    )


def _tail(tail: Tail) -> Iterator[str]:
    crowd = f"{tail.streams} streams open" if tail.streams else "no streams"
    runs = tail.measured
    yield (
        f"{tail.rate:.0f} requests a second, half of what was reached: workers {runs.workers}, "
        f"connections {runs.connections}, {crowd}"
    )
    for kind in ("livez", "play"):
        yield (
            f"  {WORDS[kind]:<24}{runs.middle(kind, 'rate'):>14.0f}{'':>10}"
            f"{runs.middle(kind, 'p50'):>9.2f}{runs.middle(kind, 'p99'):>9.2f}"
        )
    yield ""


def _goals(trial: Trial) -> Iterator[str]:
    yield f"{'goal':<{GOAL}}measured"
    for kind, goal in RATES.items():
        yield f"{goal:<{GOAL}}{_ratios(trial, kind)}"
    for tail in trial.tails:
        beside = f" beside {tail.streams} streams" if tail.streams else ""
        goal = f"p99 of a move at half load{beside}: 3 times that of /livez or less"
        yield f"{goal:<{GOAL}}{tail.measured.ratio('play', 'p99'):.2f} times"
    trips = max(each.each("play", "trips") for each in trial.measured)
    goal = "Redis round trips a move: 2 or less, 1 where the worker has the game"
    yield f"{goal:<{GOAL}}{trips:.2f} at most"
    yield ""


def _ratios(trial: Trial, kind: Kind) -> str:
    ratios = [each.ratio(kind) for each in trial.measured]
    return f"{min(ratios):.2f} to {max(ratios):.2f}"


def _verdict(trial: Trial) -> Iterator[str]:
    runs = [
        run
        for measured in (*trial.measured, *(tail.measured for tail in trial.tails))
        for of_kind in measured.runs.values()
        for run in of_kind
    ]
    counted = ", ".join(
        f"{sum(getattr(run, kind) for run in runs)} {kind}"
        for kind in ("answered", "refused", "failed", "lost")
    )
    yield f"answers: {counted}; every game's log is held to 1, 2, … without a gap"
    yield from (f"WRONG: {each}" for each in trial.wrong)
