"""The figures of several workers are those of one service, whichever of them is asked."""

import os
import re
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import requests
from prometheus_client.parser import text_string_to_metric_families

from service.api.metrics import PREFIX
from tests.chaos.stage import WORKERS, serve, sockets_by_worker
from tests.e2e.service import Service
from tests.servers import start_store

pytestmark = pytest.mark.slow

PATIENCE_SECONDS = 20.0


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


class Watched:
    """A service of two workers, with its figures at a port of their own."""

    def __init__(self, service: Service, port: int) -> None:
        self.service = service
        self.url = f"http://127.0.0.1:{port}/metrics"

    def ask(self, times: int) -> None:
        """Ask on a connection each time, so that both workers answer."""
        for _ in range(times):
            assert requests.get(f"{self.service.url}/livez", timeout=10).status_code == 200

    def figure(self, name: str, *labels: str) -> float:
        """Return one figure, 0 where nothing was counted."""
        text = requests.get(self.url, timeout=10).text
        found = [
            sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if sample.name == PREFIX + name and tuple(sample.labels.values()) == labels
        ]
        return found[0] if found else 0.0

    def answered(self) -> float:
        return self.figure("requests_total", "getLiveness", "200")

    def counting(self) -> dict[int, Path]:
        """Return the workers that have begun to serve, with where each keeps what it counts."""
        found = {each: figures_of(each) for each in sockets_by_worker(self.service)}
        return {worker: directory for worker, directory in found.items() if directory}

    def follow(self) -> requests.Response:
        """Open the stream of a new game, and return it once it is there."""
        created = requests.post(f"{self.service.url}/v1/games", json={"name": "Ann"}, timeout=10)
        path = f"{self.service.url}/v1/games/{created.json()['game']['game_id']}/stream"
        return requests.get(path, stream=True, timeout=10)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    port = free_port()
    with start_store(tmp_path) as url, serve(tmp_path, url, METRICS_PORT=str(port)) as service:
        yield Watched(service, port)


def wait_until(holds: Callable[[], bool]) -> None:
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < give_up
        time.sleep(0.02)


def test_whichever_worker_is_asked_tells_of_both(watched: Watched) -> None:
    watched.ask(40)
    assert {watched.answered() for _ in range(10)} == {40.0}
    assert requests.get(f"{watched.service.url}/metrics", timeout=10).status_code == 404


def test_what_a_worker_counted_outlives_it_and_what_it_had_open_does_not(watched: Watched) -> None:
    watched.ask(20)
    with watched.follow():
        wait_until(lambda: watched.figure("streams_open") == 1)
        [worker] = [each for each, held in sockets_by_worker(watched.service).items() if held]
        os.kill(worker, signal.SIGKILL)
        wait_until(lambda: watched.figure("streams_open") == 0)
    wait_until(lambda: worker not in watched.counting())
    watched.ask(20)
    assert watched.answered() == 40
    assert watched.figure("commits_total", "applied") == 1
    assert watched.figure("redis_trip_seconds_count") >= 3
    wait_until(lambda: len(watched.counting()) == WORKERS)


def test_a_service_that_ends_leaves_no_figures_behind(watched: Watched) -> None:
    wait_until(lambda: len(watched.counting()) == WORKERS)
    [directory] = set(watched.counting().values())
    assert directory.is_dir()
    watched.service.stop()
    assert not directory.exists()


def figures_of(worker: int) -> Path | None:
    """Return the directory of the files that a worker counts in, once it does."""
    try:
        maps = Path(f"/proc/{worker}/maps").read_text()
    except FileNotFoundError:
        return None
    found = re.search(r"(/\S*okg-figures-[^/]+)/\S+\.db", maps)
    return Path(found[1]) if found else None
