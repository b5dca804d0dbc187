"""How fast the engine is, beside OpenSpiel's and RLCard's: ``python -m benchmarks.engine``.

All is measured interleaved in one run. Figures are medians; the goals are printed, not asserted.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from random import Random
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks.hands import WORST_HAND, knocks, microseconds, random_hand, search
from benchmarks.random_games import (
    Dealer,
    OpenSpielRounds,
    choose,
    dealt_game,
    our_round,
    rlcard_round,
)
from service.rules.cards import CardSet, card_name, cards_in
from service.rules.layoffs import best_answer
from service.rules.legal import legal
from service.rules.melds import best_split
from service.rules.play import apply
from service.rules.state import GameState
from service.rules.views import view_for

PAIRS: Final = 7
ROUNDS: Final = 40
HANDS: Final = 400
_IMPORT: Final = """
import sys, time, tracemalloc
if sys.argv[1] == "memory":
    tracemalloc.start()
start = time.perf_counter()
import service.rules.play, service.rules.views
took = time.perf_counter() - start
print(tracemalloc.get_traced_memory()[0] / 2**20 if sys.argv[1] == "memory" else took * 1000)
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table."""

    what: str
    measured: str
    goal: str = ""


def progress(text: str) -> None:
    """Tell on standard error what is being measured."""
    print(f"... {text}", file=sys.stderr, flush=True)


@dataclass(frozen=True, slots=True)
class Run:
    """Some random rounds of one engine: microseconds of dealing and of play for each ply."""

    deal: float
    play: float
    plies: float


def run_rounds(deal: Dealer, seed: int) -> Run:
    """Deal and play random rounds."""
    random = Random(seed)
    start = perf_counter()
    rounds = [deal(random) for _ in range(ROUNDS)]
    dealt = perf_counter()
    plies = sum(play(random.random) for play in rounds)
    played = perf_counter()
    return Run((dealt - start) * 1e6 / plies, (played - dealt) * 1e6 / plies, plies / ROUNDS)


def whole_games() -> list[Row]:
    """Measure whole random games in the three engines, taking turns."""
    engines: dict[str, Dealer] = {
        "ours": our_round,
        "OpenSpiel": OpenSpielRounds(),
        "RLCard": rlcard_round,
    }
    runs: dict[str, list[Run]] = {name: [] for name in engines}
    for pair in range(PAIRS):
        progress(f"whole random games, {pair + 1} of {PAIRS}")
        for name, deal in engines.items():
            runs[name].append(run_rounds(deal, pair))
    rows = [_engine_row(name, of_engine) for name, of_engine in runs.items()]
    for other, goal in (("OpenSpiel", "at most 1.0"), ("RLCard", "at most 0.2")):
        pairs = list(zip(runs["ours"], runs[other], strict=True))
        alone = median(ours.play / theirs.play for ours, theirs in pairs)
        dealt = median(
            (ours.deal + ours.play) / (theirs.deal + theirs.play) for ours, theirs in pairs
        )
        rows.append(Row(f"ours / {other}", f"{alone:.2f} (deals included {dealt:.2f})", goal))
    return rows


def _engine_row(name: str, runs: list[Run]) -> Row:
    play, deal, plies = (
        median(getattr(run, field) for run in runs) for field in ("play", "deal", "plies")
    )
    measured = f"{play:.1f} us ({plies:.0f} plies a round, its deal {deal * plies:.0f} us)"
    return Row(f"a ply of a random game, {name}", measured)


def _spread_row(what: str, works: Iterable[Callable[[], object]], goal: str) -> Row:
    progress(what)
    times = sorted(microseconds(work) for work in works)
    return Row(what, f"{median(times):.1f} us (slowest {times[-1]:.0f})", goal)


def holding_eleven(random: Random) -> GameState:
    """Return a random game some turns on, where the seat on turn has drawn."""
    wanted = random.randrange(20)
    state = dealt_game(random)
    while (table := state.round) and table.turn is not None:
        if table.phase == "discard" and table.turns_played >= wanted:
            return state
        move = choose(legal(state, table.turn), random.random())
        state = apply(state, table.turn, move).state
    return holding_eleven(random)


def _whole_view(state: GameState) -> object:
    return view_for(state, state.round.turn if state.round else None)


def _legal_only(state: GameState) -> object:
    return legal(state, state.round.turn if state.round else None)


def single_questions() -> list[Row]:
    """Measure what the engine is asked one by one."""
    random = Random(2)
    hands = [random_hand(random, 10) for _ in range(HANDS)]
    states = [holding_eleven(random) for _ in range(HANDS)]
    answers = list(knocks(random, HANDS))
    return [
        _spread_row(
            "best split of 10 random cards",
            (partial(best_split, hand) for hand in hands),
            "median at most 10 us",
        ),
        _spread_row(
            f"best split of the worst hand found, {named(WORST_HAND)}",
            [partial(best_split, WORST_HAND)] * PAIRS,
            "at most 1000 us",
        ),
        _spread_row(
            "legal actions with 11 cards",
            (partial(_legal_only, state) for state in states),
            "median at most 100 us",
        ),
        _spread_row(
            "a whole view, its actions with all figures, with 11 cards",
            (partial(_whole_view, state) for state in states),
            "actions: median at most 100 us",
        ),
        _spread_row(
            "best answer to a knock",
            (partial(best_answer, hand, spread) for hand, spread in answers),
            "",
        ),
    ]


def named(cards: CardSet) -> str:
    """Return the names of the cards."""
    return " ".join(card_name(card) for card in cards_in(cards))


def _imported(what: str) -> float:
    command = [sys.executable, "-c", _IMPORT, what]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)  # noqa: S603


def tables() -> list[Row]:
    """Measure what importing the engine costs."""
    progress("import")
    took = median(_imported("time") for _ in range(PAIRS))
    return [
        Row("import of the engine with its tables", f"{took:.0f} ms", "under 150 ms"),
        Row("memory of them", f"{_imported('memory'):.1f} MiB", "under 30 MB"),
    ]


def show(rows: list[Row]) -> None:
    """Print the table."""
    wide = max(len(row.what) for row in rows)
    middle = max(len(row.measured) for row in rows)
    for row in rows:
        print(f"{row.what:<{wide}}  {row.measured:<{middle}}  {row.goal}".rstrip())


def search_worst(seed: int) -> None:
    """Print the slowest hand of each climb, and of all."""
    found = []
    for micros, hand in search(Random(seed)):
        found.append((micros, hand))
        progress(f"{micros:.0f} us: {named(hand)}")
    micros, hand = max(found)
    print(f"slowest found: {named(hand)}, {micros:.0f} us")


def main() -> None:
    """Run the benchmark, or the search for a slower hand."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--search", action="store_true", help="look for a slower hand instead")
    parser.add_argument("--seed", type=int, default=1, help="of the search")
    options = parser.parse_args()
    if options.search:
        search_worst(options.seed)
    else:
        show(whole_games() + single_questions() + tables())


if __name__ == "__main__":
    main()
