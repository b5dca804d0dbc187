"""Analysis without a game gives what games give."""

import pytest

from service.rules import analysis
from service.rules.analysis import (
    Position,
    ShownHand,
    analyse_hand,
    analyse_layoff,
    analyse_settlement,
)
from service.rules.cards import card_name, parse_card, parse_set
from service.rules.errors import InvalidPosition
from service.rules.moves import Knock
from service.rules.play import new_game
from service.rules.ruleset import RuleSet
from service.rules.state import RoundResult
from tests.rules.positions import layoffs, melds
from tests.rules.random_games import GAMES, games
from tests.rules.tables import rules, table

KNOCKER = "8D 9D TD 4C 4H 4S QC QD QS 2H KD"
OPPONENT = "7D 6D KC KH KS 9H TH JH AC 3S"


def position(
    knocker: str = KNOCKER,
    opponent: ShownHand | None = None,
    *,
    chosen: RuleSet | None = None,
    discard: str | None = "KD",
    seat: int = 0,
    limit: int | None = None,
) -> Position:
    return Position(
        rules=chosen or rules(),
        upcard=parse_card("2D"),
        knocker=seat,
        seats=(
            ShownHand(parse_set(knocker)),
            opponent or ShownHand(parse_set(OPPONENT)),
        ),
        discard=parse_card(discard) if discard else None,
        knock_limit=limit,
    )


@pytest.mark.parametrize("limit", [None, 9, 10])
def test_a_hand_that_has_drawn_is_asked_for_every_discard(limit: int | None) -> None:
    found = analyse_hand(parse_set("4C 5C 6C 7C 2D 4D 5D 6D 6H 5S 6S"), limit)
    assert found.discards
    by_name = {card_name(each.card): each for each in found.discards}
    assert by_name["7C"].deadwood_points == 10
    assert by_name["7C"].can_knock == (None if limit is None else limit == 10)
    assert not any(each.gin for each in found.discards)
    assert by_name["4C"].deadwood_points == 13


def test_a_smaller_hand_has_no_discards() -> None:
    found = analyse_hand(parse_set("7C 7D 7H 7S KD"))
    assert (found.discards, found.deadwood_points) == (None, 10)
    assert len(found.possible_melds) == 5
    assert analyse_hand(parse_set("7C")).possible_melds == ()


def test_the_best_layoff_is_that_of_the_engine() -> None:
    found = analyse_layoff(parse_set(OPPONENT), melds("8D 9D TD", "4C 4H 4S", "QC QD QS"))
    assert found.answer.points == 4
    assert found.answer.layoffs == layoffs(("6D", 0), ("7D", 0))


@pytest.mark.parametrize("wrong", [melds("8D 9D TH"), melds("7D 8D 9D"), melds("8D 9D TD") * 2])
def test_cards_that_are_no_melds_or_lie_twice_are_refused(wrong: tuple[int, ...]) -> None:
    with pytest.raises(InvalidPosition) as caught:
        analyse_layoff(parse_set(OPPONENT), wrong)
    assert caught.value.pointer == f"/melds/{len(wrong) - 1}"


def test_a_settlement_takes_what_the_seats_name() -> None:
    assert analyse_settlement(position()).totals == (2, 0)
    none = ShownHand(parse_set(OPPONENT), layoffs=())
    assert analyse_settlement(position(opponent=none)).totals == (15, 0)


def test_a_settlement_may_have_a_limit_of_its_own() -> None:
    loose = KNOCKER.replace("2H", "7H")
    assert analyse_settlement(position(loose, limit=7)).kind == "undercut"
    big = position("8D 9D TD JD 4C 4H 4S QC QD QS QH", discard=None, chosen=rules(big_gin_bonus=9))
    assert analyse_settlement(big).kind == "big_gin"


@pytest.mark.parametrize(
    "wrong,pointer",
    [
        (position(seat=2), "/knocker"),
        (position("8D 9D TD"), "/seats/0/hand"),
        (position(opponent=ShownHand(parse_set("7D"))), "/seats/1/hand"),
        (
            position(opponent=ShownHand(parse_set(OPPONENT.replace("3S", "2H")))),
            "/seats/1/hand",
        ),
    ],
)
def test_what_is_no_position_is_refused(wrong: Position, pointer: str) -> None:
    with pytest.raises(InvalidPosition) as caught:
        analyse_settlement(wrong)
    assert caught.value.pointer == pointer


def test_a_game_without_a_result_is_no_settlement() -> None:
    with pytest.raises(LookupError):
        analysis._result(new_game(rules(), 2).state)


def test_settlements_are_those_of_random_games() -> None:
    compared = 0
    knocks = {}
    for ply in games(GAMES):
        if isinstance(ply.move, Knock) and not any(ply.before.out):
            knocks[table(ply.after).number, id(ply.after.rules)] = ply
        found = ply.event.result
        if found is None or found.kind == "void":
            continue
        knock = knocks.get((found.number, id(ply.after.rules)))
        if knock and isinstance(knock.move, Knock) and not ply.after.out.count(True):
            again = analyse_settlement(as_position(ply.after.rules, knock.move, found, knock))
            assert (again.kind, again.winner, again.hands) == (
                *(found.kind, found.winner, found.hands),
            )
            assert again.lines == found.lines
            compared += 1
    assert compared >= GAMES // 2


def as_position(chosen: RuleSet, move: Knock, found: RoundResult, ply: object) -> Position:
    """Return the position in which a random game's knock was made, everything named."""
    before = table(ply.before)  # type: ignore[attr-defined]
    named = {laid.seat: laid for laid in found.hands}
    seats = tuple(
        ShownHand(
            hand,
            named[seat].melds,
            None if seat == found.knocker else named[seat].layoffs,
        )
        for seat, hand in enumerate(before.hands)
    )
    return Position(
        rules=chosen,
        upcard=before.upcard,
        knocker=found.knocker or 0,
        seats=seats,
        discard=move.discard,
        knock_limit=10 if chosen.knock_limit_source == "discard_top" else None,
    )
