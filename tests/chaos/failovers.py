"""Another server takes over in mid-load, where every move waits for a replica."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests.chaos.faults import Sight
from tests.chaos.load import Load
from tests.chaos.stage import serve
from tests.chaos.trial import TABLES, Report, strike_at
from tests.topologies import RunningCluster, Watched, clustered, watched


@dataclass(frozen=True, slots=True)
class Failover:
    """The servers that are started, and how another of them becomes the primary."""

    name: str
    servers: Callable[[], AbstractContextManager[Any]]
    strike: Callable[[Any, Load], None]
    seen: Sight


def try_failover(
    directory: Path, failover: Failover, seconds: float, *, tables: int = TABLES
) -> Report:
    """Let a primary be replaced under players in mid-game and audit every game of theirs.

    They play on for ``seconds`` under the new one.
    """

    def strike(load: Load) -> float:
        failover.strike(servers, load)
        over = time.monotonic()
        load.run_for(seconds)
        return over

    with (
        failover.servers() as servers,
        serve(directory, servers.url, WAIT_REPLICAS="1") as service,
    ):
        return strike_at(service, failover.name, strike, failover.seen, tables=tables)


def _kill_watched(servers: Watched, _load: Load) -> None:
    servers.fail_over()
    servers.settle()


def _swap_watched(servers: Watched, _load: Load) -> None:
    servers.swap()


def _kill_in_cluster(servers: RunningCluster, load: Load) -> None:
    place = _place_of_a_game(servers, load)
    servers.fail_over(place)
    servers.bring_back(place)  # as the replica that the next move waits for


def _swap_in_cluster(servers: RunningCluster, load: Load) -> None:
    servers.swap(_place_of_a_game(servers, load))


def _place_of_a_game(servers: RunningCluster, load: Load) -> int:
    return servers.place_of(f"okg:{{{load.games()[0].game_id}}}")


FAILOVERS: Final = (
    Failover("sentinel: primary killed -9", partial(watched, replicas=2), _kill_watched, "503"),
    Failover("sentinel: primary made replica", watched, _swap_watched, "503"),
    Failover("cluster: primary killed -9", clustered, _kill_in_cluster, "503"),
    Failover("cluster: primary made replica", clustered, _swap_in_cluster, "perhaps 503"),
)
