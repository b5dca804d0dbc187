"""What holds in every game: random games under random rules, with 2 to 4 seats."""

from dataclasses import fields
from random import Random

import pytest

from service.rules.legal import Actions, legal
from service.rules.moves import (
    Deal,
)
from service.rules.play import apply, forced
from service.rules.ruleset import PRESETS, RuleSet
from service.rules.state import GameState
from tests.rules.chance import playout, random_rules, shuffled
from tests.rules.random_games import GAMES, game, games, sampled
from tests.rules.tables import held_by_all, rules, table


def test_there_are_always_52_cards() -> None:
    for ply in games(GAMES):
        assert sorted(held_by_all(ply.after)) == list(range(52))


def can_go_on(state: GameState) -> bool:
    offers = [legal(state, seat) for seat in range(state.seats)]
    leading = ("pass_upcard", "draw", "discard", "knock", "big_gin", "layoff", "deal")
    return any(getattr(offer, name) for offer in offers for name in leading)


def test_somebody_can_always_act_until_the_game_is_finished() -> None:
    for ply in games(GAMES):
        assert can_go_on(ply.after) == (ply.after.status != "finished")


def test_only_one_seat_is_on_turn_and_it_is_in_the_game() -> None:
    for ply in games(GAMES):
        on = table(ply.after)
        assert (on.turn is None) == (on.phase == "over")
        assert on.turn is None or not ply.after.out[on.turn]
        idle = [seat for seat in range(ply.after.seats) if seat != on.turn]
        assert not any(legal(ply.after, seat).draw for seat in idle)


def test_every_game_ends_within_its_rounds() -> None:
    for seed in range(GAMES):
        last = game(seed)[-1]
        assert last.after.result
        assert table(last.after).number <= last.after.rules.round_limit
        offers = [legal(last.after, seat) for seat in range(last.after.seats)]
        assert set(offers) == {Actions(rematch=True)}


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_preset_is_played_to_its_end(preset: str, seats: int) -> None:
    *_, last = playout(rules(preset), seats, Random(f"{preset} {seats}"))
    assert last.after.result
    if last.after.result.reason == "target":
        assert max(last.after.totals) >= last.after.rules.target_score


def test_the_dealer_is_the_seat_before_who_plays_first() -> None:
    for ply in games(GAMES):
        if isinstance(ply.move, Deal):
            on, state = table(ply.after), ply.after
            order = [(on.dealer + step) % state.seats for step in range(1, state.seats + 1)]
            assert on.turn == next(seat for seat in order if not state.out[seat])
            assert not state.out[on.dealer]


def test_play_goes_clockwise_past_seats_that_are_out() -> None:
    for ply in games(GAMES):
        turn = table(ply.after).turn
        if ply.event.type not in ("discarded", "knocked") or turn is None or ply.seat is None:
            continue
        seats = ply.after.seats
        between = [(ply.seat + step) % seats for step in range(1, (turn - ply.seat) % seats)]
        assert all(ply.after.out[seat] for seat in between)


def test_nothing_is_left_to_do_by_itself_after_a_move() -> None:
    for ply in games(GAMES):
        follows = forced(ply.after)
        if follows:
            seat, move = follows
            assert seat in table(ply.after).leaving
            assert apply(ply.after, seat, move).event.type == "laid_off"


def test_states_and_events_are_values() -> None:
    for ply in sampled(games(GAMES), 101):
        again = apply(ply.before, ply.seat, ply.move)
        assert (again.state, again.event) == (ply.after, ply.event)
        assert hash(again.state) == hash(ply.after)


def test_random_rules_reach_every_value_of_every_choice() -> None:
    seen: dict[str, set[object]] = {each.name: set() for each in fields(RuleSet)}
    for seed in range(200):
        chosen = random_rules(Random(seed))
        for name, values in seen.items():
            values.add(getattr(chosen, name))
    assert all(len(values) >= 2 for values in seen.values())
    assert shuffled(Random(1)) != shuffled(Random(2))
