"""``audit``: games played again from their records, and the first thing that differs."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import click
from rich.console import Console
from rich.progress import track

from service.cli.told import fail, settings_or_exit
from service.games.audit import Audit, Restless, audit
from service.games.ports import StoreUnavailable, UnreadableGame
from service.settings import Settings
from service.store.connections import Connections
from service.store.embedded import EmbeddedUnavailable, EmbeddedValkey
from service.store.redis_store import RedisGameStore
from service.store.scan import game_ids


@dataclass(slots=True)
class _Tally:
    """What the audits so far came to."""

    games: int = 0
    rounds: int = 0
    moves: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, audited: Audit) -> None:
        self.games += 1
        self.rounds += audited.rounds
        self.moves += audited.moves
        if audited.difference:
            self.faults.append(f"{audited.game_id}: {audited.difference}")


@click.command("audit")
@click.argument("game", required=False)
@click.option("--all", "every", is_flag=True, help="Audit every game of the store.")
def command(game: str | None, *, every: bool) -> None:
    """Play games again from their records.

    Each deck, shuffle, move, result and total of GAME, or of every game, has to come out as it was
    kept; the first difference is reported, and makes the status 1. Nothing is written.
    """
    if every == bool(game):
        raise click.UsageError("Name one game by its id, or pass --all for every game.")
    settings = settings_or_exit(keeps_key=False)
    tally = _Tally()
    try:
        with _redis_of(settings) as url:
            _audit(settings, url, game, tally)
    except (EmbeddedUnavailable, StoreUnavailable) as failed:
        fail(f"The audit stopped after {_counted(tally.games, 'game')}: {failed}")
    _report(tally)


def _audit(settings: Settings, url: str, game: str | None, tally: _Tally) -> None:
    store = RedisGameStore(url, timeout_seconds=settings.redis_timeout, pool_size=1)
    try:
        if game is None:
            _audit_each(store, _progress(_games(settings, url)), tally)
        else:
            _audit_each(store, [game], tally)
            if not tally.games and not tally.faults:
                fail(f"There is no game {game}. Look for its id in the address of its table.")
    finally:
        store.close()


def _audit_each(store: RedisGameStore, games: Iterable[str], tally: _Tally) -> None:
    for game in games:
        try:
            audited = audit(store, game)
        except (Restless, UnreadableGame) as unread:
            tally.faults.append(f"{game}: {unread}")
        else:
            if audited:  # one that ends meanwhile is gone
                tally.add(audited)


def _games(settings: Settings, url: str) -> list[str]:
    connections = Connections(url, timeout_seconds=settings.redis_timeout, pool_size=1)
    try:
        return game_ids(connections)
    finally:
        connections.close()


def _progress(games: list[str]) -> Iterable[str]:
    console = Console(stderr=True)
    return track(games, "Auditing", console=console, disable=not console.is_terminal)


@contextmanager
def _redis_of(settings: Settings) -> Iterator[str]:
    """Give the address of the store: the Redis that is named, or the private Valkey, started."""
    if settings.redis_url is not None:
        yield settings.redis_url
        return
    if not (settings.data_dir / "valkey").is_dir():
        fail(
            f"REDIS_URL is not set and no games are kept in {settings.data_dir}; set REDIS_URL to "
            "the service's Redis, or DATA_DIR to its directory."
        )
    with EmbeddedValkey.start(settings.data_dir) as valkey:
        yield valkey.url


def _report(tally: _Tally) -> None:
    for fault in tally.faults:
        click.echo(fault)
    played = f"{_counted(tally.rounds, 'finished round')}, {_counted(tally.moves, 'move')}"
    audited = f"Audited {_counted(tally.games, 'game')}, {played}"
    if tally.faults:
        fail(f"{audited}: {len(tally.faults)} not as recorded.")
    click.echo(f"{audited}: all as recorded.")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
