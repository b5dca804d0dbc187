"""What can go wrong: no answer, an answer that cannot be read, or a problem the service names.

`PROBLEMS` holds one class per problem code; a code that is not in it raises plain `Problem`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from oklahoma_gin.models import View


class OklahomaGinError(Exception):
    """Base of everything the SDK raises for what happened on the wire."""


class TransportError(OklahomaGinError):
    """No answer came, the repeats included; whether a move was applied is unknown."""


class UnexpectedAnswerError(OklahomaGinError):
    """A success whose body is not what this version of the SDK knows."""


class WaitTimeout(OklahomaGinError, TimeoutError):
    """The time that a caller gave `wait_for_turn` is over."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a request: a JSON Pointer into its body, and what is wrong there."""

    pointer: str
    detail: str


@dataclass(frozen=True, slots=True)
class ProblemReport:
    """A problem as it came; `retry_after` in seconds, `numbers` the integers of its code."""

    status: int
    code: str = ""
    title: str = ""
    detail: str = ""
    request_id: str = ""
    errors: tuple[Fault, ...] = ()
    game: View | None = None
    retry_after: float | None = None
    numbers: Mapping[str, int] = field(default_factory=dict)


class Problem(OklahomaGinError):
    """The service refused or failed; `game` is the caller's current view with 409 and 412."""

    def __init__(self, report: ProblemReport) -> None:
        super().__init__(report)
        self.status = report.status
        self.code = report.code
        self.title = report.title
        self.detail = report.detail
        self.request_id = report.request_id
        self.errors = report.errors
        self.game = report.game
        self.retry_after = report.retry_after
        self.numbers = report.numbers

    def __str__(self) -> str:
        head = f"{self.status} {self.code}".strip()
        faults = "".join(f"; {fault.pointer or '/'}: {fault.detail}" for fault in self.errors)
        trace = f" (request {self.request_id})" if self.request_id else ""
        return f"{head}: {self.detail or self.title}{faults}{trace}"


class MalformedRequest(Problem):
    """The request could not be read: broken JSON, a bad header, key or cursor."""


class InternalError(Problem):
    """The service failed; report it with `request_id`."""


class TokenRequired(Problem):
    """The call needs a seat token."""


class TokenInvalid(Problem):
    """The token opens no seat, or not one of this game."""


class HostOnly(Problem):
    """Only the seat that created the game may do this."""


class GameNotFound(Problem):
    """No such game, or a private one without its invite."""


class RoundNotFound(Problem):
    """The game has no such finished round."""


class NotFound(Problem):
    """No such resource."""


class MethodNotAllowed(Problem):
    """The resource does not take this method."""


class NotAcceptable(Problem):
    """The service cannot answer in the media type asked for."""


class BodyTooLarge(Problem):
    """The request body is over the service's limit."""


class UnsupportedMediaType(Problem):
    """The request body is not `application/json`."""


class NotYourTurn(Problem):
    """Another seat is to move."""


class WrongPhase(Problem):
    """The move belongs to another phase of the round."""


class SourceUnavailable(Problem):
    """The pile cannot be drawn from now."""


class GameFull(Problem):
    """No seat is free."""


class GameNotFull(Problem):
    """A seat is still free."""


class AlreadySeated(Problem):
    """The caller already holds a seat of this game."""


class GameOver(Problem):
    """The game has ended."""


class DeadlineNotPassed(Problem):
    """The seat to move still has time."""


class StaleVersion(Problem):
    """The game has moved on since the view that the move was based on."""


class InvalidRequest(Problem):
    """Fields of the request are wrong; `errors` names each of them."""


class CardNotInHand(Problem):
    """The caller does not hold a card that the move names."""


class CardJustTaken(Problem):
    """The card taken from the discard pile may not be thrown in the same turn."""


class InvalidMelds(Problem):
    """The named melds are not melds, overlap, or use cards that are not held."""


class DeadwoodOverLimit(Problem):
    """The knock would keep more deadwood than the limit allows."""

    @property
    def deadwood_points(self) -> int:
        """The deadwood points that the knock would keep."""
        return self.numbers["deadwood_points"]

    @property
    def knock_limit(self) -> int:
        """The most that the round allows."""
        return self.numbers["knock_limit"]


class InvalidLayoff(Problem):
    """A named layoff does not fit the knocker's melds."""


class InvalidRules(Problem):
    """Options of the game's rules are unknown or out of range; `errors` names each of them."""


class IdempotencyKeyReused(Problem):
    """The key was used before, with another request."""


class RateLimited(Problem):
    """Too many requests; wait `retry_after` seconds."""


class StoreUnavailable(Problem):
    """The service cannot reach its store; whether the move was applied is unknown."""


class Draining(Problem):
    """The server is going down; another one answers soon."""


class TooManyStreams(Problem):
    """The server holds as many streams as it can."""


PROBLEMS: Mapping[str, type[Problem]] = {
    "malformed_request": MalformedRequest,
    "internal_error": InternalError,
    "token_required": TokenRequired,
    "token_invalid": TokenInvalid,
    "host_only": HostOnly,
    "game_not_found": GameNotFound,
    "round_not_found": RoundNotFound,
    "not_found": NotFound,
    "method_not_allowed": MethodNotAllowed,
    "not_acceptable": NotAcceptable,
    "body_too_large": BodyTooLarge,
    "unsupported_media_type": UnsupportedMediaType,
    "not_your_turn": NotYourTurn,
    "wrong_phase": WrongPhase,
    "source_unavailable": SourceUnavailable,
    "game_full": GameFull,
    "game_not_full": GameNotFull,
    "already_seated": AlreadySeated,
    "game_over": GameOver,
    "deadline_not_passed": DeadlineNotPassed,
    "stale_version": StaleVersion,
    "invalid_request": InvalidRequest,
    "card_not_in_hand": CardNotInHand,
    "card_just_taken": CardJustTaken,
    "invalid_melds": InvalidMelds,
    "deadwood_over_limit": DeadwoodOverLimit,
    "invalid_layoff": InvalidLayoff,
    "invalid_rules": InvalidRules,
    "idempotency_key_reused": IdempotencyKeyReused,
    "rate_limited": RateLimited,
    "store_unavailable": StoreUnavailable,
    "draining": Draining,
    "too_many_streams": TooManyStreams,
}
