"""Streams that are open while others play: their events are read and thrown away."""

import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice

from benchmarks.http.games import Games
from benchmarks.streams import Crowd

STEP_SECONDS = 0.1


@contextmanager
def following(games: Games, streams: int) -> Iterator[None]:
    """Keep so many spectators' streams open, as many on each game."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    crowd = Crowd(games.served.host, games.served.port)
    for game in islice(cycle(games.games), streams):
        crowd.follow(f"{game.path}/stream")
    over = threading.Event()
    reader = threading.Thread(target=_read, args=(crowd, over))
    reader.start()
    try:
        yield
    finally:
        over.set()
        reader.join()
        crowd.close()


def _read(crowd: Crowd, over: threading.Event) -> None:
    while not over.is_set():
        for number, _ in crowd.poll.poll(STEP_SECONDS):
            crowd.readers[number].recv(65_536)
