"""How well and how fast the bots play: ``python -m benchmarks.bots``.

Each match is of whole games to 100 points, every series of decks played twice with the seats
exchanged, so that neither player gets the better cards.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from timeit import repeat
from typing import Final

from benchmarks.matches import OurBot, Player, play_game, wilson
from benchmarks.openspiel_bot import OpenSpielBot, RoundCutShort
from service.bots import LEVELS, choose
from service.rules.ruleset import PRESETS, RuleSet, choose_rules
from service.rules.views import SeatView

# OpenSpiel's bot throws the card it has just taken when it knocks with it, so all may.
RULES: Final[RuleSet] = choose_rules("oklahoma", {"return_taken_discard": True})
PAIRS_AT_ONCE: Final = 10
TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class Match:
    """Two players by name, and the share of games that the first is to win, if there is a goal."""

    one: str
    other: str
    goal: float | None = None


MATCHES: Final = (
    Match("medium", "simple_gin_rummy_bot", 0.55),
    Match("medium", "easy", 0.80),
    Match("easy", "simple_gin_rummy_bot"),
)


@dataclass
class Score:
    """The games that the first player of a match won and lost, and what else was counted.

    ``cut`` are games that OpenSpiel ended a round of, which count for nobody.
    """

    won: int = 0
    lost: int = 0
    cut: int = 0
    rounds: int = 0

    @property
    def games(self) -> int:
        return self.won + self.lost

    def add(self, other: "Score") -> None:
        """Add the games of another score to this one."""
        self.won += other.won
        self.lost += other.lost
        self.cut += other.cut
        self.rounds += other.rounds


def player(name: str, seed: str) -> Player:
    """Return a player by its level, or OpenSpiel's bot."""
    return OpenSpielBot() if name == "simple_gin_rummy_bot" else OurBot(name, Random(seed))


def play_pairs(match: Match, seed: int, first: int) -> Score:
    """Return the score of some pairs of games, numbered from ``first`` on."""
    score = Score()
    one = player(match.one, f"{seed} {first} one")
    other = player(match.other, f"{seed} {first} other")
    for number in range(first, first + PAIRS_AT_ONCE):
        for seat, players in enumerate(([one, other], [other, one])):
            try:
                game = play_game(RULES, players, f"{seed} {number}")
            except RoundCutShort:
                score.cut += 1
                continue
            score.won += game.result is not None and game.result.winner == seat
            score.lost += game.result is not None and game.result.winner != seat
            score.rounds += game.round.number if game.round else 0
    return score


def play_match(match: Match, games: int, seed: int, pool: ProcessPoolExecutor) -> Score:
    """Return the score of a match of at least so many games, telling how far it has come."""
    score = Score()
    firsts = range(0, -(-games // 2), PAIRS_AT_ONCE)
    for part in pool.map(partial(play_pairs, match, seed), firsts):
        score.add(part)
        sys.stderr.write(f"\r{match.one} v {match.other}: {score.won} of {score.games} ")
        sys.stderr.flush()
    sys.stderr.write("\n")
    return score


def rows(scores: Mapping[Match, Score]) -> Iterator[str]:
    """Yield the table of all matches."""
    yield "match                          games   won    95 % interval   goal  rounds a game"
    for match, score in scores.items():
        low, high = wilson(score.won, score.games)
        goal = f"{match.goal:.0%}" if match.goal else "-"
        yield (
            f"{match.one + ' v ' + match.other:<30} {score.games:5} {score.won / score.games:6.1%}"
            f"  {low:6.1%} - {high:6.1%}  {goal:>5}  {score.rounds / score.games:6.1f}"
            + (f"  ({score.cut} cut short)" if score.cut else "")
        )


def views_of(level: str) -> list[SeatView]:
    """Return every turn of one game in each preset with two, three and four seats."""
    bot = OurBot(level, Random(1), keeps_views=True)
    for preset in PRESETS.values():
        for seats in (2, 3, 4):
            rules = replace(preset.rules, first_player="host")
            play_game(rules, [bot] * seats, f"{preset.name} {seats}")
    return bot.views


def quickest(view: SeatView, level: str) -> float:
    """Return the milliseconds of a move at its quickest, as an idle machine would take them."""
    return 1000 * min(repeat(lambda: choose(view, level, Random(1)), number=1, repeat=TRIES))


def times() -> Iterator[str]:
    """Yield how long the moves of each level take."""
    yield f"a move of     turns  median     p99     max (ms, quickest of {TRIES})"
    for level in LEVELS:
        ordered = sorted(quickest(view, level) for view in views_of(level))
        shown = [ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100], ordered[-1]]
        yield f"{level:<10} {len(ordered):8}" + "".join(f"{each:8.2f}" for each in shown)


def main() -> None:
    """Play all matches and say how they went."""
    parser = argparse.ArgumentParser(description="Matches between the bots, and their move times.")
    parser.add_argument("--games", type=int, default=1000, help="at least so many a match (1000)")
    parser.add_argument("--seed", type=int, default=1, help="of all decks and all chance (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (one a core)")
    chosen = parser.parse_args()
    with ProcessPoolExecutor(chosen.jobs) as pool:
        scores = {match: play_match(match, chosen.games, chosen.seed, pool) for match in MATCHES}
    for line in (*rows(scores), "", *times()):
        print(line)


if __name__ == "__main__":
    main()
