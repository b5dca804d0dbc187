"""What Prometheus is told of the service: counters, a few histograms, and what is open now.

Where several workers serve, prometheus-client keeps their figures in files that all of them read,
in the directory that PROMETHEUS_MULTIPROC_DIR names when it is first imported. No label has more
values than the contract has operations, statuses or codes: no game, no name, no free text.
"""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    make_wsgi_app,
)
from prometheus_client.multiprocess import MultiProcessCollector

from service.api.version import VERSION

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

SHARED: Final = "PROMETHEUS_MULTIPROC_DIR"
PREFIX: Final = "oklahoma_gin_"
NO_OPERATION: Final = "none"

Open: TypeAlias = Literal["streams_open", "redis_connections_in_use", "redis_left_alone"]

_OPEN: Final[Mapping[Open, str]] = {
    "streams_open": "Streams and waiting requests.",
    "redis_connections_in_use": "Connections to Redis that a trip is being made over.",
    "redis_left_alone": "Redis servers that failed and rest, counted by each worker.",
}
_REQUEST_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5)
_TRIP_BUCKETS: Final = (0.0005, 0.001, 0.0025, 0.01, 0.1, 1.0)
_DELAY_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5)


class _Children(dict[tuple[object, ...], Any]):
    """A metric's children by their labels, each of which the metric is asked for once."""

    def __init__(self, metric: Counter | Histogram) -> None:
        super().__init__()
        self._metric = metric

    def __missing__(self, labels: tuple[object, ...]) -> Any:
        child = self[labels] = self._metric.labels(*labels)
        return child


class Metrics:
    """The figures of this process; ``text`` and ``registry`` have those of all workers.

    ``now`` is the time in milliseconds since 1970 UTC.
    """

    def __init__(self, now: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self._now = now
        own = CollectorRegistry()

        def counter(name: str, meaning: str, *labels: str) -> Counter:
            return Counter(PREFIX + name, meaning, labels, registry=own)

        def histogram(
            name: str, meaning: str, buckets: tuple[float, ...], *labels: str
        ) -> Histogram:
            return Histogram(PREFIX + name, meaning, labels, registry=own, buckets=buckets)

        self._requests = _Children(counter("requests", "Requests answered.", "operation", "status"))
        self._request_seconds = _Children(
            histogram("request_seconds", "Time to an answer.", _REQUEST_BUCKETS, "operation")
        )
        self._refusals = _Children(counter("refusals", "Problems answered.", "code"))
        self._commits = _Children(counter("commits", "Commits, by how they went.", "outcome"))
        self._trip_seconds = histogram("redis_trip_seconds", "Time of a trip.", _TRIP_BUCKETS)
        self._failed_trips = counter("redis_failed_trips", "Trips that failed.")
        self._event_delay = histogram(
            "event_delay_seconds", "Time from a commit until a stream had it.", _DELAY_BUCKETS
        )
        self._limiter_failures = counter("limiter_failures", "Requests that were not counted.")
        self._lost_lines = counter("log_lines_lost", "Log lines that nobody took.")
        self._open = {name: _gauge(own, name, meaning) for name, meaning in _OPEN.items()}
        self._reads: dict[Open, Callable[[], float]] = {}
        _tell_build(own)
        self.registry = _shared() if SHARED in os.environ else own

    def answered(
        self, operation: str | None, status: int, seconds: float, code: str | None
    ) -> None:
        """Count a request, and its problem by the code if it is one."""
        named = operation or NO_OPERATION
        self._requests[named, status].inc()
        self._request_seconds[named,].observe(seconds)
        if code:
            self._refusals[code,].inc()

    def settled(self, outcome: str) -> None:
        """Count how a commit went: ``applied``, ``replayed`` or ``stale``."""
        self._commits[outcome,].inc()

    def travelled(self, seconds: float, *, failed: bool) -> None:
        """Count a trip to Redis."""
        self._trip_seconds.observe(seconds)
        if failed:
            self._failed_trips.inc()

    def limiter_failed(self) -> None:
        """Count a request that was let through because nobody could count it."""
        self._limiter_failures.inc()

    def line_lost(self) -> None:
        """Count a log line that could not be written."""
        self._lost_lines.inc()

    def deliveries(self) -> Callable[[int], None]:
        """Return what a stream that opens now tells the time of each event that it has written.

        What was committed before is no news, and its age no delay.
        """
        opened = self._now()

        def delivered(at: int) -> None:
            if at >= opened:
                self._event_delay.observe(max(0, self._now() - at) / 1000)

        return delivered

    def watch(self, name: Open, read: Callable[[], float]) -> None:
        """Have ``sample`` read how much of something is open."""
        self._reads[name] = read

    def sample(self) -> None:
        """Take down what is open in this process now."""
        for name, read in self._reads.items():
            self._open[name].set(read())

    def text(self) -> bytes:
        """Return all figures as Prometheus reads them."""
        self.sample()
        return generate_latest(self.registry)


def with_figures_apart(public: "WSGIApplication", metrics: Metrics, port: int) -> "WSGIApplication":
    """Return an application that has nothing but the figures at one port, ``public`` elsewhere."""
    figures, apart = make_wsgi_app(metrics.registry), str(port)

    def serve(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        if environ["SERVER_PORT"] != apart:
            return public(environ, start_response)
        metrics.sample()
        answer: Iterable[bytes] = figures(environ, start_response)
        return answer

    return serve


def _gauge(own: CollectorRegistry, name: str, meaning: str) -> Gauge:
    return Gauge(PREFIX + name, meaning, registry=own, multiprocess_mode="livesum")


def _tell_build(own: CollectorRegistry) -> None:
    build = Gauge(
        f"{PREFIX}build_info",
        "The release.",
        ("version",),
        registry=own,
        multiprocess_mode="livemax",
    )
    build.labels(VERSION).set(1)


def _shared() -> CollectorRegistry:
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry
