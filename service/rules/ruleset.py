"""The options of the rule book as one frozen, validated value, and the presets as rows of it.

A variant is a row: nothing asks which preset a game has, and each option is read in one function.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal, TypeAlias

from service.rules.errors import InvalidRules, OptionFault

OptionValue: TypeAlias = bool | int | str

KnockLimitSource: TypeAlias = Literal["fixed", "upcard", "discard_top"]
AceUpcard: TypeAlias = Literal["gin_only", "one_point"]
PassedUpcard: TypeAlias = Literal["stock_only", "any"]
LayoffOnto: TypeAlias = Literal["grown", "locked", "original"]
Scoring: TypeAlias = Literal["points", "penalties"]
FirstPlayer: TypeAlias = Literal["random", "high_card", "host"]
NextDealer: TypeAlias = Literal["winner", "loser", "rotate"]
Shutout: TypeAlias = Literal["none", "double"]

MIN_SEATS: Final = 2
MAX_SEATS: Final = 4


@dataclass(frozen=True, slots=True)
class Option:
    """One option: what it means, what it takes and what it is when nobody sets it.

    ``type`` is ``boolean``, ``integer`` or ``choice``; ``minimum`` and ``maximum`` belong to
    integers, ``values`` to choices.
    """

    name: str
    type: str
    description: str
    minimum: int | None
    maximum: int | None
    values: tuple[str, ...] | None
    default: OptionValue

    def fault_of(self, value: object) -> str | None:
        """Return what is wrong with a value, or nothing."""
        if self.type == "boolean":
            fits, takes = type(value) is bool, "true or false"
        elif self.type == "integer":
            low, high = self.minimum or 0, self.maximum or 0
            fits = type(value) is int and low <= value <= high
            takes = f"an integer from {low} to {high}"
        else:
            values = self.values or ()
            fits, takes = value in values, "one of " + ", ".join(values)
        return None if fits else f"{self.name} takes {takes}, not {_shown(value)}."


_ESCAPES: Final = {code: f"\\u{code:04x}" for code in range(32)} | {34: '\\"', 92: "\\\\"}
_WORDS: Final = {"None": "null", "True": "true", "False": "false"}


def _shown(value: object) -> str:
    text = _as_json(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _as_json(value: object) -> str:
    """Return a value as whoever sent it wrote it."""
    if isinstance(value, str):
        return f'"{value.translate(_ESCAPES)}"'
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_as_json(key)}: {_as_json(it)}' for key, it in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_as_json, value))}]"
    return _WORDS.get(repr(value), repr(value))


def _switch(default: bool, description: str) -> Any:
    return _row(default, {"type": "boolean", "description": description})


def _row(default: OptionValue, metadata: dict[str, Any]) -> Any:
    return field(default=default, metadata={**metadata, "default": default})


def _number(default: int, minimum: int, maximum: int, description: str) -> Any:
    return _row(
        default,
        {
            "type": "integer",
            "minimum": minimum,
            "maximum": maximum,
            "description": description,
        },
    )


def _choice(default: str, values: tuple[str, ...], description: str) -> Any:
    return _row(default, {"type": "choice", "values": values, "description": description})


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """Every option of a game; the defaults are the preset ``oklahoma``.

    :raises InvalidRules: if a value is out of range, naming every fault at once.
    """

    knock_limit_source: KnockLimitSource = _choice(
        "upcard",
        ("fixed", "upcard", "discard_top"),
        "Where the knock limit comes from: a fixed number, the round's upcard, or the top of the "
        "discard pile when the turn began.",
    )
    knock_limit_points: int = _number(
        10, 0, 10, "The fixed knock limit, and the most that a card can set. 0 is straight gin."
    )
    ace_upcard: AceUpcard = _choice(
        "gin_only",
        ("gin_only", "one_point"),
        "What an ace that sets the limit means: only gin ends the round, or a limit of 1.",
    )
    spade_upcard_multiplier: int = _number(
        1, 1, 4, "Multiplies the round's settlement when the upcard is a spade. 1 is off."
    )
    upcard_offer: bool = _switch(
        True, "Whether each seat in turn may take or pass the upcard before play begins."
    )
    passed_upcard: PassedUpcard = _choice(
        "stock_only",
        ("stock_only", "any"),
        "What the first player may draw from after all have passed the upcard.",
    )
    return_taken_discard: bool = _switch(
        False, "Whether the card taken from the discard pile may be thrown in the same turn."
    )
    gin_bonus: int = _number(25, 0, 1000, "Points for gin.")
    big_gin_bonus: int = _number(
        0, 0, 1000, "Points for big gin, all cards melded without a discard. 0 is no big gin."
    )
    undercut_bonus: int = _number(10, 0, 1000, "Points for the seat that undercuts a knocker.")
    undercut_penalty: int = _number(
        0, 0, 1000, "What an undercut knocker is charged besides, when scoring by penalties."
    )
    undercut_on_tie: bool = _switch(True, "Whether equal deadwood undercuts the knocker.")
    layoff_on_gin: bool = _switch(False, "Whether opponents may lay off on gin and big gin.")
    layoff_onto: LayoffOnto = _choice(
        "grown",
        ("grown", "locked", "original"),
        "What an opponent adds to: melds with earlier opponents' additions, only melds that no "
        "earlier opponent added to, or the melds as the knocker laid them.",
    )
    stock_floor: int = _number(
        2, 0, 10, "The round is void when a discard leaves this many cards in the stock."
    )
    turn_limit: int = _number(200, 20, 1000, "The round is void after this many turns.")
    round_limit: int = _number(
        1000, 1, 1000, "The best total wins after this many rounds, void ones included."
    )
    scoring: Scoring = _choice(
        "points",
        ("points", "penalties"),
        "Whether winners gain points and the highest total wins, or losers are charged and the "
        "lowest wins.",
    )
    target_score: int = _number(100, 1, 10000, "The total that ends the game.")
    first_player: FirstPlayer = _choice(
        "random",
        ("random", "high_card", "host"),
        "Who plays first in the first round: a random seat, the seat dealt the highest card, or "
        "the host.",
    )
    next_dealer: NextDealer = _choice(
        "winner",
        ("winner", "loser", "rotate"),
        "Who deals the next round: its winner, its loser, or the next seat clockwise.",
    )
    game_bonus: int = _number(0, 0, 1000, "Points for the game's winner at its end.")
    box_bonus: int = _number(0, 0, 1000, "Points for each box at the end of the game.")
    gin_extra_boxes: int = _number(0, 0, 5, "Boxes beside the one for the round, for gin.")
    undercut_extra_boxes: int = _number(
        0, 0, 5, "Boxes beside the one for the round, for an undercut."
    )
    shutout: Shutout = _choice(
        "none",
        ("none", "double"),
        "Whether the winner's total is doubled when no other seat has won a box.",
    )

    def __post_init__(self) -> None:
        faults = tuple(
            OptionFault(option.name, fault)
            for option in OPTIONS
            if (fault := option.fault_of(getattr(self, option.name)))
        )
        if faults:
            raise InvalidRules(faults)


OPTIONS: Final[tuple[Option, ...]] = tuple(
    Option(
        name=row.name,
        type=row.metadata["type"],
        description=row.metadata["description"],
        minimum=row.metadata.get("minimum"),
        maximum=row.metadata.get("maximum"),
        values=row.metadata.get("values"),
        default=row.metadata["default"],
    )
    for row in fields(RuleSet)
)


@dataclass(frozen=True, slots=True)
class Preset:
    """A published rule sheet as a row of options."""

    name: str
    title: str
    summary: str
    rules: RuleSet


DEFAULT_PRESET: Final = "oklahoma"

PRESETS: Final[Mapping[str, Preset]] = {
    preset.name: preset
    for preset in (
        Preset(
            "oklahoma",
            "Oklahoma Gin",
            "Oklahoma for two: the upcard sets the knock limit, an ace asks for gin, to 100.",
            RuleSet(),
        ),
        Preset(
            "gin",
            "Gin Rummy",
            "Gin rummy for two: knock with 10 or less, undercut and gin pay 25, to 100.",
            RuleSet(
                knock_limit_source="fixed",
                ace_upcard="one_point",
                passed_upcard="any",
                return_taken_discard=True,
                undercut_bonus=25,
            ),
        ),
        Preset(
            "oklahoma-penalties",
            "Oklahoma Gin by penalties",
            "Two to four seats: losers are charged, the lowest total wins once somebody has 100.",
            RuleSet(
                upcard_offer=False,
                return_taken_discard=True,
                undercut_bonus=20,
                undercut_penalty=10,
                layoff_onto="locked",
                scoring="penalties",
                first_player="high_card",
                next_dealer="rotate",
            ),
        ),
        Preset(
            "oklahoma-open",
            "Open Oklahoma Gin",
            "Two to four seats without an upcard offer; layoffs go onto the melds as laid.",
            RuleSet(
                upcard_offer=False,
                undercut_bonus=20,
                layoff_onto="original",
                next_dealer="rotate",
            ),
        ),
        Preset(
            "oklahoma-bonus",
            "Oklahoma Gin with bonuses",
            "Oklahoma for two with big gin, double spades, boxes and a shutout, to 150.",
            RuleSet(
                spade_upcard_multiplier=2,
                big_gin_bonus=31,
                undercut_bonus=25,
                target_score=150,
                game_bonus=100,
                box_bonus=25,
                gin_extra_boxes=2,
                undercut_extra_boxes=1,
                shutout="double",
            ),
        ),
    )
}


def choose_rules(preset: str, overrides: Mapping[str, object]) -> RuleSet:
    """Return the rules of a preset with some options set otherwise.

    :raises InvalidRules: if the preset or an option is unknown or a value out of range, naming
        every fault at once.
    """
    base = PRESETS.get(preset)
    known = {option.name: option for option in OPTIONS}
    faults = [] if base else [_unknown_preset(preset)]
    for name, value in overrides.items():
        fault = known[name].fault_of(value) if name in known else _unknown_option(name)
        if fault:
            faults.append(OptionFault(name, fault))
    if faults or base is None:
        raise InvalidRules(tuple(faults))
    values = {name: getattr(base.rules, name) for name in known}
    return RuleSet(**{**values, **overrides})


def _unknown_preset(preset: str) -> OptionFault:
    return OptionFault(
        "preset", f"{_shown(preset)} is not a preset; choose one of {', '.join(PRESETS)}."
    )


def _unknown_option(name: str) -> str:
    return f"{_shown(name)} is not an option; GET /v1/rules lists every option."
