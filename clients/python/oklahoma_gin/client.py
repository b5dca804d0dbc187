"""The way in: create, join or find a game, and what the service tells without one."""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Self
from uuid import uuid4

from oklahoma_gin._place import Viewer
from oklahoma_gin._requestor import Call, Requestor
from oklahoma_gin.models import (
    Admission,
    Card,
    RoundResult,
    RuleValue,
    SeatLookup,
    View,
)
from oklahoma_gin.records import (
    HandAnalysis,
    HandToSettle,
    LayoffAnalysis,
    LobbyGame,
    LobbyPage,
    RuleBook,
)
from oklahoma_gin.seat import Seat, layoff_objects, meld_lists, named_fields
from oklahoma_gin.streams import EventStream


class Client:
    """An Oklahoma Gin service at `base_url`; may be shared by threads.

    `timeout` is in seconds, for connecting and for each read; `retries` is how often a call is
    repeated whose outcome is unknown. `sleep`, `jitter` and `clock` (seconds since 1970) are there
    for tests.
    """

    def __init__(
        self,
        base_url: str,
        *,
        timeout: float = 10.0,
        retries: int = 5,
        sleep: Callable[[float], None] | None = None,
        jitter: Callable[[], float] = random.random,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._requestor = Requestor(
            base_url, timeout=timeout, retries=retries, sleep=sleep, jitter=jitter, clock=clock
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Drop the connections that are kept open; seats of this client go with them."""
        self._requestor.close()

    def create_game(  # noqa: PLR0913  # a keyword for each field of the request
        self,
        name: str,
        *,
        seats: int = 2,
        preset: str | None = None,
        rules: Mapping[str, RuleValue] | None = None,
        visibility: str | None = None,
        turn_seconds: int | None = None,
        timeout_action: str | None = None,
        deck: Iterable[Iterable[Card]] | None = None,
        bots: Sequence[str] = (),
        deal: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Seat:
        """Create a game and sit down as its host, seat 0.

        `rules` are options on top of `preset`. A turn lasts `turn_seconds`, without a clock unless
        named; whoever is late is then played for (`timeout_action="autoplay"`) or out
        (`"forfeit"`). `bots` are the levels of bots for the next seats; where they fill the table,
        `deal=True` deals the first round at once. `deck` lists the decks of the first rounds, for
        sandbox services. `idempotency_key`, a secret of at least 22 characters, makes the same call
        give the same game and token again, from another process too.
        """
        fields = {
            "name": name,
            "seats": seats,
            "rules": _chosen_rules(preset, rules),
            "visibility": visibility,
            "turn_seconds": turn_seconds,
            "timeout_action": timeout_action,
            "deck": meld_lists(deck),
            "bots": [{"level": level} for level in bots] or None,
            "deal": deal,
        }
        return self._sit(("v1", "games"), fields, idempotency_key)

    def join(
        self,
        game_id: str,
        name: str,
        *,
        invite: str | None = None,
        entropy: str | None = None,
        idempotency_key: str | None = None,
    ) -> Seat:
        """Take the lowest free seat; a private game asks for its `invite`."""
        fields = {"name": name, "invite": invite, "entropy": entropy}
        return self._sit(("v1", "games", game_id, "players"), fields, idempotency_key)

    def seat(self, token: str) -> Seat:
        """The seat that a kept token opens."""
        found = self._requestor.fetch(SeatLookup, Call("GET", ("v1", "seat"), token=token))
        return Seat(self._requestor, found.game, found.seat, token)

    def view(
        self,
        game_id: str,
        *,
        invite: str | None = None,
        since: View | None = None,
        wait: int | None = None,
    ) -> View:
        """A spectator's view; with `since`, waits up to `wait` seconds for a newer one."""
        call = Call(
            "GET",
            ("v1", "games", game_id),
            query={"invite": invite, "wait": wait},
            headers={} if since is None else {"If-None-Match": since.etag},
            wait=wait or 0.0,
        )
        if since is None:
            return self._requestor.fetch(View, call)
        return self._requestor.fetch_changed(View, call) or since

    def events(
        self,
        game_id: str,
        *,
        after: int | None = None,
        invite: str | None = None,
        linger: int = 0,
    ) -> EventStream:
        """What happens in a game as a spectator sees it, after version `after`.

        Without one it begins with a `Snapshot` of the game as it stands. It ends with the game, or
        with `linger` with its rematch or so many seconds later, 600 at most.
        """
        viewer = Viewer(game_id, lambda: None, invite)
        return EventStream(self._requestor, viewer, after, linger=linger)

    def games(
        self, *, status: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> LobbyPage:
        """A page of the public games that are `"waiting"` for players, or of those `"playing"`.

        The newest come first; without a `status` they are those that wait.
        """
        query = {"status": status, "limit": limit, "cursor": cursor}
        return self._requestor.fetch(LobbyPage, Call("GET", ("v1", "games"), query=query))

    def open_games(self) -> Iterator[LobbyGame]:
        """All public games that wait for players, page after page."""
        return self._all_games(None)

    def games_to_watch(self) -> Iterator[LobbyGame]:
        """All public games that are being played, page after page."""
        return self._all_games("playing")

    def _all_games(self, status: str | None) -> Iterator[LobbyGame]:
        cursor: str | None = None
        while True:
            page = self.games(status=status, limit=100, cursor=cursor)
            yield from page.games
            cursor = page.next_cursor
            if cursor is None:
                return

    def rules(self) -> RuleBook:
        """Every preset and option that games may be created with."""
        return self._requestor.fetch(RuleBook, Call("GET", ("v1", "rules")))

    def analyse_hand(self, hand: Iterable[Card], *, knock_limit: int | None = None) -> HandAnalysis:
        """The best split of 1 to 11 cards, and what each discard would leave of 8 or 11."""
        body = named_fields({"hand": list(hand), "knock_limit": knock_limit})
        call = Call("POST", ("v1", "analysis", "hand"), body=body)
        return self._requestor.fetch(HandAnalysis, call)

    def analyse_layoff(
        self, hand: Iterable[Card], melds: Iterable[Iterable[Card]]
    ) -> LayoffAnalysis:
        """The best answer of a hand to a knocker's `melds`, and every layoff within reach."""
        body = {"hand": list(hand), "melds": meld_lists(melds)}
        call = Call("POST", ("v1", "analysis", "layoff"), body=body)
        return self._requestor.fetch(LayoffAnalysis, call)

    def analyse_settlement(
        self,
        hands: Iterable[HandToSettle],
        *,
        upcard: Card,
        knocker: int,
        discard: Card | None = None,
        preset: str | None = None,
        rules: Mapping[str, RuleValue] | None = None,
        knock_limit: int | None = None,
    ) -> RoundResult:
        """The result if seat `knocker` went out now; `hands` are by seat.

        The knocker's hand holds the `discard`; without one it is big gin. `knock_limit` replaces
        the limit that the rules and the upcard give.
        """
        fields = {
            "rules": _chosen_rules(preset, rules) or {},
            "upcard": upcard,
            "knocker": knocker,
            "seats": [_hand_to_settle(hand) for hand in hands],
            "discard": discard,
            "knock_limit": knock_limit,
        }
        call = Call("POST", ("v1", "analysis", "settlement"), body=named_fields(fields))
        return self._requestor.fetch(RoundResult, call)

    def _sit(self, path: tuple[str, ...], fields: Mapping[str, object], key: str | None) -> Seat:
        headers = {"Idempotency-Key": key or str(uuid4())}
        call = Call("POST", path, body=named_fields(fields), headers=headers)
        taken = self._requestor.fetch(Admission, call)
        return Seat(
            self._requestor, taken.game, taken.seat, taken.token, taken.invite, taken.events
        )


def _chosen_rules(
    preset: str | None, rules: Mapping[str, RuleValue] | None
) -> Mapping[str, object] | None:
    return named_fields({"preset": preset, **(rules or {})}) or None


def _hand_to_settle(hand: HandToSettle) -> Mapping[str, object]:
    return named_fields(
        {
            "hand": list(hand.hand),
            "melds": meld_lists(hand.melds),
            "layoffs": layoff_objects(hand.layoffs),
        }
    )
