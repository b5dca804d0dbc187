"""One seat of one game: its views, its moves, its records."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import uuid4

from oklahoma_gin._requestor import Call, Requestor
from oklahoma_gin.errors import Problem
from oklahoma_gin.models import Card, Layoff, View
from oklahoma_gin.records import EventPage, RoundRecord, Score


class Seat:
    """A seat that its token opens; `game` is the last view known, and every move rests on it.

    A move raises the `Problem` that refused it; where that carries a view, `game` is it already.
    Use a seat from one thread at a time; several seats may share one client.
    """

    def __init__(
        self, requestor: Requestor, game: View, seat: int, token: str, invite: str | None = None
    ) -> None:
        self._requestor = requestor
        self.game = game
        self.seat = seat
        self.token = token
        self.invite = invite

    def __repr__(self) -> str:
        return f"<Seat {self.seat} of game {self.game_id} at version {self.game.version}>"

    @property
    def game_id(self) -> str:
        """The id that another player joins with."""
        return self.game.game_id

    def view(self, wait: float | None = None) -> View:
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
        return self._move("knock", discard=discard, melds=_lists(melds))

    def layoff(
        self,
        layoffs: Iterable[Layoff] | None = None,
        melds: Iterable[Iterable[Card]] | None = None,
    ) -> View:
        """Answer a knock, once; what is None the service fills in, `layoffs=[]` is none at all."""
        named = None if layoffs is None else [{"card": a.card, "meld": a.meld} for a in layoffs]
        return self._move("layoff", layoffs=named, melds=_lists(melds))

    def resign(self) -> View:
        """Leave the game for good."""
        return self._move("resign")

    def score(self) -> Score:
        """The score sheet so far."""
        return self._requestor.fetch(Score, self._get("score"))

    def round(self, number: int) -> RoundRecord:
        """A finished round whole, hidden cards and shuffle included."""
        return self._requestor.fetch(RoundRecord, self._get("rounds", str(number)))

    def events_page(self, after: int = 0, limit: int | None = None) -> EventPage:
        """Events after version `after`, at most `limit` of them: 20 unless named, up to 100."""
        call = self._get("events", query={"after": after, "limit": limit})
        return self._requestor.fetch(EventPage, call)

    def _path(self, *rest: str) -> tuple[str, ...]:
        return ("v1", "games", self.game_id, *rest)

    def _get(self, *rest: str, query: Mapping[str, int | None] | None = None) -> Call:
        return Call("GET", self._path(*rest), token=self.token, query={**(query or {})})

    def _move(self, name: str, **fields: object) -> View:
        """Send one move, based on `game` and under a key of its own, and keep the view it gives."""
        call = Call(
            "POST",
            self._path(name),
            token=self.token,
            body=named_fields(fields) or None,
            headers={"If-Match": self.game.etag, "Idempotency-Key": str(uuid4())},
        )
        try:
            self.game = self._requestor.fetch(View, call)
        except Problem as problem:
            self.game = problem.game or self.game
            raise
        return self.game


def named_fields(fields: Mapping[str, object]) -> dict[str, object]:
    """The fields that say something: the service takes an absent one, and refuses null."""
    return {name: value for name, value in fields.items() if value is not None}


def _lists(melds: Iterable[Iterable[Card]] | None) -> Sequence[Sequence[Card]] | None:
    return None if melds is None else [list(meld) for meld in melds]
