"""The image, built once; and its service, running over a Redis."""

import secrets
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from redis.exceptions import RedisError

from tests.image.builder import Image, built
from tests.image.container import START_SECONDS, Container, serving
from tests.servers import client_of, store_binary


@pytest.fixture(scope="session")
def image() -> Iterator[Image]:
    with built() as made:
        yield made


@pytest.fixture(scope="session")
def environ() -> dict[str, str]:
    """Return what the service is told; loopback alone, since it shares this machine's network."""
    return {
        "HOST": "127.0.0.1",
        "PORT": str(free_port()),
        "SECRET_KEY": secrets.token_urlsafe(32),
    }


@pytest.fixture
def url(environ: dict[str, str]) -> str:
    return f"http://127.0.0.1:{environ['PORT']}"


@pytest.fixture
def container(
    image: Image, environ: dict[str, str], redis_url: str, url: str, tmp_path: Path
) -> Iterator[Container]:
    with serving(image, tmp_path / "service.log", REDIS_URL=redis_url, **environ) as running:
        # It says that it serves before its workers do.
        assert requests.get(f"{url}/readyz", timeout=START_SECONDS).status_code == 200, running.log
        yield running


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give a Redis on a port, for a socket's path leads nowhere in the image."""
    port = free_port()
    options = ("--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir")
    directory = str(tmp_path_factory.mktemp("redis"))
    process = subprocess.Popen([store_binary(), *options, directory], stdout=subprocess.DEVNULL)
    try:
        url = f"redis://127.0.0.1:{port}/0"
        wait_until_it_answers(url)
        yield url
    finally:
        process.kill()
        process.wait()


def wait_until_it_answers(url: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            with client_of(url) as client:
                client.ping()
        except RedisError:
            time.sleep(0.01)
        else:
            return
    raise AssertionError(f"nothing answers at {url}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
