"""``why_not``: what is not offered is refused with the code that it names, and nothing else."""

from collections.abc import Iterator
from dataclasses import fields

import pytest

from service.rules.cards import cards_in
from service.rules.legal import legal
from service.rules.moves import (
    Deal,
    Discard,
    Draw,
    Join,
    Knock,
    LayOff,
    Leave,
    Move,
    Pass,
    Rematch,
    Remove,
    Resign,
    SetEntropy,
)
from service.rules.play import apply, new_game
from service.rules.state import GameState
from service.rules.views import ActionsView, view_for
from service.rules.why_not import tried, why_not
from tests.rules.random_games import GAMES, games, sampled, viewers
from tests.rules.tables import STOCK, all_pass, dealt, full, play, rules, table
from tests.rules.test_properties_legal import code_of, offered

FIELDS = {each.name.removesuffix("_upcard") for each in fields(ActionsView)} - {"why_not"}


def moves_of(state: GameState, seat: int) -> dict[str, list[Move]]:
    """Return by action the moves that try it; cards are those that the seat may throw, if any."""
    throws = cards_in(legal(state, seat).discard) or range(0, 52, 5)
    piles: list[Move] = [Draw("stock"), Draw("discard")]
    return {
        "join": [Join()],
        "leave": [Leave()],
        "add_bot": [Join("bot")],
        "remove": [Remove(other) for other in range(state.seats)],
        "deal": [Deal(tuple(range(52)), 0)],
        "entropy": [SetEntropy()],
        "pass": [Pass()],
        "draw": piles,
        "discard": [Discard(card) for card in throws],
        "knock": [Knock(card) for card in throws],
        "big_gin": [Knock(None)],
        "layoff": [LayOff(), LayOff(())],
        "resign": [Resign()],
        "rematch": [Rematch()],
    }


def check_seat(state: GameState, seat: int) -> set[str]:
    """Try all that is blocked, and return the codes met."""
    actions = legal(state, seat)
    told = view_for(state, seat).actions.why_not
    assert told == tried(state, seat, actions), "another situation was taken for this one"
    for name, moves in moves_of(state, seat).items():
        if any(offered(actions, move) for move in moves):
            assert name not in told
        else:
            assert {code_of(state, seat, move) for move in moves} == {told[name]}, (state, seat)
    return set(told.values())


def check(state: GameState) -> set[str]:
    codes = [check_seat(state, seat) for seat in range(state.seats) if state.occupants[seat]]
    told = why_not(state, None, legal(state, None))
    join = code_of(state, None, Join())
    assert told == ({"join": join} if join else {})
    return set().union(*codes, told.values())


def waiting(seats: int) -> Iterator[GameState]:
    """Yield games that fill up, empty, and end before the first deal."""
    state = new_game(rules(), seats).state
    yield state
    for seat, move in ((0, Join("bot")), (None, Join()), (None, Join()))[: seats - 1]:
        state = apply(state, seat, move).state
        yield state
    yield apply(state, 1, Leave()).state
    yield apply(state, 0, Leave()).state


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_before_the_first_deal_each_refusal_is_the_one_told(seats: int) -> None:
    met = set().union(*map(check, waiting(seats)))
    assert met == {
        *("already_seated", "wrong_phase", "host_only", "game_full", "game_not_full", "game_over")
    }


def test_in_random_games_each_refusal_is_the_one_told() -> None:
    met: set[str] = set()
    phases = set()
    for ply in sampled(games(GAMES), 5):
        met |= check(ply.after)
        phases.add((ply.after.seats, table(ply.after).phase, ply.after.result is None))
    assert {seats for seats, _, _ in phases} == {2, 3, 4}
    assert {phase for _, phase, _ in phases} == {
        *("upcard_offer", "draw", "discard", "layoff", "over")
    }
    assert met > {"not_your_turn", "deadwood_over_limit", "invalid_request", "game_over"}


def test_a_seat_that_is_leaving_is_told_why_it_only_watches() -> None:
    found = [ply.after for ply in games(GAMES) if table(ply.after).leaving]
    assert found
    for state in found[:40]:
        check(state)


def test_big_gin_is_told_apart_from_a_hand_that_may_only_knock() -> None:
    hand = "2S 3S 4S 5S 7H 8H 9H TH QC QD"
    met = []
    for drawn in ("QH", "AH", "QH"):
        state = play(all_pass(dealt(rules(big_gin_bonus=31), [hand, ""], "9C", drawn)), STOCK)
        check(state)
        met.append(view_for(state, 0).actions.why_not.get("big_gin"))
    assert met == [None, "deadwood_over_limit", None]


def test_every_action_has_a_name_of_its_own() -> None:
    assert set(moves_of(full(rules(), 2), 0)) == FIELDS


def test_all_melds_of_the_own_hand_are_told_while_it_is_held() -> None:
    for ply in sampled(games(GAMES), 11):
        for viewer in viewers(ply.after):
            you = view_for(ply.after, viewer).you
            if you:
                assert set(you.possible_melds) == melds_of(you.hand)
                assert list(you.possible_melds) == sorted(you.possible_melds, key=cards_in)


def melds_of(hand: int) -> set[int]:
    """Return every meld of some cards, found card by card."""
    held = cards_in(hand)
    found = set()
    for first in held:
        run, card = 1 << first, first
        while card % 13 < 12 and card + 1 in held:
            card += 1
            run |= 1 << card
            if run.bit_count() >= 3:
                found.add(run)
    for rank in range(13):
        alike = [card for card in held if card % 13 == rank]
        whole = sum(1 << card for card in alike)
        if len(alike) >= 3:
            found |= {whole, *(whole ^ 1 << card for card in alike if len(alike) == 4)}
    return found


def test_a_target_tells_what_laying_it_off_would_leave() -> None:
    tried_so_far = 0
    for ply in games(GAMES):
        on = table(ply.after)
        if on.phase != "layoff" or on.turn is None:
            continue
        choices = view_for(ply.after, on.turn).actions.layoff
        for target in choices.targets if choices else ():
            laid = tuple((card, target.meld) for card in (target.card, *target.requires))
            left = apply(ply.after, on.turn, LayOff(laid)).event.deadwood_points
            assert target.deadwood_points == left
            tried_so_far += 1
    assert tried_so_far
