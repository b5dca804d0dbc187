"""Players for tests of the whole service: they make a plausible move that their view offers."""

import random
from collections.abc import Callable

from oklahoma_gin import Client, RuleValue, Seat, View

MOST_STEPS = 20_000
RANKS = "A23456789TJQK"


def makes_a_meld(card: str, hand: tuple[str, ...]) -> bool:
    """Return whether a card makes a set or a run with two of a hand."""
    rank = RANKS.index(card[0])
    around = {RANKS.index(other[0]) - rank for other in hand if other[1] == card[1]}
    runs = ({-2, -1}, {-1, 1}, {1, 2})
    return sum(other[0] == card[0] for other in hand) >= 2 or any(run <= around for run in runs)


def move(seat: Seat, view: View, dice: random.Random) -> bool:
    """Make a move of those offered, hurrying to go out, and return whether there was one."""
    may = view.actions
    if may.deal:
        seat.deal(entropy=f"round by {seat.seat}")
    elif may.layoff:
        seat.layoff()
    elif may.big_gin:
        seat.knock()
    elif may.knock:
        seat.knock(dice.choice(may.knock).discard)
    elif may.discard:
        seat.discard(min(may.discard, key=lambda option: option.deadwood_points).card)
    elif may.draw or may.pass_upcard:
        draw_or_pass(seat, view)
    else:
        return False
    return True


def draw_or_pass(seat: Seat, view: View) -> None:
    """Take the top of the discard pile where it makes a meld, otherwise pass or draw blind."""
    assert view.you is not None
    assert view.round is not None
    useful = makes_a_meld(view.round.discard_pile[-1], view.you.hand)
    if useful and "discard" in view.actions.draw:
        seat.draw("discard")
    elif view.actions.pass_upcard:
        seat.pass_upcard()
    else:
        seat.draw("stock")


def seat_all(
    client: Client, preset: str = "oklahoma", seats: int = 2, **rules: RuleValue
) -> list[Seat]:
    """Create a game and fill its seats."""
    host = client.create_game("Ann", preset=preset, seats=seats, rules=rules or None)
    names = ("Bob", "Cid", "Dee")[: seats - 1]
    return [host, *(client.join(host.game_id, name, invite=host.invite) for name in names)]


def play_out(
    seats: list[Seat], seed: int = 1, between_rounds: Callable[[], None] = lambda: None
) -> View:
    """Play a game to its end and return the first seat's last view."""
    dice = random.Random(seed)
    view = seats[0].view()
    for _ in range(MOST_STEPS):
        turn = view.round.turn if view.round else None
        seat = seats[turn or 0]
        view = seat.view()
        if view.actions.deal:
            between_rounds()
        if view.result or not move(seat, view, dice):
            return seats[0].view()
        view = seat.game
    raise AssertionError("the game does not end")
