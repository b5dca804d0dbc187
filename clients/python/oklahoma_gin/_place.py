"""A follower's place in a game's log: what they know already, and how to read on from there."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Final

from oklahoma_gin._requestor import Call, Requestor
from oklahoma_gin.models import Event, View
from oklahoma_gin.records import EventPage, Snapshot

PAGE: Final = 100


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks at which game; the token is asked for at every call, since it may be renewed."""

    game_id: str
    token: Callable[[], str | None]
    invite: str | None = None

    def call(
        self,
        *path: str,
        query: Mapping[str, str | int | None] | None = None,
        headers: Mapping[str, str] | None = None,
        wait: float = 0.0,
        silence: float | None = None,
    ) -> Call:
        """A GET below the game."""
        return Call(
            "GET",
            ("v1", "games", self.game_id, *path),
            token=self.token(),
            query={"invite": self.invite, **(query or {})},
            headers=headers or {},
            wait=wait,
            silence=silence,
        )


class Place:
    """The version that is known, None before anything is, and the id of its event where one came.

    A game that is known to have ended is followed for `linger` seconds more, or to its rematch.
    """

    def __init__(
        self, requestor: Requestor, viewer: Viewer, version: int | None, linger: float = 0.0
    ) -> None:
        self._requestor = requestor
        self._viewer = viewer
        self._linger = linger
        self._until = inf
        self._etag: str | None = None
        self.version = version
        self.id = ""

    @property
    def left(self) -> float:
        """For how many seconds the game is followed yet; without end while it is played."""
        return max(0.0, self._until - self._requestor.clock())

    @property
    def over(self) -> bool:
        """Whether there is nothing more to follow."""
        return self.left == 0

    def stop_lingering(self) -> None:
        """Wait for nothing more in a game that has ended."""
        if self._until < inf:
            self._until = 0.0

    def arrive(self, snapshot: Snapshot) -> Snapshot:
        """Go where a snapshot stands, from whatever history."""
        self.version, self.id = snapshot.version, snapshot.id
        self._until = inf
        self._see_end(snapshot.game)
        return snapshot

    def pass_event(self, event: Event) -> Iterator[Event | Snapshot]:
        """The event if it is new, and before it what the log has that did not come."""
        if event.version > self._known + 1:
            yield from self.log()
        if event.version > self._known:
            yield self._step(event)

    def snapshot(self) -> Snapshot:
        """The game whole, as it stands now."""
        view = self._requestor.fetch(View, self._viewer.call())
        return self.arrive(Snapshot("", view.version, view))

    def log(self) -> Iterator[Event | Snapshot]:
        """All that is logged beyond the place; a snapshot where the log does not lead on."""
        while True:
            page = self._page()
            if not self._leads_on(page):
                yield self.snapshot()
                continue
            news = [event for event in page.events if event.version > self._known]
            for event in news:
                yield self._step(event)
            if not news:
                return

    def look(self, wait: int) -> Iterator[Event | Snapshot]:
        """What is new, within `wait` seconds for the first of it."""
        known = {} if self._etag is None else {"If-None-Match": self._etag}
        held = wait if known else 0
        call = self._viewer.call(query={"wait": held or None}, headers=known, wait=held)
        view = self._requestor.fetch_changed(View, call)
        if view is None:
            return
        if view.version != self.version:
            yield from self.log()
        self._etag = view.etag
        if self._known >= view.version:
            self._see_end(view)

    @property
    def _known(self) -> int:
        return self.version or 0

    def _step(self, event: Event) -> Event:
        self.version, self.id = event.version, event.id
        if event.game_result is not None:
            self._end()
        if event.type == "rematched":
            self.stop_lingering()
        return event

    def _see_end(self, view: View) -> None:
        if view.result is not None:
            self._end()
        if view.rematch_game_id is not None:
            self.stop_lingering()

    def _end(self) -> None:
        self._until = min(self._until, self._requestor.clock() + self._linger)

    def _page(self) -> EventPage:
        """The next page, and before it the event of the place, to see that the log still has it."""
        after = self._known - (1 if self.id else 0)
        call = self._viewer.call("events", query={"after": after, "limit": PAGE})
        return self._requestor.fetch(EventPage, call)

    def _leads_on(self, page: EventPage) -> bool:
        if self.id:
            return bool(page.events) and page.events[0].id == self.id
        return page.first_version <= self._known + 1 and page.version >= self._known
