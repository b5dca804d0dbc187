"""Waiting for one's turn by long-polls, and claiming the time of who is late."""

from math import ceil, inf
from typing import Final, Protocol

from oklahoma_gin._requestor import Requestor
from oklahoma_gin.errors import DeadlineNotPassed, Problem, WaitTimeout
from oklahoma_gin.models import View

LONGEST_HOLD: Final = 25
IDLE_PAUSE: Final = 0.2
EARLY_PAUSE: Final = 1.0
LOST_RACES: Final = frozenset({409, 412})


class Waiting(Protocol):
    """A seat, as far as waiting needs one."""

    game: View
    seat: int

    def view(self, wait: int | None = None) -> View:
        """The current view, held until it changes."""

    def claim(self) -> View:
        """Apply the time-out of the seat on turn."""


def wait_for_turn(
    seat: Waiting, requestor: Requestor, timeout: float | None, *, claim: bool
) -> View:
    """The view in which a seat may move or deal, or that ends the game; raises `WaitTimeout`."""
    until = inf if timeout is None else requestor.clock() + timeout
    view = seat.view()
    while not _may_act(view, seat.seat):
        now = requestor.clock()
        deadline = _deadline(view) if claim else inf
        if now >= until:
            raise WaitTimeout(
                f"Seat {seat.seat} was not on turn within {timeout} seconds. Wait again, or let "
                "wait_for_turn claim the time of who is late."
            )
        if now > deadline:
            view = _claimed(seat, requestor)
        else:
            view = _held(seat, requestor, min(until, deadline) - now)
    return view


def _may_act(view: View, seat: int) -> bool:
    on_turn = view.round is not None and view.round.turn == seat
    return on_turn or view.actions.deal or view.result is not None


def _deadline(view: View) -> float:
    return inf if view.turn_deadline is None else view.turn_deadline.timestamp()


def _held(seat: Waiting, requestor: Requestor, seconds: float) -> View:
    """The view after the next change; a server that goes down holds no call."""
    before = seat.game
    view = seat.view(wait=ceil(max(1, min(LONGEST_HOLD, seconds))))
    if view is before:
        requestor.pause(IDLE_PAUSE)
    return view


def _claimed(seat: Waiting, requestor: Requestor) -> View:
    """The view after a claim, or after the move that came before it."""
    try:
        return seat.claim()
    except DeadlineNotPassed:
        requestor.pause(EARLY_PAUSE)  # the clock here is ahead of the service's
    except Problem as problem:
        if problem.status not in LOST_RACES:
            raise
    return seat.game
