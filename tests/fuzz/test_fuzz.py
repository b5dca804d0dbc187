"""Requests made from the contract, valid and not, meet nothing that it does not tell of."""

from collections.abc import Iterator

import pytest

from tests.conftest import Tally
from tests.fuzz.run import fuzz
from tests.fuzz.stage import Stage, set_stage
from tests.fuzz.tables import Tables
from tests.servers import start_store

EXAMPLES = 2
WALKS = 1


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with start_store(tmp_path_factory.mktemp("fuzz")) as url, set_stage(url) as made:
        yield made


def test_a_game_is_held_in_every_phase(stage: Stage) -> None:
    phases = {phase: stage.tables.seat(phase).view for phase in stage.tables.making}
    shown = {phase: view["round"] and view["round"]["phase"] for phase, view in phases.items()}
    assert set(shown.values()) == {None, "upcard_offer", "draw", "discard", "layoff", "over"}
    assert {view["status"] for view in phases.values()} == {"waiting", "playing", "finished"}


def test_a_game_that_moved_on_is_replaced(stage: Stage) -> None:
    tables: Tables = stage.tables
    held = tables.seat("draw")
    assert tables.seat("draw").game_id == held.game_id
    tables.post(f"/v1/games/{held.game_id}/draw", held.token, {"source": "stock"})
    assert tables.seat("draw").game_id != held.game_id


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_whatever_is_asked_the_answer_is_in_the_contract(stage: Stage, tally: Tally) -> None:
    report = fuzz(stage, EXAMPLES, WALKS)
    tally(**report.figures())
    assert not report.faults, "\n\n".join(report.faults)
    assert report.statuses[200] > 100
    assert report.statuses[409] > 10
    assert b'"event":"failure"' not in stage.log.getvalue()
