"""Plays a game to its end with the SDK that openapi-generator makes for Python."""

import json
import sys
import uuid
from typing import Final

from openapi_generator_sdk import (
    AnswerKnockRequest,
    ApiClient,
    CreateGameRequest,
    DiscardRequest,
    DrawRequest,
    Game,
    GamesApi,
    JoinRequest,
    KnockRequest,
    MovesApi,
    RecordsApi,
    RulesRequest,
    SeatsApi,
)
from openapi_generator_sdk.configuration import Configuration
from openapi_generator_sdk.exceptions import ApiException

TARGET: Final = 40


class Table:
    """Two seats of one game, and an API for each token."""

    def __init__(self, url: str) -> None:
        self._url = url
        rules = RulesRequest(preset="gin", target_score=TARGET)
        made = GamesApi(self.client()).create_game(CreateGameRequest(name="Ann", rules=rules))
        self.game_id = made.game.game_id
        joined = SeatsApi(self.client()).join_game(self.game_id, JoinRequest(name="Bob"))
        tokens = (made.token, joined.token)
        self.moves = [MovesApi(self.client(token)) for token in tokens]
        self.games = [GamesApi(self.client(token)) for token in tokens]
        self.records = RecordsApi(self.client(made.token))

    def client(self, token: str | None = None) -> ApiClient:
        """Return the way to the service, for a seat if its token is given."""
        return ApiClient(Configuration(host=self._url, access_token=token))

    def look(self, seat: int = 0) -> Game:
        """Return a seat's view."""
        return self.games[seat].get_game(self.game_id)

    def step(self) -> Game:
        """Make a move of whoever may make one, and return the view before it."""
        view = self.look()
        seat = view.round.turn if view.round and view.round.turn is not None else 0
        view, moves = self.look(seat), self.moves[seat]
        may = view.actions
        if may.deal:
            moves.deal_round(self.game_id)
        elif may.layoff:
            moves.lay_off(self.game_id, answer_knock_request=AnswerKnockRequest())
        elif may.knock:
            moves.knock(self.game_id, knock_request=KnockRequest(discard=may.knock[0].discard))
        elif may.discard:
            best = min(may.discard, key=lambda choice: choice.deadwood_points)
            moves.discard_card(self.game_id, DiscardRequest(card=best.card), if_match=view.etag)
        elif may.var_pass:
            moves.pass_upcard(self.game_id)
        elif may.draw:
            moves.draw_card(self.game_id, DrawRequest(source=may.draw[0]))
        return view

    def refusal(self, seat: int, etag: str | None = None) -> str:
        """Return the code with which a draw is refused."""
        try:
            self.moves[seat].draw_card(self.game_id, DrawRequest(source="stock"), if_match=etag)
        except ApiException as error:
            code: str = json.loads(error.body or "{}")["code"]
            return code
        raise SystemExit("A draw that had to be refused was accepted.")


def play(url: str) -> dict[str, object]:
    """Play and return what was met on the way."""
    table = Table(url)
    stale = table.look().etag
    key = str(uuid.uuid4())
    dealt = [
        table.moves[0].deal_round_with_http_info(table.game_id, idempotency_key=key)
        for _ in range(2)
    ]
    view = table.look()
    turn = view.round.turn if view.round else None
    refused = table.refusal(1 - (turn or 0))
    missed = table.refusal(turn or 0, stale)
    while view.status != "finished":
        table.step()
        view = table.look()
    page = table.records.list_events(table.game_id, after=2, limit=5)
    return {
        "refused": refused,
        "stale": missed,
        "replayed": (dealt[1].headers or {}).get("Idempotency-Replayed"),
        "events": [event.version for event in page.events],
        "winner": view.result.winner if view.result else None,
        "totals": [player.total for player in view.players],
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(play(sys.argv[1])) + "\n")
