"""The renderer gives what the schema gives; the schema is the definition."""

from typing import Any

import pytest
from marshmallow import Schema

from service.api.render import encode, renderer
from service.api.schemas.pages import (
    CreatedSchema,
    EventPageSchema,
    MovedSchema,
    RoundRecordSchema,
    ScoreSheetSchema,
)
from service.api.schemas.responses import GameSchema
from service.api.schemas.rules import OptionSchema, PresetSchema
from service.api.schemas.shown import moment, names_in, names_of
from service.games.access import Caller
from service.games.usecases import Games
from service.rules.cards import CARD_NAMES, DECK_SIZE, FULL_DECK, parse_card
from service.rules.melds import MELDS
from service.rules.moves import Discard, Draw, Knock, LayOff, Pass
from service.rules.ruleset import OPTIONS, PRESETS
from tests.games.table import ask, games_over, new_game


def assert_same(schema: type[Schema], value: Any) -> None:
    dumped = schema().dump(value)
    assert encode(renderer(schema)(value)) == encode(dumped)


@pytest.fixture(scope="module")
def played() -> tuple[Games, str, list[str]]:
    games = games_over()
    host = games.create(new_game(), ask())
    game_id = host.view.game_id
    guest = games.join(game_id, "Bob", None, ask())
    tokens = [host.token, guest.token]
    games.deal(game_id, None, ask(tokens[0]))
    return games, game_id, tokens


def test_the_renderer_equals_the_schema_in_every_phase(
    played: tuple[Games, str, list[str]],
) -> None:
    games, game_id, tokens = played
    phases = set()
    while True:
        views = [games.look(game_id, Caller(token)).view() for token in (*tokens, None)]
        for view in views:
            assert_same(GameSchema, view)
        table = views[0].round
        assert table
        phases.add(table.phase)
        if table.turn is None:
            break
        actions = views[table.turn].actions
        if actions.pass_upcard:
            move: Any = Pass()
        elif actions.layoff:
            move = LayOff()
        elif actions.draw:
            move = Draw(actions.draw[0])
        elif actions.knock:
            move = Knock(actions.knock[0].discard)
        else:
            move = Discard(min(actions.discard, key=lambda each: each.deadwood_points).card)
        assert_same(MovedSchema, games.move(game_id, move, ask(tokens[table.turn])))
    assert phases >= {"upcard_offer", "draw", "discard", "over"}
    for token in (*tokens, None):
        assert_same(EventPageSchema, games.events(game_id, Caller(token), 0, 100))
    assert_same(ScoreSheetSchema, games.score(game_id, Caller()))
    assert_same(RoundRecordSchema, games.round(game_id, 1, Caller()))


def test_the_renderer_equals_the_schema_for_a_new_game() -> None:
    assert_same(CreatedSchema, games_over().create(new_game(), ask()))


def test_the_renderer_equals_the_schema_for_rules() -> None:
    for preset in PRESETS.values():
        assert_same(PresetSchema, preset)
    for option in OPTIONS:
        assert_same(OptionSchema, option)


def test_every_card_and_every_meld_keeps_its_name() -> None:
    assert [parse_card(name) for name in names_of(tuple(range(DECK_SIZE)))] == list(range(52))
    assert names_in(FULL_DECK) == CARD_NAMES
    for meld in MELDS:
        assert sum(1 << parse_card(name) for name in names_in(meld)) == meld


def test_moments_have_milliseconds_and_are_utc() -> None:
    assert moment(0) == "1970-01-01T00:00:00.000Z"
    assert moment(1_790_000_000_999) == "2026-09-21T14:13:20.999Z"


def test_a_view_has_the_contract_s_fields(played: tuple[Games, str, list[str]]) -> None:
    games, game_id, tokens = played
    shown = renderer(GameSchema)(games.look(game_id, Caller(tokens[0])).view())
    assert list(shown) == [
        "game_id",
        "version",
        "etag",
        "status",
        "visibility",
        "invite",
        "sandbox",
        "preset",
        "rules",
        "seats",
        "hand_size",
        "turn_seconds",
        "timeout_action",
        "created_at",
        "updated_at",
        "expires_at",
        "players",
        "you",
        "round",
        "last_round",
        "actions",
        "turn_deadline",
        "next_commitment",
        "rematch_game_id",
        "result",
    ]
    assert list(shown["players"][0]) == [
        "seat",
        "name",
        "kind",
        "card_count",
        "total",
        "boxes",
        "out",
    ]
    assert list(shown["you"]) == [
        "seat",
        "hand",
        "drawn_card",
        "drawn_from",
        "melds",
        "deadwood",
        "deadwood_points",
        "possible_melds",
    ]
    assert list(shown["round"]) == [
        "number",
        "phase",
        "dealer",
        "turn",
        "turns_played",
        "last_turn",
        "upcard",
        "passed",
        "knock_limit",
        "limit_card",
        "multiplier",
        "stock_count",
        "discard_pile",
        "shown",
        "knocker",
        "result",
        "commitment",
    ]
    assert list(shown["actions"]) == [
        "join",
        "leave",
        "add_bot",
        "remove",
        "deal",
        "entropy",
        "pass",
        "draw",
        "discard",
        "knock",
        "big_gin",
        "layoff",
        "resign",
        "rematch",
        "why_not",
    ]
    assert list(shown["rules"]) == [option.name for option in OPTIONS]
