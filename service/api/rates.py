"""How often a caller may ask, counted in windows that all workers share."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from service.api.log import Log
from service.games.ports import StoreUnavailable

QUIET_SECONDS: Final = 10.0
"""A limiter that cannot count is told of in the log no more often."""


class Counters(Protocol):
    """Counts what is named, for all workers together."""

    def add(self, name: str, seconds: int, amount: int = 1) -> int:
        """Return the count under a name, which is forgotten some seconds after it was first used.

        :raises StoreUnavailable: if it cannot be counted.
        """


@dataclass(frozen=True, slots=True)
class Policy:
    """So many requests in so many seconds."""

    name: str
    quota: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Charge:
    """What a request was charged: its window, how many it has left and when the next one begins."""

    policy: Policy
    window: str
    count: int
    resets: int

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """The fields of draft-ietf-httpapi-ratelimit-headers-10."""
        name, left = self.policy.name, max(0, self.policy.quota - self.count)
        return (
            ("RateLimit-Policy", f'"{name}";q={self.policy.quota};w={self.policy.seconds}'),
            ("RateLimit", f'"{name}";r={left};t={self.resets}'),
        )


@dataclass(slots=True)
class Rates:
    """Charges requests: ``seats`` is for taking seats, ``requests`` for all else.

    ``failed`` is called whenever nobody can count.
    """

    counters: Counters
    log: Log
    now: Callable[[], float]
    seats: Policy | None = None
    requests: Policy | None = None
    failed: Callable[[], None] = lambda: None
    _told_at: float = field(default=-math.inf, init=False)

    def charge(self, policy: Policy, caller: str) -> Charge | None:
        """Charge one request to a caller; none where nobody can count."""
        now = self.now()
        number = int(now // policy.seconds)
        window = f"{policy.name}:{caller}:{number}"
        count = self._add(window, policy.seconds, 1)
        resets = math.ceil((number + 1) * policy.seconds - now)
        return None if count is None else Charge(policy, window, count, resets)

    def refund(self, charge: Charge) -> Charge:
        """Take a charge back, since nothing was done."""
        count = self._add(charge.window, charge.policy.seconds, -1)
        return Charge(charge.policy, charge.window, count or charge.count - 1, charge.resets)

    def _add(self, window: str, seconds: int, amount: int) -> int | None:
        try:
            return self.counters.add(window, seconds, amount)
        except StoreUnavailable as error:
            self._tell(error)
            return None

    def _tell(self, error: StoreUnavailable) -> None:
        self.failed()
        if self.now() - self._told_at >= QUIET_SECONDS:
            self._told_at = self.now()
            self.log.warning("limiter_away", detail=str(error))
