import pytest
from flask import Flask, g

from service.api.trace import Trace, add_trip, trace_id_in

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"


@pytest.mark.parametrize(
    "header", [f"00-{TRACE}-{PARENT}-01", f"01-{TRACE}-{PARENT}-00", f"01-{TRACE}-{PARENT}-00-new"]
)
def test_the_trace_id_of_a_traceparent_is_kept(header: str) -> None:
    assert trace_id_in(header) == TRACE


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
    assert trace_id_in(header) is None


def test_trips_to_the_store_are_added_to_the_request_that_made_them() -> None:
    with Flask(__name__).app_context():
        g.trace = Trace("id")
        add_trip(0.25, False)
        add_trip(0.5, True)
        assert (g.trace.store_seconds, g.trace.store_trips) == (0.75, 2)


def test_a_trip_outside_a_request_counts_for_none() -> None:
    add_trip(0.25, False)
    with Flask(__name__).app_context():
        add_trip(0.25, False)
        assert "trace" not in g
