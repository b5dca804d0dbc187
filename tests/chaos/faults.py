"""What is done to a service in mid-load. Each fault returns the time at which it was over."""

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from tests.chaos.load import Load
from tests.chaos.proxy import Proxy, Rule
from tests.chaos.stage import Stage

Sight: TypeAlias = Literal["nothing", "503", "perhaps 503", "lost"]
Strike: TypeAlias = Callable[[Stage, Load, float], float]

SCRIPT: Final = b"EVALSHA"
POST: Final = b"POST "
FLUSH_PAUSE_SECONDS: Final = 0.1


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault, how many seconds it lasts in a short run, and what callers must see of it.

    Only where they see ``lost`` answers may a connection end without one.
    """

    name: str
    strike: Strike
    seconds: float
    seen: Sight


def flush_scripts(stage: Stage, load: Load, seconds: float) -> float:
    """Make the server forget its scripts again and again."""
    give_up = time.monotonic() + seconds
    with stage.redis() as redis:
        while time.monotonic() < give_up:
            redis.script_flush()
            load.run_for(FLUSH_PAUSE_SECONDS)
    return time.monotonic()


def stall_store(stage: Stage, load: Load, seconds: float) -> float:
    """Stop the server's process, so that it takes connections and says nothing, and wake it."""
    with stage.redis() as redis:
        process = int(redis.info("server")["process_id"])
    os.kill(process, signal.SIGSTOP)
    try:
        load.run_for(seconds)
    finally:
        os.kill(process, signal.SIGCONT)
    return time.monotonic()


def kill_store(stage: Stage, load: Load, seconds: float) -> float:
    """Kill the server, and start it again over the files it left."""
    stage.store.kill()
    try:
        load.run_for(seconds)
    finally:
        stage.store.start()
    return time.monotonic()


def kill_worker(stage: Stage, load: Load, seconds: float) -> float:
    """Kill one worker and then the other, each in mid-request."""
    killed = time.monotonic()
    for victim in stage.workers():
        os.kill(victim, signal.SIGKILL)
        killed = time.monotonic()
        load.run_for(seconds)
        stage.await_workers()
    return killed


def _through_the_store(rule: Rule) -> Strike:
    return lambda stage, load, seconds: _harm(stage.store_proxy, rule, load, seconds)


def _through_the_client(rule: Rule) -> Strike:
    return lambda stage, load, seconds: _harm(stage.client_proxy, rule, load, seconds)


def _harm(proxy: Proxy, rule: Rule, load: Load, seconds: float) -> float:
    before = proxy.harmed
    with proxy.harming(rule):
        load.run_for(seconds)
    if proxy.harmed == before:
        raise RuntimeError(f"{rule} met nothing")
    return time.monotonic()


_SOME_UNHEARD: Final = Rule("cut after", SCRIPT, 0.5)
_ALL_UNHEARD: Final = Rule("cut after", SCRIPT)
_SOME_UNSENT: Final = Rule("cut before", SCRIPT, 0.5)
_ALL_UNSENT: Final = Rule("cut before")
_SLOW: Final = Rule("delay", seconds=0.2)
_TOO_SLOW: Final = Rule("delay", SCRIPT, 0.9, seconds=1.3)
_LOST_ANSWERS: Final = Rule("cut after", POST, 0.5)
_LOST_REQUESTS: Final = Rule("cut before", POST, 0.5)

FAULTS: Final = (
    Fault("SCRIPT FLUSH", flush_scripts, 1.0, "nothing"),
    Fault("store stalled", stall_store, 3.0, "503"),
    Fault("store killed -9, restarted", kill_store, 1.0, "503"),
    Fault("workers killed -9", kill_worker, 1.0, "lost"),
    Fault("store: cut after script", _through_the_store(_SOME_UNHEARD), 1.0, "503"),
    Fault("store: all cut after script", _through_the_store(_ALL_UNHEARD), 1.0, "503"),
    Fault("store: cut before script", _through_the_store(_SOME_UNSENT), 1.0, "503"),
    Fault("store: every trip cut", _through_the_store(_ALL_UNSENT), 1.0, "503"),
    Fault("store: replies 0.2 s late", _through_the_store(_SLOW), 1.0, "nothing"),
    Fault("store: replies after timeout", _through_the_store(_TOO_SLOW), 2.0, "503"),
    Fault("client: cut after move", _through_the_client(_LOST_ANSWERS), 1.0, "lost"),
    Fault("client: cut before move", _through_the_client(_LOST_REQUESTS), 1.0, "lost"),
    Fault("client: replies 0.2 s late", _through_the_client(_SLOW), 1.0, "nothing"),
)
