"""Following without servers: a feed in memory, and streams over the store of some use cases."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from service.games.access import Caller
from service.games.errors import Refusal
from service.games.follow import Followers
from service.games.ports import Applied, Commit, GameStore, Outcome
from service.games.record import Visibility
from service.games.stream import Pace, Position, Stream, Told
from service.games.streams import Streams
from service.games.usecases import Games
from tests.games.playing import Table, WatchedStore

HEARTBEAT = 0.02
PATIENCE = 10.0
QUICK = Pace(heartbeat=0.01, lasts=60.0)


class MemoryFeed:
    """Tells of commits that a ``PublishingStore`` makes; ``deaf`` loses them as a network does."""

    def __init__(self) -> None:
        self.watches: defaultdict[str, list[Callable[[], None]]] = defaultdict(list)
        self.deaf = False

    def watch(self, game_id: str, heard: Callable[[], None]) -> Callable[[], None]:
        self.watches[game_id].append(heard)
        return lambda: self.watches[game_id].remove(heard)

    def tell(self, game_id: str) -> None:
        for heard in () if self.deaf else tuple(self.watches[game_id]):
            heard()


class PublishingStore(WatchedStore):
    """A store in memory that tells a feed of its commits, and counts readings of games."""

    def __init__(self, feed: MemoryFeed) -> None:
        super().__init__()
        self.feed = feed
        self.reads = 0

    def load(self, *asked: Any, **words: Any) -> Any:
        self.reads += 1
        return super().load(*asked, **words)

    def commit(self, commit: Commit) -> Outcome:
        outcome = super().commit(commit)
        if isinstance(outcome, Applied):
            self.feed.tell(commit.record.game_id)
        return outcome


def followers_over(store: GameStore, feed: MemoryFeed | None = None, most: int = 100) -> Followers:
    return Followers(store, feed or MemoryFeed(), most)


def streams_over(
    games: Games, followers: Followers | None = None, pace: Pace | None = None
) -> Streams:
    """Return the streams of the games that some use cases keep."""
    store = games._store
    return Streams(
        store,
        games._clock,
        games._tokens,
        followers or followers_over(store),
        pace or Pace(HEARTBEAT, 60.0),
    )


def heard(stream: Iterator[Told | None], versions: int) -> list[Told]:
    """Return what a stream tells up to a version, quiet moments left out."""
    told: list[Told] = []
    while not told or told[-1].news.record.version < versions:
        if (each := next(stream)) is not None:
            told.append(each)
    return told


class Seen:
    """A table with streams over it."""

    def __init__(self, visibility: Visibility = "public", pace: Pace = QUICK) -> None:
        feed = MemoryFeed()
        store = PublishingStore(feed)
        self.store = store
        self.table = Table(store=store, visibility=visibility)
        self.followers: Followers = followers_over(store, feed)
        self.streams: Streams = streams_over(self.table.games, self.followers, pace)

    def caller(self, seat: int | None) -> Caller:
        return Caller(None if seat is None else self.table.tokens[seat])

    def open(
        self, seat: int | None = 0, position: Position | None = None, *, linger: float = 0.0
    ) -> Stream:
        caller = self.caller(seat)
        return self.streams.open(self.table.game_id, caller, None, position, linger=linger)

    def ticket(self, seat: int | None = 0) -> str:
        return self.streams.ticket(self.table.game_id, self.caller(seat)).ticket

    def by_ticket(self, ticket: str) -> Stream:
        return self.streams.open(self.table.game_id, Caller(), ticket)


def begins_with(stream: Stream) -> list[int]:
    """Return the versions of the events that a stream begins with, 0 for the game whole."""
    first = next(iter(stream))
    if first is None:
        return []
    return [logged.version for logged in first.events()] or [0]


def code_or_answer(ask: Callable[[], object]) -> object:
    try:
        return ask()
    except Refusal as refused:
        return refused.code
