"""The SDK against the real service: a game followed through cuts, bots, clocks and a rematch."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import IO

import pytest

from oklahoma_gin import (
    Client,
    Event,
    EventStream,
    Seat,
    Snapshot,
    StaleVersion,
    View,
    verify_round,
)
from tests.conftest import Tally
from tests.e2e.players import move
from tests.e2e.service import ROOT, Service

BOT = ROOT / "clients/python/examples/bot.py"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with Service(tmp_path_factory.mktemp("service"), WEB_CONCURRENCY="2") as running:
        yield running.url


@pytest.fixture
def client(url: str) -> Iterator[Client]:
    with Client(url) as made:
        yield made


pytestmark = pytest.mark.slow


def table_with_bots(client: Client) -> Seat:
    """Create a game of four seats, three of them the service's own bots'."""
    host = client.create_game("Ann", seats=4, rules={"target_score": 100}, turn_seconds=600)
    for level in ("easy", "medium", "easy"):
        host.add_bot(level)
    return host


def play_seat(seat: Seat, seed: int) -> View:
    """Play one seat to the end of its game."""
    dice = Random(seed)
    while (view := seat.wait_for_turn(60)).result is None:
        try:
            assert move(seat, view, dice)
        except StaleVersion:
            continue
    return view


def read_through_cuts(
    events: EventStream, dice: Random
) -> tuple[list[Event | Snapshot], list[int]]:
    """Read to the end; return what was told, and the versions at which a connection was cut."""
    told: list[Event | Snapshot] = []
    cuts: list[int] = []
    for event in events:
        told.append(event)
        if dice.random() < 1 / 12 and events._wire is not None:
            events._wire.hang_up()
            cuts.append(event.version)
    return told, cuts


def start_bot(*words: str, out: IO[str]) -> subprocess.Popen[bytes]:
    environ = {"PYTHONPATH": str(ROOT / "clients/python")}
    return subprocess.Popen([sys.executable, str(BOT), *words], env=environ, stdout=out)


def log_of(seat: Seat) -> list[Event]:
    events: list[Event] = []
    while page := seat.events_page(after=len(events), limit=100).events:
        events += page
    return events


@pytest.mark.parametrize("seed", range(10))
def test_a_table_of_bots_followed_through_cuts_tells_the_log(
    url: str, client: Client, tally: Tally, seed: int
) -> None:
    host = table_with_bots(client)
    hurried = Client(url, sleep=lambda _: None)
    mine = hurried.seat(host.token).events(after=0)
    with ThreadPoolExecutor(2) as pool:
        seen = pool.submit(read_through_cuts, mine, Random(seed))
        watched = pool.submit(list, client.events(host.game_id, after=0))
        play_seat(host, seed)
        (told, cuts), public = seen.result(60), watched.result(60)
    hurried.close()
    log = log_of(host)
    assert told == log
    assert [event.id for event in public if isinstance(event, Event)] == [e.id for e in log]
    for played in host.score().rounds:
        verify_round(host.round(played.number), rules=host.game.rules)
    assert mine._can_stream
    tally(events_followed=len(told), connections_cut=len(cuts))


def test_the_example_bot_plays_a_seat_to_the_end(url: str, client: Client, tmp_path: Path) -> None:
    host = client.create_game("Ann", seats=3, rules={"target_score": 20})
    guest = client.join(host.game_id, "Bob")
    with (tmp_path / "said.txt").open("w+") as out:
        robin = start_bot(url, host.game_id, out=out)
        ann = start_bot(url, "--token", host.token, out=out)
        try:
            result = play_seat(guest, seed=2).result
            assert (robin.wait(60), ann.wait(60)) == (0, 0)
        finally:
            robin.kill()
            ann.kill()
        out.seek(0)
        said = out.read()
    assert result is not None
    assert said.count(f"won by seat {result.winner}") == 2
