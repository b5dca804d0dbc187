"""A primary is lost or replaced in mid-load: what a replica took is kept, nothing is doubled."""

from pathlib import Path

import pytest

from tests.chaos.failovers import FAILOVERS, Failover, try_failover
from tests.conftest import Tally

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

SECONDS = 1.0


@pytest.mark.parametrize("failover", FAILOVERS, ids=lambda failover: failover.name)
def test_nothing_is_lost_or_doubled(tmp_path: Path, failover: Failover, tally: Tally) -> None:
    report = try_failover(tmp_path, failover, SECONDS)
    tally(**report.counts)
    assert report.faults == []
    assert report.acknowledged > 0
