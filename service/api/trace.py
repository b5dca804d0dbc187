"""One log line a request, and the request's id in it, in the answer and in every problem."""

import re
import sys
import time
import traceback
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final

import msgspec
import structlog
from flask import Flask, Response, g, has_app_context, request

from service.api.headers import request_id

LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40, "critical": 50}

_TRACE_PARENT: Final = re.compile(
    r"(?!ff)(?P<version>[0-9a-f]{2})-(?P<trace>(?!0{32})[0-9a-f]{32})"
    r"-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?P<later>-.*)?"
)


@dataclass(slots=True)
class Trace:
    """What is known of the request that is being answered."""

    request_id: str
    trace_id: str | None = None
    operation: str | None = None
    game_id: str | None = None
    code: str | None = None
    store_seconds: float = 0.0
    store_trips: int = 0
    started: float = field(default_factory=time.perf_counter)


def make_log(level: str = "info", stream: BinaryIO | None = None) -> Any:
    """Return a log that writes JSON lines, to standard output unless told otherwise."""
    return structlog.wrap_logger(
        structlog.BytesLogger(stream or sys.stdout.buffer),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
            structlog.processors.JSONRenderer(serializer=_encode),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
    )


def _encode(line: dict[str, Any], **_: object) -> bytes:
    return msgspec.json.encode(line)


def trace_requests(app: Flask, log: Any) -> None:
    """Have the app give every request an id and log one line when it has been answered."""

    @app.before_request
    def begin() -> None:
        sent = request.headers
        g.trace = Trace(request_id(sent.get("X-Request-Id")), trace_id_in(sent.get("traceparent")))

    @app.after_request
    def end(response: Response) -> Response:
        trace: Trace = g.trace
        response.headers["X-Request-Id"] = trace.request_id
        log.info(
            "request",
            request_id=trace.request_id,
            trace_id=trace.trace_id,
            operation=trace.operation,
            game_id=trace.game_id,
            status=response.status_code,
            code=trace.code,
            ms=round((time.perf_counter() - trace.started) * 1000, 2),
            redis_ms=round(trace.store_seconds * 1000, 2),
            redis_trips=trace.store_trips,
        )
        return response


def trace_id_in(header: str | None) -> str | None:
    """Return the trace id of a W3C ``traceparent``; none if it is absent or malformed."""
    found = _TRACE_PARENT.fullmatch(header) if header else None
    if found is None or (found["version"] == "00" and found["later"]):
        return None
    return found["trace"]


def add_trip(seconds: float, _failed: bool) -> None:
    """Add a trip to the store to the request that is being answered, if there is one."""
    trace: Trace | None = g.get("trace") if has_app_context() else None
    if trace is not None:
        trace.store_seconds += seconds
        trace.store_trips += 1


def log_failure(log: Any, error: Exception, request_id: str | None = None) -> None:
    """Log an error of ours by its type and its places alone; its text may hold secrets."""
    frames = traceback.extract_tb(error.__traceback__)
    log.error(
        "failure",
        request_id=request_id,
        error=type(error).__name__,
        places=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    )
