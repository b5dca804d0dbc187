"""What a URL makes redis-py do: names, credentials and TLS, for servers and for sentinels."""

import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from redis.exceptions import RedisError

from service.games.ports import Applied, StoreUnavailable
from service.store.addresses import Address, address_of, connector
from service.store.redis_store import RedisGameStore
from tests.store.factory import a_creation

CLIENT_HELLO = b"\x16"
CERTIFICATE = (
    *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
    *("-subj", "/CN=store", "-addext", "subjectAltName=DNS:store"),
)


def test_sentinels_are_named_with_their_service() -> None:
    url = "redis+sentinel://user:p%40ss@one,[::1]:26380/games/3?sentinel_password=s&client_name=okg"
    assert address_of(url) == Address(
        "sentinel",
        (("one", 26379), ("::1", 26380)),
        "games",
        options={"username": "user", "password": "p@ss", "db": 3, "client_name": "okg"},
        asking={"password": "s"},
    )


def test_nodes_of_a_cluster_are_named() -> None:
    url = "rediss+cluster://:secret@one,two:7001?ssl_check_hostname=false"
    assert address_of(url) == Address(
        "cluster",
        (("one", 6379), ("two", 7001)),
        secured=True,
        options={"password": "secret", "ssl_check_hostname": False},
        asking={"ssl": True, "ssl_check_hostname": False},
    )


@pytest.mark.parametrize(
    "url",
    [
        "rediss://127.0.0.1:{port}/0",
        "rediss+sentinel://127.0.0.1:{port}/games",
        "rediss+cluster://127.0.0.1:{port}",
    ],
)
def test_nothing_is_said_in_the_clear(url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        first: list[bytes] = []

        def hear() -> None:
            with suppress(OSError):
                while not first:
                    caller, _ = listener.accept()
                    with caller:
                        first.append(caller.recv(1))

        hearer = threading.Thread(target=hear)
        hearer.start()
        with pytest.raises((RedisError, OSError)):
            connector(url.format(port=listener.getsockname()[1]), timeout_seconds=2)()
        hearer.join(5)
    assert first == [CLIENT_HELLO]


@pytest.fixture
def secured(store_url: str, tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """A port that speaks TLS in front of the store, and whom to trust about it."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        [*CERTIFICATE, "-keyout", str(key), "-out", str(certificate)],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        target = store_url.removeprefix("unix://")
        thread = threading.Thread(target=_serve, args=(listener, context, target), daemon=True)
        thread.start()
        yield listener.getsockname()[1], certificate


def _serve(listener: socket.socket, context: ssl.SSLContext, target: str) -> None:
    with suppress(OSError):
        while True:
            caller, _ = listener.accept()
            threading.Thread(target=_pass, args=(caller, context, target), daemon=True).start()


def _pass(caller: socket.socket, context: ssl.SSLContext, target: str) -> None:
    """Pass on requests and replies in turn; each fits into one read here."""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as server:
        server.connect(target)
        with context.wrap_socket(caller, server_side=True) as spoken:
            while said := spoken.recv(1 << 16):
                server.sendall(said)
                spoken.sendall(server.recv(1 << 16))


def test_a_store_speaks_tls(secured: tuple[int, Path]) -> None:
    port, certificate = secured
    url = f"rediss://127.0.0.1:{port}/0?ssl_ca_certs={certificate}&ssl_check_hostname="
    with closing(RedisGameStore(f"{url}false", timeout_seconds=2, pool_size=1)) as store:
        assert store.commit(a_creation()) == Applied()
    with (
        closing(RedisGameStore(f"{url}true", timeout_seconds=2, pool_size=1)) as store,
        pytest.raises(StoreUnavailable, match="CERTIFICATE_VERIFY_FAILED"),
    ):
        store.load("any")
