"""A game as a value: frozen states, and the events that lead from one to the next."""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from service.rules.cards import Card, CardSet
from service.rules.moves import Occupant, Source
from service.rules.ruleset import RuleSet

Phase: TypeAlias = Literal["upcard_offer", "draw", "discard", "layoff", "over"]
Status: TypeAlias = Literal["waiting", "playing", "finished"]
GoingOut: TypeAlias = Literal["knock", "gin", "big_gin"]
RoundKind: TypeAlias = Literal["knock", "gin", "big_gin", "undercut", "void"]
EndReason: TypeAlias = Literal["target", "rounds", "resigned", "timed_out", "cancelled"]


@dataclass(frozen=True, slots=True)
class Laid:
    """A hand laid down: its melds, what it added to the knocker's melds, and its deadwood.

    ``layoffs`` are pairs of a card and an index into the knocker's melds.
    """

    seat: int
    melds: tuple[CardSet, ...]
    layoffs: tuple[tuple[Card, int], ...]
    deadwood: CardSet
    deadwood_points: int


@dataclass(frozen=True, slots=True)
class Line:
    """One amount of a settlement, in points after its multiplier, and why.

    ``from_seat`` is whose deadwood a line in points counts, where it counts one.
    """

    seat: int
    points: int
    reason: str
    multiplier: int
    from_seat: int | None = None


@dataclass(frozen=True, slots=True)
class RoundResult:
    """How a round ended; ``totals`` are those after it, by seat."""

    number: int
    kind: RoundKind
    winner: int | None
    knocker: int | None
    hands: tuple[Laid, ...]
    lines: tuple[Line, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended; ``lines`` are the end bonuses that lead from totals to final scores."""

    winner: int | None
    reason: EndReason
    totals: tuple[int, ...]
    final_scores: tuple[int, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Round:
    """One deal. The stock is ``deck[stock_at:]``, its top first; the discard pile's top is last.

    ``commitment`` is what was published before the shuffle, if it was. ``turn`` is the seat to act,
    none when the round is over. ``limit_card`` is the card that the knock limit is read from.
    ``leaving`` are seats that went out in the layoff phase, ``late`` those of them that were timed
    out.
    """

    number: int
    dealer: int
    commitment: str | None
    deck: tuple[Card, ...]
    upcard: Card
    hands: tuple[CardSet, ...]
    discard_pile: tuple[Card, ...]
    stock_at: int
    phase: Phase
    turn: int | None
    limit_card: Card
    turns_played: int = 0
    passed: tuple[int, ...] = ()
    drawn_card: Card | None = None
    drawn_from: Source | None = None
    knocker: int | None = None
    going_out: GoingOut | None = None
    shown: tuple[Laid, ...] = ()
    leaving: tuple[int, ...] = ()
    late: tuple[int, ...] = ()
    result: RoundResult | None = None


@dataclass(frozen=True)
class GameState:
    """A whole game. Tuples have an entry for each seat; a free seat's occupant is none."""

    rules: RuleSet
    occupants: tuple[Occupant | None, ...]
    totals: tuple[int, ...]
    boxes: tuple[int, ...]
    out: tuple[bool, ...]
    round: Round | None = None
    last_round: RoundResult | None = None
    result: GameResult | None = None

    @property
    def seats(self) -> int:
        """The number of seats, 2 to 4."""
        return len(self.occupants)

    @property
    def status(self) -> Status:
        """Whether the game waits for its first deal, is being played or is finished."""
        if self.result:
            return "finished"
        return "playing" if self.round else "waiting"


@dataclass(frozen=True)
class Event:
    """One applied move, with every card; ``views.event_for`` says what of it a viewer gets.

    ``phase`` and ``turn`` are those after the move, where a round is on the table.
    """

    type: str
    seat: int | None = None
    phase: Phase | None = None
    turn: int | None = None
    occupant: Occupant | None = None
    card: Card | None = None
    source: Source | None = None
    kind: GoingOut | None = None
    melds: tuple[CardSet, ...] | None = None
    layoffs: tuple[tuple[Card, int], ...] | None = None
    deadwood: CardSet | None = None
    deadwood_points: int | None = None
    round: int | None = None
    dealer: int | None = None
    commitment: str | None = None
    upcard: Card | None = None
    hands: tuple[CardSet, ...] | None = None
    high_cards: tuple[Card, ...] | None = None
    result: RoundResult | None = None
    game_result: GameResult | None = None


class Step(NamedTuple):
    """What a move leads to: a new state, and the one event that tells of it."""

    state: GameState
    event: Event
