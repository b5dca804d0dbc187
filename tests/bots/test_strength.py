"""Levels stand in their order; `python -m benchmarks.bots` measures by how much."""

from random import Random

import pytest

from benchmarks.matches import OurBot, play_game
from service.rules.ruleset import choose_rules

PAIRS = 20


@pytest.mark.slow
def test_medium_beats_easy_from_both_seats() -> None:
    medium, easy = OurBot("medium", Random(1)), OurBot("easy", Random(2))
    won = 0
    for number in range(PAIRS):
        for seat, players in enumerate(([medium, easy], [easy, medium])):
            result = play_game(choose_rules("oklahoma", {}), players, f"strength {number}").result
            won += result is not None and result.winner == seat
    assert won >= 0.7 * 2 * PAIRS
