"""The real service for a benchmark: gunicorn over its own Valkey, which saves every write."""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

WORKERS: Final = 2
START_SECONDS: Final = 30.0
PAGE_KIB: Final = os.sysconf("SC_PAGE_SIZE") // 1024


@dataclass(frozen=True, slots=True)
class Served:
    """A running service: where it answers, its master's process id, and its data."""

    host: str
    port: int
    pid: int
    directory: Path

    @property
    def redis_url(self) -> str:
        """The address of its private Valkey."""
        return f"unix://{(self.directory / 'valkey' / 'socket').read_text(encoding='utf-8')}"

    def workers(self) -> list[int]:
        """Return the process ids of its workers."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii")
        return [int(pid) for pid in children.split() if _is_python(int(pid))]

    def memory(self) -> list[int]:
        """Return what each worker has in memory, in KiB."""
        return [resident(pid) for pid in self.workers()]


@contextmanager
def serve(workers: int = WORKERS, *, module: str = "service", **environ: str) -> Iterator[Served]:
    """Run a service for as long as the context lasts; ``module`` starts it."""
    with tempfile.TemporaryDirectory(prefix="okg-bench-") as directory:
        log = Path(directory) / "service.log"
        environ = {**os.environ, "DATA_DIR": directory, "PORT": "0", **environ}
        environ["WEB_CONCURRENCY"] = str(workers)
        with log.open("wb") as out:
            process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", module], env=environ, stdout=out, stderr=out
            )
        try:
            host, port = _serving_at(process, log)
            yield Served(host, port, process.pid, Path(directory))
        finally:
            process.terminate()
            process.wait()


def resident(pid: int) -> int:
    """Return what a process has in memory, in KiB."""
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE_KIB


def _is_python(pid: int) -> bool:
    command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0]
    return command.rpartition(b"/")[2].startswith(b"python")  # the Valkey may lie in its folders


def _serving_at(process: subprocess.Popen[bytes], log: Path) -> tuple[str, int]:
    give_up = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < give_up:
        found = re.search(r"Serving on http://([\d.]+):(\d+)", log.read_text(encoding="utf-8"))
        if found:
            return found[1], int(found[2])
        time.sleep(0.05)
    raise RuntimeError(f"the service did not start:\n{log.read_text(encoding='utf-8')}")
