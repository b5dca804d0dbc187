"""Oklahoma Gin, its limit set by the upcard, against OpenSpiel; `-rP` shows what was counted."""

import pytest

from service.rules.ruleset import choose_rules
from tests.openspiel.match import Match, play_whole_rounds

RULES = choose_rules("oklahoma", {"undercut_bonus": 25})
ROUNDS = 300
OFTEN = ("taken card", "taken card to knock", "wall", "wall knock", "undercut", "gin")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_whole_games_are_equal_to_openspiels(seed: int) -> None:
    tally = play_whole_rounds(Match(RULES, oklahoma=True), seed, ROUNDS)
    print({name: count for name, count in sorted(tally.items()) if count})  # noqa: T201 (for -rP)
    assert tally["whole"] == ROUNDS
    assert all(tally[name] for name in OFTEN)
