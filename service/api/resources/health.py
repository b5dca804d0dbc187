"""Health: whether the process lives, and whether it can keep games."""

from dataclasses import dataclass
from typing import Final

from service.api.operation import Call, Reply, Resource
from service.api.schemas.pages import HealthSchema

health = Resource("health", "Probes for whoever runs the service.")

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


@health.get("/readyz", "getReadiness", answer=HealthSchema, stored=True, shows="Health")
def get_readiness(call: Call) -> Reply:
    """Ask whether games can be kept.

    Runs the real commit on a canary of its own.
    """
    call.services.games.check()
    return Reply(Health("ok"), headers=NEVER_KEPT)
