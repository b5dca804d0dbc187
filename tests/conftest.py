"""Every answer a test sees is held against the contract; figures that tests count are shown.

Figures are shown by file when the run ends, from xdist's workers too.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterator

import pytest

from tests.witness import taken, watching

_MARK = "tally: "

Tally = Callable[..., None]


@pytest.fixture(scope="session", autouse=True)
def _answers_are_seen() -> Iterator[None]:
    with watching():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a test that saw an answer outside the contract, and did not plant it itself."""
    try:
        outcome = yield
    finally:
        found = taken()
    if not item.get_closest_marker("plants_answers"):
        assert not found, "\n".join(found[:5])
    return outcome


@pytest.fixture
def tally(record_property: Callable[[str, object], None]) -> Tally:
    """Show figures at the end of the run: ``tally(applied=1, refused=19)``."""

    def keep(**figures: int) -> None:
        for name, figure in figures.items():
            record_property(_MARK + name, figure)

    return keep


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    by_file: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for file, name, figure in _figures(terminalreporter):
        by_file[file][name] += figure
    if by_file:
        terminalreporter.section("counted")
    for file, figures in sorted(by_file.items()):
        shown = ", ".join(f"{figure} {name.replace('_', ' ')}" for name, figure in figures.items())
        terminalreporter.write_line(f"{file}: {shown}")


def _figures(reporter: pytest.TerminalReporter) -> Iterator[tuple[str, str, int]]:
    for reports in reporter.stats.values():
        for report in reports:
            if not isinstance(report, pytest.TestReport) or report.when != "call":
                continue
            for name, figure in report.user_properties:
                if name.startswith(_MARK) and isinstance(figure, int):
                    yield report.location[0], name.removeprefix(_MARK), figure
