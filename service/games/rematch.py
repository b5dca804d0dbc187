"""Rematches: the seats of a finished game go on in another, the same one whoever asks first.

The new game's id and the first token of each of its seats follow from the old game by HMAC. So
whoever asks makes the same game, and gets the token of the seat that is theirs, and no other.
"""

from dataclasses import replace

from service.games import seating
from service.games.access import game_not_found, token_required, viewer_of
from service.games.changes import Change, Moment, Seating, player_in
from service.games.desk import Ask, Desk, Done
from service.games.errors import Refusal
from service.games.ports import Commit, GameStore, Operation
from service.games.record import GameRecord, Player
from service.games.tokens import Claim, Tokens
from service.games.view import view_of


class _Called(Exception):
    """The rematch of a game was called before; there is nothing to change in it."""


class Rematches:
    """Makes the rematch of a game once, and gives each seat its token in it."""

    def __init__(self, store: GameStore, desk: Desk, tokens: Tokens) -> None:
        self._store = store
        self._desk = desk
        self._tokens = tokens

    def settle(self, game_id: str, ask: Ask, moment: Moment) -> Done:
        """Return the caller's seat in the rematch, which is made unless it stands.

        The new game is stored first and the old game names it then: whoever comes in between makes
        the same game again, which changes nothing. Once it stands, a precondition that fails is no
        hindrance: what is asked for has been done (RFC 9110, 13.1.1).

        :raises Refusal: if the caller has no seat in the game, if it was not played to its end, or
            if the caller gave the seat in the rematch up or renewed its token.
        """

        def decide(record: GameRecord, seat: int) -> Change:
            if record.rematch_game_id:
                raise _Called
            new_id = self._tokens.rematch_id(record.game_id)
            change = seating.rematch(record, seat, new_id, moment)
            self._make(record, new_id, moment)
            return change

        replayed = False
        try:
            replayed = self._desk.settle(game_id, ask, decide).replayed
        except _Called:
            pass
        except Refusal as refusal:
            if refusal.code != "stale_version" or not self._loaded(game_id).rematch_game_id:
                raise
        return self._moved(self._loaded(game_id), ask, moment, replayed=replayed)

    def _make(self, before: GameRecord, new_id: str, moment: Moment) -> None:
        sitting = tuple(self._moved_player(before, seat) for seat in range(len(before.players)))
        change = seating.rematch_of(before, sitting, new_id, moment)
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

    def _moved_player(self, before: GameRecord, seat: int) -> Player:
        """Return who sits in a seat as they sit down in the rematch."""
        claim = _claim(before, seat)
        occupancy, nonce = self._tokens.moved(claim)[0]
        player = player_in(before, seat)
        return replace(player, occupancy=occupancy, nonce=nonce, entropy="")

    def _moved(self, before: GameRecord, ask: Ask, moment: Moment, *, replayed: bool) -> Done:
        """Return the caller's seat in the rematch; one that expired is made again."""
        seat = viewer_of(before, ask.caller, self._tokens)
        if seat is None:
            raise token_required()
        new_id = before.rematch_game_id or ""
        loaded = self._store.load(new_id)
        if loaded is None:
            self._make(before, new_id, moment)
        record = loaded.record if loaded else self._loaded(new_id)
        moved = (seat - seating.moves_down(before)) % len(record.players)
        player = record.players[moved]
        first = self._tokens.moved(_claim(before, seat))
        if player is None or (player.occupancy, player.nonce) not in first:
            raise _moved_on(before, seat, self._tokens)
        taken = Seating(moved, player.occupancy, player.nonce)
        return Done(record, moved, replayed, taken, self._tokens.key_id())

    def _loaded(self, game_id: str) -> GameRecord:
        loaded = self._store.load(game_id)
        if loaded is None:
            raise game_not_found()
        return loaded.record


def _claim(before: GameRecord, seat: int) -> Claim:
    return Claim(before.game_id, seat, player_in(before, seat).occupancy)


def _moved_on(before: GameRecord, seat: int, tokens: Tokens) -> Refusal:
    return Refusal(
        "wrong_phase",
        "Your seat in the rematch was given up, or its token renewed, since you took it. Use the "
        "newest token that the rematch gave you.",
        look=lambda: view_of(before, seat, tokens),
    )
