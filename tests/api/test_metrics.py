"""What the figures count, and that their labels stay few."""

from io import BytesIO
from itertools import islice

import pytest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from service.api.factory import all_operations
from service.api.log import Log as ServiceLog
from service.api.metrics import NO_OPERATION, PREFIX, Metrics, with_figures_apart
from service.api.problems import CATALOGUE
from service.api.rates import Policy, Rates
from tests.api.client import SECRET, Client, Table, client_over
from tests.api.test_rates import Counts, Time
from tests.games.memory import MemoryStore
from tests.games.table import StoppedClock, games_over
from tests.streams.test_http import House, open_stream

BOUNDED = {
    "operation": {NO_OPERATION, *(operation.id for operation in all_operations())},
    "status": {str(status) for status in range(200, 600)},
    "code": set(CATALOGUE),
    "outcome": {"applied", "replayed", "stale"},
}


def samples(text: str) -> list[Sample]:
    return [each for family in text_string_to_metric_families(text) for each in family.samples]


def figures(client: Client) -> dict[tuple[str, ...], float]:
    """Return what a client is told, by name and the values of the labels."""
    answer = client.get("/metrics")
    assert answer.status_code == 200
    return {
        (each.name.removeprefix(PREFIX), *each.labels.values()): each.value
        for each in samples(answer.get_data(as_text=True))
    }


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
def counted(metrics: Metrics) -> Client:
    games = games_over(settled=metrics.settled)
    return client_over(games, metrics=metrics)


def test_requests_are_counted_by_operation_and_status(counted: Client) -> None:
    for path in ("/livez", "/livez", "/nowhere", "/v1/rules/none"):
        counted.get(path)
    told = figures(counted)
    assert told["requests_total", "getLiveness", "200"] == 2
    assert told["requests_total", NO_OPERATION, "404"] == 1
    assert told["requests_total", "getPreset", "404"] == 1
    assert told["request_seconds_count", "getLiveness"] == 2
    assert ("requests_total", "getMetrics", "200") not in told
    assert figures(counted)["requests_total", "getMetrics", "200"] == 1


def test_refusals_are_counted_by_code(counted: Client) -> None:
    counted.get("/nowhere")
    counted.get("/v1/seat")
    told = figures(counted)
    assert told["refusals_total", "not_found"] == told["refusals_total", "token_required"] == 1


def test_commits_are_counted_by_how_they_went(counted: Client) -> None:
    for _ in range(3):
        counted.post("/v1/games", {"name": "Ann"}, key=SECRET)
    told = figures(counted)
    assert told["commits_total", "applied"] == 1
    assert told["commits_total", "replayed"] == 2


def test_a_commit_upon_an_older_game_is_stale_and_decided_again(metrics: Metrics) -> None:
    store = MemoryStore()
    table = Table(client_over(games_over(store, settled=metrics.settled), metrics=metrics))
    [before] = store.seen.values()
    assert table.move(0, "entropy", {"entropy": "seven"}).status_code == 200
    store.seen[table.game_id] = before
    assert table.move(1, "entropy", {"entropy": "herons"}).status_code == 200
    told = figures(table.client)
    assert (told["commits_total", "applied"], told["commits_total", "stale"]) == (4, 1)


def test_limits_that_cannot_be_counted_are(metrics: Metrics) -> None:
    log = ServiceLog("info", BytesIO())
    policy = Policy("requests", 6, 10)
    rates = Rates(Counts(away=True), log, Time(), None, policy, metrics.limiter_failed)
    client = client_over(rates=rates, metrics=metrics)
    for _ in range(3):
        client.get("/v1/games")
    assert figures(client)["limiter_failures_total",] == 3


def test_trips_to_redis_are_timed(metrics: Metrics) -> None:
    metrics.travelled(0.0007, failed=False)
    metrics.travelled(0.5, failed=True)
    told = figures(client_over(metrics=metrics))
    assert told["redis_trip_seconds_count",] == 2
    assert told["redis_trip_seconds_bucket", "0.001"] == 1
    assert told["redis_failed_trips_total",] == 1


def test_what_is_open_is_read_when_it_is_asked_for(metrics: Metrics) -> None:
    places = [3]
    metrics.watch("streams_open", lambda: places[0])
    client = client_over(metrics=metrics)
    assert figures(client)["streams_open",] == 3
    places[0] = 0
    assert figures(client)["streams_open",] == 0


def test_the_delay_of_an_event_ends_when_a_stream_has_written_it() -> None:
    now = [StoppedClock().now() + 1]
    house = House(lasts=60.0, metrics=Metrics(lambda: now[0]))
    response, chunks = open_stream(house)
    assert any(b"event: snapshot\n" in chunk for chunk in islice(chunks, 2))
    clock = house.streams._clock
    assert isinstance(clock, StoppedClock)
    clock.millis += 2
    house.table.move(0, "deal")
    now[0] += 31
    assert b"event: dealt\n" in next(chunks)
    house.table.move(1, "resign")
    next(chunks)
    response.close()
    told = figures(house.client)
    assert told["event_delay_seconds_count",] == 1
    assert told["event_delay_seconds_sum",] == pytest.approx(0.03)


def test_what_happened_before_a_stream_opened_has_no_delay() -> None:
    house = House(metrics=Metrics(lambda: StoppedClock().now() + 1))
    house.client.get(f"{house.path}?after=0").get_data()
    assert figures(house.client)["event_delay_seconds_count",] == 0


def test_labels_have_few_values_and_name_no_game(counted: Client) -> None:
    table = Table(counted)
    table.move(0, "deal")
    table.move(table.turn(), "pass", headers={"If-Match": '"1-00000000.0"'})
    counted.get(f"/v1/games/{table.game_id}x")
    counted.send("MOVE", f"/{SECRET}")
    text = counted.get("/metrics").get_data(as_text=True)
    labels = {label for each in samples(text) for label in each.labels.items()}
    found = {name: {value for each, value in labels if each == name} for name, _ in labels}
    assert all(found[name] <= values for name, values in BOUNDED.items())
    assert found.keys() == BOUNDED.keys() | {"le", "version"}


def test_figures_that_are_read_apart_are_no_operation() -> None:
    client = client_over(metrics_apart=True)
    assert client.get("/metrics").status_code == 404
    paths = client.get("/openapi.json").get_json()["paths"]
    assert "/metrics" not in paths
    assert {operation.path for operation in all_operations()} - paths.keys() == {"/metrics"}


@pytest.mark.plants_answers
def test_a_port_of_their_own_has_the_figures_and_nothing_else(metrics: Metrics) -> None:
    app = client_over(metrics=metrics, metrics_apart=True).app
    app.wsgi_app = with_figures_apart(app.wsgi_app, metrics, 9000)  # type: ignore[method-assign,assignment]
    asked = app.test_client()
    told = asked.get("/v1/games", base_url="http://localhost:9000").get_data(as_text=True)
    assert f"{PREFIX}streams_open 0.0" in told
    assert asked.get("/metrics", base_url="http://localhost:8000").status_code == 404
    assert asked.get("/livez", base_url="http://localhost:8000").status_code == 200
