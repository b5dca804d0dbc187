"""The service as it is built for gunicorn, in this process, over a store of its own."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from random import Random
from typing import Any, Final

from flask import Flask
from werkzeug.serving import WSGIRequestHandler, make_server

from service.api.factory import create_app
from service.api.log import Log as ServiceLog
from service.api.services import Services
from service.games.changes import Lifetimes
from service.games.follow import Followers
from service.games.news import News
from service.games.stream import Pace
from service.games.streams import Streams
from service.games.tokens import Tokens
from service.games.usecases import Games
from service.store.feed import RedisFeed
from service.store.redis_store import RedisGameStore
from tests.fuzz.tables import Tables
from tests.games.table import KEY, Seeded, StoppedClock

STREAM_SECONDS: Final = 0.01
MOST_STREAMS: Final = 100


class HurriedStreams(Streams):
    """Streams for which a second is a hundredth of one."""

    def _held(self, game_id: str, seconds: float, ends: Callable[[News], bool]) -> News:
        return super()._held(game_id, seconds / 100, ends)


class Quiet(WSGIRequestHandler):
    """Keeps connections open, and says nothing of what it is asked."""

    protocol_version = "HTTP/1.1"

    def log(self, *_said: Any) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Stage:
    """Where the app is served, games in every phase, the chance of the run, and what was logged."""

    url: str
    tables: Tables
    dice: Random
    log: BytesIO


@contextmanager
def set_stage(store_url: str, seed: int = 1) -> Iterator[Stage]:
    """Serve the app over the store at a URL; its time is stopped, its chance the seed's."""
    log, clock, dice = BytesIO(), StoppedClock(), Random(seed)
    app = _app(store_url, clock, log, seed)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        url = f"http://127.0.0.1:{server.server_port}"
        yield Stage(url, Tables(app.test_client(), clock, dice), dice, log)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _app(store_url: str, clock: StoppedClock, log: BytesIO, seed: int) -> Flask:
    store = RedisGameStore(store_url, timeout_seconds=2, pool_size=8)
    tokens = Tokens(KEY)
    games = Games(store, clock, Seeded(Random(seed)), tokens, Lifetimes(), sandbox=True)
    followers = Followers(store, RedisFeed(store_url, timeout_seconds=2), MOST_STREAMS)
    pace = Pace(heartbeat=STREAM_SECONDS / 2, lasts=STREAM_SECONDS)
    streams = HurriedStreams(store, clock, tokens, followers, pace)
    return create_app(Services(games, ServiceLog("info", log), streams, sandbox=True))
