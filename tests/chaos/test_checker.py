from dataclasses import replace
from typing import Any

import pytest

from tests.chaos.checker import Logged, Verdict, check
from tests.chaos.ledger import Attempt, Entry, Trace

CREATED, JOINED = Trace("created", 0, "Ann"), Trace("joined", 1, "Bob")
TEXT, PASSED, DREW = Trace("entropy_set", 1), Trace("passed", 0), Trace("drew", 1, "discard")


def applied(version: int) -> Attempt:
    return Attempt(0.0, 0.1, 200, version)


REPLAYED = Attempt(0.0, 0.1, 200, 9, replayed=True)
REFUSED = Attempt(0.0, 0.1, 412, 9)
AWAY = Attempt(0.0, 0.1, 503, retry_after=True)
CUT = Attempt(0.0, 0.1, 0)


def entry(trace: Trace, *attempts: Attempt, base: int = 0) -> Entry:
    return Entry("G", trace, attempts, base)


def log(*traces: Trace) -> list[Logged]:
    return [Logged(version, f"{version}-a", trace) for version, trace in enumerate(traces, 1)]


SOUND = [
    entry(CREATED, applied(1)),
    entry(JOINED, CUT, REPLAYED),
    entry(TEXT, applied(3), REPLAYED),
    entry(PASSED, AWAY, REPLAYED, base=3),
    entry(PASSED, REFUSED, base=2),
    entry(TEXT, AWAY, CUT),
    entry(DREW, AWAY, CUT, base=4),
]
LOG = log(CREATED, JOINED, TEXT, PASSED, DREW)


def faults_of(entries: list[Entry], events: list[Logged], version: int = 5) -> dict[str, int]:
    verdict = check(entries, events, version)
    found = {
        "lost": len(verdict.lost),
        "doubled": len(verdict.doubled),
        "traces": len(verdict.traces),
        "gaps": len(verdict.gaps),
        "contradictions": len(verdict.contradictions),
    }
    assert sum(found.values()) == len(verdict.faults)
    return {kind: number for kind, number in found.items() if number}


def test_a_sound_log_has_no_faults() -> None:
    assert check(SOUND, LOG, 5) == Verdict()


def test_what_stayed_unknown_may_be_in_the_log_or_not() -> None:
    assert faults_of(SOUND, LOG[:4], version=4) == {}
    assert faults_of(SOUND, log(CREATED, JOINED, TEXT, PASSED, DREW, TEXT), version=6) == {}


@pytest.mark.parametrize("place", range(4))
def test_every_acknowledged_request_that_is_not_in_the_log_is_lost(place: int) -> None:
    events = [event for event in LOG if event.version != place + 1]
    assert faults_of(SOUND, events) == {"lost": 1, "gaps": 1}


def test_a_lost_last_move_is_found_though_the_log_has_no_gap() -> None:
    entries = [*SOUND[:3], entry(PASSED, applied(4), base=3)]
    assert faults_of(entries, LOG[:3], version=3) == {"lost": 1}


def test_another_move_in_the_place_of_an_acknowledged_one_is_a_loss_and_an_intruder() -> None:
    events = [*LOG[:3], replace(LOG[3], trace=Trace("passed", 1)), LOG[4]]
    assert faults_of(SOUND, events) == {"lost": 1, "doubled": 1}


def test_two_acknowledged_requests_do_not_share_an_event() -> None:
    assert faults_of([*SOUND, entry(PASSED, applied(4), base=3)], LOG) == {"lost": 1}
    assert faults_of([*SOUND, entry(JOINED, CUT, REPLAYED)], LOG) == {"lost": 1}


@pytest.mark.parametrize("twice", [CREATED, JOINED, TEXT, PASSED, DREW])
def test_an_event_more_than_was_asked_for_is_a_double(twice: Trace) -> None:
    entries = [each for each in SOUND if each.outcome == "applied"]
    entries.append(entry(DREW, applied(5), base=4))
    events = log(CREATED, JOINED, TEXT, PASSED, DREW, twice)
    assert faults_of(entries, events, version=6) == {"doubled": 1}


def test_a_request_that_was_applied_as_new_twice_is_a_double() -> None:
    entries = [*SOUND[:2], entry(TEXT, applied(3), applied(6)), *SOUND[3:]]
    events = log(CREATED, JOINED, TEXT, PASSED, DREW, TEXT)
    assert faults_of(entries[:5] + entries[6:], events, version=6) == {"doubled": 2}


def test_a_refused_request_that_is_in_the_log_left_a_trace() -> None:
    entries = [*SOUND[:4], entry(DREW, AWAY, REFUSED, base=4)]
    assert faults_of(entries, LOG) == {"traces": 1}
    assert faults_of([*SOUND[:4], entry(DREW, REFUSED)], LOG) == {"traces": 1}


@pytest.mark.parametrize("versions", [(1, 2, 4), (1, 2, 3, 3), (1, 3, 2), (2, 3), (1, 2)])
def test_versions_are_1_to_n_with_one_event_each(versions: tuple[int, ...]) -> None:
    events = [Logged(version, str(place), TEXT) for place, version in enumerate(versions)]
    assert check([], events, 3).gaps


def test_events_do_not_share_an_id() -> None:
    assert faults_of(SOUND, [*LOG[:4], replace(LOG[4], id=LOG[3].id)]) == {"gaps": 1}


def test_a_caller_is_not_told_two_things() -> None:
    contradicted = [*SOUND[:3], entry(PASSED, applied(4), REFUSED, base=3)]
    assert faults_of(contradicted, LOG[:4], version=4) == {"contradictions": 1}
    elsewhere = [*SOUND[:3], entry(PASSED, applied(5), base=3)]
    assert faults_of(elsewhere, LOG[:4], version=4) == {"contradictions": 1}


@pytest.mark.parametrize(
    "status,outcome",
    [
        (200, "applied"),
        (201, "applied"),
        (409, "refused"),
        (412, "refused"),
        (422, "refused"),
        (0, "unknown"),
        (500, "unknown"),
        (502, "unknown"),
        (503, "unknown"),
    ],
)
def test_only_2xx_and_4xx_are_certain(status: int, outcome: str) -> None:
    assert Attempt(0.0, 0.1, status).outcome == outcome


@pytest.mark.parametrize(
    "changes,breach",
    [
        ({"status": 500}, "status 500"),
        ({"status": 502}, "status 502"),
        ({"retry_after": False}, "503 without Retry-After"),
        ({"ended": 5.2}, "503 after 5.2 s"),
        ({"ended": 5.2, "status": 0}, "no answer after 5.2 s"),
        ({"ended": 5.0}, None),
    ],
)
def test_an_answer_is_held_to_the_promise(changes: dict[str, Any], breach: str | None) -> None:
    assert replace(AWAY, **changes).breach == breach
