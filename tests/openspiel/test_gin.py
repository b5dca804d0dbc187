"""Gin Rummy, with a limit of ten, against OpenSpiel; `-rP` shows what was counted."""

import pytest

from service.rules.ruleset import choose_rules
from tests.openspiel.match import Match, play_whole_rounds

RULES = choose_rules("gin", {"passed_upcard": "stock_only"})
ROUNDS = 300
OFTEN = ("repeat", "wall", "wall knock", "undercut", "tie")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_whole_games_are_equal_to_openspiels(seed: int) -> None:
    tally = play_whole_rounds(Match(RULES, oklahoma=False), seed, ROUNDS)
    print({name: count for name, count in sorted(tally.items()) if count})  # noqa: T201 (for -rP)
    assert tally["whole"] == ROUNDS
    assert all(tally[name] for name in OFTEN)
