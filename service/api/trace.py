"""One log line a request, and the request's id in it, in the answer and in every problem."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from secrets import token_hex
from time import perf_counter
from typing import Final

import msgspec
from flask import Flask, Response, g, has_app_context, request

from service.api.headers import request_id
from service.api.log import Log
from service.api.metrics import Metrics
from service.api.operation import Mark

_TRACE_PARENT: Final = re.compile(
    r"(?!ff)(?P<version>[0-9a-f]{2})-(?P<trace>(?!0{32})[0-9a-f]{32})"
    r"-(?!0{16})[0-9a-f]{16}-(?P<flags>[0-9a-f]{2})(?P<later>-.*)?"
)


class Span(msgspec.Struct, frozen=True):
    """The part of a caller's W3C trace that this service's answer is."""

    trace_id: str
    span_id: str
    flags: str

    @property
    def response(self) -> str:
        """The ``traceresponse`` that tells the caller of it."""
        return f"00-{self.trace_id}-{self.span_id}-{self.flags}"


@dataclass(slots=True)
class Trace:
    """What is known of the request that is being answered."""

    request_id: str
    span: Span | None = None
    operation: str | None = None
    game_id: str | None = None
    mark: Mark | None = None
    code: str | None = None
    store_seconds: float = 0.0
    store_trips: int = 0
    started: float = field(default_factory=perf_counter)

    def answered(self, game_id: str | None, mark: Mark | None) -> None:
        """Note which game an answer is about, where the path does not tell, and its mark."""
        self.game_id = game_id or self.game_id
        self.mark = mark


class Line(msgspec.Struct, kw_only=True):
    """The log line of a request."""

    event: str = "request"
    level: str = "info"
    at: datetime
    request_id: str
    trace_id: str | None
    span_id: str | None
    operation: str | None
    game_id: str | None
    seat: int | None
    version_before: int | None
    version_after: int | None
    status: int
    code: str | None
    ms: float
    redis_ms: float
    redis_trips: int


_NO_MARK: Final = (None, None, None)


def trace_requests(app: Flask, log: Log, metrics: Metrics) -> None:
    """Have the app give every request an id, and log and count it when it has been answered."""

    @app.before_request
    def begin() -> None:
        sent = request.headers
        g.trace = Trace(request_id(sent.get("X-Request-Id")), span_in(sent.get("traceparent")))

    @app.after_request
    def end(response: Response) -> Response:
        trace: Trace = g.trace
        response.headers["X-Request-Id"] = trace.request_id
        if trace.span:
            response.headers["traceresponse"] = trace.span.response
        seconds = perf_counter() - trace.started
        log.request(_line_of(trace, response.status_code, seconds))
        metrics.answered(trace.operation, response.status_code, seconds, trace.code)
        return response


def _line_of(trace: Trace, status: int, seconds: float) -> Line:
    span, (seat, before, after) = trace.span, trace.mark or _NO_MARK
    return Line(
        at=datetime.now(UTC),
        request_id=trace.request_id,
        trace_id=span.trace_id if span else None,
        span_id=span.span_id if span else None,
        operation=trace.operation,
        game_id=trace.game_id,
        seat=seat,
        version_before=before,
        version_after=after,
        status=status,
        code=trace.code,
        ms=round(seconds * 1000, 2),
        redis_ms=round(trace.store_seconds * 1000, 2),
        redis_trips=trace.store_trips,
    )


def span_in(header: str | None) -> Span | None:
    """Return a new span of the trace that a ``traceparent`` names.

    None if it is absent or malformed: then it is no trace's part.
    """
    found = _TRACE_PARENT.fullmatch(header) if header else None
    if found is None or (found["version"] == "00" and found["later"]):
        return None
    return Span(found["trace"], token_hex(8), found["flags"])


def add_trip(seconds: float) -> None:
    """Add a trip to the store to the request that is being answered, if there is one."""
    trace: Trace | None = g.get("trace") if has_app_context() else None
    if trace is not None:
        trace.store_seconds += seconds
        trace.store_trips += 1
