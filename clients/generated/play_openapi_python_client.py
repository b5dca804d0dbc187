"""Plays a game to its end with the SDK that openapi-python-client makes."""

import json
import sys
import uuid
from typing import Final, TypeVar

from openapi_python_client_sdk import AuthenticatedClient, Client
from openapi_python_client_sdk.api.games import create_game, get_game
from openapi_python_client_sdk.api.moves import (
    deal_round,
    discard_card,
    draw_card,
    knock,
    lay_off,
    pass_upcard,
)
from openapi_python_client_sdk.api.records import list_events
from openapi_python_client_sdk.api.seats import join_game
from openapi_python_client_sdk.models import (
    AnswerKnockRequest,
    CreateGameRequest,
    DealRequest,
    DiscardRequest,
    DrawRequest,
    DrawRequestSource,
    Game,
    JoinRequest,
    KnockRequest,
    Moved,
    Problem,
    RulesRequest,
    RulesRequestPreset,
)
from openapi_python_client_sdk.types import UNSET

TARGET: Final = 40

Answer = TypeVar("Answer")


def accepted(answer: Answer | Problem | None) -> Answer:
    """Return an answer that is no problem."""
    if answer is None or isinstance(answer, Problem):
        raise SystemExit(f"Refused: {answer}")
    return answer


class Table:
    """Two seats of one game, and a client for each token."""

    def __init__(self, url: str) -> None:
        anybody = Client(base_url=url)
        rules = RulesRequest(preset=RulesRequestPreset.GIN, target_score=TARGET)
        body = CreateGameRequest(name="Ann", rules=rules)
        made = accepted(create_game.sync(client=anybody, body=body))
        self.game_id = made.game.game_id
        seated = JoinRequest(name="Bob")
        # The generator takes a token that is optional for one that is required.
        joined = accepted(
            join_game.sync(self.game_id, client=anybody, body=seated)  # type: ignore[arg-type]
        )
        tokens = (made.token, joined.token)
        self.clients = [AuthenticatedClient(base_url=url, token=token) for token in tokens]

    def look(self, seat: int = 0) -> Game:
        """Return a seat's view."""
        view: Game = accepted(get_game.sync(self.game_id, client=self.clients[seat]))
        return view

    def step(self) -> Moved:
        """Make a move of whoever may make one, and return the view after it."""
        view = self.look()
        seat = view.round_.turn if view.round_ and view.round_.turn is not None else 0
        return accepted(self._move(self.look(seat), self.clients[seat]))

    def _move(self, view: Game, client: AuthenticatedClient) -> Moved | Problem | None:
        may, game = view.actions, self.game_id
        if may.deal:
            return deal_round.sync(game, client=client, body=DealRequest())
        if may.layoff:
            return lay_off.sync(game, client=client, body=AnswerKnockRequest())
        if may.knock:
            body = KnockRequest(discard=may.knock[0].discard)
            return knock.sync(game, client=client, body=body)
        if may.discard:
            card = min(may.discard, key=lambda choice: choice.deadwood_points).card
            thrown = DiscardRequest(card=card)
            return discard_card.sync(game, client=client, body=thrown, if_match=view.etag)
        if may.pass_:
            return pass_upcard.sync(game, client=client)
        drawn = DrawRequest(source=DrawRequestSource(may.draw[0]))
        return draw_card.sync(game, client=client, body=drawn)

    def refusal(self, seat: int, etag: str | None = None) -> str:
        """Return the code with which a draw is refused."""
        answer = draw_card.sync(
            self.game_id,
            client=self.clients[seat],
            body=DrawRequest(source=DrawRequestSource.STOCK),
            if_match=etag or UNSET,
        )
        if not isinstance(answer, Problem):
            raise SystemExit("A draw that had to be refused was accepted.")
        return answer.code


def play(url: str) -> dict[str, object]:
    """Play and return what was met on the way."""
    table = Table(url)
    stale, key = table.look().etag, str(uuid.uuid4())
    dealt = [
        deal_round.sync_detailed(
            table.game_id, client=table.clients[0], body=DealRequest(), idempotency_key=key
        )
        for _ in range(2)
    ]
    view = accepted(dealt[1].parsed)
    turn = view.round_.turn if view.round_ else None
    refused = table.refusal(1 - (turn or 0))
    missed = table.refusal(turn or 0, stale)
    while view.status != "finished":
        view = table.step()
    answer = list_events.sync(table.game_id, client=table.clients[0], after=2, limit=5)
    return {
        "refused": refused,
        "stale": missed,
        "replayed": dealt[1].headers.get("Idempotency-Replayed"),
        "events": [event.version for event in accepted(answer).events],
        "winner": view.result.winner if view.result else None,
        "totals": [player.total for player in view.players],
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(play(sys.argv[1])) + "\n")
