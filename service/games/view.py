"""A game, its log and its scores as one viewer gets them: the rules' views with names and times."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from service.games.record import (
    GameRecord,
    LoggedEvent,
    Player,
    RoundRecord,
    Shuffle,
    TimeoutAction,
    Visibility,
)
from service.games.shuffle import commitment_of
from service.games.tokens import Tokens
from service.rules.cards import Card
from service.rules.legal import HOST
from service.rules.moves import Occupant
from service.rules.rounds import hand_size
from service.rules.ruleset import RuleSet
from service.rules.state import GameResult, RoundResult, Status
from service.rules.views import (
    ActionsView,
    EventView,
    OwnView,
    PlayerView,
    RoundView,
    event_for,
    view_for,
)


@dataclass(frozen=True, slots=True)
class NamedPlayer:
    """A taken seat with its player's name."""

    seat: int
    name: str
    kind: Occupant
    card_count: int
    total: int
    boxes: int
    out: bool


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as one viewer sees it; times are milliseconds since 1970 UTC.

    ``invite`` is for the host of a private game alone.
    """

    game_id: str
    version: int
    etag: str
    status: Status
    visibility: Visibility
    invite: str | None
    sandbox: bool
    preset: str
    rules: RuleSet
    seats: int
    hand_size: int
    turn_seconds: int
    timeout_action: TimeoutAction
    created_at: int
    updated_at: int
    expires_at: int
    players: tuple[NamedPlayer, ...]
    you: OwnView | None
    round: RoundView | None
    last_round: RoundResult | None
    actions: ActionsView
    turn_deadline: int | None
    next_commitment: str | None
    rematch_game_id: str | None
    result: GameResult | None


@dataclass(frozen=True, slots=True)
class LoggedEventView:
    """An event of the log as one viewer sees it."""

    id: str
    version: int
    at: int
    name: str | None
    event: EventView


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A player's standing."""

    seat: int
    name: str
    total: int
    boxes: int


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """All settled and void rounds of a game, and its result."""

    players: tuple[ScoreLine, ...]
    rounds: tuple[RoundResult, ...]
    result: GameResult | None


@dataclass(frozen=True, slots=True)
class RoundPage:
    """A finished round whole; everything of it is public."""

    number: int
    dealer: int
    deck: tuple[Card, ...]
    moves: tuple[LoggedEventView, ...]
    result: RoundResult
    shuffle: Shuffle | None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a move: the caller's new view, and the events of its commit, oldest first.

    The log may have dropped those of a move that was applied before.
    """

    view: GameView
    events: tuple[LoggedEventView, ...]
    replayed: bool


@dataclass(frozen=True, slots=True)
class Seated:
    """The answer to whoever takes a seat; the invite is for the host of a new game.

    ``events`` are those of the request's commit.
    """

    view: GameView
    seat: int
    token: str
    invite: str | None
    events: tuple[LoggedEventView, ...]
    replayed: bool


def etag_of(record: GameRecord, seat: int | None) -> str:
    """Return the entity tag of a viewer's view, quotes included."""
    return f'"{record.revision}.{"s" if seat is None else seat}"'


@dataclass(frozen=True, slots=True)
class Sight:
    """A game before one viewer: the view's entity tag, and the view when it is asked for."""

    seat: int | None
    version: int
    etag: str
    view: Callable[[], GameView]


def sight_of(record: GameRecord, seat: int | None, tokens: Tokens) -> Sight:
    """Return the game before a seat, or a spectator."""
    view = partial(view_of, record, seat, tokens)
    return Sight(seat, record.version, etag_of(record, seat), view)


def view_of(record: GameRecord, seat: int | None, tokens: Tokens) -> GameView:
    """Return the game as a seat, or a spectator, sees it."""
    seen = view_for(record.state, seat)
    return GameView(
        game_id=record.game_id,
        version=record.version,
        etag=etag_of(record, seat),
        status=seen.status,
        visibility=record.visibility,
        invite=_invite_for(record, seat, tokens),
        sandbox=record.sandbox,
        preset=record.preset,
        rules=seen.rules,
        seats=seen.seats,
        hand_size=hand_size(seen.seats),
        turn_seconds=record.turn_seconds,
        timeout_action=record.timeout_action,
        created_at=record.created_at,
        updated_at=record.updated_at,
        expires_at=record.expires_at,
        players=tuple(_named(record.players, player) for player in seen.players),
        you=seen.you,
        round=seen.round,
        last_round=seen.last_round,
        actions=seen.actions,
        turn_deadline=record.turn_deadline,
        next_commitment=None if seen.result else commitment_of(record.next_secret),
        rematch_game_id=record.rematch_game_id,
        result=seen.result,
    )


def _invite_for(record: GameRecord, seat: int | None, tokens: Tokens) -> str | None:
    hosts_private = seat == HOST and record.visibility == "private"
    return tokens.invite(record.game_id) if hosts_private else None


def _named(players: tuple[Player | None, ...], seen: PlayerView) -> NamedPlayer:
    return NamedPlayer(
        seat=seen.seat,
        name=_name(players, seen.seat),
        kind=seen.occupant,
        card_count=seen.card_count,
        total=seen.total,
        boxes=seen.boxes,
        out=seen.out,
    )


def _name(players: tuple[Player | None, ...], seat: int) -> str:
    player = players[seat]
    return player.name if player else ""


def logged_for(logged: LoggedEvent, seat: int | None) -> LoggedEventView:
    """Return an event of the log as a seat, or a spectator, gets it."""
    return LoggedEventView(
        id=logged.id,
        version=logged.version,
        at=logged.at,
        name=logged.name,
        event=event_for(logged.event, seat),
    )


def round_page(record: RoundRecord) -> RoundPage:
    """Return a finished round with every card.

    Each move is as the seat that made it saw it; the hands dealt follow from the deck.
    """
    return RoundPage(
        number=record.number,
        dealer=record.dealer,
        deck=record.deck,
        moves=tuple(
            logged_for(logged, None if logged.event.hands else logged.event.seat)
            for logged in record.moves
        ),
        result=record.result,
        shuffle=record.shuffle,
    )


def score_sheet(record: GameRecord, rounds: tuple[RoundResult, ...]) -> ScoreSheet:
    """Return the standings, every finished round and the game's result."""
    state = record.state
    players = tuple(
        ScoreLine(seat, player.name, state.totals[seat], state.boxes[seat])
        for seat, player in enumerate(record.players)
        if player
    )
    return ScoreSheet(players, rounds, state.result)
