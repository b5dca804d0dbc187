"""What a move costs as games are stored and rounds are played: ``python -m benchmarks.growth``.

A service with one game is measured beside one with 100,000, and games in their first round beside
games past their thirtieth, taking turns in one run. Figures are medians; the goal, that nothing
grows, is printed and not asserted.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import islice
from statistics import median
from typing import Final

from redis import Redis

from benchmarks.http.games import Caller, Game, Games
from benchmarks.http.meters import Meters
from benchmarks.http.wrk import Driver, Run
from benchmarks.served import Served, serve
from benchmarks.tables import Table

ROUNDS: Final = 30
GAMES: Final = 24
MOVES: Final = 15
WHOLE: Final = 12
BATCH: Final = 1_000
LIFE_MILLISECONDS: Final = 14 * 86_400_000


@dataclass(slots=True)
class Side:
    """One of two things compared: milliseconds of Redis for a move of each run, and snapshots."""

    name: str
    runs: list[Run] = field(default_factory=list)
    redis: list[float] = field(default_factory=list)
    snapshots: list[int] = field(default_factory=list)

    def run(self, games: Games, seconds: int) -> None:
        """Play the games on one connection for so many seconds, and note what it took."""
        games.look()
        with closing(Meters(games.served)) as meters:
            before = meters.read()
            run = Driver(games.served, games.file, seconds).run("play", 1)
            spent = meters.read().since(before)
        if not run.clean:
            raise RuntimeError(f"{self.name}: not every move was taken: {run}")
        self.runs.append(run)
        self.redis.append(spent.redis * 1000 / run.answered)
        self.snapshots += snapshots(games.served, games.games)

    @property
    def milliseconds(self) -> list[float]:
        """How long a move took in each run, on the average."""
        return [1000 / run.rate for run in self.runs]


def snapshots(served: Served, games: Sequence[Game]) -> list[int]:
    """Return how many bytes the snapshot of each game has."""
    with Redis.from_url(served.redis_url) as client:
        return [client.hstrlen(f"okg:{{{game.game_id}}}", "snap") for game in games]


def kept(served: Served, games: Sequence[Game]) -> dict[str, float]:
    """Return how many bytes of Redis's memory each key of a game takes, on the average."""
    parts = "", ":keys", ":internal", ":events", ":rounds", ":results"
    with Redis.from_url(served.redis_url) as client:
        keys = {part or "the game": f"okg:{{%s}}{part}" for part in parts}
        return {
            part: sum(client.memory_usage(key % game.game_id, 0) or 0 for game in games)
            / len(games)
            for part, key in keys.items()
        }


def show_kept(name: str, served: Served, games: Sequence[Game]) -> None:
    """Print the memory that a game takes, key by key."""
    taken = kept(served, games)
    parts = ", ".join(f"{part.lstrip(':')} {size / 1000:.1f}" for part, size in taken.items())
    print(f"{name}: {sum(taken.values()) / 1000:.1f} KB of memory a game ({parts})", flush=True)


def show(few: Side, many: Side) -> None:
    """Print both sides and how many times the first the second is."""
    times = median(b / a for a, b in zip(few.milliseconds, many.milliseconds, strict=True))
    redis = median(b / a for a, b in zip(few.redis, many.redis, strict=True))
    size = max(many.snapshots) / max(few.snapshots)
    print(f"{'':<28}{'ms a move':>12}{'p99 ms':>10}{'Redis ms':>10}{'snapshot bytes at most':>24}")
    for side in (few, many):
        print(
            f"{side.name:<28}{median(side.milliseconds):>12.2f}"
            f"{median(run.p99 for run in side.runs):>10.2f}{median(side.redis):>10.3f}"
            f"{max(side.snapshots):>24}"
        )
    print(f"{'times':<28}{times:>12.2f}{'':>10}{redis:>10.2f}{size:>24.2f}")
    print("goal: no growth, and a snapshot of 4,096 bytes or less\n", flush=True)


@contextmanager
def quiet_service() -> Iterator[Served]:
    """Run a service with one worker whose Valkey does not rewrite its file in the middle."""
    with serve(workers=1) as served:
        with Redis.from_url(served.redis_url) as client:
            client.config_set("auto-aof-rewrite-percentage", 0)
        yield served


def fill(served: Served, wanted: int) -> None:
    """Store copies of a game in the middle of its first round, each with all of its keys."""
    table = Table(served.host, served.port, "oklahoma")
    for _ in islice(table.play(), MOVES):
        pass
    with Redis.from_url(served.redis_url) as client:
        game = table.path.rpartition("/")[2]
        found = [(key, client.dump(key)) for key in client.scan_iter(f"okg:{{{game}}}*", BATCH)]
        for first in range(0, wanted, BATCH):
            with client.pipeline(transaction=False) as batch:
                for number in range(first, min(first + BATCH, wanted)):
                    for key, content in found:
                        copy = key.replace(game.encode(), b"copy-%017d" % number)
                        batch.restore(copy, LIFE_MILLISECONDS, content or b"")
                batch.execute()
            progress(f"{min(first + BATCH, wanted)} games stored")
        memory = client.info("memory")["used_memory"]
        print(f"{wanted:,} copies of a game take {memory / 1_000_000:.1f} MB of memory")


def stored(few: int, many: int, pairs: int, seconds: int) -> None:
    """Compare a move where few games are stored with one where many are."""
    sides = Side(f"{few} stored game"), Side(f"{many:,} stored games")
    with quiet_service() as small, quiet_service() as large:
        fill(large, many - 1)
        games = Games.start(small, 1), Games.start(large, 1)
        for pair in range(pairs):
            progress(f"stored games, pair {pair + 1} of {pairs}")
            for side, of_side in zip(sides, games, strict=True):
                side.run(of_side, seconds)
    show(*sides)


def rounds_of(games: Games) -> list[int]:
    """Return which round each game is in."""
    with closing(HTTPConnection(games.served.host, games.served.port, timeout=30)) as connection:
        caller = Caller(connection)
        tables = [json.loads(caller.ask(game.path))["round"] for game in games.games]
    return [table["number"] if table else 0 for table in tables]


def play_up(games: Games, number: int) -> None:
    """Play until every game is in a round of that number or a later one."""
    driver = Driver(games.served, games.file, 3)
    while (reached := min(rounds_of(games))) < number:
        progress(f"all games have reached round {reached} of {number}")
        games.look()
        driver.run("play", 8)


def rounds(pairs: int, seconds: int) -> None:
    """Compare a move in the first round of a game with one after many."""
    early, late = Side("round 1"), Side(f"round {ROUNDS} and later")
    with quiet_service() as served:
        old = Games.start(served, GAMES)
        old.file = served.directory / "old.txt"
        play_up(old, ROUNDS)
        for pair in range(pairs):
            progress(f"rounds, pair {pair + 1} of {pairs}")
            young = Games.start(served, GAMES)
            early.run(young, seconds)
            late.run(old, seconds)
            if pair == pairs - 1:
                show_kept(f"in round {max(rounds_of(young))} at most", served, young.games)
        show_kept(f"in round {min(rounds_of(old))} or later", served, old.games)
        show_kept("over at 100 points", served, [whole_game(served) for _ in range(WHOLE)])
    show(early, late)


def whole_game(served: Served) -> Game:
    """Play a game to its end, and return it."""
    table = Table(served.host, served.port, "oklahoma")
    for _ in table.play():
        pass
    return Game(table.path.rpartition("/")[2], table.tokens)


def progress(text: str) -> None:
    """Tell on standard error how far it has come."""
    print(f"... {text}", file=sys.stderr, flush=True)


def main() -> None:
    """Measure both kinds of growth."""
    parser = argparse.ArgumentParser(description="Moves as games and rounds become many.")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--pairs", type=int, default=7)
    asked = parser.parse_args()
    stored(1, asked.games, asked.pairs, seconds=2)
    # In a second no game gets far beyond its first round.
    rounds(asked.pairs, seconds=1)


if __name__ == "__main__":
    main()
