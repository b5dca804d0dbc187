"""A table for tests: use cases over the memory store, a clock and dice of the test's own."""

import random
from dataclasses import dataclass, field

from service.games.access import Caller
from service.games.changes import Lifetimes, NewGame
from service.games.desk import Ask, Settled
from service.games.ports import GameStore
from service.games.tokens import Tokens
from service.games.usecases import Games
from service.rules.ruleset import PRESETS, RuleSet
from tests.games.memory import MemoryStore

KEY = "k" * 32


@dataclass
class StoppedClock:
    """A clock that a test sets."""

    millis: int = 1_790_000_000_000

    def now(self) -> int:
        return self.millis


@dataclass
class Seeded:
    """Repeatable bytes."""

    dice: random.Random = field(default_factory=lambda: random.Random(1))

    def token_bytes(self, size: int) -> bytes:
        return self.dice.randbytes(size)


def games_over(
    store: GameStore | None = None,
    *,
    seed: int = 1,
    secret: str = KEY,
    previous: str | None = None,
    settled: Settled = lambda _outcome: None,
) -> Games:
    """Return use cases over a store, in memory unless one is given."""
    return Games(
        store or MemoryStore(),
        StoppedClock(),
        Seeded(random.Random(seed)),
        Tokens(secret, previous),
        Lifetimes(),
        sandbox=True,
        settled=settled,
    )


def new_game(
    name: str = "Ann", seats: int = 2, preset: str = "oklahoma", rules: RuleSet | None = None
) -> NewGame:
    return NewGame(name, seats, preset, rules or PRESETS[preset].rules)


def ask(token: str | None = None, *, path: str = "POST /x", key: str | None = None) -> Ask:
    """Return a request by whoever has the token; its body is always the same."""
    return Ask(Caller(token), path, "body", key)
