"""Games: create one, look at it."""

from dataclasses import dataclass

from service.api.operation import Call, Reply, Resource, mark_of
from service.api.resources.replies import game_reply, seat_reply
from service.api.schemas.chosen_rules import ChosenRules
from service.api.schemas.pages import CreatedSchema, LobbySchema, OwnSeatSchema
from service.api.schemas.requests import (
    PAGE,
    CreateGameSchema,
    LobbyQuery,
)
from service.api.schemas.responses import GameSchema
from service.api.schemas.streams import GameQuery
from service.games.changes import NewBot, NewGame
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
    private game. With `bots` and `deal` a game against bots is one request: the round is dealt
    from the service's secret alone, since no text can be sent before the secret is committed to.
    Under an Idempotency-Key, which is a secret here, a repeat returns the same game
    and the same token.
    """
    return seat_reply(call.services.games.create(_new_game(call), call.ask), created=True)


@games.get(
    "/v1/games",
    "listGames",
    answer=LobbySchema,
    query=LobbyQuery,
    stored=True,
    shows="Lobby",
)
def list_games(call: Call) -> Reply:
    """List public games.

    Those with a free seat, or with `status=playing` those that may be watched; the newest first.
    `next_cursor` asks for the next page; null where there is none.
    """
    query = call.query
    listing, limit = query.get("status", "waiting"), query.get("limit", PAGE)
    return Reply(call.services.games.list_games(listing, limit, query.get("cursor")))


@games.get(
    "/v1/games/{game_id}",
    "getGame",
    answer=GameSchema,
    query=GameQuery,
    auth="optional",
    condition="If-None-Match",
    stored=True,
    refusals=("too_many_streams", "draining"),
    shows="Game",
)
def get_game(call: Call, game_id: str) -> Reply:
    """Look at a game.

    With a token the view is that seat's; without one it is a spectator's, who sees the public
    facts. `actions` is the complete truth about what the caller may do now. With `wait` and
    If-None-Match the answer waits until the view is another one: then it is 200, and 304 if it
    stays the same.
    """
    sight = call.services.games.look(game_id, call.caller)
    seconds, unchanged, streams = call.query.get("wait", 0), call.unchanged, call.services.streams
    if seconds and unchanged and unchanged(sight.etag) and not streams.draining:
        sight = streams.wait(game_id, call.caller, unchanged, seconds)
    return game_reply(sight)


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
    own = OwnSeat(view.game_id, view.you.seat, view)
    return Reply(own, etag=view.etag, game_id=view.game_id, mark=mark_of(view))


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
        bots=tuple(NewBot(bot["level"], bot.get("name")) for bot in body.get("bots", ())),
        deal=body.get("deal", False),
    )
