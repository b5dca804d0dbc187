"""Servers of more than one process for the tests: a primary with its replica, and a cluster."""

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

from redis import Redis
from redis.crc import key_slot
from redis.exceptions import RedisError

from tests.servers import READY_SECONDS, client_of, store_binary

SLOTS = 16_384
SERVICE = "games"
PRIMARIES = 3


def free_port() -> int:
    """Return a port that nobody listens at now, and whose bus port a cluster may have too."""
    while True:
        with socket.socket() as probe, socket.socket() as bus:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
            if port > 55_000:
                continue
            try:
                bus.bind(("127.0.0.1", port + 10_000))
            except OSError:
                continue
            return port


def wait_until(true: Callable[[], bool], what: str) -> None:
    """Return once something is so; servers that do not answer are asked again."""
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        try:
            if true():
                return
        except RedisError:
            pass
        time.sleep(0.02)
    raise AssertionError(f"in {READY_SECONDS} seconds it did not come to be that {what}")


class Node:
    """A Redis or Valkey at a port of its own, with its files in a directory of its own."""

    def __init__(self, *options: str, sentinel: str = "") -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self._directory = Path(tempfile.mkdtemp(prefix="okg-"))
        self._options = options
        self._sentinel = sentinel
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Self:
        """Start and wait for an answer."""
        given = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "dir": str(self._directory),
            "logfile": str(self._directory / "log"),
        }
        if self._sentinel:
            file = self._directory / "sentinel.conf"
            lines = [f"{name} {value}" for name, value in given.items()]
            file.write_text("\n".join([*lines, self._sentinel, ""]))
            command = [store_binary(), str(file), "--sentinel"]
        else:
            given |= {"save": "", "appendonly": "yes", "repl-diskless-sync-delay": "0"}
            words = [part for name, value in given.items() for part in (f"--{name}", value)]
            command = [store_binary(), *words, *self._options]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        wait_until(self._answers, f"{self.url} answers")
        return self

    def ask(self, *command: str | int) -> object:
        """Return a server's answer to a command."""
        with client_of(self.url) as client:
            return client.execute_command(*command)

    def info(self) -> dict[str, object]:
        """Return what a server says of its replication."""
        with client_of(self.url) as client:
            return dict(client.info("replication"))

    def kill(self) -> None:
        """End the server as a crash does."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        """End the server and remove its files."""
        self.kill()
        shutil.rmtree(self._directory, ignore_errors=True)

    def _answers(self) -> bool:
        with client_of(self.url) as client:
            return bool(client.ping())


class Watched:
    """A primary and its replicas, watched by a sentinel that promotes one of them in its need."""

    def __init__(self, primary: Node, replicas: list[Node], sentinel: Node) -> None:
        self.primary, self.replicas, self.sentinel = primary, replicas, sentinel
        self.url = f"redis+sentinel://127.0.0.1:{sentinel.port}/{SERVICE}"

    def fail_over(self) -> None:
        """Kill the primary and wait until a replica has taken its place."""
        self.primary.kill()
        self._wait_for_promotion()

    def settle(self) -> None:
        """Return once the sentinel names the new primary and a replica follows that."""
        wait_until(lambda: self._named().port != self.primary.port, "another primary is named")
        wait_until(lambda: _reaches_replicas(self._named(), 1), "a replica follows it")

    def _named(self) -> Node:
        told: Any = self.sentinel.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE)
        return next(node for node in (self.primary, *self.replicas) if node.port == int(told[1]))

    def swap(self) -> None:
        """Have the sentinel make the primary a replica, and a replica the primary."""
        wait_until(lambda: bool(self.sentinel.ask("SENTINEL", "FAILOVER", SERVICE)), "it begins")
        self._wait_for_promotion()
        wait_until(lambda: _follows(self.primary), "the primary has become a replica")

    def bring_back(self) -> None:
        """Start the replica that was killed and wait until it follows."""
        self.replicas[0].start()
        wait_until(lambda: _reaches_replicas(self.primary, 1), "the replica is back")

    def _wait_for_promotion(self) -> None:
        wait_until(lambda: any(map(_leads, self.replicas)), "a replica is promoted")


@contextmanager
def watched(replicas: int = 1) -> Iterator[Watched]:
    """Run a primary, its replicas and a sentinel."""
    with ExitStack() as running:
        primary = running.enter_context(_running(Node()))
        following = [
            running.enter_context(_running(Node("--replicaof", f"127.0.0.1 {primary.port}")))
            for _ in range(replicas)
        ]
        wait_until(lambda: _reaches_replicas(primary, replicas), "the replicas have caught up")
        watch = (
            f"sentinel monitor {SERVICE} 127.0.0.1 {primary.port} 1\n"
            f"sentinel down-after-milliseconds {SERVICE} 1000\n"
            f"sentinel failover-timeout {SERVICE} 10000"
        )
        sentinel = running.enter_context(_running(Node(sentinel=watch)))
        with client_of(sentinel.url) as client:
            wait_until(lambda: _knows_replicas(client, replicas), "the sentinel knows them")
        yield Watched(primary, following, sentinel)


def _follows(node: Node) -> bool:
    told = node.info()
    return told["role"] == "slave" and told["master_link_status"] == "up"


def _leads(node: Node) -> bool:
    return node.info()["role"] == "master"


def _reaches_replicas(primary: Node, count: int) -> bool:
    # Either side calls the link up before a write goes through it. Publishing is a write here, and
    # unlike a key it belongs to no slot.
    with client_of(primary.url) as client:
        said = client.pipeline(transaction=False)
        said.execute_command("PUBLISH", "are you there", "")
        said.execute_command("WAIT", count, 200)
        return bool(said.execute()[1] == count)


def _knows_replicas(sentinel: Redis, count: int) -> bool:
    told: Any = sentinel.sentinel_master(SERVICE)
    return bool(told["num-slaves"] == count)


class RunningCluster:
    """Three primaries with a replica each."""

    def __init__(self, primaries: list[Node], replicas: list[Node]) -> None:
        self.primaries, self.replicas = primaries, replicas
        named = ",".join(f"127.0.0.1:{node.port}" for node in primaries)
        self.url = f"redis+cluster://{named}"

    def fail_over(self, place: int = 0) -> None:
        """Kill a primary and wait until its replica has taken its place."""
        self.primaries[place].kill()
        replica = self.replicas[place]
        wait_until(lambda: _leads(replica), "the replica is promoted")
        wait_until(lambda: _is_whole(replica), "all slots are kept again")

    def bring_back(self, place: int = 0) -> None:
        """Start the primary that was killed and wait until it follows its former replica."""
        self.primaries[place].start()
        wait_until(lambda: _reaches_replicas(self.replicas[place], 1), "it is a replica")

    def swap(self, place: int = 0) -> None:
        """Make a primary the replica of its own replica, with no write lost between them."""
        replica = self.replicas[place]
        replica.ask("CLUSTER", "FAILOVER")
        wait_until(lambda: _leads(replica), "the replica is promoted")
        wait_until(lambda: _follows(self.primaries[place]), "the primary has become a replica")

    def place_of(self, key: str) -> int:
        """Return which of the primaries keeps a key."""
        slot = key_slot(key.encode())
        return next(place for place in range(PRIMARIES) if slot < SLOTS * (place + 1) // PRIMARIES)


@contextmanager
def clustered() -> Iterator[RunningCluster]:
    """Run a cluster of six nodes."""
    options = ("--cluster-enabled", "yes", "--cluster-node-timeout", "2000")
    with ExitStack() as running:
        nodes = [running.enter_context(_running(Node(*options))) for _ in range(2 * PRIMARIES)]
        primaries, replicas = nodes[:PRIMARIES], nodes[PRIMARIES:]
        for place, node in enumerate(primaries):
            first, last = SLOTS * place // PRIMARIES, SLOTS * (place + 1) // PRIMARIES - 1
            node.ask("CLUSTER", "ADDSLOTSRANGE", first, last)
            node.ask("CLUSTER", "SET-CONFIG-EPOCH", place + 1)
        for node in nodes[1:]:
            nodes[0].ask("CLUSTER", "MEET", "127.0.0.1", node.port)
        for node in nodes:
            wait_until(lambda node=node: _knows(node, len(nodes)), "every node knows the others")  # type: ignore[misc]
        for primary, replica in zip(primaries, replicas, strict=True):
            replica.ask("CLUSTER", "REPLICATE", _text(primary.ask("CLUSTER", "MYID")))
        for node in nodes:
            wait_until(lambda node=node: _is_whole(node), "all slots are kept")  # type: ignore[misc]
        for primary in primaries:
            wait_until(
                lambda primary=primary: _reaches_replicas(primary, 1),  # type: ignore[misc]
                "every replica has caught up",
            )
        yield RunningCluster(primaries, replicas)


def _knows(node: Node, nodes: int) -> bool:
    return f"cluster_known_nodes:{nodes}" in _text(node.ask("CLUSTER", "INFO"))


def _is_whole(node: Node) -> bool:
    said = _text(node.ask("CLUSTER", "INFO"))
    return "cluster_state:ok" in said and f"cluster_slots_ok:{SLOTS}" in said


def _text(answer: object) -> str:
    if isinstance(answer, dict):
        return "\n".join(f"{name}:{value}" for name, value in answer.items())
    return answer.decode() if isinstance(answer, bytes) else str(answer)


@contextmanager
def _running(node: Node) -> Iterator[Node]:
    try:
        yield node.start()
    finally:
        node.close()
