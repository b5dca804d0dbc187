"""Seats: take one, give it up, renew its token."""

from typing import Any

from service.api.operation import Call, Reply, Resource
from service.api.resources.replies import move_reply, seat_reply
from service.api.schemas.pages import SeatedSchema
from service.api.schemas.requests import (
    EntropySchema,
    JoinSchema,
    NothingSchema,
    RemoveSchema,
)
from service.api.schemas.responses import GameSchema
from service.rules.moves import Leave, Remove

seats = Resource("seats", "Take a seat, give it up, renew its token.")

OF_A_SEAT: dict[str, Any] = {
    "answer": GameSchema,
    "auth": "required",
    "key": "optional",
    "condition": "If-Match",
    "stored": True,
    "shows": "Game",
}


@seats.post(
    "/v1/games/{game_id}/players",
    "joinGame",
    answer=SeatedSchema,
    status=201,
    body=JoinSchema,
    auth="optional",
    key="secret",
    condition="If-Match",
    stored=True,
    refusals=("already_seated", "game_full", "game_over", "wrong_phase"),
    example={"name": "Bob", "entropy": "seven herons"},
    shows="Seated",
)
def join_game(call: Call, game_id: str) -> Reply:
    """Join a game.

    The lowest free seat is taken; the token that comes back opens it. A private game needs its
    invite. Under an Idempotency-Key, which is a secret here, a repeat returns the same seat and the
    same token.
    """
    name, entropy = call.body["name"], call.body.get("entropy")
    return seat_reply(call.services.games.join(game_id, name, entropy, call.ask))


@seats.post(
    "/v1/games/{game_id}/leave",
    "leaveGame",
    body=NothingSchema,
    refusals=("wrong_phase", "game_over"),
    **OF_A_SEAT,
)
def leave_game(call: Call, game_id: str) -> Reply:
    """Give up a seat before the first deal.

    The seat is free for the next who joins, and its token opens nothing any more. A host who
    leaves ends the game, `cancelled` and without a winner.
    """
    return move_reply(call.services.games.move(game_id, Leave(), call.ask))


@seats.post(
    "/v1/games/{game_id}/remove",
    "removePlayer",
    body=RemoveSchema,
    refusals=("host_only", "wrong_phase", "game_over"),
    example={"seat": 1},
    **OF_A_SEAT,
)
def remove_player(call: Call, game_id: str) -> Reply:
    """Take a player out before the first deal.

    For the host alone; `actions.remove` lists the seats that can be freed.
    """
    return move_reply(call.services.games.move(game_id, Remove(call.body["seat"]), call.ask))


@seats.post(
    "/v1/games/{game_id}/entropy",
    "setEntropy",
    body=EntropySchema,
    refusals=("wrong_phase", "game_over"),
    example={"entropy": "seven herons"},
    **OF_A_SEAT,
)
def set_entropy(call: Call, game_id: str) -> Reply:
    """Add to the next shuffle.

    The text, at most 64 bytes in UTF-8, is mixed into the next shuffle once and shown in the
    finished round's record.
    """
    return move_reply(call.services.games.set_entropy(game_id, call.body["entropy"], call.ask))


@seats.post(
    "/v1/games/{game_id}/token",
    "renewToken",
    body=NothingSchema,
    **{**OF_A_SEAT, "answer": SeatedSchema, "shows": "Seated"},
)
def renew_token(call: Call, game_id: str) -> Reply:
    """Renew a seat's token.

    The token sent opens nothing any more, except that it may repeat this request under the same
    Idempotency-Key and gets the new token again.
    """
    return seat_reply(call.services.games.renew_token(game_id, call.ask))
