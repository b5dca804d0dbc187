"""Games: create one, look at it."""

from dataclasses import dataclass

from service.api.operation import Call, Reply, Resource
from service.api.resources.replies import game_reply, seat_reply
from service.api.schemas.pages import CreatedSchema, OwnSeatSchema
from service.api.schemas.requests import ChosenRules, CreateGameSchema, InviteQuery
from service.api.schemas.responses import GameSchema
from service.games.changes import NewGame
from service.games.errors import Refusal
from service.games.view import GameView
from service.rules.ruleset import DEFAULT_PRESET, MIN_SEATS, PRESETS

games = Resource("games", "Create a game and look at it.")


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A token's game and seat."""

    game_id: str
    seat: int
    game: GameView


@games.post(
    "/v1/games",
    "createGame",
    answer=CreatedSchema,
    status=201,
    body=CreateGameSchema,
    key="secret",
    stored=True,
    refusals=("invalid_rules",),
    example={"name": "Ann", "rules": {"preset": "oklahoma", "target_score": 100}},
    shows="Created",
)
def create_game(call: Call) -> Reply:
    """Create a game.

    The caller becomes its host in seat 0 and gets the seat's token, and the invite that opens a
    private game. Under an Idempotency-Key, which is a secret here, a repeat returns the same game
    and the same token.
    """
    return seat_reply(call.services.games.create(_new_game(call), call.ask), created=True)


@games.get(
    "/v1/games/{game_id}",
    "getGame",
    answer=GameSchema,
    query=InviteQuery,
    auth="optional",
    condition="If-None-Match",
    stored=True,
    shows="Game",
)
def get_game(call: Call, game_id: str) -> Reply:
    """Look at a game.

    With a token the view is that seat's; without one it is a spectator's, who sees the public
    facts. `actions` is the complete truth about what the caller may do now.
    """
    return game_reply(call.services.games.look(game_id, call.caller))


@games.get(
    "/v1/seat",
    "getSeat",
    answer=OwnSeatSchema,
    auth="required",
    condition="If-None-Match",
    stored=True,
    shows="OwnSeat",
)
def get_seat(call: Call) -> Reply:
    """Find the seat of a token.

    Needs nothing but the token, and tells the game and the seat that it opens.
    """
    view = call.services.games.seat(call.caller)
    if view.you is None:
        raise Refusal("token_invalid", "The token opens no seat; send the latest one.")
    return Reply(OwnSeat(view.game_id, view.you.seat, view), etag=view.etag, game_id=view.game_id)


def _new_game(call: Call) -> NewGame:
    body = call.body
    chosen = body.get("rules") or ChosenRules(DEFAULT_PRESET, PRESETS[DEFAULT_PRESET].rules)
    return NewGame(
        name=body["name"],
        seats=body.get("seats", MIN_SEATS),
        preset=chosen.preset,
        rules=chosen.rules,
        visibility=body.get("visibility", "public"),
        turn_seconds=body.get("turn_seconds", 0),
        timeout_action=body.get("timeout_action", "autoplay"),
        decks=body.get("deck", ()),
    )
