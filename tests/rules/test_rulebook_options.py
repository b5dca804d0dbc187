"""Options, presets and readings, clause by clause; the tables are read from docs/rules.md."""

import re
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import pytest

from service.rules.cards import parse_card, parse_set
from service.rules.errors import InvalidRules
from service.rules.melds import is_meld
from service.rules.moves import Knock
from service.rules.ruleset import DEFAULT_PRESET, OPTIONS, PRESETS, Option, RuleSet, choose_rules
from service.rules.state import GameState
from service.rules.views import view_for
from tests.rules.chance import playout
from tests.rules.tables import (
    PILE,
    STOCK,
    actions,
    all_pass,
    answered,
    dealt,
    knocked,
    play,
    refusal,
    rules,
    settled,
    table,
    thrown,
)

RULE_BOOK = Path(__file__).parents[2] / "docs" / "rules.md"
ROW = re.compile(r"^\| `(?P<option>\w+)` \| (?P<cells>.*) \|$", re.MULTILINE)
DASH = "\u2013"
NAMES = [option.name for option in OPTIONS]


def rows() -> dict[str, list[str]]:
    """Return the cells of each option's row in the rule book, what it takes first."""
    text = RULE_BOOK.read_text(encoding="utf-8")
    return {row["option"]: row["cells"].split(" | ") for row in ROW.finditer(text)}


def columns() -> list[str]:
    heading = next(
        line
        for line in RULE_BOOK.read_text(encoding="utf-8").splitlines()
        if line.startswith("| option |")
    )
    return re.findall(r"`([\w-]+)`", heading)


def written(cell: str, option: Option) -> Any:
    if option.type == "boolean":
        return {"true": True, "false": False}[cell]
    return cell if option.values else int(cell)


def option_named(name: str) -> Option:
    return next(option for option in OPTIONS if option.name == name)


def test_options_presets__are_the_rows_of_the_table() -> None:
    assert columns() == list(PRESETS)
    for name, (_, *cells) in rows().items():
        values = [written(cell, option_named(name)) for cell in cells]
        assert values == [getattr(preset.rules, name) for preset in PRESETS.values()], name
    assert DEFAULT_PRESET == "oklahoma"
    assert PRESETS["oklahoma"].rules == RuleSet()


def test_options_presets__have_a_row_for_every_option() -> None:
    assert list(rows()) == NAMES == [field.name for field in fields(RuleSet)]
    assert all(len(cells) == 1 + len(PRESETS) for cells in rows().values())


@pytest.mark.parametrize("name", NAMES)
def test_options_ranges__as_the_table_says(name: str) -> None:
    takes, option = rows()[name][0], option_named(name)
    if takes == "bool":
        assert option.type == "boolean"
    elif DASH in takes:
        assert (option.minimum, option.maximum) == tuple(map(int, takes.split(DASH)))
    else:
        assert option.values == tuple(takes.split(", "))
    assert option.description.endswith(".")


def allowed(option: Option) -> list[Any]:
    if option.values:
        return list(option.values)
    return [option.minimum, option.maximum] if option.type == "integer" else [True, False]


def forbidden(option: Option) -> list[Any]:
    odd: list[Any] = [None, "", "other", 1.5, [], {}]
    if option.type == "integer":
        assert option.minimum is not None
        assert option.maximum is not None
        return [*odd, option.minimum - 1, option.maximum + 1, True, "1", 10**30]
    return [*odd, 1, 0] if option.type == "boolean" else [*odd, True, 0]


@pytest.mark.parametrize("name", NAMES)
def test_options_ranges__nothing_else_is_taken(name: str) -> None:
    option = option_named(name)
    for value in allowed(option):
        assert getattr(choose_rules("gin", {name: value}), name) == value
    for value in forbidden(option):
        with pytest.raises(InvalidRules) as caught:
            choose_rules("gin", {name: value})
        assert [fault.option for fault in caught.value.faults] == [name]
        with pytest.raises(InvalidRules):
            RuleSet(**{name: value})


@pytest.mark.parametrize("preset", list(PRESETS))
def test_options_overrides__any_option_on_top_of_any_preset(preset: str) -> None:
    for option in OPTIONS:
        for value in allowed(option):
            chosen = choose_rules(preset, {option.name: value})
            assert getattr(chosen, option.name) == value
            others = [name for name in NAMES if name != option.name]
            assert all(
                getattr(chosen, name) == getattr(PRESETS[preset].rules, name) for name in others
            )


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_options_seats__any_preset_by_two_to_four(preset: str, seats: int) -> None:
    *_, last = playout(rules(preset, round_limit=2), seats, Random(1))
    assert last.after.result


def test_options_faults__every_one_is_named_at_once() -> None:
    wrong = {"gin_bonus": -1, "shutout": "triple", "jokers": 2, "upcard_offer": 1}
    with pytest.raises(InvalidRules) as caught:
        choose_rules("poker", {**wrong, "box_bonus": 5})
    assert [fault.option for fault in caught.value.faults] == ["preset", *wrong]
    assert all(fault.detail in caught.value.detail for fault in caught.value.faults)
    with pytest.raises(InvalidRules) as direct:
        RuleSet(gin_bonus=-1, turn_limit=0)
    assert [fault.option for fault in direct.value.faults] == ["gin_bonus", "turn_limit"]


def test_options_faults__a_long_value_is_not_repeated_whole() -> None:
    with pytest.raises(InvalidRules) as caught:
        choose_rules("x" * 10_000, {})
    assert len(caught.value.detail) < 300


@pytest.mark.parametrize(
    "sent, shown",
    [
        (True, "true"),
        (None, "null"),
        ("7", '"7"'),
        ('a "\\\n', r'"a \"\\\u000a"'),
        (2.5, "2.5"),
        ([False, {"a": 1}], '[false, {"a": 1}]'),
    ],
)
def test_options_faults__a_value_is_shown_as_it_was_sent(sent: object, shown: str) -> None:
    with pytest.raises(InvalidRules) as caught:
        choose_rules("gin", {"gin_bonus": sent})
    [fault] = caught.value.faults
    assert fault.detail == f"gin_bonus takes an integer from 0 to 1000, not {shown}."


@pytest.mark.parametrize(
    "idle",
    [
        {"knock_limit_source": "fixed", "ace_upcard": "gin_only"},
        {"upcard_offer": False, "passed_upcard": "any"},
        {"scoring": "points", "undercut_penalty": 10},
        {"scoring": "penalties", "game_bonus": 100, "shutout": "double"},
        {"knock_limit_points": 0, "undercut_bonus": 100, "undercut_extra_boxes": 5},
        {"target_score": 10000, "round_limit": 1},
    ],
)
def test_options_idle__what_cannot_matter_is_accepted(idle: dict[str, Any]) -> None:
    *_, last = playout(rules("gin", **{"round_limit": 1, **idle}), 2, Random(2))
    assert last.after.result


# Readings

ACE_LEFT = "2S 3S 4S 9C 9D 9H KC KD KH AC"
KNOCK = "5S 6S 7S JC JD JH 2D"
LOW = "3C 3D 3H 8C 8D 8H AC"
HIGH = "KC QD TC 6D 3S AH 2S"


def ace_upcard(preset: str, **options: Any) -> GameState:
    state = all_pass(dealt(rules(preset, **options), [ACE_LEFT, ""], "AH", "8C"))
    return play(state, STOCK)


@pytest.mark.parametrize("preset", ["oklahoma", "oklahoma-penalties", "oklahoma-open"])
def test_reading_ace__gin_only_and_one_point_by_the_letter(preset: str) -> None:
    assert refusal(ace_upcard(preset), Knock(parse_card("8C"))) == "deadwood_over_limit"
    assert actions(ace_upcard(preset, ace_upcard="one_point")).knock


def test_reading_undercut__twenty_for_the_winner_and_ten_from_the_knocker() -> None:
    found = settled(rules("oklahoma-penalties"), [KNOCK, LOW, HIGH], "5C")
    assert found.totals == (1 + 10, -20, 41)
    assert settled(rules("oklahoma-open"), [KNOCK, LOW, HIGH], "5C").totals == (0, 42 + 20, 0)
    for other in (10, 30):
        chosen = rules("oklahoma-open", undercut_bonus=other)
        assert settled(chosen, [KNOCK, LOW, HIGH], "5C").totals == (0, 42 + other, 0)


def test_reading_gin_bonus__twenty_is_one_override_away() -> None:
    gin = "5S 6S 7S JC JD JH JS"
    assert settled(rules("oklahoma-open", gin_bonus=20), [gin, HIGH, LOW], "5C").totals[0] == 63


@pytest.mark.parametrize("source,limit", [("upcard", 6), ("discard_top", 10)])
def test_reading_topmost__the_upcard_or_the_top_of_the_pile(source: str, limit: int) -> None:
    state = dealt(rules("oklahoma-open", knock_limit_source=source), ["KC", ""], "6H")
    seen = view_for(play(state, STOCK, thrown("KC")), None).round
    assert seen
    assert seen.knock_limit == limit
    assert PRESETS["oklahoma-open"].rules.knock_limit_source == "upcard"


def test_reading_colour__runs_are_of_one_suit() -> None:
    assert not is_meld(parse_set("5H 6D 7H"))
    assert not is_meld(parse_set("5C 6S 7C"))


@pytest.mark.parametrize("preset", list(PRESETS))
def test_reading_obliged__knocking_never_is(preset: str) -> None:
    hand = "2S 3S 4S 9C 9D 9H KC KD KH KS"
    state = play(all_pass(dealt(rules(preset), [hand, ""], "7H", "8C")), STOCK)
    assert actions(state).knock
    assert table(play(state, thrown("8C"))).phase == "draw"


@pytest.mark.parametrize("upcard,allowed_to", [("2C", True), ("AD", False)])
def test_reading_at_most__the_limit_itself_may_be_kept(upcard: str, allowed_to: bool) -> None:
    hand = "3S 4S 5S 9C 9D 9H KC KD KH 2D"
    chosen = rules("oklahoma-penalties", ace_upcard="one_point")
    state = play(dealt(chosen, [hand, ""], upcard, "8C"), STOCK)
    assert bool(actions(state).knock) == allowed_to


@pytest.mark.parametrize("preset", list(PRESETS))
def test_reading_taken__it_may_be_used_but_not_thrown(preset: str) -> None:
    state = play(dealt(rules(preset), ["5S 6S", ""], "7S"), PILE)
    seen = view_for(state, 0).you
    assert seen
    assert parse_set("5S 6S 7S") in seen.melds
    may_return = PRESETS[preset].rules.return_taken_discard
    assert bool(actions(state).discard & parse_set("7S")) == may_return


def test_reading_gin_sheet__its_numbers() -> None:
    chosen = PRESETS["gin"].rules
    assert (chosen.gin_bonus, chosen.undercut_bonus, chosen.target_score) == (25, 25, 100)
    assert (chosen.next_dealer, chosen.stock_floor) == ("winner", 2)
    tie = knocked(chosen, [KNOCK_TEN, TIE_TEN], "5C")
    assert answered(tie).totals == (0, 25)


KNOCK_TEN = "JC JD JH 9C 9D 9H QC QD QH 2D"
TIE_TEN = "3S 4S 5S 7C 7D 7H KC KD KH 2H"
