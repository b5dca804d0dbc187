"""A proxy of the tests' own whose faults are switched while connections are open and in use."""

import heapq
import random
import selectors
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final, Literal, Self, TypeAlias

Target: TypeAlias = Path | tuple[str, int]
Harm: TypeAlias = Literal["cut before", "cut after", "delay"]

CHUNK: Final = 1 << 16
PATIENCE_SECONDS: Final = 2.0
POLL_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class Rule:
    """What happens to a share of the exchanges whose request holds ``marker``.

    ``cut before`` drops the request, ``cut after`` its reply once the server has given it; both
    close the connection. ``delay`` holds the reply back for ``seconds``.
    """

    harm: Harm
    marker: bytes = b""
    share: float = 1.0
    seconds: float = 0.0


@dataclass(slots=True, eq=False)
class Link:
    """One connection through the proxy, and what is in store for the exchange that is under way."""

    client: socket.socket
    server: socket.socket
    fate: Rule | None = None
    answered: bool = False

    def close(self) -> None:
        for end in (self.client, self.server):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@dataclass(order=True, slots=True)
class Held:
    """A part of a reply that waits for its time."""

    due: float
    number: int
    link: Link = field(compare=False)
    said: bytes = field(compare=False)


class Proxy:
    """Passes bytes between a free loopback port and a server; ``harmed`` counts what it spoilt."""

    def __init__(self, target: Target, seed: int = 1) -> None:
        self._target = target
        self._dice = random.Random(seed)
        self._rule: Rule | None = None
        self._selector = selectors.DefaultSelector()
        self._links: dict[socket.socket, Link] = {}
        self._held: list[Held] = []
        self._numbers = count()
        self._closing = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self._thread = threading.Thread(target=self._serve, name="proxy", daemon=True)
        self.harmed = 0
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> Self:
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._thread.join(PATIENCE_SECONDS + 1)
        for link in set(self._links.values()):
            link.close()
        self._listener.close()
        self._selector.close()

    @contextmanager
    def harming(self, rule: Rule) -> Iterator[None]:
        """Apply a rule, to connections that are open too, for as long as the context lasts."""
        self._rule = rule
        try:
            yield
        finally:
            self._rule = None

    def _serve(self) -> None:
        while not self._closing.is_set():
            for key, _ in self._selector.select(self._pause()):
                if key.fileobj is self._listener:
                    self._accept()
                elif isinstance(key.fileobj, socket.socket):
                    self._read(key.fileobj)
            self._release()

    def _pause(self) -> float:
        if not self._held:
            return POLL_SECONDS
        return min(POLL_SECONDS, max(0.0, self._held[0].due - time.monotonic()))

    def _accept(self) -> None:
        client, _ = self._listener.accept()
        try:
            server = _connected(self._target)
        except OSError:
            client.close()
            return
        client.settimeout(PATIENCE_SECONDS)
        link = Link(client, server)
        for end in (client, server):
            self._links[end] = link
            self._selector.register(end, selectors.EVENT_READ)

    def _read(self, end: socket.socket) -> None:
        link = self._links.get(end)
        if link is None:  # its other end was cut in the same breath
            return
        try:
            said = end.recv(CHUNK)
            if said and (self._asked if end is link.client else self._replied)(link, said):
                return
        except OSError:
            pass
        self._drop(link)

    def _asked(self, link: Link, said: bytes) -> bool:
        """Pass a part of a request on, and return whether the connection stays."""
        if link.answered:
            link.fate, link.answered = None, False
        rule = self._rule
        if rule and not link.fate and rule.marker in said and self._dice.random() < rule.share:
            link.fate = rule
            self.harmed += 1
        if link.fate and link.fate.harm == "cut before":
            return False
        link.server.sendall(said)
        return True

    def _replied(self, link: Link, said: bytes) -> bool:
        """Pass a part of a reply back, and return whether the connection stays."""
        link.answered = True
        if not link.fate:
            link.client.sendall(said)
            return True
        if link.fate.harm == "delay":
            due = time.monotonic() + link.fate.seconds
            heapq.heappush(self._held, Held(due, next(self._numbers), link, said))
            return True
        return False

    def _release(self) -> None:
        while self._held and self._held[0].due <= time.monotonic():
            held = heapq.heappop(self._held)
            if held.link.client not in self._links:
                continue
            try:
                held.link.client.sendall(held.said)
            except OSError:
                self._drop(held.link)

    def _drop(self, link: Link) -> None:
        for end in (link.client, link.server):
            if self._links.pop(end, None):
                self._selector.unregister(end)
        link.close()


def _connected(target: Target) -> socket.socket:
    if isinstance(target, tuple):
        return socket.create_connection(target, timeout=PATIENCE_SECONDS)
    server = socket.socket(socket.AF_UNIX)
    server.settimeout(PATIENCE_SECONDS)
    try:
        server.connect(str(target))
    except OSError:
        server.close()
        raise
    return server
