"""Everything that can be made to fail, on loopback: Redis, workers, and a proxy on either side."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from redis import Redis

from tests.chaos.proxy import Proxy
from tests.e2e.service import Service
from tests.servers import StoreServer, client_of

WORKERS: Final = 2
ESTABLISHED: Final = "01"
PATIENCE_SECONDS: Final = 20.0
PAUSE_SECONDS: Final = 0.01


@dataclass(frozen=True, slots=True)
class Stage:
    """A service of two workers between two proxies, over a Redis that syncs every write."""

    store: StoreServer
    service: Service
    store_proxy: Proxy
    client_proxy: Proxy

    @property
    def url(self) -> str:
        """Where clients that run the risk find the service."""
        return f"http://127.0.0.1:{self.client_proxy.port}"

    def redis(self) -> "Redis":
        """Return a plain client of the store's server, past the proxy."""
        return client_of(self.store.url)

    def workers(self) -> list[int]:
        """Return the process ids of the workers that live now."""
        master = self.service.process
        return _children(master.pid) if master else []

    def await_workers(self) -> None:
        """Wait until there are two workers again.

        :raises TimeoutError: if there are not within 20 seconds.
        """
        give_up = time.monotonic() + PATIENCE_SECONDS
        while len(self.workers()) < WORKERS:
            if time.monotonic() > give_up:
                raise TimeoutError(f"there are {len(self.workers())} workers, not {WORKERS}")
            time.sleep(PAUSE_SECONDS)


@contextmanager
def set_stage(directory: Path) -> Iterator[Stage]:
    """Start it all with the settings of a default installation, and stop it all."""
    store = StoreServer(directory, durability="always")
    try:
        store.start()
        with Proxy(store.socket_path) as store_proxy:
            url = f"redis://127.0.0.1:{store_proxy.port}"
            with (
                serve(directory, url) as service,
                Proxy(("127.0.0.1", port_of(service))) as client_proxy,
            ):
                yield Stage(store, service, store_proxy, client_proxy)
    finally:
        store.close()


@contextmanager
def serve(directory: Path, redis_url: str, **environ: str) -> Iterator[Service]:
    """Start a service of two workers over a server, and stop it."""
    service = Service(directory, REDIS_URL=redis_url, WEB_CONCURRENCY=str(WORKERS), **environ)
    try:
        yield service.start()
    finally:
        stop(service)


def port_of(service: Service) -> int:
    """Return the port that a service listens at."""
    return int(service.url.rpartition(":")[2])


def stop(service: Service) -> None:
    """End a service without waiting for the connections that clients have left open."""
    if service.process is None or service.process.poll() is not None:
        return
    workers = _children(service.process.pid)
    try:
        service.stop(signal.SIGINT)
    except subprocess.TimeoutExpired:
        service.process.kill()
        service.process.wait()
        for worker in workers:
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)


def sockets_by_worker(service: Service) -> dict[int, int]:
    """Return how many open client connections each worker of a service holds."""
    port = f":{port_of(service):04X}"
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    inodes = {row[9] for row in rows if row[1].endswith(port) and row[3] == ESTABLISHED}
    workers = _children(service.process.pid) if service.process else []
    return {worker: len(inodes & _inodes(worker)) for worker in workers}


def _inodes(process: int) -> set[str]:
    names = set()
    with suppress(FileNotFoundError):  # the process has ended
        for path in Path(f"/proc/{process}/fd").iterdir():
            with suppress(FileNotFoundError):  # the file was closed meanwhile
                names.add(str(path.readlink()))
    return {name[8:-1] for name in names if name.startswith("socket:[")}


def _children(process: int) -> list[int]:
    listed = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(child) for child in listed.split()]
