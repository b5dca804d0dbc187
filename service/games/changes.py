"""What a request makes of a game: a new record and its events, without reading or writing any."""

from dataclasses import dataclass, replace

from service.games.ports import FinishedRound, RandomSource
from service.games.record import (
    LOG_EVENTS,
    GameRecord,
    LoggedEvent,
    Player,
    RoundRecord,
    Shuffle,
    TimeoutAction,
    Visibility,
)
from service.games.shuffle import deck_of, first_player_of, high_cards_of, new_secret, shuffle_of
from service.games.tokens import new_nonce, new_occupancy
from service.rules.cards import Card
from service.rules.checks import check
from service.rules.moves import Deal, Join, Leave, Move, Remove, SetEntropy
from service.rules.play import apply, forced, new_game
from service.rules.rounds import highest_card_seat
from service.rules.ruleset import RuleSet
from service.rules.state import Event, GameState, Status, Step

NONCE_BYTES = 4


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
class NewGame:
    """What a game is created from; ``decks`` are for a sandbox."""

    name: str
    seats: int
    preset: str
    rules: RuleSet
    visibility: Visibility = "public"
    turn_seconds: int = 0
    timeout_action: TimeoutAction = "autoplay"
    decks: tuple[tuple[Card, ...], ...] = ()


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


@dataclass(frozen=True, slots=True)
class Moment:
    """When a change is made, for how long games are kept, and its randomness."""

    now: int
    random: RandomSource
    lifetimes: Lifetimes

    def nonce(self) -> str:
        """Return a random text of 8 hexadecimal digits."""
        return self.random.token_bytes(NONCE_BYTES).hex()


def create(new: NewGame, game_id: str, moment: Moment) -> Change:
    """Return a game with its host in seat 0."""
    host = _new_player(new.name, moment)
    step = new_game(new.rules, new.seats)
    record = GameRecord(
        game_id=game_id,
        version=0,
        nonce="",
        created_at=moment.now,
        updated_at=moment.now,
        expires_at=moment.now,
        preset=new.preset,
        visibility=new.visibility,
        turn_seconds=new.turn_seconds,
        timeout_action=new.timeout_action,
        sandbox=bool(new.decks),
        players=(host, *(None,) * (new.seats - 1)),
        state=step.state,
        next_secret=new_secret(moment.random),
        decks=new.decks,
    )
    change = _recorded(record, (step,), moment, name=host.name)
    return replace(change, seating=Seating(0, host.occupancy, host.nonce))


def join(record: GameRecord, caller: int | None, name: str, entropy: str, moment: Moment) -> Change:
    """Return the game with a newcomer, who may hold no seat of it yet, in its lowest free seat.

    :raises RuleError: if the game takes nobody in.
    """
    step = apply(record.state, caller, Join())
    seat = step.event.seat or 0
    player = replace(_new_player(name, moment), entropy=entropy)
    change = _recorded(_seated(record, seat, player), (step,), moment, name=name)
    return replace(change, seating=Seating(seat, player.occupancy, player.nonce))


def play(record: GameRecord, seat: int, move: Move, moment: Moment) -> Change:
    """Return the game after a seat's move, and after what must follow it by itself.

    :raises RuleError: if the rules refuse the move.
    """
    steps = [apply(record.state, seat, move)]
    while follows := forced(steps[-1].state):
        steps.append(apply(steps[-1].state, *follows))
    if isinstance(move, Leave):
        return _left(record, seat, steps[0], moment)
    if isinstance(move, Remove):
        record = _seated(record, move.seat, None)
    return _recorded(record, tuple(steps), moment)


def _left(record: GameRecord, seat: int, step: Step, moment: Moment) -> Change:
    player = _player(record, seat)
    change = _recorded(_seated(record, seat, None), (step,), moment)
    return replace(change, seating=Seating(seat, player.occupancy, before=player.nonce))


def set_entropy(record: GameRecord, seat: int, text: str, moment: Moment) -> Change:
    """Return the game with a seat's text for the next shuffle."""
    step = apply(record.state, seat, SetEntropy())
    return _recorded(_with_entropy(record, seat, text), (step,), moment)


def renew_token(record: GameRecord, seat: int, moment: Moment) -> Change:
    """Return the game with another nonce for a seat, so that its token so far opens nothing."""
    player = _player(record, seat)
    renewed = replace(player, nonce=new_nonce(moment.random))
    step = Step(record.state, Event(type="token_renewed", seat=seat))
    change = _recorded(_seated(record, seat, renewed), (step,), moment)
    seating = Seating(seat, player.occupancy, renewed.nonce, before=player.nonce)
    return replace(change, seating=seating)


def deal(record: GameRecord, seat: int, entropy: str | None, moment: Moment) -> Change:
    """Return the game with its next round dealt from the secret committed to and all entropies.

    :raises RuleError: if no round may be dealt now.
    """
    check(record.state, seat, Deal(()))
    if entropy is not None:
        record = _with_entropy(record, seat, entropy)
    before = record.state.round
    number = before.number + 1 if before else 1
    entropies = tuple(player.entropy if player else "" for player in record.players)
    shuffle = shuffle_of(record.game_id, number, record.next_secret, entropies)
    move = _sandbox_deal(record) or _fair_deal(record.state, shuffle)
    step = apply(record.state, seat, move)
    record = replace(
        record,
        next_secret=new_secret(moment.random),
        shuffle=None if record.decks else shuffle,
        decks=record.decks[1:],
        round_versions=(*record.round_versions[-1:], record.version + 1),
        players=tuple(player and replace(player, entropy="") for player in record.players),
    )
    return _recorded(record, (step,), moment)


def _fair_deal(state: GameState, shuffle: Shuffle) -> Deal:
    deck = deck_of(shuffle)
    first_player: int | None = None
    high_cards: tuple[Card, ...] | None = None
    if state.round is None:
        if state.rules.first_player == "random":
            first_player = first_player_of(shuffle)
        elif state.rules.first_player == "host":
            first_player = 0
        else:
            high_cards = high_cards_of(shuffle)
            first_player = highest_card_seat(high_cards)
    return Deal(deck, first_player, high_cards, shuffle.commitment)


def _sandbox_deal(record: GameRecord) -> Deal | None:
    """Return the deal of a given deck; with such decks seat 0 plays first."""
    return Deal(record.decks[0], 0) if record.decks else None


def _new_player(name: str, moment: Moment) -> Player:
    return Player(name, new_occupancy(moment.random), new_nonce(moment.random))


def _player(record: GameRecord, seat: int) -> Player:
    player = record.players[seat]
    if player is None:
        raise LookupError(f"seat {seat} is free")
    return player


def _seated(record: GameRecord, seat: int, player: Player | None) -> GameRecord:
    return replace(record, players=(*record.players[:seat], player, *record.players[seat + 1 :]))


def _with_entropy(record: GameRecord, seat: int, text: str) -> GameRecord:
    return _seated(record, seat, replace(_player(record, seat), entropy=text))


def _recorded(
    record: GameRecord, steps: tuple[Step, ...], moment: Moment, name: str | None = None
) -> Change:
    """Return the change that the steps make: a version and an event for each, one nonce for all."""
    state = steps[-1].state
    events = tuple(
        LoggedEvent(
            version=version,
            id=f"{version}-{moment.nonce()}",
            at=moment.now,
            event=step.event,
            name=name,
        )
        for version, step in enumerate(steps, record.version + 1)
    )
    after = replace(
        record,
        version=record.version + len(steps),
        nonce=moment.nonce(),
        updated_at=moment.now,
        expires_at=moment.now + moment.lifetimes.of(state.status) * 1000,
        state=state,
    )
    return Change(after, events, _finished(after, steps))


def _finished(record: GameRecord, steps: tuple[Step, ...]) -> tuple[FinishedRound, ...]:
    """Return the record of the round that the steps ended, if they ended one."""
    table = record.state.round
    result = next((step.event.result for step in steps if step.event.result), None)
    if table is None or result is None:
        return ()
    finished = RoundRecord(table.number, table.dealer, table.deck, result, record.shuffle)
    return (FinishedRound(finished, record.round_versions[-1]),)
