"""A change of a game: a new record and the events that lead to it, not stored yet."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from service.games.ports import FinishedRound, RandomSource
from service.games.record import (
    LOG_EVENTS,
    GameRecord,
    LoggedEvent,
    Player,
    RoundRecord,
    TimeoutAction,
    Visibility,
)
from service.rules.cards import Card
from service.rules.ruleset import RuleSet
from service.rules.state import GameState, Status, Step

NONCE_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """How many seconds a game is kept after its last change, by status."""

    waiting: int = 24 * 3600
    playing: int = 14 * 24 * 3600
    finished: int = 30 * 24 * 3600

    def of(self, status: Status) -> int:
        """Return the seconds for a status."""
        return {"waiting": self.waiting, "playing": self.playing, "finished": self.finished}[status]


@dataclass(frozen=True, slots=True)
class NewBot:
    """A bot that a game is created with; without a name it has one after its level."""

    level: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class NewGame:
    """What a game is created from; ``decks`` are for a sandbox.

    ``bots`` take the seats after the host; with ``deal`` they fill the table, and the first round
    is dealt at once.
    """

    name: str
    seats: int
    preset: str
    rules: RuleSet
    visibility: Visibility = "public"
    turn_seconds: int = 0
    timeout_action: TimeoutAction = "autoplay"
    decks: tuple[tuple[Card, ...], ...] = ()
    bots: tuple[NewBot, ...] = ()
    deal: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """When a change is made, for how long games are kept, and its randomness."""

    now: int
    random: RandomSource
    lifetimes: Lifetimes

    def nonce(self) -> str:
        """Return a random text of 8 hexadecimal digits."""
        return self.random.token_bytes(NONCE_BYTES).hex()


@dataclass(frozen=True, slots=True)
class Seating:
    """What a change did to a seat's token, for its answer and for a replay of it.

    ``nonce`` makes the token that the answer gives, ``before`` the one that the caller had.
    """

    seat: int
    occupancy: str
    nonce: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A new record, the events that lead to it, and what became of a seat's token."""

    record: GameRecord
    events: tuple[LoggedEvent, ...]
    finished: tuple[FinishedRound, ...] = ()
    seating: Seating | None = None

    @property
    def keep_from(self) -> int:
        """The oldest version that the log must hold: two rounds, and 1,000 events at least."""
        oldest = self.record.version - LOG_EVENTS + 1
        return max(1, min([oldest, *self.record.round_versions[:1]]))


def player_in(record: GameRecord, seat: int) -> Player:
    """Return who sits in a taken seat."""
    player = record.players[seat]
    if player is None:
        raise LookupError(f"seat {seat} is free")
    return player


def with_player(record: GameRecord, seat: int, player: Player | None) -> GameRecord:
    """Return the record with another player in a seat, or nobody."""
    return replace(record, players=(*record.players[:seat], player, *record.players[seat + 1 :]))


def with_entropy(record: GameRecord, seat: int, text: str) -> GameRecord:
    """Return the record with a seat's text for the next shuffle."""
    return with_player(record, seat, replace(player_in(record, seat), entropy=text))


def recorded(
    record: GameRecord, steps: Sequence[Step], moment: Moment, names: tuple[str, ...] = ()
) -> Change:
    """Return the change that the steps make: a version and an event for each, one nonce for all.

    ``names`` are of those who sat down, by step.
    """
    state = steps[-1].state
    events = tuple(
        LoggedEvent(
            version=version,
            id=f"{version}-{moment.nonce()}",
            at=moment.now,
            event=step.event,
            name=name,
        )
        for version, (step, name) in enumerate(zip_longest(steps, names), record.version + 1)
    )
    after = replace(
        record,
        version=record.version + len(steps),
        nonce=moment.nonce(),
        updated_at=moment.now,
        expires_at=moment.now + moment.lifetimes.of(state.status) * 1000,
        state=state,
        turn_deadline=_deadline(record, state, moment.now),
    )
    return Change(after, events, _finished(after, steps))


def _deadline(before: GameRecord, state: GameState, now: int) -> int | None:
    """Return until when the seat on turn may play; a turn keeps its deadline to its end."""
    turn = _turn(state)
    if turn is None or not before.turn_seconds:
        return None
    if before.turn_deadline is not None and turn == _turn(before.state):
        return before.turn_deadline
    return now + before.turn_seconds * 1000


def _turn(state: GameState) -> tuple[int, ...] | None:
    """Return what tells one turn of a game from all others."""
    table = state.round
    if table is None or table.turn is None:
        return None
    answers = (len(table.passed), len(table.shown))
    return (table.number, table.turn, table.turns_played, *answers)


def _finished(record: GameRecord, steps: Sequence[Step]) -> tuple[FinishedRound, ...]:
    """Return the record of the round that the steps ended, if they ended one."""
    table = record.state.round
    result = next((step.event.result for step in steps if step.event.result), None)
    if table is None or result is None:
        return ()
    finished = RoundRecord(table.number, table.dealer, table.deck, result, record.shuffle)
    return (FinishedRound(finished, record.round_versions[-1]),)
