"""Tables at which a case of ``tests/cases/rules.json`` is about to be answered."""

from typing import Any

from service.rules.ruleset import RuleSet
from service.rules.state import GameState, RoundResult
from tests.rules.positions import CASES, melds_of
from tests.rules.tables import (
    answered,
    knocked,
    result,
)


def hand_of(knocker: dict[str, Any]) -> str:
    return " ".join([*(name for meld in knocker["melds"] for name in meld), *knocker["deadwood"]])


def opponent_of(case: dict[str, Any]) -> str:
    return " ".join(case["defender"]["hand"])


def knock_in(number: str, chosen: RuleSet, upcard: str) -> GameState:
    """Return the case's table after its knocker has laid the melds in the order given there."""
    case = CASES[number]
    hands = [hand_of(case["knocker"]), opponent_of(case)]
    return knocked(chosen, hands, upcard, melds_of(case["knocker"]["melds"]))


def round_of(number: str, chosen: RuleSet, upcard: str) -> RoundResult:
    return result(answered(knock_in(number, chosen, upcard)))
