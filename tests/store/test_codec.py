from dataclasses import fields, replace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.games.ports import Operation, StoreUnavailable, UnreadableGame
from service.games.record import GameRecord, LoggedEvent, Player, RoundRecord
from service.rules.ruleset import OPTIONS, PRESETS, RuleSet
from service.rules.state import Event, GameResult, GameState, Laid, Round, RoundResult
from service.store import codec
from tests.store.factory import DECK, LONGEST_ROUND, RESULT, SHUFFLE, a_record, an_event

SNAPSHOT_LIMIT = 4096

cards = st.integers(0, 51)
masks = st.integers(0, (1 << 52) - 1)
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def a_rule_set() -> st.SearchStrategy[RuleSet]:
    values: dict[str, st.SearchStrategy[Any]] = {
        option.name: st.integers(option.minimum or 0, option.maximum)
        if option.type == "integer"
        else st.sampled_from(option.values or (False, True))
        for option in OPTIONS
    }
    return st.builds(RuleSet, **values)


def built(kind: type[Any], **chosen: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return values of a dataclass in which every field is drawn, defaults included."""
    drawn: dict[str, Any] = {row.name: ... for row in fields(kind)}
    return st.builds(kind, **{**drawn, **chosen})


st.register_type_strategy(str, text)
st.register_type_strategy(int, st.integers(-(1 << 53), 1 << 53))
laid = built(Laid, deadwood=masks)
results = built(RoundResult, hands=st.tuples(laid, laid))
rounds = built(
    Round,
    deck=st.permutations(range(52)).map(tuple),
    shown=st.tuples(laid),
    result=st.none() | results,
)
events = built(Event, result=st.none() | results, game_result=st.none() | built(GameResult))
logged_events = built(LoggedEvent, event=events)
records = built(
    GameRecord,
    state=built(
        GameState,
        rules=a_rule_set(),
        round=st.none() | rounds,
        last_round=st.none() | results,
        result=st.none() | built(GameResult),
    ),
)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(records)
def test_every_record_comes_back_as_it_was(record: GameRecord) -> None:
    assert codec.decode_snapshot(codec.encode_snapshot(record)) == record


@settings(max_examples=100, deadline=None)
@given(logged_events)
def test_every_event_comes_back_as_it_was(logged: LoggedEvent) -> None:
    assert codec.decode_event(codec.encode_event(logged)) == logged


@settings(max_examples=50, deadline=None)
@given(results)
def test_every_result_comes_back_as_it_was(result: RoundResult) -> None:
    assert codec.decode_result(codec.encode_result(result)) == result


@settings(max_examples=50, deadline=None)
@given(st.builds(Operation))
def test_every_operation_comes_back_as_it_was(operation: Operation) -> None:
    assert codec.decode_operation(operation.id, codec.encode_operation(operation)) == operation


def test_a_round_record_is_its_head_and_its_moves() -> None:
    moves = (an_event(1), an_event(2, Event(type="laid_off", layoffs=(), result=RESULT)))
    record = RoundRecord(3, 1, DECK, RESULT, SHUFFLE, moves)
    stored = codec.encode_round_head(record) + b",".join(map(codec.encode_event, moves)) + b"]}"
    assert codec.decode_round(stored) == record


def test_an_event_keeps_only_what_it_has() -> None:
    stored = msgspec.json.decode(codec.encode_event(an_event(7, Event(type="passed", seat=1))))
    assert stored["event"] == {"type": "passed", "seat": 1}
    assert set(stored) == {"version", "id", "at", "event"}


def test_no_layoffs_named_is_not_layoffs_not_named() -> None:
    named, absent = (an_event(1, Event(type="laid_off", layoffs=given)) for given in ((), None))
    assert codec.decode_event(codec.encode_event(named)).event.layoffs == ()
    assert codec.decode_event(codec.encode_event(absent)).event.layoffs is None


@pytest.mark.parametrize("preset", PRESETS)
def test_the_largest_snapshot_of_two_seats_stays_under_four_kibibytes(preset: str) -> None:
    record = a_record()
    record = replace(record, state=replace(record.state, rules=PRESETS[preset].rules))
    assert len(codec.encode_snapshot(record)) <= SNAPSHOT_LIMIT


def test_the_largest_snapshot_of_four_seats_does_too() -> None:
    record = a_record()
    player = Player("Ö" * 40, "a" * 16, "b" * 16, "e" * 64)
    result = replace(
        RESULT, hands=(*RESULT.hands,) * 2, lines=RESULT.lines * 2, totals=(100, 100, 100, 100)
    )
    last = replace(LONGEST_ROUND, hands=LONGEST_ROUND.hands * 2, shown=result.hands, result=result)
    state = replace(
        record.state,
        occupants=("human",) * 4,
        totals=(100,) * 4,
        boxes=(5,) * 4,
        out=(False,) * 4,
        round=last,
        last_round=result,
    )
    shuffle = replace(SHUFFLE, entropies=("e" * 64,) * 4)
    record = replace(record, players=(player,) * 4, state=state, shuffle=shuffle)
    assert len(codec.encode_snapshot(record)) <= SNAPSHOT_LIMIT


def test_games_with_the_same_rules_share_one_rule_set() -> None:
    first, second = (codec.decode_snapshot(codec.encode_snapshot(a_record())) for _ in range(2))
    assert first.state.rules is second.state.rules


def test_a_line_that_was_stored_without_its_payer_is_read() -> None:
    raw = msgspec.json.decode(codec.encode_result(RESULT))
    for line in raw["lines"]:
        del line["from_seat"]
    read = codec.decode_result(msgspec.json.encode(raw))
    assert [(line.points, line.from_seat) for line in read.lines] == [(12, None), (-10, None)]


def test_an_older_snapshot_is_upgraded_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    record = replace(a_record(), preset="gin")
    raw = msgspec.msgpack.decode(codec.encode_snapshot(record))
    raw["schema"] = -1
    raw["sheet"] = raw.pop("preset")
    upgrades = {
        -1: lambda old: {**old, "schema": 0, "named": old["sheet"]},
        0: lambda old: {**old, "schema": 1, "preset": old["named"]},
    }
    monkeypatch.setattr(codec, "UPGRADES", upgrades)
    assert codec.decode_snapshot(msgspec.msgpack.encode(raw)) == record


def test_a_newer_snapshot_is_refused_by_its_number() -> None:
    raw = msgspec.msgpack.decode(codec.encode_snapshot(a_record()))
    raw["schema"] = 2
    with pytest.raises(UnreadableGame, match="format 2 and this release reads up to 1"):
        codec.decode_snapshot(msgspec.msgpack.encode(raw))


@pytest.mark.parametrize(
    "damage",
    [
        {"schema": None},
        {"schema": "1"},
        {"schema": 0},
        {"version": "7"},
        {"visibility": "secret"},
        {"rules": {"gin_bonus": 5000}},
        {"rules": []},
        {"players": None},
    ],
)
def test_a_damaged_snapshot_is_refused(damage: dict[str, object]) -> None:
    raw = msgspec.msgpack.decode(codec.encode_snapshot(a_record()))
    with pytest.raises(UnreadableGame, match="cannot be read"):
        codec.decode_snapshot(msgspec.msgpack.encode({**raw, **damage}))


@pytest.mark.parametrize("stored", [b"", b"\x81", b"\x90", b"\xc0", b"\x81\xa6schema\x01", b"{}"])
def test_what_is_no_snapshot_is_refused(stored: bytes) -> None:
    with pytest.raises(UnreadableGame):
        codec.decode_snapshot(stored)


@pytest.mark.parametrize("decode", [codec.decode_event, codec.decode_round, codec.decode_result])
def test_other_damaged_values_are_refused(decode: Any) -> None:
    with pytest.raises(UnreadableGame, match="cannot be read"):
        decode(b'{"number":1}')


def test_an_unreadable_game_is_an_unavailable_store() -> None:
    assert issubclass(UnreadableGame, StoreUnavailable)
