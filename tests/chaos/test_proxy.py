import socket
import threading
import time
from collections.abc import Iterator

import pytest

from tests.chaos.proxy import Proxy, Rule

PATIENCE_SECONDS = 5


class Echo:
    """A server that answers every line, and keeps what it was asked."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address: tuple[str, int] = self._listener.getsockname()
        self.asked: list[bytes] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        if self._listener.fileno() < 0:
            return
        self._listener.shutdown(socket.SHUT_RDWR)  # closing alone leaves accept waiting
        self._listener.close()

    def _accept(self) -> None:
        try:
            while True:
                link, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(link,), daemon=True).start()
        except OSError:
            return

    def _serve(self, link: socket.socket) -> None:
        with link:
            while said := link.recv(100):
                self.asked.append(said)
                link.sendall(b"answer to " + said)


@pytest.fixture
def echo() -> Iterator[Echo]:
    server = Echo()
    yield server
    server.close()


@pytest.fixture
def proxy(echo: Echo) -> Iterator[Proxy]:
    with Proxy(echo.address) as running:
        yield running


@pytest.fixture
def client(proxy: Proxy) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE_SECONDS) as link:
        yield link


def ask(client: socket.socket, said: bytes) -> bytes:
    try:
        client.sendall(said)
        return client.recv(100)
    except ConnectionError:
        return b""


def test_without_a_rule_everything_passes(proxy: Proxy, client: socket.socket) -> None:
    assert [ask(client, b"one"), ask(client, b"two")] == [b"answer to one", b"answer to two"]
    assert proxy.harmed == 0


def test_cut_before_keeps_the_request_from_the_server(
    proxy: Proxy, client: socket.socket, echo: Echo
) -> None:
    ask(client, b"one")
    with proxy.harming(Rule("cut before")):
        assert ask(client, b"two") == b""
    assert echo.asked == [b"one"]


def test_cut_after_keeps_only_the_reply_from_the_client(
    proxy: Proxy, client: socket.socket, echo: Echo
) -> None:
    ask(client, b"one")
    with proxy.harming(Rule("cut after")):
        assert ask(client, b"two") == b""
    assert echo.asked == [b"one", b"two"]


def test_delay_holds_the_reply_back(proxy: Proxy, client: socket.socket) -> None:
    with proxy.harming(Rule("delay", seconds=0.1)):
        begun = time.monotonic()
        assert ask(client, b"one") == b"answer to one"
        assert time.monotonic() - begun >= 0.1


def test_a_rule_spares_what_does_not_hold_its_marker(proxy: Proxy, client: socket.socket) -> None:
    with proxy.harming(Rule("cut after", marker=b"POST")):
        assert ask(client, b"GET") == b"answer to GET"
        assert ask(client, b"POST") == b""
    assert proxy.harmed == 1


def test_a_rule_may_harm_a_share_only(proxy: Proxy, client: socket.socket) -> None:
    with proxy.harming(Rule("delay", share=0.5)):
        for _ in range(100):
            ask(client, b"one")
    assert 20 < proxy.harmed < 80


def test_after_a_rule_all_is_well_again(proxy: Proxy, client: socket.socket) -> None:
    with proxy.harming(Rule("cut before")):
        ask(client, b"one")
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE_SECONDS) as again:
        assert ask(again, b"two") == b"answer to two"


def test_a_server_that_is_away_ends_the_connection(proxy: Proxy, echo: Echo) -> None:
    echo.close()
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE_SECONDS) as link:
        assert ask(link, b"one") == b""
