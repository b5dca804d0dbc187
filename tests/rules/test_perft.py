"""Whole trees of positions, counted and compared with the numbers on file."""

import pytest

from service.rules.ruleset import PRESETS
from tests.rules.perft import FILE, HEADING, counted_again, rows

# Rows with more positions than this take seconds each.
FAST = 20_000


def positions(row: str) -> int:
    return int(row.partition(":")[2].split(maxsplit=1)[0])


@pytest.mark.parametrize("row", [row for row in rows() if positions(row) <= FAST])
def test_positions_are_those_on_file(row: str) -> None:
    assert counted_again(row) == row


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in rows() if positions(row) > FAST])
def test_more_positions_are_those_on_file(row: str) -> None:
    assert counted_again(row) == row


def test_every_preset_is_on_file_with_two_to_four_seats() -> None:
    assert FILE.read_text(encoding="utf-8").startswith(HEADING)
    games = {tuple(row.split()[:2]) for row in rows()}
    assert games == {(preset, str(seats)) for preset in PRESETS for seats in (2, 3, 4)}
