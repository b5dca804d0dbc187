"""``check-config``: what the service would be told, and whether its Redis takes games."""

import os
import sys

import click
from rich.console import Console
from rich.table import Table

from service.cli.told import fail, settings_or_exit
from service.games.ports import StoreUnavailable
from service.settings import Settings, Variable, variables
from service.store.embedded import EmbeddedUnavailable, find_binary
from service.store.redis_store import RedisGameStore

_PIPED_WIDTH = 400  # a line for each setting, for grep


@click.command("check-config")
def command() -> None:
    """Show every setting, and try the Redis that is named.

    Secrets are not shown. The trial is one real commit under a key that goes by itself after 5
    seconds.
    """
    settings = settings_or_exit()
    _show(settings)
    click.echo(_tried(settings))


def _show(settings: Settings) -> None:
    table = Table("variable", "value", "from", "meaning", box=None, pad_edge=False)
    for name, variable in variables().items():
        given = bool(os.environ.get(variable.name))
        value = _shown(variable, getattr(settings, name), given=given)
        origin = "environment" if given else "default"
        table.add_row(variable.name, value, origin, variable.meaning)
    width = None if sys.stdout.isatty() else _PIPED_WIDTH
    Console(width=width, markup=False, highlight=False).print(table)


def _shown(variable: Variable, value: object, *, given: bool) -> str:
    if variable.secret:
        return "(not shown)" if given else "-"
    return "-" if value in (None, "") else str(value)


def _tried(settings: Settings) -> str:
    """Return what is said of the store; one that cannot be used ends the command."""
    if settings.redis_url is None:
        try:
            find_binary()
        except EmbeddedUnavailable as missing:
            fail(str(missing))
        return f"OK: a private Valkey will keep the games in {settings.data_dir}."
    store = RedisGameStore(settings.redis_url, timeout_seconds=settings.redis_timeout, pool_size=1)
    try:
        store.check()
    except StoreUnavailable as failed:
        fail(f"REDIS_URL names a Redis that does not take games: {failed}")
    finally:
        store.close()
    return "OK: the Redis that REDIS_URL names takes games."
