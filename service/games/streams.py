"""The use cases of following a game: a stream, one answer that waits, a ticket."""

from collections.abc import Callable
from time import monotonic
from typing import Final

from service.games.access import Caller, game_not_found, viewer_of
from service.games.desk import stale
from service.games.follow import Followers
from service.games.news import News, unbroken
from service.games.pages import EventPage, page_of
from service.games.ports import Clock, GameStore
from service.games.record import GameRecord, LoggedEvent
from service.games.stream import Pace, Position, Stay, Stream, Told, Viewer
from service.games.tickets import Ticket, Tickets
from service.games.tokens import Tokens
from service.games.view import Sight, etag_of

PAGE: Final = 500


class Streams:
    """The use cases of following; every method refuses as those of ``Games`` do."""

    def __init__(
        self,
        store: GameStore,
        clock: Clock,
        tokens: Tokens,
        followers: Followers,
        pace: Pace | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._tokens = tokens
        self._tickets = Tickets(tokens)
        self._pace = pace or Pace()
        self._followers = followers

    @property
    def draining(self) -> bool:
        """Whether the server stops, so that nothing waits here any more."""
        return self._followers.draining

    def drain(self) -> None:
        """End all streams and answer all who wait, because the server stops."""
        self._followers.drain()

    def open(
        self,
        game_id: str,
        caller: Caller,
        ticket: str | None = None,
        position: Position | None = None,
        *,
        whole_first: bool = False,
        linger: float = 0.0,
    ) -> Stream:
        """Return the stream of a viewer from a position on.

        Without a position, or where the log does not lead on from it, it begins with the game
        whole; with ``whole_first`` always. It stays for a rematch until ``linger`` seconds after
        the game's last event.
        """
        self._viewer(self._record(game_id), caller, ticket)
        follower, news = self._followers.join(game_id)

        def leave() -> None:
            self._followers.leave(game_id, follower)

        try:
            viewer = self._viewer(news.record, caller, ticket)
            backlog = self._backlog(news, viewer, position, whole_first=whole_first)
        except BaseException:
            leave()
            raise
        stay = Stay(linger, self._clock)
        return Stream(
            follower, viewer, backlog, self._pace, stay=stay, record=news.record, leave=leave
        )

    def wait(
        self, game_id: str, caller: Caller, unchanged: Callable[[str], bool], seconds: float
    ) -> Sight:
        """Return the game as the caller sees it once its entity tag is not ``unchanged``.

        After the seconds, or when the server stops, it is returned as it is.
        """

        def is_waited_out(news: News) -> bool:
            return not unchanged(self._sight(news, caller).etag)

        return self._sight(self._held(game_id, seconds, is_waited_out), caller)

    def events(
        self,
        game_id: str,
        caller: Caller,
        after: int,
        limit: int,
        seconds: float,
        *,
        with_view: bool,
    ) -> EventPage:
        """Return the page of the log after a version once there is an event after it.

        After the seconds, or when the server stops, it is returned as it is.
        """

        def is_past(news: News) -> bool:
            viewer_of(news.record, caller, self._tokens)
            return news.record.version != after

        news = self._held(game_id, seconds, is_past)
        told = Told(news, viewer_of(news.record, caller, self._tokens), self._tokens)
        log = self._store.events(game_id, after, limit)
        return page_of(news.record, told.seat, after, log, told.view if with_view else None)

    def ticket(
        self, game_id: str, caller: Caller, precondition: Callable[[str], bool] | None = None
    ) -> Ticket:
        """Return a ticket for the caller's own stream.

        :raises Refusal: ``stale_version`` where the precondition does not hold for the revision.
        """
        record = self._record(game_id)
        seat = viewer_of(record, caller, self._tokens)
        if precondition and not precondition(record.revision):
            raise stale(record, seat, self._tokens)
        return self._tickets.issue(record, seat, self._clock.now())

    def _held(self, game_id: str, seconds: float, ends: Callable[[News], bool]) -> News:
        """Return the game's first news that end the waiting, or the last within the seconds."""
        last = monotonic() + seconds
        follower, news = self._followers.join(game_id)
        try:
            while not ends(news) and not follower.ended and (left := last - monotonic()) > 0:
                news = follower.next(left) or news
            return news
        finally:
            self._followers.leave(game_id, follower)

    def _record(self, game_id: str) -> GameRecord:
        loaded = self._store.load(game_id)
        if loaded is None:
            raise game_not_found()
        return loaded.record

    def _viewer(self, record: GameRecord, caller: Caller, ticket: str | None) -> Viewer:
        if ticket is not None and caller.token is None:
            seat = self._tickets.viewer_of(record, ticket, self._clock.now())
        else:
            seat = viewer_of(record, caller, self._tokens)
        player = None if seat is None else record.players[seat]
        return Viewer(seat, player.nonce if player else "", self._tokens)

    def _sight(self, news: News, caller: Caller) -> Sight:
        seat = viewer_of(news.record, caller, self._tokens)
        view = Told(news, seat, self._tokens).view
        return Sight(seat, news.record.version, etag_of(news.record, seat), view)

    def _backlog(
        self, news: News, viewer: Viewer, position: Position | None, *, whole_first: bool
    ) -> tuple[Told, ...]:
        whole = viewer.told(news)
        missed = None if position is None else self._missed(news, position)
        if missed is None:
            return (whole,)
        told = (viewer.told(News(news.record, news.last_id, missed)),) if missed else ()
        return (whole, *told) if whole_first else told

    def _missed(self, news: News, position: Position) -> tuple[LoggedEvent, ...] | None:
        """Return the events after a position, or nothing where the log does not hold them all.

        A position of another history, whose event the log has otherwise or not yet, is such a one.
        """
        if position.id == news.last_id:
            return ()
        first, last = max(position.version, 1), news.record.version
        if first > last:
            return None
        events = self._events(news.record.game_id, first, last)
        if not unbroken(events, first, last):
            return None
        if position.version == 0:
            return events
        return events[1:] if position.id in (None, events[0].id) else None

    def _events(self, game_id: str, first: int, last: int) -> tuple[LoggedEvent, ...]:
        events: list[LoggedEvent] = []
        after = first - 1
        while after < last:
            page = self._store.events(game_id, after, min(PAGE, last - after)).events
            if not page:
                break
            events += page
            after = page[-1].version
        return tuple(events)
