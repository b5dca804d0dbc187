"""Every setting of the service, read from the environment into one frozen value."""

import os
import secrets
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Self, get_args, get_type_hints

from environs import Env, EnvValidationError

from service.takes import (
    ADDRESS,
    DIRECTORY,
    FLAG,
    LEAST_SECRET,
    NO,
    ORIGINS,
    RATE,
    REDIS,
    SECRET,
    YES,
    Takes,
    listed,
    one_of,
    within,
)

_HOUR: Final = 3_600
_DAY: Final = 24 * _HOUR
_DATA_DIR: Final = Path("var")
_LOG_LEVELS: Final = ("debug", "info", "warning", "error", "critical")


class SettingsError(Exception):
    """One line for each setting that is wrong: its variable, what it got and what it takes."""


@dataclass(frozen=True, slots=True)
class Variable:
    """The environment variable of one field, with its meaning; a secret is never shown."""

    name: str
    takes: Takes
    meaning: str
    secret: bool = False

    def fault(self, got: str) -> str:
        """The sentence on a value that was refused."""
        shown = f"has {len(got)} characters (not shown)" if self.secret else f"is {got!r}"
        return f"{self.name} {shown}; it takes {self.takes.words}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the service was told: each field names its variable, bounds and meaning."""

    redis_url: Annotated[
        str | None,
        Variable(
            "REDIS_URL",
            REDIS,
            "The Redis or Valkey that keeps the games; without one a private Valkey is started.",
            secret=True,  # it may hold a password
        ),
    ] = field(default=None, repr=False)
    redis_timeout: Annotated[
        float,
        Variable(
            "REDIS_TIMEOUT",
            within(0.05, 2.0, "a number of seconds"),
            "How long one answer of Redis is waited for.",
        ),
    ] = 1.0
    redis_pool_size: Annotated[
        int,
        Variable("REDIS_POOL_SIZE", within(1, 10_000), "Connections of one worker to each Redis."),
    ] = 64
    wait_replicas: Annotated[
        int,
        Variable(
            "WAIT_REPLICAS",
            within(0, 10),
            "How many replicas have to take a move before it is answered; fewer is a 503.",
        ),
    ] = 0
    data_dir: Annotated[
        Path,
        Variable("DATA_DIR", DIRECTORY, "Where the private Valkey and a secret key are kept."),
    ] = _DATA_DIR
    secret_key: Annotated[
        str,
        Variable(
            "SECRET_KEY",
            SECRET,
            "Signs the seat tokens; all instances share it. Without one it is made and kept.",
            secret=True,
        ),
    ] = field(repr=False)
    secret_key_previous: Annotated[
        str | None,
        Variable(
            "SECRET_KEY_PREVIOUS",
            SECRET,
            "The key before this one, whose tokens are still honoured.",
            secret=True,
        ),
    ] = field(default=None, repr=False)
    host: Annotated[str, Variable("HOST", ADDRESS, "The address to listen at.")] = "127.0.0.1"
    port: Annotated[
        int,
        Variable("PORT", within(0, 65_535), "The port to listen at; 0 lets the system choose."),
    ] = 8000
    metrics_port: Annotated[
        int | None,
        Variable(
            "METRICS_PORT",
            within(1, 65_535),
            "A port for /metrics alone; without it the figures are at PORT, for all to read.",
        ),
    ] = None
    web_concurrency: Annotated[
        int, Variable("WEB_CONCURRENCY", within(1, 256), "Worker processes.")
    ] = 2
    max_streams: Annotated[
        int,
        Variable(
            "MAX_STREAMS",
            within(1, 100_000),
            "Streams and waiting requests of one worker; more are told to come back.",
        ),
    ] = 3_000
    stream_seconds: Annotated[
        int,
        Variable(
            "STREAM_SECONDS",
            within(1, 86_400),
            "How long a stream lasts before it asks to reconnect, so that workers stay even.",
        ),
    ] = 600
    cors_origins: Annotated[
        str,
        Variable(
            "CORS_ORIGINS",
            ORIGINS,
            "Whose pages may call the service from a browser; without it, none.",
        ),
    ] = ""
    rate_limit_seats: Annotated[
        str | None,
        Variable(
            "RATE_LIMIT_SEATS",
            RATE,
            "How often one caller may create or join a game; without it, as often as it likes.",
        ),
    ] = None
    rate_limit_requests: Annotated[
        str | None,
        Variable(
            "RATE_LIMIT_REQUESTS",
            RATE,
            "How often one caller may ask for anything else; without it, as often as it likes.",
        ),
    ] = None
    proxy_count: Annotated[
        int,
        Variable(
            "PROXY_COUNT",
            within(0, 10),
            "Proxies in front that each add the caller's address to X-Forwarded-For.",
        ),
    ] = 0
    sandbox: Annotated[
        bool, Variable("SANDBOX", FLAG, "Whether a game may be created with its decks named.")
    ] = False
    log_level: Annotated[
        str, Variable("LOG_LEVEL", one_of(*_LOG_LEVELS), "The least level that is logged.")
    ] = "info"
    waiting_game_hours: Annotated[
        int,
        Variable("WAITING_GAME_HOURS", within(1, 8_760), "Life of a game that is not dealt yet."),
    ] = 24
    playing_game_days: Annotated[
        int,
        Variable("PLAYING_GAME_DAYS", within(1, 3_650), "Life of a game after its last move."),
    ] = 14
    finished_game_days: Annotated[
        int, Variable("FINISHED_GAME_DAYS", within(1, 3_650), "Life of a finished game.")
    ] = 30

    @property
    def origins(self) -> frozenset[str]:
        """The origins whose pages may call the service."""
        return listed(self.cors_origins) if self.cors_origins else frozenset()

    @property
    def waiting_life(self) -> int:
        """Seconds that a game waits for its first deal."""
        return self.waiting_game_hours * _HOUR

    @property
    def playing_life(self) -> int:
        """Seconds that a running game is kept after its last move."""
        return self.playing_game_days * _DAY

    @property
    def finished_life(self) -> int:
        """Seconds that a finished game is kept."""
        return self.finished_game_days * _DAY

    @classmethod
    def from_env(cls, *, keeps_key: bool = True) -> Self:
        """The settings in ``os.environ``, where an empty variable counts as absent.

        Whoever only reads games needs no key that is kept, and has one of its own.

        :raises SettingsError: naming every variable that is wrong.
        """
        read = _read(cls)
        if "secret_key" not in read:
            kept = read.get("data_dir", _DATA_DIR)
            read["secret_key"] = _kept_secret(kept) if keeps_key else _new_secret()
        settings = cls(**read)
        if settings.metrics_port == settings.port:
            raise SettingsError(
                f"METRICS_PORT is {settings.metrics_port!r}, and so is PORT; give it another port, "
                "or leave it out."
            )
        return settings


def variables() -> dict[str, Variable]:
    """The variable of each field of ``Settings``, by the field's name."""
    hints = get_type_hints(Settings, include_extras=True)
    return {each.name: get_args(hints[each.name])[1] for each in fields(Settings)}


def _read(kind: type[Settings]) -> dict[str, Any]:
    env = Env(eager=False)
    hints = get_type_hints(kind)
    parsers: dict[object, Callable[..., Any]] = {
        bool: partial(env.bool, truthy=set(YES), falsy=set(NO)),
        float: env.float,
        int: env.int,
        int | None: env.int,
        Path: env.path,
    }
    given = {name: it for name, it in variables().items() if os.environ.get(it.name)}
    values = {
        name: parsers.get(hints[name], env.str)(it.name, validate=it.takes.check)
        for name, it in given.items()
    }
    try:
        env.seal()
    except EnvValidationError as refused:
        faults = [it for it in given.values() if it.name in refused.error_messages]
        raise SettingsError("\n".join(it.fault(os.environ[it.name]) for it in faults)) from None
    return values


def _kept_secret(data_dir: Path) -> str:
    """The key in ``data_dir/secret_key``, made if there is none; all who ask get the same one."""
    path = data_dir / "secret_key"
    try:
        if not path.exists():
            _create_once(path, _new_secret())
        kept = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"SECRET_KEY is not set and {path} cannot be kept ({error}); set SECRET_KEY to "
            f"{SECRET.words}, or DATA_DIR to a directory that the service may write to."
        ) from None
    if len(kept) < LEAST_SECRET:
        raise SettingsError(
            f"{path} has {len(kept)} characters; it takes {SECRET.words}. Remove the file to get "
            "a new key, which ends every seat token given so far."
        )
    return kept


def _new_secret() -> str:
    return secrets.token_urlsafe(LEAST_SECRET)


def _create_once(path: Path, text: str) -> None:
    # A link appears whole or not at all, and the first of several processes wins.
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".secret_key-")
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(handle)
        os.link(draft, path)
    except FileExistsError:
        return
    finally:
        Path(draft).unlink()
