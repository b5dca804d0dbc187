"""The list of public games with a free seat.

It is written after the commits, so it may lag behind them or lack a game for a while: what it names
is checked when it is read, and a game that still waits is listed again when somebody looks at it.
"""

import re
from typing import Final

from service.games.errors import Refusal
from service.games.ports import GameStore, StoreUnavailable
from service.games.record import GameRecord
from service.games.view import LobbyEntry, LobbyPage, lobby_entry

PLACE: Final = re.compile(r"\d{13}:[A-Za-z0-9_-]{1,64}", re.ASCII)


class Lobby:
    """The lobby of a store."""

    def __init__(self, store: GameStore) -> None:
        self._store = store

    def note(self, record: GameRecord) -> None:
        """List or strike a game by what its record is now.

        The record is stored already, so a store that is away costs its listing and nothing else.
        """
        try:
            if is_open(record):
                self._store.list_open(place_of(record), record.expires_at - record.created_at)
            else:
                self._store.strike(place_of(record))
        except StoreUnavailable:
            return

    def relist(self, record: GameRecord) -> None:
        """List a game that is looked at while it waits for players."""
        if is_open(record):
            self.note(record)

    def page(self, limit: int, cursor: str | None) -> LobbyPage:
        """Return up to ``limit`` open games, the newest first, that come after a cursor."""
        if cursor is not None and not PLACE.fullmatch(cursor):
            raise Refusal(
                "malformed_request",
                "That is no cursor of this list. Send next_cursor as a page before gave it, or "
                "none to begin with the newest.",
            )
        entries: list[LobbyEntry] = []
        while len(entries) < limit:
            wanted = limit - len(entries)
            places = self._store.open_places(cursor, wanted)
            records = self._store.load_all([place.partition(":")[2] for place in places])
            entries += [lobby_entry(record) for record in records if record and is_open(record)]
            if len(places) < wanted:
                return LobbyPage(tuple(entries), None)
            cursor = places[-1]
        return LobbyPage(tuple(entries), cursor)


def is_open(record: GameRecord) -> bool:
    """Return whether a stranger may find the game and sit down."""
    state = record.state
    waits = record.visibility == "public" and state.status == "waiting"
    return waits and record.listed and None in state.occupants


def place_of(record: GameRecord) -> str:
    """Return the game's place in the list, which sorts by age and names the game."""
    return f"{record.created_at:013d}:{record.game_id}"
