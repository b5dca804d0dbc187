"""Seats: take one, give it up, renew its token."""

from typing import Any

from service.api.operation import Call, Reply, Resource
from service.api.resources.replies import move_reply, seat_reply
from service.api.schemas.pages import CreatedSchema, MovedSchema, SeatedSchema
from service.api.schemas.requests import (
    BotSchema,
    EntropySchema,
    JoinSchema,
    NothingSchema,
    RemoveSchema,
)

seats = Resource("seats", "Take a seat, give it up, renew its token.")

OF_A_SEAT: dict[str, Any] = {
    "answer": MovedSchema,
    "auth": "required",
    "key": "optional",
    "condition": "If-Match",
    "stored": True,
    "shows": "Moved",
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
    "/v1/games/{game_id}/bots",
    "addBot",
    body=BotSchema,
    refusals=("host_only", "game_full", "wrong_phase", "game_over"),
    example={"level": "medium", "name": "Rosie"},
    **OF_A_SEAT,
)
def add_bot(call: Call, game_id: str) -> Reply:
    """Seat a bot.

    For the host alone, before the first deal; the lowest free seat is taken. A bot sees what its
    seat sees, and plays in the request that gives it the turn.
    """
    level, name = call.body["level"], call.body.get("name")
    return move_reply(call.services.games.add_bot(game_id, level, name, call.ask))


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
    return move_reply(call.services.games.leave(game_id, call.ask))


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
    return move_reply(call.services.games.remove(game_id, call.body["seat"], call.ask))


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


@seats.post(
    "/v1/games/{game_id}/rematch",
    "callRematch",
    status=201,
    body=NothingSchema,
    refusals=("wrong_phase",),
    **{**OF_A_SEAT, "answer": CreatedSchema, "shows": "Created"},
)
def call_rematch(call: Call, game_id: str) -> Reply:
    """Play on with the same seats and rules.

    Makes a new game in which all seats are taken and returns the caller's. The seats move down by
    one, or by as many as bring a person, not a bot, to seat 0. All who ask get the same game, each
    with a token of their own, whenever they ask and whatever their If-Match once it stands, until
    they give that seat up or renew its token. The new host gets the invite, others null.
    """
    return seat_reply(call.services.games.rematch(game_id, call.ask), created=True)
