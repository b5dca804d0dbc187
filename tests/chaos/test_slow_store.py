"""A Redis that answers, but slowly: nobody waits longer than is promised."""

from collections.abc import Iterator

import pytest

from tests.chaos.crowd import Course, Crowd
from tests.chaos.ledger import LONGEST_WAIT_SECONDS
from tests.chaos.moves import CHAT
from tests.chaos.proxy import Rule
from tests.chaos.stage import Stage, set_stage

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

CALLERS = 20
SLOW = Rule("delay", b"EVALSHA", seconds=0.7)  # within the default timeout of 1 second


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with set_stage(tmp_path_factory.mktemp("stage")) as running:
        yield running


def test_who_loses_race_after_race_over_a_slow_store_is_answered_in_time(stage: Stage) -> None:
    with Crowd(stage.service.url, CALLERS) as crowd:
        course = Course(crowd, seed=1)
        seat = course.advance()
        request = course.request(seat, CHAT, conditional=False, key=None)
        before = course.version()
        with stage.store_proxy.harming(SLOW):
            answers = crowd.send([request] * CALLERS)
        attempts = [answer.attempt for answer in answers]
        assert {attempt.status for attempt in attempts} <= {200, 412, 503}
        assert max(each.ended - each.began for each in attempts) <= LONGEST_WAIT_SECONDS
        assert course.version() >= before + sum(attempt.fresh for attempt in attempts)
