"""One use case per operation, for the API to call."""

from dataclasses import replace
from functools import partial

from service.games import playing, seating
from service.games.access import (
    Caller,
    game_not_found,
    seat_of,
    token_invalid,
    token_required,
    viewer_of,
)
from service.games.changes import Change, Lifetimes, Moment, NewGame
from service.games.desk import Ask, Decide, Desk, Done, Settled
from service.games.errors import Refusal
from service.games.lobby import Lobby, LobbyPage
from service.games.pages import EventPage, page_of
from service.games.ports import Clock, GameStore, Listing, RandomSource
from service.games.record import GameRecord
from service.games.rematch import Rematches
from service.games.tokens import GAME_ID_BYTES, Claim, Tokens, read_token, url_text
from service.games.view import (
    Answer,
    GameView,
    LoggedEventView,
    RoundPage,
    ScoreSheet,
    Seated,
    Sight,
    logged_for,
    round_page,
    score_sheet,
    sight_of,
    view_of,
)
from service.rules.moves import PlayerMove


class Games:
    """The use cases, over a store, a clock and a source of randomness.

    Every method raises ``Refusal`` for what is not granted and ``StoreUnavailable`` where the
    store does not answer. ``settled`` is told how each commit went.
    """

    def __init__(
        self,
        store: GameStore,
        clock: Clock,
        random: RandomSource,
        tokens: Tokens,
        lifetimes: Lifetimes,
        *,
        sandbox: bool = False,
        settled: Settled = lambda _outcome: None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._random = random
        self._tokens = tokens
        self._lifetimes = lifetimes
        self._sandbox = sandbox
        self._desk = Desk(store, tokens, clock, settled)
        self._lobby = Lobby(store)
        self._rematches = Rematches(store, self._desk, tokens)

    def create(self, new: NewGame, ask: Ask) -> Seated:
        """Create a game with the caller as its host; under a key, its id follows from the key."""
        if new.decks and not self._sandbox:
            fault = "Decks can be given only where the service runs with SANDBOX=1. Leave it out."
            raise Refusal("invalid_request", fault, faults=(("/deck", fault),))
        game_id = self._tokens.game_ids(ask.key)[0] if ask.key else self._new_id()
        done = self._desk.open(self._created(new, game_id), ask)
        self._lobby.note(done.record)
        return self._seated(done, self._tokens.invite(done.record.game_id))

    def list_games(self, listing: Listing, limit: int, cursor: str | None) -> LobbyPage:
        """Return public games that wait for players or are played, the newest first."""
        return self._lobby.page(listing, limit, cursor)

    def join(self, game_id: str, name: str, entropy: str | None, ask: Ask) -> Seated:
        """Seat the caller, who holds none yet, in the lowest free seat."""

        def decide(record: GameRecord, seat: int | None) -> Change:
            return seating.join(record, seat, name, entropy or "", self._moment())

        done = self._desk.admit(game_id, ask, decide)
        self._lobby.note(done.record)
        return self._seated(done)

    def add_bot(self, game_id: str, level: str, name: str | None, ask: Ask) -> Answer:
        """As the host, seat a bot in the lowest free seat."""

        def decide(record: GameRecord, seat: int) -> Change:
            return seating.add_bot(record, seat, level, name, self._moment())

        return self._reseated(game_id, ask, decide)

    def leave(self, game_id: str, ask: Ask) -> Answer:
        """Give up the caller's seat before the first deal."""

        def decide(record: GameRecord, seat: int) -> Change:
            return seating.leave(record, seat, self._moment())

        return self._reseated(game_id, ask, decide)

    def remove(self, game_id: str, other: int, ask: Ask) -> Answer:
        """As the host, clear another seat before the first deal."""

        def decide(record: GameRecord, seat: int) -> Change:
            return seating.remove(record, seat, other, self._moment())

        return self._reseated(game_id, ask, decide)

    def look(self, game_id: str, caller: Caller) -> Sight:
        """Return a game as the caller sees it."""
        record = self._record(game_id)
        seat = viewer_of(record, caller, self._tokens)
        self._lobby.relist(record)
        return sight_of(record, seat, self._tokens)

    def seat(self, caller: Caller) -> GameView:
        """Return the view of the one seat that the caller's token opens."""
        if caller.token is None:
            raise token_required()
        claim = read_token(caller.token)
        loaded = self._store.load(claim.game_id) if claim else None
        if loaded is None:
            raise token_invalid()
        seat = seat_of(loaded.record, caller, self._tokens)
        if seat is None:
            raise token_invalid()
        return view_of(loaded.record, seat, self._tokens)

    def move(self, game_id: str, move: PlayerMove, ask: Ask) -> Answer:
        """Apply a move of the caller's seat."""

        def decide(record: GameRecord, seat: int) -> Change:
            return playing.play(record, seat, move, self._moment())

        return self._moved(game_id, ask, decide)

    def deal(self, game_id: str, entropy: str | None, ask: Ask) -> Answer:
        """Deal the next round."""

        def decide(record: GameRecord, seat: int) -> Change:
            return playing.deal(record, seat, entropy, self._moment())

        return self._moved(game_id, ask, decide)

    def claim(self, game_id: str, ask: Ask) -> Answer:
        """Apply the time-out of a seat that let its deadline pass."""

        def decide(record: GameRecord, _seat: int) -> Change:
            return playing.claim(record, self._moment())

        return self._moved(game_id, ask, decide)

    def set_entropy(self, game_id: str, text: str, ask: Ask) -> Answer:
        """Keep the caller's text for the next shuffle."""

        def decide(record: GameRecord, seat: int) -> Change:
            return seating.set_entropy(record, seat, text, self._moment())

        return self._moved(game_id, ask, decide)

    def renew_token(self, game_id: str, ask: Ask) -> Seated:
        """Give the caller's seat another token; the one so far opens nothing from now on."""

        def decide(record: GameRecord, seat: int) -> Change:
            return seating.renew_token(record, seat, self._moment())

        return self._seated(self._desk.settle(game_id, ask, decide))

    def rematch(self, game_id: str, ask: Ask) -> Seated:
        """Return the caller's seat in the game in which the seats of a finished one go on."""
        done = self._rematches.settle(game_id, ask, self._moment())
        return self._seated(
            done, self._tokens.invite(done.record.game_id) if done.seat == 0 else None
        )

    def score(self, game_id: str, caller: Caller) -> ScoreSheet:
        """Return the score sheet of a game that the caller may see."""
        record = self._record(game_id)
        viewer_of(record, caller, self._tokens)
        return score_sheet(record, self._store.results(game_id))

    def round(self, game_id: str, number: int, caller: Caller) -> RoundPage:
        """Return a finished round of a game that the caller may see."""
        viewer_of(self._record(game_id), caller, self._tokens)
        record = self._store.round(game_id, number)
        if record is None:
            raise Refusal(
                "round_not_found",
                f"Round {number} is not finished or does not exist. Finished rounds are listed by "
                "the game's score.",
            )
        return round_page(record)

    def events(
        self, game_id: str, caller: Caller, after: int, limit: int, *, with_view: bool = False
    ) -> EventPage:
        """Return up to ``limit`` events after a version as the caller may see them."""
        found = self._store.load_since(game_id, after, limit)
        if found is None:
            raise game_not_found()
        record, log = found
        seat = viewer_of(record, caller, self._tokens)
        view = partial(view_of, record, seat, self._tokens) if with_view else None
        return page_of(record, seat, after, log, view)

    def check(self) -> None:
        """Run the store's real commit on a canary."""
        self._store.check()

    def _record(self, game_id: str) -> GameRecord:
        loaded = self._store.load(game_id)
        if loaded is None:
            raise game_not_found()
        return loaded.record

    def _created(self, new: NewGame, game_id: str) -> Change:
        """Return a new game, dealt at once where that is asked for, as one change."""
        moment = self._moment()
        change = seating.create(new, game_id, moment)
        if not new.deal:
            return change
        dealt = playing.deal(change.record, 0, None, moment)
        return replace(dealt, events=change.events + dealt.events, seating=change.seating)

    def _new_id(self) -> str:
        return url_text(self._random.token_bytes(GAME_ID_BYTES))

    def _moment(self) -> Moment:
        return Moment(self._clock.now(), self._random, self._lifetimes)

    def _moved(self, game_id: str, ask: Ask, decide: Decide) -> Answer:
        done = self._desk.settle(game_id, ask, decide)
        self._lobby.note_moves(done.record, done.events)
        return self._answer(done)

    def _reseated(self, game_id: str, ask: Ask, decide: Decide) -> Answer:
        done = self._desk.settle(game_id, ask, decide)
        self._lobby.note(done.record)
        return self._answer(done)

    def _seated(self, done: Done, invite: str | None = None) -> Seated:
        taken = done.seating
        if taken is None:
            raise LookupError("an answer that seats somebody has no seating")
        claim = Claim(done.record.game_id, taken.seat, taken.occupancy)
        token = self._tokens.seat_token_under(done.key_id, claim, taken.nonce)
        view = view_of(done.record, done.seat, self._tokens)
        return Seated(view, taken.seat, token, invite, _told(done), done.replayed)

    def _answer(self, done: Done) -> Answer:
        view = view_of(done.record, done.seat, self._tokens)
        return Answer(view, _told(done), done.replayed)


def _told(done: Done) -> tuple[LoggedEventView, ...]:
    """Return the events of a request's commit as whoever made it gets them."""
    return tuple(logged_for(logged, done.seat) for logged in done.events)
