"""One seat of one game: its views, its moves, its records."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from uuid import uuid4

from oklahoma_gin._place import Viewer
from oklahoma_gin._requestor import Call, Requestor
from oklahoma_gin._turns import wait_for_turn
from oklahoma_gin.errors import Problem
from oklahoma_gin.models import Admission, Card, Event, Layoff, View
from oklahoma_gin.records import EventPage, RoundRecord, Score, StreamTicket
from oklahoma_gin.streams import EventStream


class Seat:
    """A seat that its token opens; `game` is the last view known, and every move rests on it.

    `opening` is what happened in the request that created the game, the moves of bots included.
    A move raises the `Problem` that refused it; where that carries a view, `game` is it already.
    Use a seat from one thread at a time, its `events` apart; several seats may share one client.
    """

    def __init__(
        self,
        requestor: Requestor,
        game: View,
        seat: int,
        token: str,
        invite: str | None = None,
        opening: tuple[Event, ...] = (),
    ) -> None:
        self._requestor = requestor
        self.game = game
        self.seat = seat
        self.token = token
        self.invite = invite
        self.opening = opening

    def __repr__(self) -> str:
        return f"<Seat {self.seat} of game {self.game_id} at version {self.game.version}>"

    @property
    def game_id(self) -> str:
        """The id that another player joins with."""
        return self.game.game_id

    def view(self, wait: int | None = None) -> View:
        """The current view; `wait` holds the call until it changes, for 25 seconds at most."""
        changed = self._requestor.fetch_changed(
            View,
            Call(
                "GET",
                self._path(),
                token=self.token,
                query={"wait": wait},
                headers={"If-None-Match": self.game.etag},
                wait=wait or 0.0,
            ),
        )
        if changed is not None:
            self.game = changed
        return self.game

    def wait_for_turn(self, timeout: float | None = None, *, claim: bool = False) -> View:
        """The view as soon as this seat may move or deal, or the game is over.

        With `claim`, a seat whose time has passed is claimed meanwhile. Raises `WaitTimeout` after
        `timeout` seconds.
        """
        return wait_for_turn(self, self._requestor, timeout, claim=claim)

    def events(self, after: int | None = None, *, linger: int = 0) -> EventStream:
        """What happens after version `after`, or after the last view known; ends with the game.

        With `linger` it ends with the rematch, or so many seconds after the game, 600 at most.
        """
        viewer = Viewer(self.game_id, lambda: self.token)
        known = self.game.version if after is None else after
        return EventStream(self._requestor, viewer, known, linger=linger)

    def deal(self, entropy: str | None = None) -> View:
        """Start the next round; `entropy` is this seat's own text for the shuffle."""
        return self._move("deal", entropy=entropy)

    def pass_upcard(self) -> View:
        """Decline the upcard that is offered."""
        return self._move("pass")

    def draw(self, source: str) -> View:
        """Draw from `"stock"` or `"discard"`; taking the offered upcard is `"discard"`."""
        return self._move("draw", source=source)

    def discard(self, card: Card) -> View:
        """Throw `card` and end the turn."""
        return self._move("discard", card=card)

    def knock(
        self, discard: Card | None = None, melds: Iterable[Iterable[Card]] | None = None
    ) -> View:
        """Go out by throwing `discard`, with `melds` or the best ones; no discard is big gin."""
        return self._move("knock", discard=discard, melds=meld_lists(melds))

    def layoff(
        self,
        layoffs: Iterable[Layoff] | None = None,
        melds: Iterable[Iterable[Card]] | None = None,
    ) -> View:
        """Answer a knock, once; what is None the service fills in, `layoffs=[]` is none at all."""
        return self._move("layoff", layoffs=layoff_objects(layoffs), melds=meld_lists(melds))

    def claim(self) -> View:
        """Apply the time-out of the seat on turn, once `turn_deadline` has passed."""
        return self._move("claim")

    def resign(self) -> View:
        """Leave the running game for good."""
        return self._move("resign")

    def add_bot(self, level: str, name: str | None = None) -> View:
        """As the host, seat a bot, such as an `"easy"` or a `"medium"` one, in the lowest seat."""
        return self._move("bots", level=level, name=name)

    def remove(self, seat: int) -> View:
        """As the host, free another seat before the first deal."""
        return self._move("remove", seat=seat)

    def leave(self) -> View:
        """Give the seat up before the first deal; a host who leaves ends the game."""
        return self._move("leave")

    def set_entropy(self, entropy: str) -> View:
        """Leave a text of one's own, of 64 bytes at most, for the next shuffle."""
        self.game = self._requestor.fetch(View, self._post("entropy", entropy=entropy))
        return self.game

    def rematch(self) -> "Seat":
        """This player's seat in the game that follows; everybody who asks gets the same game."""
        taken = self._requestor.fetch(Admission, self._post("rematch"))
        return Seat(
            self._requestor, taken.game, taken.seat, taken.token, taken.invite, taken.events
        )

    def renew_token(self) -> str:
        """Change the token, so that the one so far opens nothing; returns the new one."""
        taken = self._requestor.fetch(Admission, self._post("token"))
        self.token, self.game = taken.token, taken.game
        return self.token

    def stream_ticket(self) -> StreamTicket:
        """A ticket with which a browser may follow this seat's events for an hour."""
        return self._requestor.fetch(StreamTicket, self._post("stream-tickets"))

    def score(self) -> Score:
        """The score sheet so far."""
        return self._requestor.fetch(Score, self._get("score"))

    def round(self, number: int) -> RoundRecord:
        """A finished round whole, hidden cards and shuffle included."""
        return self._requestor.fetch(RoundRecord, self._get("rounds", str(number)))

    def events_page(
        self,
        after: int = 0,
        limit: int | None = None,
        *,
        wait: int | None = None,
        with_view: bool = False,
    ) -> EventPage:
        """Events after version `after`, at most `limit` of them: 20 unless named, up to 100.

        `wait` holds the call until there is one, for 25 seconds at most; with `with_view` the page
        that leads to the game's version has the view in `game`.
        """
        include = "view" if with_view else None
        query = {"after": after, "limit": limit, "wait": wait, "include": include}
        call = replace(self._get("events", query=query), wait=wait or 0.0)
        return self._requestor.fetch(EventPage, call)

    def _path(self, *rest: str) -> tuple[str, ...]:
        return ("v1", "games", self.game_id, *rest)

    def _get(self, *rest: str, query: Mapping[str, str | int | None] | None = None) -> Call:
        return Call("GET", self._path(*rest), token=self.token, query={**(query or {})})

    def _post(self, name: str, /, **fields: object) -> Call:
        """A call under a key of its own."""
        return Call(
            "POST",
            self._path(name),
            token=self.token,
            body=named_fields(fields) or None,
            headers={"Idempotency-Key": str(uuid4())},
        )

    def _move(self, name: str, /, **fields: object) -> View:
        """Send one move, based on `game`, and keep the view it gives."""
        call = self._post(name, **fields)
        based = replace(call, headers={**call.headers, "If-Match": self.game.etag})
        try:
            self.game = self._requestor.fetch(View, based)
        except Problem as problem:
            self.game = problem.game or self.game
            raise
        return self.game


def named_fields(fields: Mapping[str, object]) -> dict[str, object]:
    """The fields that say something: the service takes an absent one, and refuses null."""
    return {name: value for name, value in fields.items() if value is not None}


def meld_lists(melds: Iterable[Iterable[Card]] | None) -> Sequence[Sequence[Card]] | None:
    """Melds as JSON has them."""
    return None if melds is None else [list(meld) for meld in melds]


def layoff_objects(layoffs: Iterable[Layoff] | None) -> Sequence[Mapping[str, object]] | None:
    """Layoffs as JSON has them."""
    return None if layoffs is None else [{"card": a.card, "meld": a.meld} for a in layoffs]
