"""``service.wsgi:app``, put together from the environment: what gunicorn serves."""

import os
import time
from functools import partial
from typing import Final

from flask import Flask
from limits import parse
from werkzeug.middleware.proxy_fix import ProxyFix

from service.api.factory import create_app
from service.api.log import STANDARD_OUTPUT, Lines, Log, log_failure
from service.api.metrics import Metrics, with_figures_apart
from service.api.rates import Policy, Rates
from service.api.services import Services
from service.api.trace import add_trip
from service.games.changes import Lifetimes
from service.games.follow import Followers
from service.games.stream import Pace
from service.games.streams import Streams
from service.games.tokens import Tokens
from service.games.usecases import Games
from service.settings import Settings
from service.store.counters import RedisCounters
from service.store.feed import RedisFeed
from service.store.redis_store import RedisGameStore


class SystemClock:
    """The time of this machine."""

    def now(self) -> int:
        """Return the time in milliseconds since 1970 UTC."""
        return time.time_ns() // 1_000_000


class SystemRandom:
    """The randomness of the operating system."""

    def token_bytes(self, size: int) -> bytes:
        """Return unpredictable bytes."""
        return os.urandom(size)


class StoreNotNamed(Exception):
    """There is no REDIS_URL, and nobody has started a private server."""


def build(settings: Settings) -> Flask:
    """Return the app over the Redis that the settings name.

    :raises StoreNotNamed: if they name none; ``gunicorn.conf.py`` starts one and names it.
    """
    if settings.redis_url is None:
        raise StoreNotNamed("Set REDIS_URL, or start the service with `make run`.")
    metrics = Metrics()
    log = Log(settings.log_level, Lines(STANDARD_OUTPUT, metrics.line_lost))
    store = _store(settings.redis_url, settings, metrics)
    lifetimes = Lifetimes(settings.waiting_life, settings.playing_life, settings.finished_life)
    clock = SystemClock()
    tokens = Tokens(settings.secret_key, settings.secret_key_previous)
    games = Games(
        store,
        clock,
        SystemRandom(),
        tokens,
        lifetimes,
        sandbox=settings.sandbox,
        settled=metrics.settled,
    )
    feed = RedisFeed(
        settings.redis_url,
        timeout_seconds=settings.redis_timeout,
        failed=partial(log_failure, log),
    )
    followers = Followers(store, feed, settings.max_streams)
    streams = Streams(store, clock, tokens, followers, Pace(lasts=settings.stream_seconds))
    metrics.watch("streams_open", lambda: followers.places)
    services = Services(
        games,
        log,
        streams,
        sandbox=settings.sandbox,
        origins=settings.origins,
        rates=_rates(settings, log, metrics),
        metrics=metrics,
        metrics_apart=settings.metrics_port is not None,
    )
    return _reached(create_app(services), settings, metrics)


def _store(url: str, settings: Settings, metrics: Metrics) -> RedisGameStore:
    def observe(seconds: float, failed: bool) -> None:  # the store's hook takes no names
        add_trip(seconds)
        metrics.travelled(seconds, failed=failed)

    store = RedisGameStore(
        url,
        timeout_seconds=settings.redis_timeout,
        pool_size=settings.redis_pool_size,
        wait_replicas=settings.wait_replicas,
        observe=observe,
    )
    metrics.watch("redis_connections_in_use", lambda: store.connections_in_use)
    metrics.watch("redis_left_alone", lambda: store.servers_left_alone)
    return store


def _reached(app: Flask, settings: Settings, metrics: Metrics) -> Flask:
    """Return the app as callers come to it: through proxies, and at which port for what."""
    if settings.proxy_count:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=settings.proxy_count)  # type: ignore[method-assign]
    if settings.metrics_port:
        app.wsgi_app = with_figures_apart(app.wsgi_app, metrics, settings.metrics_port)  # type: ignore[method-assign,assignment]
    return app


def _rates(settings: Settings, log: Log, metrics: Metrics) -> Rates | None:
    seats = _policy("seats", settings.rate_limit_seats)
    requests = _policy("requests", settings.rate_limit_requests)
    if settings.redis_url is None or not (seats or requests):
        return None
    counters, failed = RedisCounters(settings.redis_url), metrics.limiter_failed
    return Rates(counters, log, time.time, seats, requests, failed)


def _policy(name: str, rate: str | None) -> Policy | None:
    if rate is None:
        return None
    parsed = parse(rate)
    return Policy(name, parsed.amount, parsed.get_expiry())


app: Final = build(Settings.from_env())
