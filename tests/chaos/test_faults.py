"""Faults in mid-load: nothing acknowledged is lost, nothing is applied twice, nobody hangs."""

from collections.abc import Iterator

import pytest

from tests.chaos.faults import FAULTS, Fault
from tests.chaos.stage import Stage, set_stage
from tests.chaos.trial import try_out
from tests.conftest import Tally

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with set_stage(tmp_path_factory.mktemp("stage")) as running:
        yield running


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_nothing_is_lost_or_doubled(stage: Stage, fault: Fault, tally: Tally) -> None:
    report = try_out(stage, fault, fault.seconds)
    tally(**report.counts)
    assert report.faults == []
    assert report.acknowledged > 0
    assert report.refused > 0
