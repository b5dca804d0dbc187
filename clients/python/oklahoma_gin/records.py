"""What the service keeps and explains beside the view: scores, records, events, analysis."""

from dataclasses import dataclass, field
from datetime import datetime

from oklahoma_gin.models import (
    Card,
    Cards,
    Event,
    GameResult,
    Layoff,
    LayoffTarget,
    Melds,
    RoundResult,
    Rules,
    RuleValue,
    View,
)


@dataclass(frozen=True, slots=True)
class ScorePlayer:
    """One column of the score sheet."""

    seat: int
    name: str
    total: int
    boxes: int


@dataclass(frozen=True, slots=True)
class Score:
    """The score sheet: every finished round, and the game's result once there is one."""

    players: tuple[ScorePlayer, ...]
    rounds: tuple[RoundResult, ...]
    result: GameResult | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The game whole, where the events that led to `version` cannot be had one by one."""

    id: str
    version: int
    game: View
    type: str = "snapshot"


@dataclass(frozen=True, slots=True)
class EventPage:
    """Events in order; the log begins at `first_version` and the game stands at `version`.

    `game` is the view that they lead to, where it was asked for and they lead to `version`.
    """

    events: tuple[Event, ...]
    first_version: int
    version: int
    game: View | None = None


@dataclass(frozen=True, slots=True)
class Shuffle:
    """All inputs of a finished round's shuffle; `secret` and `commitment` are hexadecimal."""

    algorithm: str
    game_id: str
    round: int
    seats: int
    secret: str
    commitment: str
    entropies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A finished round whole; `deck` is in the order dealt, `shuffle` None for a sandbox deck."""

    number: int
    dealer: int
    deck: Cards
    moves: tuple[Event, ...]
    result: RoundResult
    shuffle: Shuffle | None = None


@dataclass(frozen=True, slots=True)
class AnalysedDiscard:
    """What one discard would leave; `can_knock` holds under the limit that was asked about."""

    card: Card
    deadwood_points: int
    gin: bool
    can_knock: bool | None
    melds: Melds


@dataclass(frozen=True, slots=True)
class HandAnalysis:
    """The best split of a hand; `discards` is filled for 8 or 11 cards."""

    melds: Melds
    deadwood: Cards
    deadwood_points: int
    possible_melds: Melds = ()
    discards: tuple[AnalysedDiscard, ...] | None = None


@dataclass(frozen=True, slots=True)
class LayoffAnalysis:
    """The best answer to a knock, and every layoff that can be reached."""

    melds: Melds
    layoffs: tuple[Layoff, ...]
    deadwood: Cards
    deadwood_points: int
    targets: tuple[LayoffTarget, ...]


@dataclass(frozen=True, slots=True)
class HandToSettle:
    """A hand to settle a round with; what is None the service fills in best."""

    hand: Cards
    melds: Melds | None = None
    layoffs: tuple[Layoff, ...] | None = None


@dataclass(frozen=True, slots=True)
class LobbyPlayer:
    """A taken seat of a public game."""

    seat: int
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class LobbyGame:
    """A public game that waits for players or is played; `turn_seconds` is 0 without a clock.

    `title` is the preset's, and `options` are those that are set otherwise than in it.
    """

    game_id: str
    preset: str
    seats: int
    players: tuple[LobbyPlayer, ...]
    turn_seconds: int
    created_at: datetime
    status: str = "waiting"
    title: str = ""
    options: Rules = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LobbyPage:
    """Public games, the newest first; `next_cursor` asks for the page after, None at the end."""

    games: tuple[LobbyGame, ...]
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True)
class StreamTicket:
    """What opens one viewer's stream and nothing else, for a browser's `EventSource`."""

    ticket: str = field(repr=False)
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Preset:
    """A published rule sheet with every option's value."""

    name: str
    title: str
    summary: str
    rules: Rules


@dataclass(frozen=True, slots=True)
class RuleOption:
    """One switch: its `type`, and the `minimum` to `maximum` or the `values` that it takes."""

    name: str
    type: str
    description: str
    default: RuleValue
    minimum: int | None = None
    maximum: int | None = None
    values: tuple[RuleValue, ...] | None = None


@dataclass(frozen=True, slots=True)
class RuleBook:
    """Every preset and every option that the service plays."""

    presets: tuple[Preset, ...]
    options: tuple[RuleOption, ...]
