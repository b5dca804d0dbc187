"""Counting positions: every move from a fixed deck to a small depth, one row of perft.txt a game.

A row is a preset, a number of seats, the name of a deck and a depth; then how many positions lie at
that depth or end a round before it, how many of them by kind of result, and a digest of them all.
``python -m tests.rules.perft`` writes the file again from the first four columns of its rows.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from service.rules.cards import cards_in
from service.rules.legal import legal
from service.rules.moves import Deal, Discard, Draw, Knock, LayOff, Move, Pass
from service.rules.play import apply
from service.rules.state import GameState
from tests.rules.chance import fixed_deck
from tests.rules.tables import full, held_by_all, rules, table

FILE = Path(__file__).with_name("perft.txt")
HEADING = "# preset seats deck depth: positions knock gin big_gin undercut void digest"
KINDS = ("knock", "gin", "big_gin", "undercut", "void")
FIRST_PLAYER = 0


def start(preset: str, seats: int, deck: str) -> GameState:
    return apply(full(rules(preset), seats), 0, Deal(fixed_deck(deck), FIRST_PLAYER)).state


def moves(state: GameState) -> Iterator[Move]:
    """Yield every move of the seat on turn, a knock and a layoff with nothing named."""
    actions = legal(state, table(state).turn)
    yield from [Pass()] if actions.pass_upcard else []
    yield from map(Draw, actions.draw)
    yield from map(Discard, cards_in(actions.discard))
    yield from map(Knock, cards_in(actions.knock))
    yield from [Knock(None)] if actions.big_gin else []
    yield from [LayOff()] if actions.layoff else []


def leaves(state: GameState, depth: int) -> Iterator[GameState]:
    """Yield the positions at a depth, and those before it in which the round is over."""
    on = table(state)
    if depth == 0 or on.phase == "over":
        yield state
        return
    for move in moves(state):
        yield from leaves(apply(state, on.turn, move).state, depth - 1)


def facts(state: GameState) -> str:
    """Return what the rule book knows of a position, as text that no change of the code alters."""
    on = table(state)
    shown = [(each.seat, each.melds, each.layoffs, each.deadwood_points) for each in on.shown]
    cards = (on.hands, on.discard_pile, len(on.deck) - on.stock_at, on.drawn_card)
    return repr((on.phase, on.turn, on.turns_played, cards, on.knocker, shown, state.totals))


def counted(preset: str, seats: int, deck: str, depth: int) -> str:
    """Return a whole row."""
    kinds: Counter[str] = Counter()
    digest = hashlib.sha256()
    positions = 0
    for leaf in leaves(start(preset, seats, deck), depth):
        positions += 1
        found = table(leaf).result
        kinds[found.kind if found else ""] += 1
        digest.update(facts(leaf).encode())
        if sorted(held_by_all(leaf)) != list(range(52)):
            raise ValueError(f"cards are missing or double: {facts(leaf)}")
    numbers = " ".join(str(kinds[kind]) for kind in KINDS)
    row = f"{preset} {seats} {deck} {depth}"
    return f"{row}: {positions} {numbers} {digest.hexdigest()[:16]}"


def rows() -> list[str]:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def counted_again(row: str) -> str:
    """Return a row as the engine counts it now."""
    preset, seats, deck, depth = row.partition(":")[0].split()
    return counted(preset, int(seats), deck, int(depth))


def main() -> None:
    FILE.write_text("\n".join([HEADING, *map(counted_again, rows()), ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
