"""``service.wsgi:app``, put together from the environment: what gunicorn serves."""

import os
import time
from functools import partial
from typing import Any, Final

from flask import Flask
from limits import parse
from werkzeug.middleware.proxy_fix import ProxyFix

from service.api.factory import create_app
from service.api.rates import Policy, Rates
from service.api.services import Services
from service.api.trace import add_trip, log_failure, make_log
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
    store = RedisGameStore(
        settings.redis_url,
        timeout_seconds=settings.redis_timeout,
        pool_size=settings.redis_pool_size,
        wait_replicas=settings.wait_replicas,
        observe=add_trip,
    )
    lifetimes = Lifetimes(settings.waiting_life, settings.playing_life, settings.finished_life)
    clock = SystemClock()
    tokens = Tokens(settings.secret_key, settings.secret_key_previous)
    games = Games(store, clock, SystemRandom(), tokens, lifetimes, sandbox=settings.sandbox)
    log = make_log(settings.log_level)
    feed = RedisFeed(
        settings.redis_url,
        timeout_seconds=settings.redis_timeout,
        failed=partial(log_failure, log),
    )
    followers = Followers(store, feed, settings.max_streams)
    streams = Streams(store, clock, tokens, followers, Pace(lasts=settings.stream_seconds))
    rates = _rates(settings, log)
    app = create_app(Services(games, log, streams, settings.sandbox, settings.origins, rates))
    if settings.proxy_count:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=settings.proxy_count)  # type: ignore[method-assign]
    return app


def _rates(settings: Settings, log: Any) -> Rates | None:
    seats = _policy("seats", settings.rate_limit_seats)
    requests = _policy("requests", settings.rate_limit_requests)
    if settings.redis_url is None or not (seats or requests):
        return None
    return Rates(RedisCounters(settings.redis_url), log, time.time, seats, requests)


def _policy(name: str, rate: str | None) -> Policy | None:
    if rate is None:
        return None
    parsed = parse(rate)
    return Policy(name, parsed.amount, parsed.get_expiry())


app: Final = build(Settings.from_env())
