"""Finished rounds as the service reveals them, read by the SDK."""

import json
from random import Random

from oklahoma_gin import RoundRecord
from oklahoma_gin._decode import decode
from service.api.render import encode, renderer
from service.api.schemas.pages import RoundRecordSchema
from service.games.access import Caller
from service.rules.ruleset import OptionValue, choose_rules
from tests.games.playing import Table

TEXTS = ("", "seven herons", "thé \N{TEACUP WITHOUT HANDLE}", 'a "quoted" \\ text')


def a_table(
    seats: int = 2, seed: int = 1, preset: str = "oklahoma", **options: OptionValue
) -> Table:
    rules = choose_rules(preset, options)
    return Table(seed=seed, rules=rules, seats=seats, entropies=TEXTS[:seats])


def revealed(table: Table, number: int = 1) -> RoundRecord:
    """Return a finished round as it comes over the wire."""
    page = table.games.round(table.game_id, number, Caller())
    return decode(RoundRecord, json.loads(encode(renderer(RoundRecordSchema)(page))))


def a_round(
    seats: int = 2, seed: int = 1, preset: str = "oklahoma", **options: OptionValue
) -> RoundRecord:
    """Return the first round of a game played at random, going out where it can."""
    table = a_table(seats, seed, preset, **options)
    table.play_round(Random(seed))
    return revealed(table)
