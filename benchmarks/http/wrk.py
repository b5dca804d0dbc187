"""One run of wrk with ``drive.lua``: the load is made by C and LuaJIT, no Python is in its way."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal
from uuid import uuid4

from benchmarks.served import Served

SCRIPT: Final = Path(__file__).with_name("drive.lua")

Kind = Literal["livez", "view", "unchanged", "play"]


@dataclass(frozen=True, slots=True)
class Run:
    """What wrk counted: seconds, answers by kind, and percentiles of latency in milliseconds.

    ``answered`` are those with the status that was due; ``surprise`` is the first other one.
    """

    seconds: float
    requests: int
    answered: int
    refused: int
    failed: int
    lost: int
    idle: int
    over: int
    p50: float
    p99: float
    surprise: str

    @property
    def rate(self) -> float:
        """Good answers a second."""
        return self.answered / self.seconds

    @property
    def clean(self) -> bool:
        """Whether every request was answered as it had to be."""
        return not (self.refused or self.failed or self.lost or self.idle)


@dataclass(frozen=True, slots=True)
class Driver:
    """Drives a service with wrk, so many seconds a run; ``tables`` is what the script reads."""

    served: Served
    tables: Path
    seconds: int

    def run(self, kind: Kind, connections: int, rate: float | None = None) -> Run:
        """Send requests of a kind over so many connections, at a rate or as fast as it goes."""
        url = f"http://{self.served.host}:{self.served.port}"
        options = ["-t1", f"-c{connections}", f"-d{self.seconds}s", "--timeout", "10s"]
        told = {
            "KIND": kind,
            "TABLES": str(self.tables),
            "KEYS": str(uuid4()),
            "RATE": f"{rate:.3f}" if rate else "",
        }
        ended = subprocess.run(  # noqa: S603
            ["wrk", *options, "-s", str(SCRIPT), url],  # noqa: S607
            env={**os.environ, **told},
            capture_output=True,
            text=True,
            check=False,
        )
        return _counted(ended.stdout, ended.stderr)


def _counted(said: str, complained: str) -> Run:
    lines = said.splitlines()
    if not lines or not lines[-1].startswith("{") or complained:
        raise RuntimeError(f"wrk did not finish its run; it said:\n{said}{complained}")
    return Run(**json.loads(lines[-1]))
