"""Tickets for streams: what a browser's EventSource, which sends no headers, puts into its address.

A ticket opens the stream of one viewer of one game and nothing else. It is ``okt_`` and the seat or
``s`` (1), the second it ends with in hex (8) and a MAC (32 characters), which covers the nonce of
the seat's token too, and so dies with it.
"""

import hmac
import re
from dataclasses import dataclass
from typing import Final

from service.games.access import game_not_found
from service.games.errors import Refusal
from service.games.record import GameRecord
from service.games.tokens import Tokens

TICKET_SECONDS: Final = 3_600

_TICKET: Final = re.compile(
    r"okt_(?P<viewer>[0-3s])(?P<ends>[0-9a-f]{8})(?P<mac>[\w-]{32})", re.ASCII
)
_SPECTATOR: Final = "s"


@dataclass(frozen=True, slots=True)
class Ticket:
    """A ticket, and when it ends in milliseconds since 1970 UTC."""

    ticket: str
    expires_at: int


class Tickets:
    """Issues tickets and proves them."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    def issue(self, record: GameRecord, seat: int | None, now: int) -> Ticket:
        """Return a ticket for a viewer's stream that is good for an hour."""
        viewer = _SPECTATOR if seat is None else str(seat)
        ends = now // 1000 + TICKET_SECONDS
        mac = self._macs(record, viewer, f"{ends:08x}")[0]
        return Ticket(f"okt_{viewer}{ends:08x}{mac}", ends * 1000)

    def viewer_of(self, record: GameRecord, ticket: str, now: int) -> int | None:
        """Return the seat whose stream a ticket opens, or nothing for a spectator's.

        :raises Refusal: ``game_not_found`` for a private game, ``token_invalid`` for a public one.
        """
        found = _TICKET.fullmatch(ticket)
        if found is None or int(found["ends"], 16) * 1000 <= now or not self._proved(record, found):
            raise game_not_found() if record.visibility == "private" else ticket_invalid()
        return None if found["viewer"] == _SPECTATOR else int(found["viewer"])

    def _proved(self, record: GameRecord, found: re.Match[str]) -> bool:
        macs = self._macs(record, found["viewer"], found["ends"])
        return any(hmac.compare_digest(found["mac"], mac) for mac in macs)

    def _macs(self, record: GameRecord, viewer: str, ends: str) -> tuple[str, ...]:
        """Return the MACs under all keys, none for a seat that nobody holds."""
        if viewer == _SPECTATOR:
            return self._tokens.macs("ticket", record.game_id, viewer, "", ends)
        player = record.players[int(viewer)] if int(viewer) < len(record.players) else None
        if player is None:
            return ()
        return self._tokens.macs("ticket", record.game_id, viewer, player.nonce, ends)


def ticket_invalid() -> Refusal:
    """Return the answer to a ticket that opens nothing here."""
    return Refusal(
        "token_invalid",
        "That ticket opens no stream of this game: it is forged, older than an hour, of another "
        "game, or the token that asked for it was renewed since. Ask for a new one with POST "
        "…/stream-tickets.",
    )
