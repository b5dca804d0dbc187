"""A run of schemathesis over the stage, and what it came to."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import requests
import schemathesis
from schemathesis import Case, CheckContext, HookContext
from schemathesis.checks import CHECKS
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import Failure
from schemathesis.core.transport import Response
from schemathesis.engine import events, from_schema
from schemathesis.engine.recorder import ScenarioRecorder
from schemathesis.openapi.checks import JsonSchemaError, RejectedPositiveData

from service.api.parameters import REQUEST_HEADERS
from tests.fuzz.seats import SeatTokens
from tests.fuzz.stage import Stage

REFUSED: Final = ["400", "401", "404", "406", "409", "412", "413", "415", "422"]
ANSWERED: Final = ["2xx", "304", "401", "403", "404", "409", "412", "422"]
MOST_STEPS: Final = 50
ALL_BUT_WALKS: Final = ("examples", "coverage", "fuzzing")
TAGGED: Final = ("If-Match", "If-None-Match")
TAGS: Final = REQUEST_HEADERS["If-Match"]["schema"]["pattern"]


@dataclass(slots=True)
class Report:
    """What a run asked and what came back; ``faults`` are sentences, each once."""

    asked: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    faults: dict[str, None] = field(default_factory=dict)
    strangers: int = 0

    @property
    def cases(self) -> int:
        """How many requests were made."""
        return sum(self.statuses.values())

    def by_status(self) -> list[tuple[int, int]]:
        """Return each status with how often it came, in order."""
        return sorted(self.statuses.items())

    def figures(self) -> dict[str, int]:
        """Return the figures that have to be told, those that have to be 0 among them."""
        return {
            "cases": self.cases,
            "accepted": sum(count for status, count in self.statuses.items() if status < 400),
            "refused": sum(count for status, count in self.statuses.items() if 400 <= status < 500),
            "answers_of_5xx": sum(
                count for status, count in self.statuses.items() if status >= 500
            ),
            "asked_by_strangers": self.strangers,
            "undocumented_statuses": self.failed["status_code_conformance"],
            "schema_violations": self.failed["response_schema_conformance"],
            "other_faults": sum(self.failed.values())
            - self.failed["status_code_conformance"]
            - self.failed["response_schema_conformance"],
        }


def fuzz(
    stage: Stage, examples: int, walks: int, told: Callable[[int], None] = lambda _cases: None
) -> Report:
    """Ask for everything in the contract, with so many examples of each operation and phase.

    Then walk from answer to answer, as often as told: a walk ends where the games, which live on,
    do not answer as they did before. ``told`` hears again and again how many cases there were.
    """
    report = Report()
    with _strangers_asking(stage, report):
        _ask(stage, _settings(examples, 0), report, told)
        for seed in range(walks):
            _ask(stage, _settings(MOST_STEPS, seed, ALL_BUT_WALKS), report, told)
    return report


def _ask(
    stage: Stage, settings: dict[str, Any], report: Report, told: Callable[[int], None]
) -> None:
    config = SchemathesisConfig.from_dict(settings)
    schema = schemathesis.openapi.from_url(f"{stage.url}/openapi.json", config=config)

    @schema.auth(refresh_interval=None)
    class Seats(SeatTokens):
        def __init__(self) -> None:
            super().__init__(stage)

    @schema.hook
    def filter_failure(
        _context: HookContext, failure: Failure, case: Case[Any], response: Response
    ) -> bool:
        return not _is_expected(failure, case, response)

    for event in from_schema(schema).execute():
        _take(event, report)
        told(report.cases)


@contextmanager
def _strangers_asking(stage: Stage, report: Report) -> Iterator[None]:
    """Have whatever a seat may read be asked for by the seat of another game too.

    ``object_level_authorization`` compares users with passwords, and here there are none.
    """
    stranger = stage.tables.making["full"]().tokens[0]

    @schemathesis.check
    def one_seat_of_one_game(_context: CheckContext, answer: Response, case: Case[Any]) -> None:
        asked = answer.request
        if (
            case.method != "GET"
            or answer.status_code != 200
            or "Authorization" not in asked.headers
        ):
            return
        if "{game_id}" in case.operation.path:
            report.strangers += 1
            headers = {**asked.headers, "Authorization": f"Bearer {stranger}"}
            status = requests.get(asked.url or "", headers=headers, timeout=10).status_code
            assert status in (401, 404), f"the seat of another game got {status}"

    try:
        yield
    finally:
        CHECKS.unregister(one_seat_of_one_game.__name__)


def _settings(examples: int, seed: int, left_out: tuple[str, ...] = ()) -> dict[str, Any]:
    phases: dict[str, Any] = {"fuzzing": {"error-feedback": {"enabled": False}}}
    return {
        "seed": seed,
        "continue-on-failure": True,
        "phases": {**phases, **{name: {"enabled": False} for name in left_out}},
        "generation": {
            "max-examples": examples,
            "no-shrink": True,
            "database": "none",
            "allow-extra-parameters": False,
        },
        "checks": {
            "positive_data_acceptance": {"expected-statuses": ANSWERED},
            "negative_data_rejection": {"expected-statuses": REFUSED},
        },
    }


def _is_expected(failure: Failure, case: Case[Any], response: Response) -> bool:
    """Return whether a check asks for what no schema here can say.

    A valid request is refused for a reason of the rules, or for a cursor that no page gave; one
    with a tag that is none was not valid, whatever schemathesis holds of it. Streams are typed as
    strings, because models of their events break generators.
    """
    if isinstance(failure, RejectedPositiveData):
        invalid = "cursor" in (case.query or {}) or _has_no_tags(case)
        return response.status_code == 422 or invalid
    return isinstance(failure, JsonSchemaError) and failure.title == "SSE event violates schema"


def _has_no_tags(case: Case[Any]) -> bool:
    sent = [str(case.headers[name]) for name in TAGGED if name in case.headers]
    return not all(re.search(TAGS, each) for each in sent)


def _take(event: events.EngineEvent, report: Report) -> None:
    if isinstance(event, events.NonFatalError):
        report.faults[f"{event.label}: {event.info.format()}"] = None
    if isinstance(event, events.FatalError):
        raise event.exception
    if isinstance(event, events.ScenarioFinished):
        report.asked[event.phase.value] += len(event.recorder.interactions)
        for interaction in event.recorder.interactions.values():
            if interaction.response is not None:
                report.statuses[interaction.response.status_code] += 1
        for name, fault in _faults(event.recorder):
            report.failed[name] += 1
            report.faults[fault] = None


def _faults(recorder: ScenarioRecorder) -> Iterator[tuple[str, str]]:
    for case_id, nodes in recorder.checks.items():
        for node in nodes:
            if node.failure_info is not None:
                failure = node.failure_info.failure
                answer = recorder.interactions[failure.case_id or case_id].response
                said = answer.text[:300] if answer is not None else ""
                yield node.name, f"{failure}\n{node.failure_info.code_sample}\n{said}"
