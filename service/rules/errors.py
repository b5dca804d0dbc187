"""Refusals of the rules: each kind has its code, its sentence and its numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar


class RuleError(Exception):
    """A move that the rules refuse; the state that it was tried on is unchanged.

    ``detail`` says what was wrong, what would be right and what to do; ``numbers`` are the figures
    that belong to the code. ``pointer`` is the JSON Pointer of the field at fault, if one is.
    """

    code: ClassVar[str]
    pointer: str | None = None

    def __init__(self, detail: str, numbers: Mapping[str, int] | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.numbers: Mapping[str, int] = numbers or {}


class NotYourTurn(RuleError):
    """Another seat is to move."""

    code = "not_your_turn"


class WrongPhase(RuleError):
    """The move belongs to another phase of the game or of the round."""

    code = "wrong_phase"


class SourceUnavailable(RuleError):
    """That pile may not be drawn from in this turn."""

    code = "source_unavailable"


class GameFull(RuleError):
    """Every seat is taken."""

    code = "game_full"


class GameNotFull(RuleError):
    """A seat is still free, so no round can be dealt."""

    code = "game_not_full"


class AlreadySeated(RuleError):
    """The caller has a seat in this game."""

    code = "already_seated"


class GameOver(RuleError):
    """The game is finished."""

    code = "game_over"


class HostOnly(RuleError):
    """Only seat 0 may do that."""

    code = "host_only"


class CardNotInHand(RuleError):
    """The seat does not hold the card."""

    code = "card_not_in_hand"


class CardJustTaken(RuleError):
    """The card taken from the discard pile may not be thrown in the same turn."""

    code = "card_just_taken"


class InvalidMelds(RuleError):
    """The named melds are not an arrangement of the hand."""

    code = "invalid_melds"


class DeadwoodOverLimit(RuleError):
    """The deadwood after the discard is over the knock limit."""

    code = "deadwood_over_limit"

    def __init__(self, detail: str, deadwood_points: int, knock_limit: int) -> None:
        super().__init__(detail, {"deadwood_points": deadwood_points, "knock_limit": knock_limit})


class InvalidLayoff(RuleError):
    """A named layoff does not fit the knocker's melds."""

    code = "invalid_layoff"


class DeadlineNotPassed(RuleError):
    """The seat on turn still has time."""

    code = "deadline_not_passed"


class InvalidPosition(RuleError):
    """Cards to be analysed that no deal could have led to."""

    code = "invalid_request"

    def __init__(self, detail: str, pointer: str) -> None:
        super().__init__(detail)
        self.pointer = pointer


class BigGinNotPlayed(RuleError):
    """A knock without a discard, in a game without big gin."""

    code = "invalid_request"
    pointer = "/discard"


@dataclass(frozen=True, slots=True)
class OptionFault:
    """What is wrong with one option of a rule set."""

    option: str
    detail: str


class InvalidRules(RuleError):
    """The options do not make a rule set; ``faults`` names every one that is wrong."""

    code = "invalid_rules"

    def __init__(self, faults: tuple[OptionFault, ...]) -> None:
        super().__init__(" ".join(fault.detail for fault in faults))
        self.faults = faults
