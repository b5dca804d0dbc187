"""What docs/operating.md tells is what the service does: the log line, the figures, the alerts."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

from service.api.factory import all_operations
from service.api.metrics import Metrics
from service.api.problems import CATALOGUE
from service.api.trace import Line
from service.settings import Settings, variables
from tests.contract.logs import unknown_lines

PAGE = (Path(__file__).parents[1] / "docs" / "operating.md").read_text(encoding="utf-8")
SERIES = {"counter": ("",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def rows(title: str) -> list[list[str]]:
    """Return the cells of a section's table, row by row."""
    lines = [line for line in section(title).splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)\n```", PAGE, re.DOTALL)


def families() -> Iterator[Metric]:
    """Give every figure, with the labels of a request that was refused and of a commit."""
    metrics = Metrics()
    metrics.answered("getGame", 404, 0.001, "game_not_found")
    metrics.settled("applied")
    for family in text_string_to_metric_families(metrics.text().decode()):
        if not family.name.endswith("_created"):
            yield family


def labels_of(family: Metric) -> set[str]:
    return {label for sample in family.samples for label in sample.labels} - {"le"}


def name_of(family: Metric) -> str:
    return f"{family.name}_total" if family.type == "counter" else family.name


def test_the_line_that_is_shown_is_one_of_the_service() -> None:
    [shown] = blocks("json")
    assert list(json.loads(shown)) == list(Line.__struct_fields__)
    assert unknown_lines(shown) == []


def test_every_member_of_the_line_is_explained() -> None:
    assert [row[0].strip("`") for row in rows("The log")] == list(Line.__struct_fields__)


def test_every_figure_is_in_the_table_as_it_is() -> None:
    told = {
        (name.strip("`"), kind, frozenset(re.findall(r"`(\w+)`", labels)))
        for name, kind, labels, _ in rows("Figures")
    }
    made = {(name_of(each), each.type, frozenset(labels_of(each))) for each in families()}
    assert told == made


def test_what_a_figure_is_held_against_is_a_setting() -> None:
    named = set(re.findall(r"`([A-Z]+_[A-Z_]+)`", section("Figures") + section("Alerts")))
    assert named <= {variable.name for variable in variables().values()}
    default = Settings(secret_key="k" * 32)
    for places in (default.max_streams, default.redis_pool_size):
        assert f"> 0.8 * {default.web_concurrency * places}\n" in section("Alerts")


@pytest.mark.parametrize("query", blocks("promql"))
def test_an_alert_asks_for_what_there_is(query: str) -> None:
    series = {
        name_of(family) + ending: labels_of(family)
        for family in families()
        for ending in SERIES[family.type]
    }
    asked = re.findall(r"\b(oklahoma_gin_\w+)(?:\{(.*?)\})?", query)
    assert asked
    for name, matchers in asked:
        assert name in series
        assert {label for label, _ in pairs(matchers)} <= series[name]


@pytest.mark.parametrize("query", blocks("promql"))
def test_an_alert_names_operations_and_codes_of_the_contract(query: str) -> None:
    known = {
        "operation": {operation.id for operation in all_operations()},
        "code": set(CATALOGUE),
        "status": {"5.."},
    }
    for _, matchers in re.findall(r"\b(oklahoma_gin_\w+)\{(.*?)\}", query):
        for label, value in pairs(matchers):
            assert set(value.split("|")) <= known[label]


@pytest.mark.parametrize("query", blocks("promql"))
def test_an_alert_closes_what_it_opens(query: str) -> None:
    outside = re.sub(r'"[^"]*"', "", query)
    for opens, closes in ("()", "[]", "{}"):
        assert outside.count(opens) == outside.count(closes)


def pairs(matchers: str) -> list[tuple[str, str]]:
    return re.findall(r'(\w+)=~?"([^"]*)"', matchers)
