"""A stub service, and clients of it that do not sleep."""

from collections.abc import Iterator
from threading import Thread

import pytest

from oklahoma_gin import Client, Seat
from tests.clients.http_stub import Reply, Stub
from tests.clients.samples import TOKEN, view_json


@pytest.fixture
def stub() -> Iterator[Stub]:
    with Stub() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def pauses() -> list[float]:
    """The seconds that the client would have slept."""
    return []


@pytest.fixture
def client(stub: Stub, pauses: list[float]) -> Iterator[Client]:
    with Client(stub.url, retries=3, sleep=pauses.append, jitter=lambda: 1.0) as made:
        yield made


@pytest.fixture
def seat(stub: Stub, client: Client) -> Seat:
    """Seat 0 at version 17; what it asked to sit down is forgotten."""
    stub.will_answer(Reply(201, {"game": view_json(), "seat": 0, "token": TOKEN, "invite": "inv"}))
    made = client.create_game("Ann")
    stub.asked.clear()
    return made
