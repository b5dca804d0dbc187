"""A game with all seats taken, played through the use cases, as the API would play it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import pytest

from service.games.access import Caller
from service.games.changes import Lifetimes, NewGame
from service.games.desk import Ask
from service.games.errors import Refusal
from service.games.ports import Commit, Outcome
from service.games.record import GameRecord, LoggedEvent, TimeoutAction, Visibility
from service.games.tokens import Tokens
from service.games.usecases import Games
from service.games.view import Answer, GameView, Seated
from service.rules.cards import Card
from service.rules.moves import Discard, Draw, Knock, LayOff, Pass, PlayerMove
from service.rules.ruleset import PRESETS, RuleSet
from tests.games.memory import MemoryStore
from tests.games.table import KEY, Seeded, StoppedClock

NAMES = ("Ann", "Bob", "Cyd", "Dee")
CREATE_KEY = "a-creation-key-of-36-characters-long"


class WatchedStore(MemoryStore):
    """Keeps every commit that was tried; ``before`` runs once ahead of the next one."""

    def __init__(self) -> None:
        super().__init__()
        self.commits: list[Commit] = []
        self.before: list[Callable[[], None]] = []

    def commit(self, commit: Commit) -> Outcome:
        if self.before:
            self.before.pop(0)()
        self.commits.append(commit)
        return super().commit(commit)


def use_cases(
    store: MemoryStore,
    seed: int = 1,
    *,
    secret: str = KEY,
    previous: str | None = None,
    sandbox: bool = True,
    clock: StoppedClock | None = None,
) -> Games:
    return Games(
        store,
        clock or StoppedClock(),
        Seeded(Random(seed)),
        Tokens(secret, previous),
        Lifetimes(),
        sandbox=sandbox,
    )


def request(
    token: str | None = None,
    path: str = "POST /moves",
    *,
    key: str | None = None,
    body: str = "body",
    invite: str | None = None,
    when: Callable[[str], bool] | None = None,
) -> Ask:
    return Ask(Caller(token, invite), path, body, key, when)


def code_of(call: Callable[[], object]) -> str:
    """Return the code with which a use case refuses."""
    with pytest.raises(Refusal) as caught:
        call()
    assert caught.value.detail.endswith(".")
    return caught.value.code


@dataclass
class Table:
    """A game whose seats are taken by Ann, Bob, Cyd and Dee as far as there are seats."""

    seed: int = 1
    rules: RuleSet = PRESETS["oklahoma"].rules
    seats: int = 2
    visibility: Visibility = "public"
    decks: tuple[tuple[Card, ...], ...] = ()
    joined: int = 4
    entropies: tuple[str, ...] = ()
    turn_seconds: int = 0
    timeout_action: TimeoutAction = "autoplay"
    clock: StoppedClock = field(default_factory=StoppedClock)
    store: WatchedStore = field(default_factory=WatchedStore)

    def __post_init__(self) -> None:
        self.games = use_cases(self.store, self.seed, clock=self.clock)
        self.host = self.games.create(self.new(), request(path="POST /v1/games", key=CREATE_KEY))
        self.game_id = self.host.view.game_id
        self.tokens = [self.host.token]
        self.invite = self.host.invite
        for seat in range(1, min(self.seats, self.joined)):
            self.tokens.append(self.join(NAMES[seat], entropy=self._entropy(seat)).token)

    def new(self) -> NewGame:
        return NewGame(
            NAMES[0],
            self.seats,
            "oklahoma",
            self.rules,
            self.visibility,
            self.turn_seconds,
            self.timeout_action,
            self.decks,
        )

    def _entropy(self, seat: int) -> str | None:
        return self.entropies[seat] if self.entropies else None

    def join(self, name: str, key: str | None = None, *, entropy: str | None = None) -> Seated:
        asked = request(path="POST /players", key=key, invite=self.invite)
        return self.games.join(self.game_id, name, entropy, asked)

    @property
    def record(self) -> GameRecord:
        return self.store.games[self.game_id].record

    @property
    def turn(self) -> int:
        assert self.record.state.round
        assert self.record.state.round.turn is not None
        return self.record.state.round.turn

    @property
    def phase(self) -> str:
        assert self.record.state.round
        return self.record.state.round.phase

    def events(self) -> list[LoggedEvent]:
        return self.store.games[self.game_id].log

    def ask(
        self,
        seat: int,
        key: str | None = None,
        *,
        body: str = "body",
        path: str = "POST /moves",
        when: Callable[[str], bool] | None = None,
    ) -> Ask:
        return request(self.tokens[seat], path, key=key, body=body, when=when)

    def ask_with(self, token: str | None) -> Ask:
        return request(token)

    def ask_as_nobody(self) -> Ask:
        return request()

    def deal(self, seat: int = 0, entropy: str | None = None) -> Answer:
        return self.games.deal(self.game_id, entropy, self.ask(seat))

    def move(self, move: PlayerMove, seat: int | None = None, key: str | None = None) -> Answer:
        seat = self.turn if seat is None else seat
        return self.games.move(self.game_id, move, self.ask(seat, key))

    def look(self, seat: int | None) -> GameView:
        caller = Caller(None if seat is None else self.tokens[seat], self.invite)
        return self.games.look(self.game_id, caller).view()

    def go_on(self, dice: Random) -> None:
        """Make a move of whoever may make one."""
        view = self.look(0)
        if view.round is None or view.round.turn is None:
            self.deal(dice.randrange(self.seats))
        else:
            self.move(chosen(self.look(view.round.turn), dice))

    def play_out(self, dice: Random) -> None:
        while not self.record.state.result:
            self.go_on(dice)

    def play_round(self, dice: Random) -> None:
        """Deal a round and play it to its end."""
        self.deal(0)
        while self.record.state.round and self.record.state.round.phase != "over":
            self.go_on(dice)


def chosen(view: GameView, dice: Random) -> PlayerMove:
    """Return a move that the view offers: going out where it can, else at random."""
    actions = view.actions
    if actions.layoff:
        return LayOff()
    if actions.knock:
        return Knock(min(actions.knock, key=lambda choice: choice.deadwood_points).discard)
    if actions.discard:
        return Discard(min(actions.discard, key=lambda choice: choice.deadwood_points).card)
    moves: list[PlayerMove] = [Draw(source) for source in actions.draw]
    return dice.choice([*moves, Pass()] if actions.pass_upcard else moves)
