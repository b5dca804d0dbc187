"""Following games: one reader for each followed game of a process, however many follow it.

A feed tells that a game has changed; what is new is then read once and handed to every follower.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from service.games.access import game_not_found
from service.games.errors import Refusal
from service.games.news import Follower, News, unbroken
from service.games.ports import GameStore, StoreUnavailable
from service.games.record import GameRecord, LoggedEvent

MOST_EVENTS: Final = 100
"""The most events that are handed on one by one; whoever is further behind gets the game whole."""
PAUSE_SECONDS: Final = 0.25
LOCK_SECONDS: Final = 2.0


class Feed(Protocol):
    """What tells that a game has changed."""

    def watch(self, game_id: str, heard: Callable[[], None]) -> Callable[[], None]:
        """Call ``heard`` after each commit of the game that is made once this has returned.

        It is called too whenever commits may have gone unheard, may be called for nothing, and must
        not wait. What is returned ends the watching.

        :raises StoreUnavailable: if the store cannot be listened to.
        """


@dataclass(slots=True, eq=False)
class _Followed:
    """A game and those who follow it; ``lock`` is held while what is new is read."""

    game_id: str
    lock: threading.Lock = field(default_factory=threading.Lock)
    followers: set[Follower] = field(default_factory=set)
    places: int = 0
    news: News | None = None
    unwatch: Callable[[], None] | None = None


class Followers:
    """All who follow games in this process, ``most`` at the same time.

    Nothing is started before the first one comes, so a process may be forked after this was built.
    """

    def __init__(self, store: GameStore, feed: Feed, most: int) -> None:
        self._store = store
        self._feed = feed
        self._most = most
        self._lock = threading.Lock()
        self._games: dict[str, _Followed] = {}
        self._places = 0
        self._changed: dict[_Followed, None] = {}
        self._called = threading.Event()
        self._reader: threading.Thread | None = None
        self._closed = threading.Event()
        self.draining = False

    @property
    def places(self) -> int:
        """How many follow a game now."""
        return self._places

    def join(self, game_id: str) -> tuple[Follower, News]:
        """Return a place at a game and the game whole as it stands; all later news go there.

        :raises Refusal: ``game_not_found``, ``too_many_streams`` or ``draining``.
        :raises StoreUnavailable: if the game cannot be read or listened to.
        """
        followed = self._take_place(game_id)
        try:
            follower, news = self._joined(followed)
        except BaseException:
            self._give_up_place(followed)
            raise
        if self.draining:
            follower.end()
        return follower, news

    def leave(self, game_id: str, follower: Follower) -> None:
        """Give a place up; twice is once."""
        followed = self._games.get(game_id)
        if followed and follower in followed.followers:
            followed.followers.discard(follower)
            self._give_up_place(followed)

    def drain(self) -> None:
        """Take no more followers, and end those that there are."""
        self.draining = True
        for followed in tuple(self._games.values()):
            _end(followed)

    def close(self) -> None:
        """Drain, and stop reading."""
        self.drain()
        self._closed.set()
        self._called.set()
        if self._reader:
            self._reader.join()

    def _take_place(self, game_id: str) -> _Followed:
        with self._lock:
            if self.draining:
                raise draining()
            if self._places >= self._most:
                raise too_many_streams()
            if self._reader is None:
                self._reader = threading.Thread(target=self._read, name="followers", daemon=True)
                self._reader.start()
            self._places += 1
            followed = self._games.setdefault(game_id, _Followed(game_id))
            followed.places += 1
            return followed

    def _joined(self, followed: _Followed) -> tuple[Follower, News]:
        if not followed.lock.acquire(timeout=LOCK_SECONDS):
            raise StoreUnavailable("what is new of the game is still being read")
        try:
            if followed.unwatch is None:
                watch = self._feed.watch
                followed.unwatch = watch(followed.game_id, lambda: self._hear(followed))
            news = self._catch_up(followed).whole()
            follower = Follower()
            followed.followers.add(follower)
            return follower, news
        finally:
            followed.lock.release()

    def _give_up_place(self, followed: _Followed) -> None:
        with self._lock:
            self._places -= 1
            followed.places -= 1
            if followed.places:
                return
            del self._games[followed.game_id]
            self._changed.pop(followed, None)
        if followed.unwatch:
            followed.unwatch()

    def _hear(self, followed: _Followed) -> None:
        self._changed[followed] = None
        self._called.set()

    def _read(self) -> None:
        """Read what is new of each game that was heard of, until closed."""
        while not self._closed.is_set():
            self._called.wait()
            self._called.clear()
            unread = [each for each in self._heard() if not self._read_one(each)]
            if unread:
                self._closed.wait(PAUSE_SECONDS)
                for followed in unread:
                    self._hear(followed)

    def _heard(self) -> list[_Followed]:
        heard = list(self._changed)
        for followed in heard:
            self._changed.pop(followed, None)
        return heard

    def _read_one(self, followed: _Followed) -> bool:
        """Return whether the game need not be read again."""
        try:
            with followed.lock:
                if followed.followers:
                    self._catch_up(followed)
        except StoreUnavailable:
            return False
        except Exception:  # noqa: BLE001  # other games go on; these followers ask again and learn why
            _end(followed)
        return True

    def _catch_up(self, followed: _Followed) -> News:
        """Read what is new of a game, hand it to its followers and return the latest news."""
        before = followed.news
        # From the last event that is known on, to see whether it is still the same.
        after = before.record.version - 1 if before else 0
        found = self._store.load_since(followed.game_id, after, MOST_EVENTS + 1 if before else 1)
        if found is None:
            raise game_not_found()
        record, log = found
        if before and before.record.revision == record.revision:
            return before
        followed.news = self._news(record, before, log.events)
        for follower in tuple(followed.followers):
            follower.hand(followed.news)
        return followed.news

    def _news(self, record: GameRecord, before: News | None, log: tuple[LoggedEvent, ...]) -> News:
        events = _leading(before, record, log) if before else ()
        if events:
            return News(record, events[-1].id, events)
        last = self._store.events(record.game_id, record.version - 1, 1).events
        # A log that lacks its end gives a position that nobody can resume at.
        return News(record, last[0].id if last else record.revision)


def _leading(
    before: News, record: GameRecord, log: tuple[LoggedEvent, ...]
) -> tuple[LoggedEvent, ...]:
    """Return the events that lead from news to a record, none where the log does not lead there."""
    first, last = before.record.version, record.version
    if not 0 < last - first <= MOST_EVENTS:
        return ()
    events = tuple(logged for logged in log if logged.version <= last)
    if not unbroken(events, first, last) or events[0].id != before.last_id:
        return ()
    return events[1:]


def _end(followed: _Followed) -> None:
    for follower in tuple(followed.followers):
        follower.end()


def draining() -> Refusal:
    """Return the answer to whoever would wait at a server that stops."""
    return Refusal(
        "draining",
        "This server is stopping and starts no streams. Repeat the request after the seconds of "
        "Retry-After; another server answers it.",
    )


def too_many_streams() -> Refusal:
    """Return the answer where every place is taken."""
    return Refusal(
        "too_many_streams",
        "Every place for a stream or a waiting request is taken. Repeat the request after the "
        "seconds of Retry-After, or read pages of events.",
    )
