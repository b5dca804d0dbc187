"""The checker on real games whose store was tampered with: it has to notice."""

import random
from collections.abc import Iterator

import pytest
from redis import Redis

from tests.chaos.audit import audit
from tests.chaos.caller import Caller
from tests.chaos.checker import Verdict
from tests.chaos.ledger import Attempt, Entry, Ledger, Trace
from tests.chaos.load import Hand, Player, Table
from tests.chaos.moves import CHAT, Game, keyed
from tests.chaos.planted import copy_of, drop_event, forget_operations, turn_back
from tests.chaos.stage import serve
from tests.e2e.service import Service
from tests.servers import client_of, start_store

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

MOVES = 12


@pytest.fixture(scope="module")
def store_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with start_store(tmp_path_factory.mktemp("store")) as url:
        yield url


@pytest.fixture(scope="module")
def redis(store_url: str) -> Iterator[Redis]:
    with client_of(store_url) as client:
        yield client


@pytest.fixture(scope="module")
def service(store_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serve(tmp_path_factory.mktemp("service"), store_url) as running:
        yield running


class Played:
    """A game of some moves, of which everything is in the ledger, and a player who can go on."""

    def __init__(self, url: str) -> None:
        dice = random.Random(7)
        self.url = url
        self.ledger = Ledger()
        self.hand = Hand(url, self.ledger, dice)
        table = Table()
        self.players = [Player(table, seat, self.hand, dice) for seat in (0, 1)]
        self.go_on(MOVES)
        self.game: Game = table.games[0]

    def go_on(self, steps: int) -> None:
        for step in range(steps):
            self.players[step % 2].step()

    def audit(self) -> Verdict:
        return audit(self.url, self.ledger, [self.game])


@pytest.fixture
def played(service: Service) -> Iterator[Played]:
    game = Played(service.url)
    assert game.audit() == Verdict()
    yield game
    game.hand.close()


def chat(played: Played, redis: Redis, answers_kept: int) -> None:
    """Have one text applied twice under one key, and enter the first so many answers."""
    path = f"/v1/games/{played.game.game_id}/{CHAT.name}"
    request = keyed(path, CHAT.body, played.game.tokens[0])
    with Caller(played.url) as caller:
        first = caller.send(request).attempt
        forget_operations(redis, played.game.game_id)
        second = caller.send(request).attempt
    if answers_kept:
        attempts = (first, second)[:answers_kept]
        played.ledger.add(Entry(played.game.game_id, Trace(CHAT.event, 0), attempts))


def test_a_planted_loss_of_the_latest_moves_is_caught(played: Played, redis: Redis) -> None:
    copy = copy_of(redis, played.game.game_id)
    played.go_on(MOVES)
    assert played.audit() == Verdict()
    turn_back(redis, copy)
    verdict = played.audit()
    assert verdict.lost
    assert verdict.faults == verdict.lost


def test_a_planted_hole_in_the_log_is_caught(played: Played, redis: Redis) -> None:
    drop_event(redis, played.game.game_id, version=2)
    verdict = played.audit()
    assert len(verdict.lost) == len(verdict.gaps) == 1
    assert len(verdict.faults) == 2


@pytest.mark.parametrize("answers_kept", [1, 2])
def test_a_planted_double_is_caught(played: Played, redis: Redis, answers_kept: int) -> None:
    chat(played, redis, answers_kept)
    verdict = played.audit()
    assert verdict.doubled
    assert verdict.faults == verdict.doubled


def test_a_trace_of_what_was_refused_is_caught(played: Played, redis: Redis) -> None:
    chat(played, redis, answers_kept=0)
    refused = Attempt(0.0, 0.1, 409)
    played.ledger.add(Entry(played.game.game_id, Trace(CHAT.event, 0), (refused,)))
    assert played.audit().traces
