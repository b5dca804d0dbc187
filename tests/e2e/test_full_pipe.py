"""Nobody who reads the log can hold up a game."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests.e2e.service import ROOT, STOP_SECONDS
from tests.e2e.test_figures import free_port, wait_until

pytestmark = pytest.mark.slow

REQUESTS = 400


@pytest.fixture
def unread(tmp_path: Path) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """A service of one worker whose output nobody reads, and where it answers."""
    port = free_port()
    environ = {**os.environ, "DATA_DIR": str(tmp_path), "PORT": str(port), "WEB_CONCURRENCY": "1"}
    environ.pop("REDIS_URL", None)
    with subprocess.Popen(
        [sys.executable, "-m", "service"],
        cwd=ROOT,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: process.poll() is None and answers(url))
        yield url, process
        process.terminate()
        process.communicate(timeout=STOP_SECONDS)


def answers(url: str) -> bool:
    try:
        return requests.get(f"{url}/livez", timeout=5).status_code == 200
    except requests.ConnectionError:
        return False


def test_a_pipe_that_nobody_reads_holds_up_no_request(
    unread: tuple[str, "subprocess.Popen[str]"],
) -> None:
    url, process = unread
    asked = [f"unread-{number}" for number in range(REQUESTS)]
    with requests.Session() as session:
        for each in asked:
            answer = session.get(f"{url}/livez", headers={"X-Request-Id": each}, timeout=5)
            assert answer.status_code == 200
        assert process.stdout
        told: list[str] = []
        while len(told) < REQUESTS:
            line = process.stdout.readline()
            if line.startswith("{") and "unread-" in line:
                told.append(json.loads(line)["request_id"])
        assert told == asked
        text = session.get(f"{url}/metrics", timeout=5).text
    assert "log_lines_lost_total 0.0" in text
