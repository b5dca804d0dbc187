"""A proxy between store and server that loses requests or replies when it is told to."""

import select
import socket
import threading
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Literal, Self

Fault = Literal["cut before", "cut after", "silence"]


class FaultyProxy:
    """A TCP port on loopback that leads to a unix socket.

    Each of ``faults`` happens once, in order: ``cut before`` closes the connection in place of
    passing on a request, ``cut after`` in place of passing on a reply, ``silence`` keeps a reply
    and leaves the connection open.
    """

    def __init__(self, target: Path) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._open: list[socket.socket] = []
        self.faults: deque[Fault] = deque()
        self.url = f"redis://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Self:
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for one in self._open:
            _close(one)
        for thread in self._threads:
            thread.join(5)

    def _start(self, work: object, *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                self._open += (client, server)
                server.connect(str(self._target))
                self._start(self._pass_on, client, server)

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError, ValueError):
            while self._passed(client, server):
                pass
        _close(client)
        _close(server)

    def _passed(self, client: socket.socket, server: socket.socket) -> bool:
        for readable in select.select([client, server], [], [])[0]:
            said = readable.recv(1 << 16)
            fault = self._fault("cut before" if readable is client else "cut after")
            if not said or fault in ("cut before", "cut after"):
                return False
            if not fault:
                (server if readable is client else client).sendall(said)
        return True

    def _fault(self, cut: Fault) -> Fault | None:
        due = self.faults[0] if self.faults else None
        if due == cut or (due == "silence" and cut == "cut after"):
            return self.faults.popleft()
        return None


def _close(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
