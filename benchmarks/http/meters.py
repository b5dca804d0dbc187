"""What a service and its Redis have spent so far, read from Redis and from the kernel."""

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from redis import Redis

from benchmarks.served import Served

TICKS: Final = os.sysconf("SC_CLK_TCK")
# Between two readings Redis has read one of them.
ASKING: Final = b"*2\r\n$4\r\nINFO\r\n$3\r\nall\r\n"


@dataclass(frozen=True, slots=True)
class Spent:
    """Trips to Redis and bytes sent to it, commands that it ran, seconds of processor.

    ``commands`` has those inside scripts as well. A trip is one read of a client's socket, so
    commands that come together are one.
    """

    trips: int
    received: int
    commands: Counter[str]
    gunicorn: float
    redis: float

    def since(self, before: "Spent") -> "Spent":
        """Return what was spent since then, without what asking cost."""
        commands = Counter(self.commands)
        commands.subtract(before.commands)
        commands.subtract(["info"])
        return Spent(
            self.trips - before.trips - 1,
            self.received - before.received - len(ASKING),
            +commands,
            self.gunicorn - before.gunicorn,
            self.redis - before.redis,
        )


class Meters:
    """Reads what a service has spent."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self._redis = Redis.from_url(served.redis_url)
        self._redis.ping()

    def read(self) -> Spent:
        """Return all that was spent until now."""
        told = self._redis.info("all")
        served = (self._served.pid, *self._served.workers())
        return Spent(
            told["total_reads_processed"],
            told["total_net_input_bytes"],
            Counter(
                {
                    name.removeprefix("cmdstat_"): each["calls"]
                    for name, each in told.items()
                    if name.startswith("cmdstat_")
                }
            ),
            sum(map(processor_seconds, served)),
            told["used_cpu_user"] + told["used_cpu_sys"],
        )

    def close(self) -> None:
        """Close the connection to Redis."""
        self._redis.close()


def processor_seconds(pid: int) -> float:
    """Return the seconds of processor that a process has had, in user and in kernel mode."""
    after_name = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / TICKS
