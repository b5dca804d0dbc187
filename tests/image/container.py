"""Runs an image's command in namespaces of its own, as a container runtime does."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.image.builder import Image

INSIDE = Path(__file__).with_name("inside.sh")
NAMESPACES = ("--mount", "--pid", "--ipc", "--uts")
START_SECONDS = 30
STOP_SECONDS = 10


def command(image: Image, arguments: Sequence[str], environ: Mapping[str, str]) -> list[str]:
    """Return what runs these arguments in the image, with its own environment and this one."""
    names = dict(one.split("=", 1) for one in image.config["Env"]) | dict(environ)
    given = (f"{name}={value}" for name, value in names.items())
    unshare = ("unshare", *NAMESPACES, "--fork", "--kill-child")
    return [*unshare, str(INSIDE), str(image.files), *given, *arguments]


def run(image: Image, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the image to its end."""
    return subprocess.run(
        command(image, arguments, environ),
        check=False,
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
    )


class Container:
    """The image's own command, running; ``first`` is its first process, as this machine counts."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process = process
        self._log = log

    @property
    def log(self) -> str:
        return self._log.read_text()

    @property
    def first(self) -> int:
        pid = self.process.pid
        [child] = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return int(child)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop it and return its status, once all its processes have ended."""
        # With the first process of a namespace go all others, and before it is reaped.
        os.kill(self.first, how)
        return self.process.wait(STOP_SECONDS)

    def about(self, name: str) -> str:
        """Return what /proc tells of its first process."""
        return Path(f"/proc/{self.first}/{name}").read_text()

    def files(self, directory: str) -> list[str]:
        """Return the names of all that lies in a directory of its own view."""
        root = Path(f"/proc/{self.first}/root")
        return sorted(str(it.relative_to(root)) for it in (root / directory).rglob("*"))

    def wait_until_it_serves(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while "Serving on" not in self.log:
            alive = self.process.poll() is None and time.monotonic() < deadline
            assert alive, f"the image does not serve:\n{self.log}"
            time.sleep(0.02)


@contextmanager
def serving(image: Image, log: Path, **environ: str) -> Iterator[Container]:
    """Run the image's own command for as long as the context lasts."""
    arguments = [*image.config["Entrypoint"], *image.config["Cmd"]]
    with log.open("wb") as out:
        process = subprocess.Popen(
            command(image, arguments, environ), stdout=out, stderr=subprocess.STDOUT
        )
    container = Container(process, log)
    try:
        container.wait_until_it_serves()
        yield container
    finally:
        if process.poll() is None:
            container.stop(signal.SIGKILL)
