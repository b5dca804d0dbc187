"""Rematches: the seats of a finished game go on in another, the same one whoever asks first."""

from service.games import seating
from service.games.access import game_not_found, token_required, viewer_of
from service.games.changes import Change, Moment, Seating
from service.games.desk import Ask, Desk, Done
from service.games.ports import Commit, GameStore, Operation
from service.games.record import GameRecord
from service.games.tokens import Tokens


class _Called(Exception):
    """The rematch of a game was called before; there is nothing to change in it."""


class Rematches:
    """Makes the rematch of a game once, and gives each seat its token in it."""

    def __init__(self, store: GameStore, desk: Desk, tokens: Tokens) -> None:
        self._store = store
        self._desk = desk
        self._tokens = tokens

    def settle(self, game_id: str, ask: Ask, moment: Moment) -> Done:
        """Return the caller's seat in the rematch, which is made unless it was before.

        The new game is stored first, under an id that follows from the old one's, and the old game
        names it then: whoever comes in between makes the same game again, which changes nothing.

        :raises Refusal: if the caller has no seat in the game, or it was not played to its end.
        """

        def decide(record: GameRecord, seat: int | None) -> Change:
            if record.rematch_game_id:
                raise _Called
            new_id = self._tokens.rematch_id(record.game_id)
            change = seating.rematch(record, seat or 0, new_id, moment)
            self._make(seating.rematch_of(record, new_id, moment))
            return change

        try:
            replayed = self._desk.settle(game_id, ask, decide).replayed
        except _Called:
            replayed = False
        return self._moved(self._load(game_id), ask, replayed=replayed)

    def _make(self, change: Change) -> None:
        record = change.record
        self._store.commit(
            Commit(
                record=record,
                expected=None,
                operation=Operation("rematch", "", "", "pinned"),
                events=change.events,
                keep_from=change.keep_from,
                ttl_seconds=(record.expires_at - record.updated_at) // 1000,
            )
        )

    def _moved(self, before: GameRecord, ask: Ask, *, replayed: bool) -> Done:
        """Return the caller's seat in the rematch, one further down than in the game before."""
        seat = viewer_of(before, ask.caller, self._tokens)
        if seat is None:
            raise token_required()
        record = self._load(before.rematch_game_id or "")
        moved = (seat - 1) % len(record.players)
        player = record.players[moved]
        if player is None:
            raise LookupError("a rematch has a free seat")
        taken = Seating(moved, player.occupancy, player.nonce)
        return Done(record, moved, replayed, taken, self._tokens.key_id())

    def _load(self, game_id: str) -> GameRecord:
        loaded = self._store.load(game_id)
        if loaded is None:
            raise game_not_found()
        return loaded.record
