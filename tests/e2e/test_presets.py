"""A game of each preset with 2, 3 and 4 seats over HTTP, its score sheet recomputed."""

import pytest

from oklahoma_gin import Client
from tests.e2e.audit import Follower, check_cards, check_totals
from tests.e2e.players import play_out, seat_all
from tests.e2e.scorer import recompute
from tests.e2e.service import Service

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

PRESETS = ("oklahoma", "gin", "oklahoma-penalties", "oklahoma-open", "oklahoma-bonus")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_game_of_each_preset_is_scored_as_the_rule_book_says(
    service: Service, preset: str, count: int
) -> None:
    with Client(service.url) as client:
        seats = seat_all(client, preset, count)
        follower = Follower(seats[-1])
        view = play_out(seats, count, follower.catch_up)
        score = seats[0].score()
        records = [seats[-1].round(played.number) for played in score.rounds]
        recompute(score, records, view.rules)
        assert all(check_cards(record, count) for record in records)
        check_totals(seats[0])
        follower.check()
