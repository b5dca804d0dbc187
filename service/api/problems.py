"""The one catalogue of problems: every code with its status, and when it occurs and what to do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its status, and when it occurs and what to do."""

    code: str
    status: int
    title: str
    meaning: str

    @property
    def type(self) -> str:
        """The path of its page."""
        return f"/problems/{self.code}"


CATALOGUE: Final[Mapping[str, Kind]] = {
    kind.code: kind
    for kind in (
        Kind(
            "malformed_request",
            400,
            "Malformed request",
            "The body is not one JSON object in strict UTF-8, or a header, a query parameter or a "
            "cursor cannot be read. The detail says which; mend it and send the request again.",
        ),
        Kind(
            "token_required",
            401,
            "A seat token is required",
            "Only a seat may do this. Send the token that creating or joining the game returned, "
            "as `Authorization: Bearer okg_…`.",
        ),
        Kind(
            "token_invalid",
            401,
            "The seat token is not valid",
            "The token is malformed, belongs to another game, was renewed, or its seat was given "
            "up. Send the latest token of this game, or none to look on as a spectator.",
        ),
        Kind(
            "host_only",
            403,
            "Only the host may do that",
            "The move belongs to seat 0. Ask the host.",
        ),
        Kind(
            "game_not_found",
            404,
            "No such game",
            "The game never existed, has expired, or is private and neither one of its tokens nor "
            "its invite came with the request.",
        ),
        Kind(
            "round_not_found",
            404,
            "No such finished round",
            "The round has not been finished yet. The score sheet lists the finished ones.",
        ),
        Kind("not_found", 404, "Nothing here", "The path or the name is not one of the service."),
        Kind(
            "method_not_allowed",
            405,
            "Method not allowed",
            "The path takes other methods; the header Allow names them.",
        ),
        Kind(
            "not_acceptable",
            406,
            "Not acceptable",
            "The header Accept excludes what this operation answers with. Widen it or leave it "
            "out.",
        ),
        Kind(
            "not_your_turn",
            409,
            "Not your turn",
            "Another seat is to move. `game.round.turn` says which; wait until it is yours.",
        ),
        Kind(
            "wrong_phase",
            409,
            "Not in this phase",
            "The move belongs to another phase. `game.actions` says what can be done now.",
        ),
        Kind(
            "source_unavailable",
            409,
            "That pile is closed",
            "The pile may not be drawn from in this turn. `game.actions.draw` lists the open ones.",
        ),
        Kind("game_full", 409, "The game is full", "Every seat is taken. Join another game."),
        Kind(
            "game_not_full",
            409,
            "The game is not full",
            "A round can be dealt when every seat is taken. Wait for a player to join.",
        ),
        Kind(
            "already_seated",
            409,
            "Already seated",
            "The token sent has a seat in this game. Leave it first, or join without the token.",
        ),
        Kind(
            "game_over",
            409,
            "The game is over",
            "No move is possible any more. `game.result` tells how it ended.",
        ),
        Kind(
            "deadline_not_passed",
            409,
            "The deadline has not passed",
            "The seat to move still has time. Claim after `game.turn_deadline`.",
        ),
        Kind(
            "stale_version",
            412,
            "The game has moved on",
            "If-Match names a revision that is not the current one. Look at `game`, decide again, "
            "and send its `etag`.",
        ),
        Kind(
            "body_too_large",
            413,
            "The body is too large",
            "A body may have 16 KiB. No valid request needs as much.",
        ),
        Kind(
            "unsupported_media_type",
            415,
            "Unsupported media type",
            "Bodies are JSON in UTF-8: send `Content-Type: application/json` and no "
            "Content-Encoding.",
        ),
        Kind(
            "invalid_request",
            422,
            "The request is not valid",
            "`errors` names every field at fault, by JSON Pointer, with what it takes.",
        ),
        Kind(
            "card_not_in_hand",
            422,
            "The card is not in your hand",
            "Name a card of `game.you.hand`.",
        ),
        Kind(
            "card_just_taken",
            422,
            "The card was just taken",
            "The card taken from the discard pile may not be thrown in the same turn. "
            "`actions.discard` lists the cards that may.",
        ),
        Kind(
            "invalid_melds",
            422,
            "The melds are not valid",
            "Each meld is 3 or 4 cards of one rank, or 3 or more in sequence of one suit, all "
            "held, and no card is in two of them.",
        ),
        Kind(
            "deadwood_over_limit",
            422,
            "Too much deadwood to knock",
            "`deadwood_points` is above `knock_limit`. `actions.knock` lists the discards that "
            "allow it.",
        ),
        Kind(
            "invalid_layoff",
            422,
            "The layoff is not valid",
            "A named card does not fit the named meld. `actions.layoff.targets` lists those that "
            "do, and which cards must go first.",
        ),
        Kind(
            "invalid_rules",
            422,
            "The rules are not valid",
            "`errors` names every option at fault. GET /v1/rules lists what each takes.",
        ),
        Kind(
            "idempotency_key_reused",
            422,
            "The key was used for another request",
            "An Idempotency-Key belongs to one body. Use a new key for a new request.",
        ),
        Kind(
            "rate_limited",
            429,
            "Too many requests",
            "Wait for the seconds of Retry-After.",
        ),
        Kind(
            "internal_error",
            500,
            "Internal error",
            "Our mistake, and logged. Report the request id; whether anything was applied is told "
            "by repeating the request with the same Idempotency-Key.",
        ),
        Kind(
            "store_unavailable",
            503,
            "The store does not answer",
            "Whether the move was applied is unknown. Repeat the request with the same "
            "Idempotency-Key after the seconds of Retry-After to learn it.",
        ),
        Kind(
            "draining",
            503,
            "The server is stopping",
            "Repeat the request after the seconds of Retry-After; another server answers it.",
        ),
        Kind(
            "too_many_streams",
            503,
            "Too many streams",
            "Every place for a stream is taken. Read pages of events, or come back after the "
            "seconds of Retry-After.",
        ),
    )
}


class Problem(Exception):
    """A request that the HTTP interface refuses, by a code of the catalogue.

    ``faults`` are pairs of a JSON Pointer into the body and a sentence.
    """

    def __init__(self, code: str, detail: str, *, faults: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.faults = faults
