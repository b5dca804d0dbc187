"""Pages of a game's log as one viewer gets them."""

from collections.abc import Callable
from dataclasses import dataclass

from service.games.ports import EventLog
from service.games.record import GameRecord
from service.games.view import GameView, LoggedEventView, logged_for


@dataclass(frozen=True, slots=True)
class EventPage:
    """A page of the log; ``version`` is the game's, ``first_version`` the oldest event's.

    ``view`` may be the caller's, on a page that leads to that version.
    """

    events: tuple[LoggedEventView, ...]
    first_version: int
    version: int
    view: GameView | None


def page_of(
    record: GameRecord,
    seat: int | None,
    after: int,
    log: EventLog,
    view: Callable[[], GameView] | None,
) -> EventPage:
    """Return what a log says after a version, up to the record and no further.

    ``view`` makes the seat's view of the record, where it is asked for.
    """
    last = record.version
    events = tuple(logged_for(logged, seat) for logged in log.events if logged.version <= last)
    reached = events[-1].version if events else after
    whole = view() if view and reached >= last else None
    return EventPage(events, log.first_version, last, whole)
