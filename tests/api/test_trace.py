import json
from typing import Any

import pytest
from flask import Flask, g
from werkzeug.test import TestResponse

from service.api.trace import Trace, add_trip, span_in
from tests.api.client import SECRET, Log, Table

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"


def line_of(log: Log, answer: TestResponse) -> dict[str, Any]:
    lines = map(json.loads, log.text().splitlines())
    [line] = [each for each in lines if each["request_id"] == answer.headers["X-Request-Id"]]
    return dict(line)


def told(log: Log, answer: TestResponse) -> tuple[Any, ...]:
    line = line_of(log, answer)
    return tuple(line[name] for name in ("seat", "version_before", "version_after", "code"))


@pytest.mark.parametrize(
    "header", [f"00-{TRACE}-{PARENT}-01", f"01-{TRACE}-{PARENT}-00", f"01-{TRACE}-{PARENT}-00-new"]
)
def test_an_answer_is_a_span_of_the_trace_that_a_traceparent_names(header: str) -> None:
    span = span_in(header)
    assert span
    assert span.trace_id == TRACE
    assert span.span_id != PARENT
    assert span.response == f"00-{TRACE}-{span.span_id}-{header[53:55]}"


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        TRACE,
        f"ff-{TRACE}-{PARENT}-01",
        f"00-{TRACE}-{PARENT}-01-more",
        f"00-{TRACE.upper()}-{PARENT}-01",
        f"00-{'0' * 32}-{PARENT}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE}-{PARENT}-01\n",
    ],
)
def test_a_malformed_traceparent_is_ignored(header: str | None) -> None:
    assert span_in(header) is None


def test_a_trace_is_passed_on_to_the_answer_and_to_the_log(table: Table, log: Log) -> None:
    traced = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
    answer = table.client.get(table.path, headers=traced)
    line = line_of(log, answer)
    assert line["trace_id"] == TRACE
    assert answer.headers["traceresponse"] == f"00-{TRACE}-{line['span_id']}-01"
    plain = table.client.get(table.path, headers={"traceparent": "mine"})
    assert "traceresponse" not in plain.headers
    assert (line_of(log, plain)["trace_id"], line_of(log, plain)["span_id"]) == (None, None)


def test_a_change_tells_its_seat_and_the_versions_it_led_over(table: Table, log: Log) -> None:
    created = table.client.post("/v1/games", {"name": "Ann"}, key=SECRET)
    assert told(log, created) == (0, 0, 1, None)
    assert line_of(log, created)["game_id"] == created.get_json()["game"]["game_id"]
    assert told(log, table.move(1, "deal")) == (1, 2, 3, None)
    replayed = table.client.post("/v1/games", {"name": "Ann"}, key=SECRET)
    assert told(log, replayed) == (0, 1, 1, None)


def test_a_look_tells_the_version_that_was_seen(table: Table, log: Log) -> None:
    seen = table.client.get(table.path, token=table.tokens[1])
    assert told(log, seen) == (1, 2, 2, None)
    unchanged = {"If-None-Match": seen.headers["ETag"]}
    again = table.client.get(table.path, token=table.tokens[1], headers=unchanged)
    assert again.status_code == 304
    assert told(log, again) == (1, 2, 2, None)
    assert told(log, table.client.get(table.path)) == (None, 2, 2, None)
    assert told(log, table.client.get("/v1/seat", token=table.tokens[1])) == (1, 2, 2, None)


def test_a_refusal_tells_the_version_that_stood_against_it(dealt: Table, log: Log) -> None:
    late = dealt.move(0, "pass", headers={"If-Match": '"1-00000000.0"'})
    assert told(log, late) == (0, 3, 3, "stale_version")
    waiting = 1 - dealt.turn()
    assert told(log, dealt.move(waiting, "pass")) == (waiting, 3, 3, "not_your_turn")
    nobody = dealt.client.post(f"{dealt.path}/pass", token="okg_forged")
    assert told(log, nobody) == (None, None, None, "token_invalid")


def test_trips_to_the_store_are_added_to_the_request_that_made_them() -> None:
    with Flask(__name__).app_context():
        g.trace = Trace("id")
        add_trip(0.25)
        add_trip(0.5)
        assert (g.trace.store_seconds, g.trace.store_trips) == (0.75, 2)


def test_a_trip_outside_a_request_counts_for_none() -> None:
    add_trip(0.25)
    with Flask(__name__).app_context():
        add_trip(0.25)
        assert "trace" not in g
