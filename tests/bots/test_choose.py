"""What holds for every level: whole games under random rules, and no look at hidden cards."""

from itertools import islice
from random import Random

import pytest

from service.bots import LEVELS, choose
from service.rules.layoffs import best_answer
from service.rules.legal import layoff_spread
from service.rules.moves import Knock, LayOff
from service.rules.play import apply
from service.rules.ruleset import PRESETS
from service.rules.views import view_for
from tests.bots.games import otherwise_dealt, turns
from tests.rules.chance import random_rules
from tests.rules.tables import dealt, full, rules, table

LEVEL_NAMES = tuple(LEVELS)


def some_levels(seats: int, dice: Random) -> tuple[str, ...]:
    return tuple(dice.choice(LEVEL_NAMES) for _ in range(seats))


def play_random_games(first: int, games: int) -> None:
    """Play whole games under random rules; the engine refuses any move that is not offered."""
    for seed in range(first, first + games):
        dice = Random(seed)
        levels = some_levels(2 + seed % 3, dice)
        for _ in turns(random_rules(dice, rounds=2), levels, dice):
            pass


def test_bots_make_legal_moves_to_the_end_of_every_game() -> None:
    play_random_games(0, 30)


@pytest.mark.slow
def test_bots_make_legal_moves_to_the_end_of_many_games() -> None:
    play_random_games(100, 150)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_preset_is_played_to_its_end(preset: str, seats: int) -> None:
    dice = Random(f"{preset} {seats}")
    short = rules(preset, target_score=40, round_limit=20)
    *_, last = turns(short, some_levels(seats, dice), dice)
    assert last.state.round


@pytest.mark.parametrize("level", LEVEL_NAMES)
def test_straight_gin_is_won_by_gin(level: str) -> None:
    straight = rules("gin", knock_limit_points=0, target_score=60, round_limit=60)
    *_, last = turns(straight, (level, level), Random(3))
    assert isinstance(last.move, Knock)
    end = apply(last.state, last.seat, last.move).state
    assert end.result
    assert max(end.totals) >= 60


@pytest.mark.parametrize("level", LEVEL_NAMES)
@pytest.mark.parametrize("seats", [2, 3])
def test_a_choice_does_not_change_with_hidden_cards(level: str, seats: int) -> None:
    dice = Random(11)
    game = turns(rules(round_limit=3), (level,) * seats, dice)
    for turn in islice(game, 0, None, 3):
        other = view_for(otherwise_dealt(turn.state, turn.seat, dice), turn.seat)
        assert choose(turn.view, level, Random(1)) == choose(other, level, Random(1))


@pytest.mark.parametrize("level", LEVEL_NAMES)
def test_every_level_gives_the_best_answer_to_a_knock(level: str) -> None:
    chosen = rules("oklahoma-open", round_limit=3)
    answers = 0
    for turn in turns(chosen, (level,) * 3, Random(5)):
        if table(turn.state).phase == "layoff":
            hand = table(turn.state).hands[turn.seat]
            best = best_answer(hand, layoff_spread(chosen, table(turn.state)))
            assert turn.move == LayOff(best.layoffs, best.melds)
            answers += 1
    assert answers


def test_an_unknown_level_is_refused_with_the_levels_there_are() -> None:
    view = view_for(dealt(rules(), ["", ""], "7S"), 0)
    with pytest.raises(
        ValueError, match="'grandmaster' is not a level; choose one of easy, medium"
    ):
        choose(view, "grandmaster", Random(1))


@pytest.mark.parametrize("seat", [1, None])
def test_a_view_without_a_turn_is_refused(seat: int | None) -> None:
    view = view_for(dealt(rules(), ["", ""], "7S"), seat)
    with pytest.raises(ValueError, match="offers its seat no turn"):
        choose(view, "medium", Random(1))


def test_a_game_that_is_not_dealt_offers_no_turn() -> None:
    with pytest.raises(ValueError, match="offers its seat no turn"):
        choose(view_for(full(rules(), 2), 0), "easy", Random(1))
