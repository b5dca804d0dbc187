"""The real service for tests: gunicorn with its workers on a free port, over its own Valkey."""

import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

import requests

from tests.witness import unwatch, watch

ROOT = Path(__file__).parents[2]
START_SECONDS = 30
STOP_SECONDS = 20


class Service:
    """A running service; ``url`` is where it answers, ``log`` what it has printed so far."""

    def __init__(self, data_dir: Path, **environ: str) -> None:
        self.data_dir = data_dir
        self._environ = {
            **{name: value for name, value in os.environ.items() if name in ("PATH", "HOME")},
            "DATA_DIR": str(data_dir),
            "PORT": "0",
            "SANDBOX": "1",
            **environ,
        }
        self.url = ""
        self._log = Path(tempfile.mkstemp(prefix="service-", suffix=".log", dir=data_dir)[1])
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> str:
        return self._log.read_text()

    def start(self) -> Self:
        """Start, and return once it says where it serves and its store is ready."""
        with self._log.open("ab") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "service"],
                cwd=ROOT,
                env=self._environ,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        self.url = self._serving_at()
        watch(self.url)
        answer = requests.get(f"{self.url}/readyz", timeout=START_SECONDS)
        assert answer.status_code == 200, answer.text
        return self

    def _serving_at(self) -> str:
        # The service prints its address once; reading the pipe of its log would block forever.
        with subprocess.Popen(
            ["tail", "-n", "+1", "-F", "-s", "0.05", str(self._log)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as tail:
            assert tail.stdout is not None
            try:
                for line in tail.stdout:
                    if found := re.search(r"Serving on (http://\S+)", line):
                        return found[1].rstrip(",")
                    if self.process is None or self.process.poll() is not None:
                        break
            finally:
                tail.kill()
        raise AssertionError(f"the service did not start:\n{self.log}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop and return the exit status."""
        assert self.process is not None
        unwatch(self.url)
        self.process.send_signal(how)
        return self.process.wait(STOP_SECONDS)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process is not None and self.process.poll() is None:
            self.stop()
