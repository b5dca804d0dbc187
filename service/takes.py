"""What the variables of the environment take, in words and as checks."""

import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, urlsplit

from environs import ValidationError, validate
from limits import parse

LEAST_SECRET: Final = 32
YES: Final = ("1", "true", "yes", "on")
NO: Final = ("0", "false", "no", "off")

_MANY: Final = ("redis+sentinel", "rediss+sentinel", "redis+cluster", "rediss+cluster")
_SERVICE: Final = re.compile(r"/[^/]+(/[0-9]{1,9})?")
_NO_PATH: Final = re.compile(r"/?")
_DATABASE: Final = re.compile(r"/?|/[0-9]{1,9}")
# No more: what else redis-py takes would undo what the store relies on.
_PARAMETERS: Final = {
    "db": r"[0-9]{1,9}",
    "client_name": r"[!-~]+",
    "username": r".+",
    "password": r".+",
}
_SECURED: Final = {
    "ssl_ca_certs": r".+",
    "ssl_certfile": r".+",
    "ssl_keyfile": r".+",
    "ssl_cert_reqs": r"none|optional|required",
    "ssl_check_hostname": r"true|false",
}
_OF_SENTINELS: Final = {"sentinel_username": r".+", "sentinel_password": r".+"}
_ORIGIN: Final = re.compile(r"\*|https?://[^\s/,?#@]+")


@dataclass(frozen=True, slots=True)
class Takes:
    """What a variable takes: in words, and as a check that raises ``ValidationError``."""

    words: str
    check: Callable[[Any], Any] | None = None


def within(low: float, high: float, noun: str = "a whole number") -> Takes:
    """Return what a number within bounds is."""
    return Takes(f"{noun} from {low} to {high}", validate.Range(low, high))


def one_of(*words: str) -> Takes:
    """Return what one of some words is."""
    return Takes(f"{', '.join(words[:-1])} or {words[-1]}", validate.OneOf(words))


def _check_redis(url: str) -> None:
    try:
        named = _names_a_server(url)
    except ValueError:
        named = False
    if not named:
        raise ValidationError("not the URL of a Redis")


def _names_a_server(url: str) -> bool:
    """Return whether redis-py connects to what a URL names, and reads all of it.

    redis-py itself may not be asked: gunicorn's master would then have loaded it before gevent
    replaces the sockets.

    :raises ValueError: if its host or port is none.
    """
    parts = urlsplit(url)
    if not _only_known(parts):
        return False
    if parts.scheme in _MANY:
        return _names_many(parts)
    if parts.scheme == "unix":
        return not parts.hostname and len(parts.path) > 1
    hosted = parts.scheme in ("redis", "rediss") and parts.hostname and parts.port != 0
    return bool(hosted and _DATABASE.fullmatch(parts.path))


def _names_many(parts: SplitResult) -> bool:
    """Return whether sentinels with a service, or nodes of a cluster, are named.

    :raises ValueError: if a port is none.
    """
    hosts = [urlsplit(f"//{host}") for host in parts.netloc.rpartition("@")[2].split(",")]
    path = _SERVICE if parts.scheme.endswith("+sentinel") else _NO_PATH
    return bool(path.fullmatch(parts.path)) and all(
        host.hostname and host.port != 0 and not host.path for host in hosts
    )


def _only_known(parts: SplitResult) -> bool:
    takes = dict(_PARAMETERS)
    if parts.scheme.startswith("rediss"):
        takes |= _SECURED
    if parts.scheme.endswith("+sentinel"):
        takes |= _OF_SENTINELS
    if parts.scheme.endswith("+cluster"):
        del takes["db"]  # a cluster has one
    sent = parse_qsl(parts.query, keep_blank_values=True)
    return all(name in takes and re.fullmatch(takes[name], value) for name, value in sent)


def _check_address(host: str) -> None:
    try:
        socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise ValidationError("not an address") from None


def _check_rate(rate: str) -> None:
    try:
        parsed = parse(rate)
    except ValueError:
        raise ValidationError("not a rate") from None
    if not parsed.amount:
        raise ValidationError("a rate of nothing")


def _check_origins(origins: str) -> None:
    if not all(_ORIGIN.fullmatch(origin) for origin in listed(origins)):
        raise ValidationError("not origins")


def listed(text: str) -> frozenset[str]:
    """Return what a text names, separated by commas."""
    return frozenset(each.strip() for each in text.split(","))


REDIS: Final = Takes(
    "a URL such as redis://host:6379/0, rediss://user:password@host:6379/0, "
    "unix:///path/to/socket, redis+sentinel://host:26379,host:26379/service or "
    f"redis+cluster://host:7000,host:7001, with no parameters but {', '.join(_PARAMETERS)}, with "
    f"rediss {', '.join(_SECURED)} and with sentinels {', '.join(_OF_SENTINELS)}",
    _check_redis,
)
RATE: Final = Takes("a rate such as 20/minute or 600/5 minutes", _check_rate)
ORIGINS: Final = Takes(
    "* or origins such as https://table.example, separated by commas", _check_origins
)
FLAG: Final = Takes(f"{', '.join((*YES, *NO[:-1]))} or {NO[-1]}, in lower case")
DIRECTORY: Final = Takes("a directory that the service may write to")
ADDRESS: Final = Takes(
    "an IP address of this machine, or a name that stands for one", _check_address
)
SECRET: Final = Takes(
    f"at least {LEAST_SECRET} characters that nobody can guess", validate.Length(min=LEAST_SECRET)
)
