"""An nginx before the service, with its files in a directory of its own."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

READY_SECONDS = 10

CONFIGURATION = """
daemon off;
master_process off;
pid {directory}/nginx.pid;
error_log {directory}/error.log;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    {servers}
}}
"""


@contextmanager
def nginx(servers: str, ask: Callable[[Path], object]) -> Iterator[Path]:
    """Run an nginx with servers that may name their ``{directory}``, and give that.

    It is ready when ``ask``, given the directory, raises no ``OSError`` any more.
    """
    binary = os.environ.get("TEST_NGINX")
    assert binary, "Set TEST_NGINX to the path of an nginx, or run `make ci`, which installs one."
    # A socket's path may have 107 bytes, and those of a test's own directory may be longer.
    directory = Path(tempfile.mkdtemp(prefix="okg-"))
    configuration = directory / "nginx.conf"
    own = servers.replace("{directory}", str(directory))
    configuration.write_text(CONFIGURATION.format(directory=directory, servers=own))
    process = subprocess.Popen([binary, "-p", str(directory), "-c", str(configuration)])
    try:
        _wait_for(process, lambda: ask(directory))
        yield directory
    finally:
        process.terminate()
        process.wait(READY_SECONDS)
        shutil.rmtree(directory)


def _wait_for(process: subprocess.Popen[bytes], ask: Callable[[], object]) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            ask()
        except OSError:
            time.sleep(0.01)
        else:
            return
    raise AssertionError("nginx does not answer")
