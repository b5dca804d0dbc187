"""The lists of public games: those with a free seat, and those being played, to watch.

They are written after the commits that change them, so they may lag behind or lack a game for a
while: what they name is checked when it is read, and a game that still waits is listed again when
somebody looks at it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from service.games.errors import Refusal
from service.games.ports import GameStore, Listing, StoreUnavailable
from service.games.record import GameRecord, LoggedEvent
from service.rules.moves import Occupant
from service.rules.ruleset import OPTIONS, PRESETS, OptionValue, RuleSet
from service.rules.state import Status

PLACE: Final = re.compile(r"\d{13}:[A-Za-z0-9_-]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class LobbyPlayer:
    """A taken seat of a public game."""

    seat: int
    name: str
    kind: Occupant


@dataclass(frozen=True, slots=True)
class LobbyEntry:
    """A public game in a list; ``options`` are those that differ from its preset, by name."""

    game_id: str
    status: Status
    preset: str
    title: str
    options: Mapping[str, OptionValue]
    seats: int
    players: tuple[LobbyPlayer, ...]
    turn_seconds: int
    created_at: int


@dataclass(frozen=True, slots=True)
class LobbyPage:
    """Games of a list, the newest first, and where the next page begins if there is one."""

    games: tuple[LobbyEntry, ...]
    next_cursor: str | None


class Lobby:
    """The lobby of a store."""

    def __init__(self, store: GameStore) -> None:
        self._store = store

    def note(self, record: GameRecord) -> None:
        """List or strike a game by what its record is now.

        The record is stored already, so a store that is away costs its listing and nothing else.
        """
        if record.visibility == "private" or not record.listed:
            return
        listing = _listing_of(record)
        try:
            if is_shown(record):
                self._store.list_game(listing, place_of(record), _life(record))
            else:
                self._store.strike(listing, place_of(record))
        except StoreUnavailable:
            return

    def note_moves(self, record: GameRecord, events: tuple[LoggedEvent, ...]) -> None:
        """List a game that these events began, and strike one that they ended."""
        if any(logged.event.round == 1 or logged.event.game_result for logged in events):
            self.note(record)

    def relist(self, record: GameRecord) -> None:
        """List a game that is looked at while it waits for players."""
        if record.state.status == "waiting" and is_shown(record):
            self.note(record)

    def page(self, listing: Listing, limit: int, cursor: str | None) -> LobbyPage:
        """Return up to ``limit`` games of a list, the newest first, that come after a cursor."""
        if cursor is not None and not PLACE.fullmatch(cursor):
            raise Refusal(
                "malformed_request",
                "That is no cursor of this list. Send next_cursor as a page before gave it, or "
                "none to begin with the newest.",
            )
        entries: list[LobbyEntry] = []
        while len(entries) < limit:
            wanted = limit - len(entries)
            places = self._store.places(listing, cursor, wanted)
            records = self._store.load_all([place.partition(":")[2] for place in places])
            entries += [
                _entry(record)
                for record in records
                if record and is_shown(record) and _listing_of(record) == listing
            ]
            if len(places) < wanted:
                return LobbyPage(tuple(entries), None)
            cursor = places[-1]
        return LobbyPage(tuple(entries), cursor)


def is_shown(record: GameRecord) -> bool:
    """Return whether a stranger may find the game, to sit down or to watch it."""
    if record.visibility == "private" or not record.listed:
        return False
    state = record.state
    return state.status == "playing" or (state.status == "waiting" and None in state.occupants)


def place_of(record: GameRecord) -> str:
    """Return the game's place in its list, which sorts by age and names the game."""
    return f"{record.created_at:013d}:{record.game_id}"


def _listing_of(record: GameRecord) -> Listing:
    """Return the list that a game is in, or was in before it ended."""
    return "waiting" if record.state.round is None else "playing"


def _life(record: GameRecord) -> int:
    return record.expires_at - record.created_at


def _entry(record: GameRecord) -> LobbyEntry:
    """Return what the lobby says of a game.

    A newer release may have presets that are unknown here: all options are told of those.
    """
    preset = PRESETS.get(record.preset)
    return LobbyEntry(
        game_id=record.game_id,
        status=record.state.status,
        preset=record.preset,
        title=preset.title if preset else record.preset,
        options=_differing(record.state.rules, preset.rules if preset else None),
        seats=record.state.seats,
        players=tuple(
            LobbyPlayer(seat, player.name, "bot" if player.level else "human")
            for seat, player in enumerate(record.players)
            if player
        ),
        turn_seconds=record.turn_seconds,
        created_at=record.created_at,
    )


def _differing(rules: RuleSet, base: RuleSet | None) -> dict[str, OptionValue]:
    """Return the options that are set otherwise than in a base, by name; without one all are."""
    values = {option.name: getattr(rules, option.name) for option in OPTIONS}
    return {name: value for name, value in values.items() if getattr(base, name, None) != value}
