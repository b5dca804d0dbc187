"""What streams and waiting requests are asked for, and the ticket for a stream."""

import re
from typing import Any, ClassVar, Final

from service.api.schemas.fields import Choice, Digits, Taken
from service.api.schemas.fields import Text as TextOf
from service.api.schemas.requests import PAGE, InviteQuery
from service.api.schemas.shown import Answer, Moment, Text
from service.games.stream import Position

LONGEST_WAIT: Final = 25
LONGEST_LINGER: Final = 600

_POSITION: Final = re.compile(r"(\d{1,16})(?:-[\w-]{1,64})?", re.ASCII)


def position_in(text: str) -> Position | None:
    """Return the position that a version or an event's id names, or nothing."""
    found = _POSITION.fullmatch(text)
    if found is None:
        return None
    return Position(int(found[1]), None if text == found[1] else text)


class PositionField(Taken):
    """A place in the log."""

    takes: ClassVar[str] = "a version, such as 17, or the id of an event, such as 17-9f3c1a2b"
    shape: ClassVar[dict[str, Any]] = {
        "type": "string",
        "pattern": "^[0-9]{1,16}(-[A-Za-z0-9_-]{1,64})?$",
        "example": "17-4c1d2e3f",
    }

    def read(self, value: Any) -> Position:
        return position_in(value) or self.refuse(value)


class GameQuery(InviteQuery):
    """Whether to wait for a change."""

    wait = Digits(
        "Seconds to wait, under If-None-Match, until the view is another one.",
        0,
        LONGEST_WAIT,
        default=0,
    )


class EventsQuery(InviteQuery):
    """Which page of the log, and whether to wait for it."""

    after = Digits("Events with a version above this.", 0, 2**53, default=0)
    limit = Digits("The most events to return.", 1, 100, default=PAGE)
    wait = Digits(
        "Seconds to wait, where `after` is the game's version, for the event after it.",
        0,
        LONGEST_WAIT,
        default=0,
    )
    include = Choice(
        "`view`: the game too, as `game`, on a page that leads to its version.", ("view",)
    )


class StreamQuery(InviteQuery):
    """Where a stream begins, what is in it and who reads it."""

    after = PositionField(
        "Begin after this version or event, instead of with a snapshot; Last-Event-ID comes before "
        "it."
    )
    include = Choice("`view`: the game too, as `game`, with the last event of a commit.", ("view",))
    ticket = TextOf("A ticket, in place of the token.", 200)
    linger = Digits(
        "Seconds to stay after the game's last event, until `rematched` comes.",
        0,
        LONGEST_LINGER,
        default=0,
    )


class StreamTicketSchema(Answer):
    """A ticket for one viewer's stream; it opens nothing else."""

    ticket = Text("The ticket (`okt_…`), for `?ticket=`; good for any number of connections.")
    expires_at = Moment("When it ends; it ends with the token that asked for it, too.")
