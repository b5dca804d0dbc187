"""A round verifies as it was played, and fails, for a reason of its own, if anything is changed."""

import json
from dataclasses import replace
from random import Random

import pytest

from oklahoma_gin import (
    Event,
    OklahomaGinError,
    RoundRecord,
    Shuffle,
    VerificationError,
    verify_round,
)
from oklahoma_gin._cards import DECK
from oklahoma_gin.shuffling import commitment_of, deck_of
from service.rules.moves import Resign
from tests.clients.rounds import TEXTS, a_round, a_table, revealed
from tests.conftest import Tally

POINTS = {rank: min(place, 10) for place, rank in enumerate("A23456789TJQK", 1)}
PRESETS = ("oklahoma", "gin", "oklahoma-penalties", "oklahoma-open", "oklahoma-bonus")


@pytest.fixture(scope="module")
def played() -> RoundRecord:
    """A round of three seats that somebody knocked in and others laid off in."""
    return next(
        record
        for seed in range(1, 40)
        if (record := a_round(3, seed, layoff_onto="grown")).result.kind in ("knock", "undercut")
        and any(hand.layoffs for hand in record.result.hands)
    )


def shuffle_of(record: RoundRecord) -> Shuffle:
    assert record.shuffle is not None
    return record.shuffle


def with_shuffle(record: RoundRecord, **changes: object) -> RoundRecord:
    return replace(record, shuffle=replace(shuffle_of(record), **changes))  # type: ignore[arg-type]


def with_move(record: RoundRecord, place: int, **changes: object) -> RoundRecord:
    moves = list(record.moves)
    moves[place] = replace(moves[place], **changes)  # type: ignore[arg-type]
    return replace(record, moves=tuple(moves))


def reason(record: RoundRecord, **known: object) -> str:
    with pytest.raises(VerificationError) as caught:
        verify_round(record, **known)  # type: ignore[arg-type]
    assert str(caught.value) == f"{caught.value.reason}: {caught.value.detail}"
    assert caught.value.detail.endswith(".")
    return caught.value.reason


def place_of(record: RoundRecord, kind: str, source: str | None = None) -> int:
    return next(
        place
        for place, move in enumerate(record.moves)
        if move.type == kind and source in (None, move.source)
    )


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whole_games_verify_round_by_round(tally: Tally, preset: str, seats: int) -> None:
    table = a_table(seats, seed=seats, preset=preset, round_limit=2)
    table.play_out(Random(seats))
    rounds = table.store.results(table.game_id)
    for result in rounds:
        record = revealed(table, result.number)
        texts = shuffle_of(record).entropies
        verify_round(
            record,
            commitment=shuffle_of(record).commitment,
            entropies=dict(enumerate(texts)),
            rules={
                "first_player": table.rules.first_player,
                "upcard_offer": table.rules.upcard_offer,
            },
        )
    tally(rounds=len(rounds))


def test_the_next_commitment_seen_before_the_deal_is_the_rounds() -> None:
    table = a_table()
    seen = table.look(0).next_commitment
    table.play_round(Random(1))
    verify_round(revealed(table), commitment=seen, entropies={1: TEXTS[1]})


@pytest.mark.parametrize("how", ["random", "host", "high_card"])
@pytest.mark.parametrize("seats", [2, 4])
def test_the_first_player_is_verified_by_the_option(how: str, seats: int) -> None:
    record = a_round(seats, 3, first_player=how)
    verify_round(record, rules={"first_player": how})
    verify_round(record)


def test_a_round_that_was_resigned_verifies_with_the_hands_shown() -> None:
    for seats in (2, 3):
        table = a_table(seats)
        table.deal(0)
        for _ in range(9):
            table.go_on(Random(1))
        table.move(Resign())
        record = revealed(table)
        assert record.result.kind == "void"
        verify_round(record)


def test_one_changed_card_of_the_deck_is_named(played: RoundRecord) -> None:
    deck = list(played.deck)
    deck[-1], deck[-2] = deck[-2], deck[-1]
    assert reason(replace(played, deck=tuple(deck))) == "deck_altered"
    assert reason(replace(played, deck=("AS", *played.deck[1:]))) == "deck_altered"
    assert reason(replace(played, deck=played.deck[:-1])) == "deck_altered"
    assert reason(replace(played, deck=(*played.deck, "AS"))) == "deck_altered"
    with pytest.raises(VerificationError, match=f"place 50 holds {played.deck[51]}"):
        verify_round(replace(played, deck=tuple(deck)))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_one_changed_byte_of_an_entropy_makes_another_deck(played: RoundRecord, seat: int) -> None:
    texts = list(shuffle_of(played).entropies)
    texts[seat] = texts[seat][:-1] + "x"
    altered = with_shuffle(played, entropies=tuple(texts))
    assert reason(altered) == "inputs_altered"
    assert (
        reason(altered, entropies={seat: shuffle_of(played).entropies[seat]}) == "entropy_altered"
    )


def test_another_secret_is_not_the_one_committed_to(played: RoundRecord) -> None:
    secret = shuffle_of(played).secret
    other = ("1" if secret[0] == "0" else "0") + secret[1:]
    assert reason(with_shuffle(played, secret=other)) == "secret_altered"
    swapped = with_shuffle(played, secret=other, commitment=commitment_of(other))
    assert reason(swapped) == "inputs_altered"
    redealt = replace(swapped, deck=deck_of(shuffle_of(swapped)))
    assert reason(redealt, commitment=shuffle_of(played).commitment) == "commitment_altered"


@pytest.mark.parametrize(
    "change",
    [
        {"game_id": "another"},
        {"game_id": "b7Qm3xT9uKcW2_zB"},
    ],
)
def test_a_shuffle_of_another_game_is_another_deck(
    played: RoundRecord, change: dict[str, object]
) -> None:
    assert reason(with_shuffle(played, **change)) == "inputs_altered"


@pytest.mark.parametrize(
    "change",
    [
        {"round": 2},
        {"seats": 2},
        {"seats": 0, "entropies": ()},
        {"secret": "00" * 31},
        {"secret": "zz" * 32},
        {"entropies": ("\ud800", "", "")},
    ],
)
def test_inputs_that_cannot_be_are_refused(played: RoundRecord, change: dict[str, object]) -> None:
    assert reason(with_shuffle(played, **change)) == "inputs_malformed"


def test_what_cannot_be_proved_is_not_called_proved(played: RoundRecord) -> None:
    assert reason(replace(played, shuffle=None)) == "no_shuffle"
    assert reason(with_shuffle(played, algorithm="okg-shuffle-9")) == "unknown_algorithm"
    with pytest.raises(ValueError, match="0 to 2"):
        verify_round(played, entropies={3: ""})


def test_another_first_player_is_noticed() -> None:
    for seed in range(1, 9):
        record = a_round(4, seed, first_player="random")
        for dealer in {0, 1, 2, 3} - {record.dealer}:
            assert reason(replace(record, dealer=dealer), rules={"first_player": "random"}) == (
                "first_player_altered"
            )
    high = a_round(4, 1, first_player="high_card")
    cards = high.moves[0].high_cards
    assert cards is not None
    assert reason(with_move(high, 0, high_cards=cards[::-1])) == "first_player_altered"
    assert reason(with_move(high, 0, high_cards=None), rules={"first_player": "high_card"}) == (
        "first_player_altered"
    )
    assert reason(replace(high, dealer=(high.dealer + 1) % 4)) == "first_player_altered"


def test_a_changed_move_is_noticed_wherever_it_is(played: RoundRecord, tally: Tally) -> None:
    changed = 0
    for place, move in enumerate(played.moves):
        for change in changes_of(move):
            altered = with_move(played, place, **change)
            assert reason(altered, rules={"upcard_offer": True}), (move, change)
            changed += 1
    tally(moves_changed=changed)


def changes_of(move: Event) -> list[dict[str, object]]:
    """Return what a forger might write instead of the move."""
    changes: list[dict[str, object]] = [
        {"version": move.version + 1},
        {"seat": ((move.seat or 0) + 1) % 3},
        {"turn": ((move.turn or 0) + 1) % 3},
        {"phase": "upcard_offer" if move.phase != "upcard_offer" else "draw"},
    ]
    if move.type == "dealt":
        changes[1] = {"upcard": next(card for card in DECK if card != move.upcard)}
        changes += [{"round": 2}, {"dealer": 9}, {"commitment": "00" * 32}, {"type": "drew"}]
    if move.card is not None:
        changes += [{"card": card} for card in DECK[::7] if card != move.card]
        changes.append({"card": None} if move.type != "knocked" else {"kind": "gin"})
    if move.source is not None:
        changes.append({"source": "stock" if move.source == "discard" else "discard"})
        changes.append({"source": "sleeve"})
    if move.melds:
        changes += [{"melds": move.melds[1:]}, {"melds": (move.melds[0][1:], *move.melds[1:])}]
    if move.deadwood_points is not None:
        changes.append({"deadwood_points": move.deadwood_points + 1})
    return changes


@pytest.mark.parametrize(
    "kind, source, change, expected",
    [
        ("passed", None, {"seat": 9}, "wrong_turn"),
        ("drew", "stock", {"card": "XX"}, "card_altered"),
        ("drew", "stock", {"type": "passed"}, "wrong_phase"),
        ("discarded", None, {"card": "XX"}, "card_not_held"),
        ("discarded", None, {"turn": None}, "turn_altered"),
        ("discarded", None, {"version": 99}, "move_missing"),
        ("discarded", None, {"type": "resigned"}, "wrong_phase"),
        ("dealt", None, {"upcard": "XX"}, "card_altered"),
        ("dealt", None, {"commitment": None}, "commitment_altered"),
        ("dealt", None, {"dealer": None}, "turn_altered"),
        ("knocked", None, {"melds": ()}, "laid_cards_altered"),
        ("knocked", None, {"deadwood_points": 77}, "points_altered"),
        ("knocked", None, {"kind": "big_gin"}, "result_altered"),
    ],
)
def test_a_changed_move_has_its_reason(
    kind: str, source: str | None, change: dict[str, object], expected: str
) -> None:
    wanted = {"passed", "drew", "discarded", "knocked"}
    rounds = (a_round(2, seed) for seed in range(1, 40))
    record = next(each for each in rounds if wanted <= {move.type for move in each.moves})
    assert reason(with_move(record, place_of(record, kind, source), **change)) == expected


def test_a_move_left_out_or_added_is_noticed(played: RoundRecord) -> None:
    for place in range(len(played.moves)):
        moves = (*played.moves[:place], *played.moves[place + 1 :])
        assert reason(replace(played, moves=moves)) == "move_missing"
    last = played.moves[-1]
    extra = replace(last, version=last.version + 1)
    assert reason(replace(played, moves=(*played.moves, extra))) == "result_altered"
    assert reason(replace(played, moves=())) == "move_missing"


def test_a_changed_result_is_noticed(played: RoundRecord) -> None:
    result = played.result
    first, *rest = result.hands
    for change in (
        {"winner": 9},
        {"kind": "gin"},
        {"kind": "void", "winner": None},
        {"knocker": 9},
        {"number": 2},
        {"hands": (replace(first, deadwood_points=0), *rest)},
        {"hands": (replace(first, melds=()), *rest)},
        {"hands": (first,)},
        {"hands": (*result.hands[:-1], first)},
    ):
        altered = replace(result, **change)
        record = replace(with_move(played, -1, result=altered), result=altered)
        assert reason(record)
        assert reason(replace(played, result=altered))


def test_a_layoff_that_fits_nothing_is_noticed(played: RoundRecord) -> None:
    place = next(place for place, move in enumerate(played.moves) if move.layoffs)
    layoffs = played.moves[place].layoffs or ()
    knocked = played.moves[place_of(played, "knocked")]
    for meld in {-1, *range(len(knocked.melds or ()) + 1)} - {layoffs[0].meld}:
        moved = (replace(layoffs[0], meld=meld), *layoffs[1:])
        assert reason(with_move(played, place, layoffs=moved)) == "not_a_meld"


def test_cards_laid_as_a_meld_that_are_none_are_noticed(played: RoundRecord) -> None:
    place = place_of(played, "knocked")
    melds, deadwood = played.moves[place].melds or (), played.moves[place].deadwood or ()
    for forged in ((tuple(card for meld in melds for card in meld),), (*melds, deadwood)):
        left = deadwood if len(forged) == 1 else ()
        assert reason(with_move(played, place, melds=forged, deadwood=left)) == "not_a_meld"


@pytest.mark.parametrize("kind", ["knock", "undercut", "gin"])
def test_the_winner_follows_from_the_hands(kind: str) -> None:
    record = next(each for seed in range(1, 99) if (each := a_round(2, seed)).result.kind == kind)
    verify_round(record)
    for other in ("knock", "undercut", "gin", "big_gin", "void"):
        for winner in (0, 1, None):
            result = replace(record.result, kind=other, winner=winner)
            forged = replace(with_move(record, -1, result=result), result=result)
            points = {hand.deadwood_points for hand in result.hands}
            is_tie = len(points) == 1 and {other, kind} <= {"knock", "undercut"}
            if result != record.result and not is_tie:
                assert reason(forged) == "result_altered"


def test_a_hand_shown_otherwise_than_it_was_laid_is_noticed(played: RoundRecord) -> None:
    first, *rest = played.result.hands
    points = first.deadwood_points + sum(POINTS[card[0]] for card in first.melds[-1])
    shown = replace(
        first,
        melds=first.melds[:-1],
        deadwood=(*first.deadwood, *first.melds[-1]),
        deadwood_points=points,
    )
    result = replace(played.result, hands=(shown, *rest))
    forged = replace(with_move(played, -1, result=result), result=result)
    assert reason(forged) == "result_altered"


def test_an_answer_to_a_knock_that_is_missing_is_noticed(played: RoundRecord) -> None:
    last, before = played.moves[-1], played.moves[-2]
    assert before.type == last.type == "laid_off"
    early = replace(before, phase="over", turn=None, result=played.result)
    assert reason(replace(played, moves=(*played.moves[:-2], early))) == "move_missing"


def test_moves_that_touch_no_card_may_lie_between() -> None:
    table = a_table()
    table.deal(0)
    table.go_on(Random(1))
    table.games.set_entropy(table.game_id, "for later", table.ask(0))
    while table.phase != "over":
        table.go_on(Random(1))
    record = revealed(table)
    assert "entropy_set" in {move.type for move in record.moves}
    verify_round(record)


def test_a_failed_verification_is_an_error_of_the_sdk() -> None:
    assert issubclass(VerificationError, OklahomaGinError)
    assert json.dumps(VerificationError("deck_altered", "It was.").args)
