"""Answers become typed values; what is unknown is ignored, what is wrong is named."""

import dataclasses
from datetime import UTC, datetime

import pytest

from oklahoma_gin import Card, Event, Layoff, RoundRecord, RuleBook, View
from oklahoma_gin._decode import MismatchError, decode
from tests.clients.samples import RULES, a_view, moved_json, result_json, shown_json, view_json


def test_a_full_view_is_decoded_to_its_leaves() -> None:
    view = a_view()
    assert view.etag == '"17-9f3c1a2b.0"'
    assert view.created_at == datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert view.rules == RULES
    assert [player.name for player in view.players] == ["Ann", "Bob"]
    assert view.you is not None
    assert view.you.melds[0] == ("AC", "2C", "3C")
    assert view.round is not None
    assert view.round.shown[0].layoffs == (Layoff("7D", 0),)
    assert view.last_round is not None
    assert [line.reason for line in view.last_round.lines] == ["deadwood", "undercut_bonus"]
    assert [line.from_seat for line in view.last_round.lines] == [1, None]
    assert view.you.possible_melds == view.you.melds
    assert view.actions.why_not["join"] == "already_seated"
    assert view.invite is not None
    assert view.invite not in repr(view)
    assert view.result is not None
    assert view.result.final_scores == (207, 92)


def test_actions_are_decoded_with_pass_under_a_name_python_allows() -> None:
    actions = a_view().actions
    assert actions.pass_upcard is True
    assert actions.discard[0].card == "KD"
    assert actions.knock[0].melds == (("AC",),)
    assert actions.layoff is not None
    assert actions.layoff.targets[0].requires == ("7D",)
    assert actions.layoff.best.deadwood_points == 4


def test_every_member_of_the_sample_view_reaches_a_field() -> None:
    names = {field.name for field in dataclasses.fields(View)}
    assert set(moved_json()) == names


def test_a_spectator_before_the_deal_has_neither_cards_nor_round() -> None:
    view = a_view(you=None, round=None, last_round=None, result=None)
    assert (view.you, view.round, view.last_round, view.result) == (None, None, None, None)


def test_unknown_members_are_ignored_at_every_depth() -> None:
    hand = {**shown_json(), "mood": "glum"}
    grown = a_view(weather={"sky": "blue"}, last_round={**result_json(), "hands": [hand], "x": 1})
    assert grown == a_view()


def test_a_missing_member_is_named_with_its_place() -> None:
    short = shown_json()
    del short["melds"]
    with pytest.raises(MismatchError, match=r"\.last_round\.hands\[0\]: lacks `melds`"):
        a_view(last_round={**result_json(), "hands": [short]})


@pytest.mark.parametrize(
    "change, complaint",
    [
        ({"version": "17"}, r"\.version: expected int, got str"),
        ({"seats": True}, r"\.seats: expected int, got bool"),
        ({"players": {}}, r"\.players: expected a list, got dict"),
        ({"actions": None}, r"\.actions: expected an object, got null"),
        ({"created_at": "yesterday"}, r"\.created_at: expected an RFC 3339 time"),
        ({"created_at": 5}, r"\.created_at: expected a time, got int"),
        ({"rules": {"gin_bonus": 2.5}}, r"\.rules\.gin_bonus: expected one of bool, int, str"),
    ],
)
def test_a_value_of_the_wrong_kind_is_named_with_its_place(
    change: dict[str, object], complaint: str
) -> None:
    full = {**view_json(), **change}
    with pytest.raises(MismatchError, match=complaint):
        decode(View, full)


def test_a_complaint_never_repeats_the_value() -> None:
    with pytest.raises(MismatchError) as caught:
        decode(Event, {"id": 1, "version": "okg_secret", "at": "", "type": ""})
    assert "okg_secret" not in str(caught.value)


def test_values_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        a_view().version = 18  # type: ignore[misc]


def test_a_round_record_is_decoded_with_its_shuffle() -> None:
    deck: list[Card] = ["AS", "KD"]
    drew = {"id": "5-aa", "version": 5, "at": "2030-01-02T03:04:05Z", "type": "drew", "seat": 1}
    shuffle = {
        "algorithm": "okg-shuffle-1",
        "game_id": "g",
        "round": 2,
        "seats": 2,
        "secret": "00",
        "commitment": "11",
        "entropies": ["", "tea"],
    }
    record = decode(
        RoundRecord,
        {
            "number": 2,
            "dealer": 1,
            "deck": deck,
            "moves": [{**drew, "card": "AS", "source": "stock"}],
            "result": result_json(),
            "shuffle": shuffle,
        },
    )
    assert record.moves[0].card == "AS"
    assert record.shuffle is not None
    assert record.shuffle.entropies == ("", "tea")


def test_the_rule_book_is_decoded_with_defaults_of_any_kind() -> None:
    option = {"name": "gin_bonus", "type": "integer", "description": "", "default": 25}
    switch = {**option, "name": "upcard_offer", "default": True, "values": [True, False]}
    preset = {"name": "gin", "title": "Gin", "summary": "", "rules": {"gin_bonus": 25}}
    book = decode(RuleBook, {"presets": [preset], "options": [option, switch]})
    assert [each.default for each in book.options] == [25, True]
    assert book.options[1].values == (True, False)
