"""Who is asking: what a token or an invite opens of a game."""

from dataclasses import dataclass

from service.games.errors import Refusal
from service.games.record import GameRecord
from service.games.tokens import Claim, Tokens, read_token


@dataclass(frozen=True, slots=True)
class Caller:
    """What a caller showed: a seat token, an invite, both or neither."""

    token: str | None = None
    invite: str | None = None


def claim_of(caller: Caller, game_id: str) -> Claim | None:
    """Return what the caller's token claims in this game, if it is of this game at all."""
    claim = read_token(caller.token) if caller.token else None
    return claim if claim and claim.game_id == game_id else None


def game_not_found() -> Refusal:
    """Return the answer to whoever may not know that a game exists, and where none does."""
    return Refusal(
        "game_not_found",
        "There is no such game, or it is private and needs a seat token or its invite. Check the "
        "game id, or ask the host for the invite.",
    )


def viewer_of(record: GameRecord, caller: Caller, tokens: Tokens) -> int | None:
    """Return the caller's seat, or nothing for a spectator who may watch.

    :raises Refusal: ``game_not_found`` where a private game is not theirs to see,
        ``token_invalid`` where a token opens no seat of this game.
    """
    seat = seat_of(record, caller, tokens)
    if seat is not None:
        return seat
    if record.visibility == "private" and not _invited(record, caller, tokens):
        raise game_not_found()
    if caller.token is not None:
        raise token_invalid()
    return None


def token_required() -> Refusal:
    """Return the answer to a spectator who asks for what only a seat may do."""
    return Refusal(
        "token_required",
        "That takes a seat. Send the token that creating or joining the game gave you, as "
        "'Authorization: Bearer okg_...'.",
    )


def token_invalid() -> Refusal:
    """Return the answer to a token that opens nothing here."""
    return Refusal(
        "token_invalid",
        "That token opens no seat of this game: it is forged, renewed since, of another game or "
        "of a seat that was given up. Send the newest token that this game gave you.",
    )


def _invited(record: GameRecord, caller: Caller, tokens: Tokens) -> bool:
    return caller.invite is not None and tokens.invites(caller.invite, record.game_id)


def seat_of(record: GameRecord, caller: Caller, tokens: Tokens) -> int | None:
    """Return the seat that the caller's token opens in a game, if it opens one."""
    claim = claim_of(caller, record.game_id)
    if claim is None or caller.token is None or claim.seat >= len(record.players):
        return None
    player = record.players[claim.seat]
    if player is None or player.occupancy != claim.occupancy:
        return None
    return claim.seat if tokens.opens(caller.token, claim, player.nonce) else None
