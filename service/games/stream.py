"""One viewer's stream of a game: what they are told, and when it ends."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Any

from service.games.news import Follower, News
from service.games.ports import Clock
from service.games.record import GameRecord
from service.games.tokens import Tokens
from service.games.view import GameView, LoggedEventView, logged_for, view_of
from service.rules.legal import can_rematch


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a stream is quiet at most, and how long it lasts; seconds."""

    heartbeat: float = 10.0
    lasts: float = 600.0


@dataclass(frozen=True, slots=True)
class Position:
    """Where a viewer stands in the log: after a version, and after which event if they know."""

    version: int
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """What a viewer is told at once: events, or, without any, the game whole.

    All viewers with the same eyes share what ``view`` and ``once`` make.
    """

    news: News
    seat: int | None
    tokens: Tokens

    @property
    def id(self) -> str:
        """The id of the last event, after which the stream can be resumed."""
        return self.news.last_id

    @property
    def at(self) -> int:
        """When the last event was applied, in milliseconds since 1970 UTC."""
        return self.news.record.updated_at

    def events(self) -> tuple[LoggedEventView, ...]:
        """Return the events as the viewer gets them, oldest first."""
        return tuple(logged_for(logged, self.seat) for logged in self.news.events)

    def view(self) -> GameView:
        """Return the game as the viewer sees it after the last event."""
        made: GameView = self.once("view", self._view)
        return made

    def once(self, name: Hashable, make: Callable[[], Any]) -> Any:
        """Return what ``make`` made when a viewer with these eyes first asked for it."""
        return self.news.once((name, self.seat), make)

    def _view(self) -> GameView:
        return view_of(self.news.record, self.seat, self.tokens)


@dataclass(frozen=True, slots=True)
class Viewer:
    """A seat with the nonce of the token that opened it, or a spectator, who has neither.

    ``tokens`` makes the invite that a host is shown.
    """

    seat: int | None
    nonce: str
    tokens: Tokens

    def stands(self, record: GameRecord) -> bool:
        """Return whether the token still opens the seat."""
        if self.seat is None:
            return True
        player = record.players[self.seat]
        return player is not None and player.nonce == self.nonce

    def told(self, news: News) -> Told:
        """Return news as this viewer is told them."""
        return Told(news, self.seat, self.tokens)


@dataclass(frozen=True, slots=True)
class Stay:
    """How many seconds a stream stays after the game's last event, for word of a rematch."""

    linger: float
    clock: Clock

    def left(self, record: GameRecord) -> float:
        """Return the seconds for which a game that stands so is followed; endless while it runs."""
        if record.state.result is None:
            return inf
        if record.rematch_game_id or not can_rematch(record.state):
            return 0.0
        return max(0.0, self.linger - (self.clock.now() - record.updated_at) / 1000)


class Stream:
    """A viewer's stream: iterating gives what they are told, and nothing where it is quiet.

    It ends after the event that ends the game, or where it is to stay longer after that of the
    rematch or its ``stay``; with the token that opened it; when the server stops or after its time:
    in the last two cases ``reconnect`` is true. It has to be closed.
    """

    __slots__ = (
        "_backlog",
        "_follower",
        "_leave",
        "_left",
        "_pace",
        "_stay",
        "_viewer",
        "reconnect",
    )

    def __init__(
        self,
        follower: Follower,
        viewer: Viewer,
        backlog: tuple[Told, ...],
        pace: Pace,
        *,
        stay: Stay,
        record: GameRecord,
        leave: Callable[[], None],
    ) -> None:
        self._follower = follower
        self._viewer = viewer
        self._backlog = backlog
        self._pace = pace
        self._stay = stay
        self._left = stay.left(record)
        self._leave = leave
        self.reconnect = False

    @property
    def exhausted(self) -> bool:
        """Whether the viewer knows all of the game, and nothing more is waited for."""
        return not self._left and not self._backlog

    def __iter__(self) -> Iterator[Told | None]:
        yield from self._backlog
        self._backlog = ()
        yield from self._live()

    def close(self) -> None:
        """Give the place up."""
        self._leave()

    def _live(self) -> Iterator[Told | None]:
        now = monotonic()
        last, ends = now + self._pace.lasts, now + self._left
        while (left := min(last, ends) - monotonic()) > 0:
            news = self._follower.next(min(left, self._pace.heartbeat))
            if news is None:
                if self._follower.ended:
                    break
                yield None
                continue
            if not self._viewer.stands(news.record):
                return
            yield self._viewer.told(news)
            ends = monotonic() + self._stay.left(news.record)
        self.reconnect = monotonic() < ends
