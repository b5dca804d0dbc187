"""Whole games over HTTP, through gunicorn with two workers, by the SDK."""

import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from oklahoma_gin import Client
from tests.e2e.audit import Follower, check_cards, check_totals
from tests.e2e.players import move, play_out, seat_all
from tests.e2e.service import ROOT, Service

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def play_and_audit(url: str, number: int) -> int:
    with Client(url) as client:
        seats = seat_all(client, preset=("oklahoma", "gin")[number % 2])
        followers = [Follower(seat) for seat in seats]

        def catch_up() -> None:
            for follower in followers:
                follower.catch_up()

        view = play_out(seats, number, catch_up)
        assert view.result is not None
        assert view.result.winner is not None
        assert view.result.totals[view.result.winner] >= 100
        for follower in followers:
            follower.check()
        check_totals(seats[0])
        return sum(
            check_cards(seats[1].round(played.number), 2) for played in seats[0].score().rounds
        )


def test_twenty_games_at_once_are_whole(service: Service) -> None:
    with ThreadPoolExecutor(20) as pool:
        moves = list(pool.map(lambda number: play_and_audit(service.url, number), range(20)))
    assert len(moves) == 20
    assert all(moves)


def test_the_example_prints_a_score_sheet_with_a_winner_at_the_target(service: Service) -> None:
    example = ROOT / "clients" / "python" / "examples" / "whole_game.py"
    ended = subprocess.run(
        [sys.executable, str(example), service.url, "--preset", "gin"],
        env={"PYTHONPATH": str(ROOT / "clients" / "python")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    totals = [
        int(total) for total in re.findall(r"^\w+: (-?\d+) points", ended.stdout, re.MULTILINE)
    ]
    assert len(totals) == 2
    assert max(totals) >= 100
    assert re.search(r"^Winner: (Ann|Bob) \(target\)$", ended.stdout, re.MULTILINE)


def test_a_restart_keeps_every_game_and_every_token(tmp_path: Path) -> None:
    dice = random.Random(5)
    first = Service(tmp_path)
    with first, Client(first.url) as client:
        seats = seat_all(client)
        for step in range(12):
            move(seats[step % 2], seats[step % 2].view(), dice)
        before = [seat.view() for seat in seats]
        tokens = [seat.token for seat in seats]
    with Service(tmp_path) as again, Client(again.url) as client:
        seats = [client.seat(token) for token in tokens]
        assert [seat.view() for seat in seats] == before
        assert play_out(seats).result is not None


def test_the_ten_lines_of_the_sdk_work(service: Service) -> None:
    readme = (ROOT / "clients" / "python" / "README.md").read_text()
    script = readme.split("```python", 1)[1].split("```", 1)[0]
    exec(script.replace("http://127.0.0.1:8000", service.url), {})
