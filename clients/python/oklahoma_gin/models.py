"""What the service answers, as frozen values; cards are strings such as `"TD"`, seats integers.

Words that may grow (status, phase, kind, reason, event type) are plain strings. A field with a
default may be missing from an answer; fields that are not listed here are ignored.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

Card: TypeAlias = str
Cards: TypeAlias = tuple[Card, ...]
Melds: TypeAlias = tuple[Cards, ...]
RuleValue: TypeAlias = bool | int | str
Rules: TypeAlias = Mapping[str, RuleValue]


@dataclass(frozen=True, slots=True)
class Player:
    """A taken seat as everybody sees it; `total` holds settlement points, `boxes` rounds won."""

    seat: int
    name: str
    kind: str
    card_count: int
    total: int
    boxes: int
    out: bool = False


@dataclass(frozen=True, slots=True)
class You:
    """The caller's own cards in card order, the best split of all of them, 11 too, and all melds.

    `possible_melds` are those that the hand holds, overlapping ones too.
    """

    seat: int
    hand: Cards
    melds: Melds
    deadwood: Cards
    deadwood_points: int
    drawn_card: Card | None = None
    drawn_from: str | None = None
    possible_melds: Melds = ()


@dataclass(frozen=True, slots=True)
class Layoff:
    """One card added to the knocker's meld with index `meld`."""

    card: Card
    meld: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A hand as its seat laid it down."""

    seat: int
    melds: Melds
    layoffs: tuple[Layoff, ...]
    deadwood: Cards
    deadwood_points: int


@dataclass(frozen=True, slots=True)
class Line:
    """One amount of a settlement; `points` are those after `multiplier`.

    `from_seat` is whose deadwood brings the points of a `deadwood` line.
    """

    seat: int
    points: int
    reason: str
    multiplier: int = 1
    from_seat: int | None = None


@dataclass(frozen=True, slots=True)
class RoundResult:
    """How a round ended; `totals` are the game's, by seat, after it."""

    number: int
    kind: str
    winner: int | None
    knocker: int | None
    hands: tuple[Shown, ...]
    lines: tuple[Line, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended; `final_scores` are `totals` with the end bonuses that `lines` itemise."""

    winner: int | None
    reason: str
    totals: tuple[int, ...]
    final_scores: tuple[int, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """The running or just finished round; `discard_pile` is oldest first.

    `last_turn` tells that a discard makes it void now, if nobody goes out.
    """

    number: int
    phase: str
    dealer: int
    turn: int | None
    turns_played: int
    upcard: Card
    knock_limit: int
    stock_count: int
    discard_pile: Cards
    passed: tuple[int, ...] = ()
    limit_card: Card | None = None
    last_turn: bool = False
    multiplier: int = 1
    shown: tuple[Shown, ...] = ()
    knocker: int | None = None
    result: RoundResult | None = None
    commitment: str | None = None


@dataclass(frozen=True, slots=True)
class DiscardOption:
    """A card that may be discarded, and the deadwood points that would be left."""

    card: Card
    deadwood_points: int


@dataclass(frozen=True, slots=True)
class KnockOption:
    """A discard that goes out, and the melds it would lay by default."""

    discard: Card
    deadwood_points: int
    gin: bool
    melds: Melds


@dataclass(frozen=True, slots=True)
class LayoffTarget:
    """A card that fits the knocker's meld `meld` once the cards in `requires` lie there.

    `deadwood_points` is the lowest deadwood when it and they, and no more, are laid off.
    """

    card: Card
    meld: int
    deadwood_points: int
    requires: Cards = ()


@dataclass(frozen=True, slots=True)
class LayoffAnswer:
    """A whole answer to a knock, and the deadwood it leaves."""

    melds: Melds
    layoffs: tuple[Layoff, ...]
    deadwood: Cards
    deadwood_points: int


@dataclass(frozen=True, slots=True)
class LayoffActions:
    """What may be laid off now, and the answer with the lowest deadwood."""

    targets: tuple[LayoffTarget, ...]
    best: LayoffAnswer


@dataclass(frozen=True, slots=True)
class Actions:
    """All that the caller may do now; what an answer does not name is not offered.

    `why_not` has the code of the problem that trying each other one would meet, by its name in the
    API (`"pass"`); for a spectator it tells of `"join"` alone.
    """

    join: bool = False
    leave: bool = False
    add_bot: bool = False
    remove: tuple[int, ...] = ()
    deal: bool = False
    entropy: bool = False
    pass_upcard: bool = field(default=False, metadata={"json": "pass"})
    draw: tuple[str, ...] = ()
    discard: tuple[DiscardOption, ...] = ()
    knock: tuple[KnockOption, ...] = ()
    big_gin: bool = False
    layoff: LayoffActions | None = None
    resign: bool = False
    rematch: bool = False
    why_not: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Event:
    """One applied move as the caller may see it; what is hidden or not of its type is None.

    `phase` and `turn` are those after it; `hand` is the caller's own, of a deal; `high_cards`, by
    seat, decided who plays first.
    """

    id: str
    version: int
    at: datetime
    type: str
    seat: int | None = None
    name: str | None = None
    phase: str | None = None
    turn: int | None = None
    card: Card | None = None
    source: str | None = None
    kind: str | None = None
    occupant: str | None = None
    melds: Melds | None = None
    layoffs: tuple[Layoff, ...] | None = None
    deadwood: Cards | None = None
    deadwood_points: int | None = None
    round: int | None = None
    dealer: int | None = None
    upcard: Card | None = None
    commitment: str | None = None
    hand: Cards | None = None
    high_cards: Cards | None = None
    result: RoundResult | None = None
    game_result: GameResult | None = None


@dataclass(frozen=True, slots=True)
class View:
    """A game as one caller sees it; no `you` for a spectator, no `round` before the first deal.

    `invite` is for the host of a private game; it is a secret and stays out of the repr. `events`
    is what the move that this view answers did, the answers of bots included; empty in other views.
    """

    game_id: str
    version: int
    etag: str
    status: str
    preset: str
    rules: Rules
    seats: int
    players: tuple[Player, ...]
    you: You | None
    round: Round | None
    actions: Actions
    visibility: str = "public"
    invite: str | None = field(default=None, repr=False)
    sandbox: bool = False
    hand_size: int = 0
    turn_seconds: int = 0
    timeout_action: str = "autoplay"
    created_at: datetime | None = None
    updated_at: datetime | None = None
    expires_at: datetime | None = None
    last_round: RoundResult | None = None
    turn_deadline: datetime | None = None
    next_commitment: str | None = None
    rematch_game_id: str | None = None
    result: GameResult | None = None
    events: tuple[Event, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Admission:
    """A seat just opened; the token and the invite are secrets and stay out of the repr."""

    game: View
    seat: int
    token: str = field(repr=False)
    invite: str | None = field(default=None, repr=False)
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatLookup:
    """What a token alone opens."""

    game_id: str
    seat: int
    game: View
