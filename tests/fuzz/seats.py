"""Who asks, and of what: generated requests are made about games that exist, by their seats.

Only what was generated to be valid is replaced, so that what was made invalid stays so.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from schemathesis import AuthContext, Case
from schemathesis.core.parameters import ParameterLocation

from service.api.factory import all_operations
from service.api.operation import Operation
from service.api.problems import CATALOGUE
from service.rules.ruleset import PRESETS
from tests.fuzz.stage import Stage
from tests.fuzz.tables import Held, View

PHASES: Final[Mapping[str, tuple[str, ...]]] = {
    "joinGame": ("open",),
    "addBot": ("open",),
    "leaveGame": ("open", "full"),
    "removePlayer": ("full",),
    "setEntropy": ("full", "discard", "over"),
    "dealRound": ("full", "over"),
    "passUpcard": ("offer", "late"),
    "drawCard": ("draw", "offer"),
    "discardCard": ("discard",),
    "knock": ("discard",),
    "layOff": ("layoff",),
    "resignGame": ("draw", "layoff", "three"),
    "claimTimeout": ("late",),
    "callRematch": ("finished",),
    "getRound": ("over", "finished"),
}
REPEATED: Final = "a key that many requests share, 36 long"

OPERATIONS: Final = {(each.method, each.path): each for each in all_operations()}


class SeatTokens:
    """Gives each generated request a seat that may make it, more often than not."""

    def __init__(self, stage: Stage) -> None:
        self._tables = stage.tables
        self._dice = stage.dice

    def get(self, case: Case[Any], _context: AuthContext) -> Held | None:
        operation = _operation_of(case)
        if operation is None:
            return None
        phases = PHASES.get(operation.id)
        if phases is None or not self._likely():
            phases = tuple(self._tables.making)
        return self._tables.seat(self._dice.choice(phases), in_turn=self._likely())

    def set(self, case: Case[Any], held: Held, _context: AuthContext) -> None:
        operation = _operation_of(case)
        if operation is None:
            return
        if operation.auth == "none":
            self._catalogue(case)
        elif operation.auth == "required" or (operation.id != "joinGame" and self._likely()):
            case.headers["Authorization"] = f"Bearer {held.token}"
        if _is_valid(case, ParameterLocation.PATH) and self._likely():
            self._fill(case.path_parameters, {"game_id": held.game_id, "number": 1})
        if _is_valid(case, ParameterLocation.QUERY):
            self._fill(case.query, {"invite": held.invite, "after": held.view["version"]})
            if "ticket" in (case.query or {}) and self._likely():
                case.query["ticket"] = self._tables.ticket(held)
        if _is_valid(case, ParameterLocation.HEADER):
            event = f"{held.view['version']}-{held.view['etag'].split('-')[1].split('.')[0]}"
            tags = {"If-Match": held.view["etag"], "If-None-Match": held.view["etag"]}
            self._fill(case.headers, {**tags, "Last-Event-ID": event, "Idempotency-Key": REPEATED})
        if _is_valid(case, ParameterLocation.BODY) and isinstance(case.body, dict):
            self._fill(case.body, {"invite": held.invite})
            self._fill(case.body, self._move(operation.id, held.view))

    def _catalogue(self, case: Case[Any]) -> None:
        """Fill in the names that the service's own catalogues hold."""
        if _is_valid(case, ParameterLocation.PATH):
            self._fill(
                case.path_parameters,
                {
                    "preset": self._dice.choice(list(PRESETS)),
                    "code": self._dice.choice(list(CATALOGUE)),
                    "asset": self._dice.choice(["swagger-ui.css", "start.js"]),
                },
            )

    def _likely(self) -> bool:
        return self._dice.random() < 0.8

    def _fill(self, container: Any, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            if name in (container or {}) and self._likely():
                container[name] = value

    def _move(self, operation_id: str, view: View) -> dict[str, Any]:
        """Return fields of a body that the view offers."""
        offered: Callable[[str], Any] = view["actions"].get
        layoff = offered("layoff") or {"best": {"layoffs": [], "melds": []}}
        choices: dict[str, dict[str, list[Any]]] = {
            "drawCard": {"source": offered("draw")},
            "discardCard": {"card": [choice["card"] for choice in offered("discard")]},
            "knock": {
                "discard": [choice["discard"] for choice in offered("knock")],
                "melds": [choice["melds"] for choice in offered("knock")],
            },
            "layOff": {
                "layoffs": [layoff["best"]["layoffs"], []],
                "melds": [layoff["best"]["melds"], []],
            },
            "removePlayer": {"seat": offered("remove")},
        }
        wanted = choices.get(operation_id, {})
        return {name: self._dice.choice(values) for name, values in wanted.items() if values}


def _operation_of(case: Case[Any]) -> Operation | None:
    return OPERATIONS.get((case.operation.method.upper(), case.operation.path))


def _is_valid(case: Case[Any], location: ParameterLocation) -> bool:
    return case.meta is None or not case.meta.is_negative_at(location)
