"""The examples of the contract, sent as they stand: each is accepted, and their story is true."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from werkzeug.test import TestResponse

from service.api.examples import EXAMPLES, GAME, ROUND_RESULT
from service.api.factory import all_operations
from service.api.operation import Operation
from service.api.parameters import PATH_PARAMETERS
from tests.api.client import Client, client_over
from tests.games.table import StoppedClock, games_over

OPERATIONS = {operation.id: operation for operation in all_operations()}
CARDS = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
ANN = [card for card in GAME["you"]["hand"] if card != GAME["you"]["drawn_card"]]
BOB = ["4S", "5S", "6S", "KH", "2D", "8D", "4H", "6H", "9S", "JS"]
LATE_MILLIS = 60_000


def deck() -> list[str]:
    """Return the deck of the examples' game: Ann draws the queen of hearts."""
    dealt = [card for pair in zip(ANN, BOB, strict=True) for card in pair]
    dealt += [GAME["round"]["upcard"], GAME["you"]["drawn_card"]]
    return dealt + [card for card in CARDS if card not in dealt]


class Story:
    """Sends the examples of operations and remembers which."""

    def __init__(self, client: Client, clock: StoppedClock) -> None:
        self.client = client
        self.clock = clock
        self.sent: set[str] = set()

    def send(self, name: str, token: str | None = None, **added: Any) -> TestResponse:
        """Send an operation's example; words added name its path or go into its body."""
        operation = OPERATIONS[name]
        named = {
            part: added.pop(part)
            for part in re.findall(r"{(\w+)}", operation.path)
            if part in added
        }
        path = self._path(operation, named)
        body = {**(operation.example or {}), **added} if operation.body else None
        response = self.client.send(operation.method, path, body, token=token)
        assert response.status_code == operation.status, response.get_data(as_text=True)[:500]
        self.sent.add(name)
        return response

    def json(self, name: str, token: str | None = None, **added: Any) -> dict[str, Any]:
        answer: dict[str, Any] = self.send(name, token, **added).get_json()
        return answer

    @staticmethod
    def _path(operation: Operation, named: Mapping[str, str]) -> str:
        def value(found: re.Match[str]) -> str:
            return str(named.get(found[1], PATH_PARAMETERS[found[1]]["example"]))

        return re.sub(r"{(\w+)}", value, operation.path)


@pytest.fixture
def story(clock: StoppedClock) -> Story:
    games = games_over()
    games._clock = clock
    return Story(client_over(games), clock)


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


def test_every_example_is_accepted(story: Story) -> None:
    play_the_game(story)
    set_another_table(story)
    be_late(story)
    ask_without_a_game(story)
    assert story.sent == set(OPERATIONS)


def play_the_game(story: Story) -> None:
    ann = story.json("createGame", deck=[deck()])
    game = {"game_id": ann["game"]["game_id"]}
    bob = story.json("joinGame", **game)
    tokens = [ann["token"], bob["token"]]
    story.send("setEntropy", tokens[0], **game)
    story.send("dealRound", tokens[1], **game)
    for token in tokens:
        story.send("passUpcard", token, **game)
    seen = story.json("drawCard", tokens[0], **game)
    assert seen["you"] == GAME["you"]
    assert seen["actions"] == GAME["actions"]
    assert story.json("knock", tokens[0], **game)["round"]["phase"] == "layoff"
    settled = story.json("layOff", tokens[1], **game)
    assert settled["round"]["result"] == ROUND_RESULT
    score = story.json("getScore", **game)
    assert score == EXAMPLES["ScoreSheet"]
    assert story.json("getRound", **game)["result"] == EXAMPLES["RoundRecord"]["result"]
    story.send("getGame", tokens[0], **game)
    story.send("getSeat", tokens[0])
    story.send("listEvents", tokens[0], **game)
    story.send("createStreamTicket", tokens[0], **game)
    tokens[1] = story.json("renewToken", tokens[1], **game)["token"]
    story.send("resignGame", tokens[1], **game)
    story.send("streamGame", tokens[0], **game)
    story.send("callRematch", tokens[0], **game)


def set_another_table(story: Story) -> None:
    host = story.json("createGame")
    game = {"game_id": host["game"]["game_id"]}
    story.send("listGames")
    story.send("addBot", host["token"], **game)
    story.send("removePlayer", host["token"], **game)
    story.send("leaveGame", host["token"], **game)


def be_late(story: Story) -> None:
    tables = [story.json("createGame", deck=[deck()], turn_seconds=5) for _ in range(2)]
    games = [{"game_id": table["game"]["game_id"]} for table in tables]
    others = [story.json("joinGame", **game)["token"] for game in games]
    story.send("dealRound", others[0], **games[0])
    story.clock.millis += LATE_MILLIS
    story.send("claimTimeout", others[0], **games[0])
    story.send("dealRound", others[1], **games[1])
    for token in (tables[1]["token"], others[1]):
        story.send("passUpcard", token, **games[1])
    story.send("drawCard", tables[1]["token"], **games[1])
    story.send("discardCard", tables[1]["token"], **games[1])


def ask_without_a_game(story: Story) -> None:
    assert_tells(story.json("analyzeHand"), EXAMPLES["HandAnalysis"])
    assert_tells(story.json("analyzeLayoff"), EXAMPLES["LayoffAnalysis"])
    story.send("analyzeSettlement")
    for operation in all_operations():
        if operation.method == "GET" and operation.auth == "none" and operation.id != "listGames":
            response = story.send(operation.id)
            if operation.answer and operation.shows in EXAMPLES:
                assert_tells(response.get_json(), EXAMPLES[operation.shows])


def assert_tells(answer: Any, example: Any) -> None:
    """Fail unless an answer says all that an example shows of it; lists may be cut there."""
    if isinstance(example, dict):
        assert answer.keys() == example.keys()
        for name, shown in example.items():
            assert_tells(answer[name], shown)
    elif isinstance(example, list):
        assert all(shown in answer for shown in example), (answer, example)
    else:
        assert answer == example
