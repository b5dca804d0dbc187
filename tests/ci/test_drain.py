"""Two instances behind an nginx: one is told to stop in the middle of play, and nobody notices."""

import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests

from oklahoma_gin import Client, Seat
from tests.answers import seen
from tests.ci.proxies import nginx
from tests.conftest import Tally
from tests.e2e.players import play_out, seat_all
from tests.e2e.service import Service
from tests.servers import start_store
from tests.streams.test_service import Line, stream_of
from tests.topologies import free_port
from tests.witness import witness

pytestmark = pytest.mark.timeout(120)

PLAYERS = 6
STREAMS = 10
STOP_SECONDS = 10
PATIENCE = 30

SERVERS = """
    upstream instances {
        server {one} fail_timeout=1s;
        server {other} fail_timeout=1s;
    }
    server {
        listen 127.0.0.1:{port};
        location / {
            proxy_pass http://instances;
            proxy_buffering off;
            # Every request of the players carries a key, so that a repeated one is applied once.
            proxy_next_upstream error timeout http_503 non_idempotent;
        }
    }
"""


@dataclass(slots=True)
class Play:
    """What the players have done so far, and how far they go."""

    rounds: int = 0
    stopped: threading.Event = field(default_factory=threading.Event)
    failures: list[str] = field(default_factory=list)

    def go_on(self, url: str, seed: int) -> None:
        """Play game after game until the instance has stopped, and one whole game after that."""
        while not self.failures:
            last = self.stopped.is_set()
            try:
                with Client(url) as client:
                    over = play_out(seat_all(client, target_score=50), seed)
                    assert over.result
            except Exception as failure:  # noqa: BLE001  # whatever a player notices is a failure
                self.failures.append(repr(failure))
            self.rounds += 1
            if last:
                return


@contextmanager
def balanced(one: Service, other: Service) -> Iterator[str]:
    """Run an nginx before two instances and give its address."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    servers = SERVERS.replace("{port}", str(port))
    for name, instance in (("{one}", one), ("{other}", other)):
        servers = servers.replace(name, urlsplit(instance.url).netloc)
    with nginx(servers, lambda _directory: requests.get(f"{url}/livez", timeout=PATIENCE)):
        yield url


def readiness(probe: HTTPConnection) -> int:
    probe.request("GET", "/readyz")
    with probe.getresponse() as answer:
        content = answer.read()
        witness(seen("GET", "/readyz", answer.status, answer.getheaders(), content))
        return answer.status


def hold(url: str, seat: Seat) -> int:
    """Wait for a change of a game in which nobody moves, as a client without streams does."""
    path = f"{url}/v1/games/{seat.game_id}"
    tag = requests.get(path, timeout=PATIENCE).headers["ETag"]
    sent = {"If-None-Match": tag, "Connection": "close"}
    return requests.get(f"{path}?wait=25", headers=sent, timeout=PATIENCE).status_code


def test_an_instance_that_stops_is_not_noticed_by_those_who_play(
    tmp_path: Path, tally: Tally
) -> None:
    one_s, other_s, store_s = (tmp_path / name for name in ("one", "other", "store"))
    for directory in (one_s, other_s, store_s):
        directory.mkdir()
    with ExitStack() as running:
        shared = {
            "REDIS_URL": running.enter_context(start_store(store_s)),
            "SECRET_KEY": "a key that both of the instances share",
            "WEB_CONCURRENCY": "1",
        }
        stopping = running.enter_context(Service(one_s, **shared))
        staying = running.enter_context(Service(other_s, **shared))
        url = running.enter_context(balanced(stopping, staying))
        host = running.enter_context(Client(url)).create_game("Ann")
        lines = [Line(stopping.url, stream_of(host, 0)) for _ in range(STREAMS)]
        for line in lines:
            line.until("created")
        pool = running.enter_context(ThreadPoolExecutor(PLAYERS + 1))
        play = Play()
        running.callback(play.stopped.set)
        players = [pool.submit(play.go_on, url, seed) for seed in range(PLAYERS)]
        held = pool.submit(hold, stopping.url, host)
        while play.rounds < PLAYERS and not play.failures:
            time.sleep(0.01)

        probe = HTTPConnection(urlsplit(stopping.url).netloc, timeout=PATIENCE)
        assert readiness(probe) == 200
        assert stopping.process is not None
        stopping.process.send_signal(signal.SIGTERM)
        began = time.monotonic()
        for line in lines:
            assert [message.type for message in line.messages()] == ["reconnect"]
            line.close()
        assert readiness(probe) == 503, "readiness fails while the instance still answers"
        probe.close()
        assert held.result(PATIENCE) == 304
        assert stopping.process.wait(STOP_SECONDS) == 0
        took = time.monotonic() - began

        play.stopped.set()
        for player in players:
            player.result(PATIENCE)
    failed = len(play.failures)
    tally(games=play.rounds, failed_requests=failed, milliseconds_to_stop=round(took * 1000))
    assert not play.failures
    assert "graceful timeout" not in stopping.log
