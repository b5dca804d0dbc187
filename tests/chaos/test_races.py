"""Many callers for one version or one seat, over two workers: one winner each."""

from collections.abc import Iterator

import pytest

from tests.chaos.races import CROWD, JOINERS, RACES, race
from tests.chaos.stage import serve
from tests.conftest import Tally
from tests.e2e.service import Service
from tests.servers import start_store

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

ROUNDS = 20


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with (
        start_store(tmp_path_factory.mktemp("store")) as url,
        serve(tmp_path_factory.mktemp("service"), url) as running,
    ):
        yield running


@pytest.mark.parametrize("name", RACES)
def test_one_wins_and_the_others_are_told(service: Service, name: str, tally: Tally) -> None:
    seen = race(service, name, ROUNDS)
    tally(rounds=seen.rounds, applied=seen.applied, replays=seen.replays, refused=seen.refused)
    assert seen.faults == []
    assert seen.rounds >= ROUNDS
    assert seen.statuses.total() in (seen.rounds * CROWD, seen.rounds * JOINERS)
