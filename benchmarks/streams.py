"""What streams cost: ``python -m benchmarks.streams``.

Two thousand streams on two workers while others play: connections to Redis, memory for each stream,
how soon an event is with its readers, and what a plain GET takes beside them. Goals are printed,
not asserted; medians of interleaved runs where two things are compared.
"""

import argparse
import resource
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Final

from redis import Redis

from benchmarks.served import WORKERS, Served, serve
from benchmarks.tables import Table

READERS_A_TABLE: Final = 10
EVENTS: Final = 25
GETS: Final = 600
RUNS: Final = 5
PATIENCE: Final = 30.0


@dataclass(slots=True)
class Crowd:
    """Many readers of streams on one epoll."""

    host: str
    port: int
    poll: select.epoll = field(default_factory=select.epoll)
    readers: dict[int, socket.socket] = field(default_factory=dict)

    def follow(self, path: str) -> None:
        """Open a stream from the game's last version on."""
        reader = socket.create_connection((self.host, self.port), PATIENCE)
        reader.sendall(f"GET {path} HTTP/1.1\r\nHost: {self.host}\r\n\r\n".encode())
        said = b""
        while b"retry: 1000" not in said:
            got = reader.recv(65_536)
            if not got:
                raise RuntimeError(f"no stream at {path}: {said!r}")
            said += got
        self.readers[reader.fileno()] = reader
        self.poll.register(reader, select.EPOLLIN)

    def arrivals(self, mark: bytes, expected: int) -> list[float]:
        """Return when the mark came to each reader, as seconds of ``perf_counter``."""
        came: list[float] = []
        got = bytearray(65_536)
        give_up = time.perf_counter() + PATIENCE
        while len(came) < expected and time.perf_counter() < give_up:
            ready = self.poll.poll(1.0)
            now = time.perf_counter()
            for number, _ in ready:
                size = self.readers[number].recv_into(got)
                if got.find(mark, 0, size) >= 0:
                    came.append(now)
        return came

    def close(self) -> None:
        """Close all streams."""
        for reader in self.readers.values():
            reader.close()
        self.poll.close()


@contextmanager
def playing(served: Served, rate: int) -> Iterator[list[float]]:
    """Have another process play beside; the list gets how many moves it made a second."""
    made: list[float] = []
    words = [served.host, str(served.port), str(rate)]
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "benchmarks.tables", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield made
        finally:
            said, _ = process.communicate()
            made.append(float(said))


def gets(table: Table) -> list[float]:
    """Return the milliseconds that each of some plain GETs takes, one after the other."""
    took = []
    table.reconnect()
    for _ in range(GETS // RUNS):
        start = time.perf_counter()
        table.connection.request("GET", table.path)
        table.connection.getresponse().read()
        took.append((time.perf_counter() - start) * 1000)
        time.sleep(0.002)
    return took


def delivery(crowd: Crowd, tables: list[Table], readers: int) -> list[float]:
    """Return the milliseconds from a move's first byte to its event at each reader of the table."""
    took: list[float] = []
    for number in range(EVENTS):
        table = tables[number % len(tables)]
        table.reconnect()
        move = table.next()
        if move is None:
            raise RuntimeError("the watched game is over")
        start = time.perf_counter()
        table.send(move)
        took += ((came - start) * 1000 for came in crowd.arrivals(b"\nevent: ", readers))
        table.connection.getresponse().read()
    return took


def connections(served: Served) -> tuple[int, int]:
    """Return how many connections the Valkey has, and how many of them listen."""
    with Redis.from_url(served.redis_url) as client:
        return len(client.client_list()) - 1, len(client.client_list(_type="pubsub"))


def spread(took: list[float]) -> str:
    """Return the median and the 95th percentile of some milliseconds."""
    if len(took) < 2:
        return "nothing arrived"
    return f"p50 {median(took):.1f} ms, p95 {quantiles(took, n=20)[-1]:.1f} ms"


def row(what: str, measured: str, goal: str = "") -> None:
    """Print a line of the table."""
    print(f"{what:<46} {measured:<40} {goal}", flush=True)


def crowded(served: Served, tables: list[Table], streams: int) -> Crowd:
    """Open streams, as many at each table."""
    crowd = Crowd(served.host, served.port)
    for number in range(streams):
        crowd.follow(f"{tables[number % len(tables)].path}/stream?after=2")
    return crowd


def measure(served: Served, streams: int, rate: int) -> None:
    """Measure all of it on a running service and print the table."""
    quiet = [Table(served.host, served.port) for _ in range(streams // READERS_A_TABLE)]
    crowd_pulling = Table(served.host, served.port)
    with playing(served, rate) as made:
        gets(crowd_pulling)
        alone, beside = [], []
        before, connected = served.memory(), connections(served)
        crowd = crowded(served, quiet, streams)
        after = served.memory()
        for run in range(RUNS):
            beside += gets(crowd_pulling)
            if run == 0:
                row("connections to Redis, without streams", f"{connected[0]}")
                listed = connections(served)
                row(
                    f"... with {streams} streams on {WORKERS} workers",
                    f"{listed[0]}, of which {listed[1]} listen",
                    "listeners: one for each worker",
                )
                each = (sum(after) - sum(before)) / streams
                row("memory for each stream", f"{each:.1f} KiB", "at most 40 KiB")
                told = delivery(crowd, quiet, READERS_A_TABLE)
                row(f"an event to {READERS_A_TABLE} readers", spread(told), "p95 within 100 ms")
            crowd.close()
            alone += gets(crowd_pulling)
            if run < RUNS - 1:
                crowd = crowded(served, quiet, streams)
        row("a plain GET beside no streams", spread(alone))
        row(f"... beside {streams}", spread(beside), f"{median(beside) / median(alone):.2f} times")
        crowd = crowded(served, [crowd_pulling], streams)
        told = delivery(crowd, [crowd_pulling], streams)
        row(f"an event to {streams} readers of one game", spread(told), "p95 within 100 ms")
        crowd.close()
    row("moves a second elsewhere", f"{made[0]:.0f}", f"{rate} were asked for")


def main() -> None:
    """Start a service and measure it."""
    parser = argparse.ArgumentParser(description="What streams cost.")
    parser.add_argument("--streams", type=int, default=2_000)
    parser.add_argument("--rate", type=int, default=200, help="moves a second elsewhere")
    asked = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    # A reader that has gone is noticed at the next sign of life, and takes up a place until then.
    with serve(MAX_STREAMS=str(asked.streams * RUNS)) as served:
        measure(served, asked.streams, asked.rate)


if __name__ == "__main__":
    main()
