"""Health: whether the process lives, and whether it can keep games."""

from dataclasses import dataclass
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST

from service.api.operation import Call, Reply, Resource
from service.api.schemas.pages import HealthSchema
from service.games.follow import draining

health = Resource("health", "Probes for whoever runs the service.")

METRICS_PATH: Final = "/metrics"
NEVER_KEPT: Final = (("Cache-Control", "no-store"),)


@dataclass(frozen=True, slots=True)
class Health:
    """A sign of life."""

    status: str


@health.get("/livez", "getLiveness", answer=HealthSchema, shows="Health")
def get_liveness(_call: Call) -> Reply:
    """Ask whether the process lives.

    Never touches the store.
    """
    return Reply(Health("ok"), headers=NEVER_KEPT)


@health.get(
    "/readyz",
    "getReadiness",
    answer=HealthSchema,
    stored=True,
    refusals=("draining",),
    shows="Health",
)
def get_readiness(call: Call) -> Reply:
    """Ask whether games can be kept.

    Runs the real commit on a canary of its own. A server that has been told to stop says so here
    before it stops.
    """
    if call.services.streams.draining:
        raise draining()
    call.services.games.check()
    return Reply(Health("ok"), headers=NEVER_KEPT)


@health.get(METRICS_PATH, "getMetrics", media=("text/plain",), refusals=("not_found",))
def get_metrics(call: Call) -> Reply:
    """Read figures of the service.

    In the text format of Prometheus, for all workers of one instance: requests, refusals, commits,
    streams, Redis. 404 where the figures have a port of their own.
    """
    return Reply(call.services.metrics.text(), media=CONTENT_TYPE_LATEST, headers=NEVER_KEPT)
