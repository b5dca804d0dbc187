"""What REDIS_URL names: one server, those whom sentinels name, or the nodes of a cluster.

``redis://host:6379/0``, ``rediss://`` with TLS and ``unix:///path`` are one server, as redis-py
reads them. ``redis+sentinel://[user:password@]host:26379,…/service[/database]`` names sentinels,
``redis+cluster://[user:password@]host:7000,…`` some nodes of a cluster; ``rediss+…`` is each of
them with TLS. The credentials are those of the servers; sentinels that ask for some find theirs in
the parameters ``sentinel_username`` and ``sentinel_password``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import unquote, urlsplit

from redis.backoff import NoBackoff
from redis.connection import Connection, ConnectionPool, SSLConnection, parse_url
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelConnectionPool

SENTINEL_PORT: Final = 26_379
SERVER_PORT: Final = 6_379
SENTINEL_SECONDS: Final = 0.6
"""How long all sentinels together are waited for; each has its share."""

Host: TypeAlias = tuple[str, int]
Kind: TypeAlias = Literal["one", "sentinel", "cluster"]
Connect: TypeAlias = Callable[[], Any]  # redis-py ships types, but not for its connections


@dataclass(frozen=True, slots=True)
class Address:
    """A URL in its parts; ``hosts`` are the sentinels or nodes, ``options`` redis-py's words.

    ``asking`` are its words for the sentinels.
    """

    kind: Kind
    hosts: tuple[Host, ...] = ()
    service: str = ""
    secured: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    asking: Mapping[str, Any] = field(default_factory=dict)


def address_of(url: str) -> Address:
    """Return what a URL names.

    :raises ValueError: if a host or port of it is none.
    """
    parts = urlsplit(url)
    scheme, _, kind = parts.scheme.partition("+")
    if kind not in ("sentinel", "cluster"):
        return Address("one")
    service, _, database = parts.path.strip("/").partition("/")
    credentials, at, hosts = parts.netloc.rpartition("@")
    secured = scheme == "rediss"
    options = _options(f"{scheme}://{credentials}{at}any/{database}?{parts.query}")
    port = SENTINEL_PORT if kind == "sentinel" else SERVER_PORT
    return Address(
        "sentinel" if kind == "sentinel" else "cluster",
        tuple(_host(host, port) for host in hosts.split(",")),
        unquote(service),
        secured=secured,
        options={name: it for name, it in options.items() if not name.startswith("sentinel_")},
        asking=_asking(options, secured=secured),
    )


def _options(url: str) -> dict[str, Any]:
    """Return what redis-py reads from the URL of a server, but for the server itself."""
    read: Any = parse_url
    return {name: it for name, it in read(url).items() if name not in ("host", "connection_class")}


def _asking(options: Mapping[str, Any], *, secured: bool) -> dict[str, Any]:
    """Return the words for the sentinels: their credentials, and TLS where the servers have it."""
    of_sentinels = {
        name.removeprefix("sentinel_"): it
        for name, it in options.items()
        if name.startswith("sentinel_")
    }
    tls = {name: it for name, it in options.items() if name.startswith("ssl_")}
    return of_sentinels | {"ssl": True, **tls} if secured else of_sentinels


def _host(text: str, port: int) -> Host:
    parts = urlsplit(f"//{text}")
    if not parts.hostname:
        raise ValueError(f"{text!r} is no host")
    return parts.hostname, parts.port or port


def connector(url: str, *, timeout_seconds: float) -> Connect:
    """Return what makes a connection to the one server, or to the one that sentinels name now.

    For a cluster it is one to whichever of the named nodes answers first. No connection is
    counted or kept here. ``timeout_seconds`` bounds connecting and each answer; nothing is repeated
    below the caller, who knows the time that is left.
    """
    address = address_of(url)
    if address.kind == "sentinel":
        return _by_sentinels(address, timeout_seconds)
    if address.kind == "cluster":
        return _first_of([node_connector(address, host, timeout_seconds) for host in address.hosts])
    pool: Any = ConnectionPool.from_url(url, **_words(timeout_seconds))
    return lambda: _connected(pool.connection_class(**pool.connection_kwargs))


def node_connector(address: Address, host: Host, timeout_seconds: float) -> Connect:
    """Return what makes a connection to one node of a cluster."""
    kind: Any = SSLConnection if address.secured else Connection
    words = _words(timeout_seconds) | dict(address.options)
    return lambda: _connected(kind(host=host[0], port=host[1], **words))


def _by_sentinels(address: Address, timeout_seconds: float) -> Connect:
    share = SENTINEL_SECONDS / len(address.hosts)
    asked = _words(min(timeout_seconds, share)) | dict(address.asking)
    words = _words(timeout_seconds) | dict(address.options)
    make_sentinels: Any = Sentinel
    make_pool: Any = SentinelConnectionPool
    sentinels = make_sentinels(address.hosts, sentinel_kwargs=asked)
    pool = make_pool(
        address.service, sentinels, ssl=address.secured, check_connection=False, **words
    )
    return lambda: _connected(pool.connection_class(**pool.connection_kwargs))


def _first_of(connects: Sequence[Connect]) -> Connect:
    def connect() -> Any:
        for attempt in connects[:-1]:
            try:
                return attempt()
            except Exception:  # noqa: BLE001, S112  # the last one tells what is wrong
                continue
        return connects[-1]()

    return connect


def _connected(connection: Any) -> Any:
    connection.connect()
    return connection


def _words(timeout_seconds: float) -> dict[str, Any]:
    return {
        "socket_timeout": timeout_seconds,
        "socket_connect_timeout": timeout_seconds,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,
        "driver_info": None,
    }
