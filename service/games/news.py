"""News of a game, and the place where they wait for somebody who follows it."""

import threading
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from service.games.record import GameRecord, LoggedEvent

ROOM: Final = 64
"""How many news wait for a slow follower before the game whole takes their place."""


@dataclass(slots=True, eq=False)
class News:
    """What became of a game: its record and, oldest first, the events that led to it.

    ``last_id`` is the id of the record's own event. Without events the news is the game whole:
    there is no telling how it came to be.
    """

    record: GameRecord
    last_id: str
    events: tuple[LoggedEvent, ...] = ()
    _made: dict[Hashable, Any] = field(default_factory=dict)

    def once(self, name: Hashable, make: Callable[[], Any]) -> Any:
        """Return what ``make`` made when it was first asked for under this name."""
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    def whole(self) -> "News":
        """Return the same game without its events, one for all who ask."""
        whole: News = self.once("whole", lambda: News(self.record, self.last_id))
        return whole if self.events else self


class Follower:
    """Somebody's place at a game, where news wait until they are fetched."""

    __slots__ = ("_called", "_waiting", "ended")

    def __init__(self) -> None:
        self._waiting: deque[News] = deque()
        self._called = threading.Event()
        self.ended = False

    def hand(self, news: News) -> None:
        """Leave news; where there is no room, the game whole replaces all that waits."""
        if len(self._waiting) >= ROOM:
            self._waiting.clear()
            news = news.whole()
        self._waiting.append(news)
        self._called.set()

    def end(self) -> None:
        """Tell that no more news will come."""
        self.ended = True
        self._called.set()

    def next(self, seconds: float) -> News | None:
        """Return the oldest news, or nothing if none comes in time or none will come any more."""
        if not self._waiting and not self.ended:
            self._called.wait(seconds)
        self._called.clear()
        try:
            return self._waiting.popleft()
        except IndexError:
            return None


def unbroken(events: Sequence[LoggedEvent], first: int, last: int) -> bool:
    """Return whether events have each version from the first to the last, in order."""
    return [logged.version for logged in events] == list(range(first, last + 1))
