"""How gunicorn serves: gevent workers, its C parser, and a private Valkey if there is no Redis."""

import atexit
import gc
import logging
import os
import resource
import shutil
import tempfile
from pathlib import Path

import gevent
from gunicorn.arbiter import Arbiter
from gunicorn.workers.base import Worker

from service.settings import Settings, SettingsError
from service.store.embedded import EmbeddedUnavailable, EmbeddedValkey

DRAIN_SECONDS = 0.1
SAMPLE_SECONDS = 1.0
FIGURES = "PROMETHEUS_MULTIPROC_DIR"  # where prometheus-client looks when it is first imported

_MEMORY = Path("/dev/shm")  # noqa: S108

try:
    _settings = Settings.from_env()
except SettingsError as _wrong:
    raise SystemExit(str(_wrong)) from None

_host = f"[{_settings.host}]" if ":" in _settings.host else _settings.host

_ports = (_settings.port, _settings.metrics_port)

bind = [f"{_host}:{port}" for port in _ports if port is not None]
workers = _settings.web_concurrency
worker_class = "gevent"
# A stream holds a connection for as long as it is followed; requests need some beside them.
worker_connections = _settings.max_streams + 1_024
worker_tmp_dir = str(_MEMORY) if _MEMORY.is_dir() else None  # heartbeats that no disk delays
http_parser = "auto"  # gunicorn_h1c in C, where it could be built
preload_app = False  # each worker has connections and random sources of its own
control_socket_disable = True

limit_request_line = 8_190
limit_request_fields = 100
limit_request_field_size = 8_190

# Nothing here reads what a proxy says of a request, and a caller could say it as well.
forwarded_allow_ips = ""

keepalive = 5  # an idle connection holds a stop no longer than this
graceful_timeout = 10
timeout = 30

accesslog = None  # the service writes its own line for each request
loglevel = _settings.log_level


def _without_the_request(record: logging.LogRecord) -> bool:
    """Cuts gunicorn's line on a broken request before it repeats what may be a secret."""
    if str(record.msg).startswith("Invalid request from"):
        record.msg = record.msg.partition(": ")[0]
    elif str(record.msg).startswith("Error handling request"):
        record.msg, record.args = "Error handling request", ()
    return True


def _allow_files() -> None:
    """Asks for as many open files as the connections may need, where the system gives them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = worker_connections + _settings.redis_pool_size + 256
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _share_figures() -> None:
    """Gives the workers a directory in memory, empty at first, for what they count together."""
    directory, owner = tempfile.mkdtemp(prefix="okg-figures-", dir=worker_tmp_dir), os.getpid()

    def forget() -> None:
        if os.getpid() == owner:  # workers end with the same functions to call
            shutil.rmtree(directory, ignore_errors=True)

    atexit.register(forget)
    os.environ[FIGURES] = directory


def on_starting(server: Arbiter) -> None:
    """Starts the private Valkey where no Redis was named; the workers find it in REDIS_URL."""
    _allow_files()
    _share_figures()
    server.log.error_log.addFilter(_without_the_request)
    server.embedded_valkey = None
    if _settings.redis_url is not None:
        return
    try:
        valkey = EmbeddedValkey.start(_settings.data_dir)
    except EmbeddedUnavailable as missing:
        raise SystemExit(str(missing)) from None
    # A port that is taken ends gunicorn without on_exit.
    atexit.register(valkey.stop)
    os.environ["REDIS_URL"] = valkey.url
    server.embedded_valkey = valkey


def when_ready(server: Arbiter) -> None:
    """Prints where the service is to be found."""
    where = ", ".join(map(str, server.LISTENERS))
    print(f"Serving on {where} (to play: /play/, to read: /docs)", flush=True)


def post_fork(server: Arbiter, worker: Worker) -> None:
    """Leaves the private Valkey to the master, so that its death frees the directory."""
    if server.embedded_valkey is not None:
        server.embedded_valkey.disown()


def post_worker_init(worker: Worker) -> None:
    """Has the worker's streams end as soon as it is told to stop, not when all else has.

    Until then it takes down what is open. What was loaded stays, so no collection need look at it.
    """
    gc.collect()
    gc.freeze()
    gevent.spawn(_drain_in_time, worker)
    gevent.spawn(_sample, worker)


def _drain_in_time(worker: Worker) -> None:
    while worker.alive:
        gevent.sleep(DRAIN_SECONDS)
    worker.wsgi.extensions["drain"]()


def _sample(worker: Worker) -> None:
    while worker.alive:
        worker.wsgi.extensions["sample"]()
        gevent.sleep(SAMPLE_SECONDS)


def child_exit(server: Arbiter, worker: Worker) -> None:
    """Forgets what a worker that is gone had open; what it counted stays."""
    # prometheus-client's own function would load it here, before the workers know the directory.
    for file in Path(os.environ[FIGURES]).glob(f"gauge_live*_{worker.pid}.db"):
        file.unlink(missing_ok=True)


def on_exit(server: Arbiter) -> None:
    """Stops the private Valkey after the last worker."""
    if server.embedded_valkey is not None:
        server.embedded_valkey.stop()
