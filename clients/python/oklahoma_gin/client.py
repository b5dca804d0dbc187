"""The way in: create, join or find a game, and what the service tells without one."""

import random
import time
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Self
from uuid import uuid4

from oklahoma_gin._requestor import Call, Requestor
from oklahoma_gin.models import Admission, Card, RuleValue, SeatLookup, View
from oklahoma_gin.records import HandAnalysis, RuleBook
from oklahoma_gin.seat import Seat, named_fields


class Client:
    """An Oklahoma Gin service at `base_url`; may be shared by threads.

    `timeout` is in seconds, for connecting and for each read; `retries` is how often a call is
    repeated whose outcome is unknown. `sleep` and `jitter` are there for tests.
    """

    def __init__(
        self,
        base_url: str,
        *,
        timeout: float = 10.0,
        retries: int = 5,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._requestor = Requestor(
            base_url, timeout=timeout, retries=retries, sleep=sleep, jitter=jitter
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

    def create_game(
        self,
        name: str,
        *,
        seats: int = 2,
        preset: str | None = None,
        rules: Mapping[str, RuleValue] | None = None,
        visibility: str | None = None,
        deck: Iterable[Iterable[Card]] | None = None,
        idempotency_key: str | None = None,
    ) -> Seat:
        """Create a game and sit down as its host, seat 0.

        `rules` are options on top of `preset`; `deck` lists the decks of the first rounds, for
        sandbox services. `idempotency_key`, a secret of at least 22 characters, makes the same
        call give the same game and token again, from another process too.
        """
        chosen = named_fields({"preset": preset, **(rules or {})})
        decks = None if deck is None else [list(each) for each in deck]
        fields = {"seats": seats, "rules": chosen or None, "visibility": visibility, "deck": decks}
        return self._sit(("v1", "games"), {"name": name, **fields}, idempotency_key)

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
        wait: float | None = None,
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

    def rules(self) -> RuleBook:
        """Every preset and option that games may be created with."""
        return self._requestor.fetch(RuleBook, Call("GET", ("v1", "rules")))

    def analyse_hand(self, hand: Iterable[Card], *, knock_limit: int | None = None) -> HandAnalysis:
        """The best split of 1 to 11 cards, and what each discard would leave of 8 or 11."""
        body = named_fields({"hand": list(hand), "knock_limit": knock_limit})
        call = Call("POST", ("v1", "analysis", "hand"), body=body)
        return self._requestor.fetch(HandAnalysis, call)

    def _sit(self, path: tuple[str, ...], fields: Mapping[str, object], key: str | None) -> Seat:
        headers = {"Idempotency-Key": key or str(uuid4())}
        call = Call("POST", path, body=named_fields(fields), headers=headers)
        taken = self._requestor.fetch(Admission, call)
        return Seat(self._requestor, taken.game, taken.seat, taken.token, taken.invite)
