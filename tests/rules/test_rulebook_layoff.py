"""Layoffs, clause by clause."""

import pytest

from service.rules.cards import parse_card
from service.rules.moves import Knock, LayOff
from service.rules.state import GameState, Laid
from service.rules.views import view_for
from tests.rules.positions import layoffs, melds
from tests.rules.tables import (
    STOCK,
    answered,
    counts,
    dealt,
    knocked,
    laid,
    play,
    refusal,
    refused,
    result,
    rules,
    settled,
    table,
    turn,
)

KNOCK = "5S 6S 7S JC JD JH 2D"
RUN, JACKS = melds("5S 6S 7S", "JC JD JH")
TWO = "5S 6S 7S JC JD JH 9C 9D 9H 2D"
GIN = "5S 6S 7S JC JD JH 9C 9D 9H 9S"


def knock(*opponents: str, onto: str = "grown", **options: bool) -> GameState:
    """Return the table after seat 0 has knocked with the run and the jacks, by index 1 and 0."""
    chosen = rules("oklahoma-open", layoff_onto=onto, **options)
    return knocked(chosen, [TWO if len(opponents) == 1 else KNOCK, *opponents], "2C")


def index(state: GameState, meld: int) -> int:
    return table(state).shown[0].melds.index(meld)


def answer(state: GameState, move: LayOff) -> Laid:
    seat = turn(state)
    return laid(play(state, move), seat)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_layoff_order__each_once_clockwise_from_the_knocker(seats: int) -> None:
    state = knock(*[""] * (seats - 1))
    order = []
    while table(state).phase == "layoff":
        seat = turn(state)
        order.append(seat)
        for other in {*range(seats)} - {seat}:
            assert refused(state, other, LayOff()).code == "not_your_turn"
        state = play(state, LayOff())
    assert order == list(range(1, seats))
    assert [each.seat for each in result(state).hands] == list(range(seats))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("allowed", [False, True])
def test_layoff_on_gin__only_where_the_option_says_so(seats: int, allowed: bool) -> None:
    hand = GIN if seats == 2 else "5S 6S 7S JC JD JH JS"
    chosen = rules("oklahoma-open", layoff_on_gin=allowed)
    state = knocked(chosen, [hand, "8S", *[""] * (seats - 2)], "2C")
    assert table(state).going_out == "gin"
    assert table(state).phase == ("layoff" if allowed else "over")
    found = result(answered(state))
    assert bool(found.hands[1].layoffs) == allowed
    assert found.kind == "gin"


@pytest.mark.parametrize("allowed", [False, True])
def test_layoff_on_gin__big_gin_likewise(allowed: bool) -> None:
    chosen = rules("oklahoma-open", layoff_on_gin=allowed, big_gin_bonus=31)
    state = play(dealt(chosen, [GIN, "8S 4S"], "2C", "JS"), STOCK, Knock(None))
    assert table(state).phase == ("layoff" if allowed else "over")
    assert bool(result(answered(state)).hands[1].layoffs) == allowed


def test_layoff_no_phase__opponents_show_their_best_melds() -> None:
    state = knocked(rules(), [GIN, "KC KD KH 2S 3S 4S 8S TC 4D 5D"], "2C")
    found = result(state)
    assert found.hands[1].melds == melds("KC KD KH", "2S 3S 4S")
    assert (found.hands[1].layoffs, counts(found)[1]) == ((), 27)


@pytest.mark.parametrize("named", [("8S", "9S", "4S"), ("4S", "9S", "8S"), ("9S", "4S", "8S")])
def test_layoff_chains__at_both_ends_by_several_cards_in_any_order(named: tuple[str, ...]) -> None:
    state = knock("4S 8S 9S KC KD 8C 3C", "")
    run = index(state, RUN)
    found = answer(state, LayOff(layoffs(*((name, run) for name in named))))
    assert found.layoffs == layoffs(("4S", run), ("8S", run), ("9S", run))


def test_layoff_chains__a_set_grows_to_four() -> None:
    state = knock("JS KC KD 8C 3C 3D 4H", "")
    assert answer(state, LayOff(layoffs(("JS", index(state, JACKS))))).layoffs
    gap = LayOff(layoffs(("9S", index(state, RUN))))
    assert refusal(knock("9S", ""), gap) == "invalid_layoff"


def test_layoff_once__laid_off_or_melded() -> None:
    state = knock("8S 9S TS KC KD 8C 3C", "")
    run = index(state, RUN)
    eight = layoffs(("8S", run))
    assert refusal(state, LayOff(eight, melds("8S 9S TS"))) == "invalid_melds"
    assert refusal(state, LayOff((*eight, *eight))) == "invalid_layoff"
    assert refusal(state, LayOff(None, melds("8S 9S TS", "8S 9S TS"))) == "invalid_melds"
    assert refusal(state, LayOff(None, melds("KC KD KH"))) == "invalid_melds"


def test_layoff_held__a_card_of_the_seats_own() -> None:
    state = knock("KC KD", "8S")
    assert refusal(state, LayOff(layoffs(("8S", index(state, RUN))))) == "card_not_in_hand"


@pytest.mark.parametrize("where", [2, 3, -1])
def test_layoff_knocker_only__neither_deadwood_nor_anybody_elses_melds(where: int) -> None:
    state = play(knock("3C 3D 3H KC KD 8C TH", "3S 8S"), LayOff())
    assert refusal(state, LayOff(layoffs(("3S", where)))) == "invalid_layoff"
    choices = view_for(state, 2).actions.layoff
    assert choices
    assert {target.meld for target in choices.targets} <= {0, 1}
    assert parse_card("3S") not in {target.card for target in choices.targets}


# Both opponents could add to the run: seat 1 the eight, seat 2 the nine and the four.
ADDERS = ("8S KC KD 8C 3C 3D TH", "9S 4S KH QD 8D AC 2H")


def second(onto: str, card: str, meld: int = RUN) -> str:
    """Return what comes of the second opponent's laying off a card after the first added one."""
    state = knock(*ADDERS, onto=onto)
    run = index(state, RUN)
    state = play(state, LayOff(layoffs(("8S", run))))
    try:
        play(state, LayOff(layoffs((card, index(state, meld)))))
    except Exception as error:  # noqa: BLE001
        return type(error).__name__
    return "accepted"


def test_layoff_grown__onto_what_earlier_opponents_added() -> None:
    assert second("grown", "9S") == "accepted"
    assert second("grown", "4S") == "accepted"


def test_layoff_locked__a_meld_added_to_is_closed() -> None:
    assert second("locked", "9S") == "InvalidLayoff"
    assert second("locked", "4S") == "InvalidLayoff"
    state = play(knock(ADDERS[0], "JS 4S", onto="locked"), LayOff())
    assert answer(state, LayOff()).layoffs == layoffs(("JS", index(state, JACKS)))
    untouched = play(knock("KC KD 8C 3C 3D TH 2S", "8S 9S", onto="locked"), LayOff())
    assert len(answer(untouched, LayOff()).layoffs) == 2


def test_layoff_original__onto_the_melds_as_laid_and_ones_own_additions() -> None:
    assert second("original", "9S") == "InvalidLayoff"
    assert second("original", "4S") == "accepted"
    state = play(knock("4S KC KD 8C 3C 3D TH", "8S 9S", onto="original"), LayOff())
    run = index(state, RUN)
    assert answer(state, LayOff()).layoffs == layoffs(("8S", run), ("9S", run))


BETTER = "8S 9S 3C 3D 3H KC KD"


def test_layoff_both_named__exactly_those() -> None:
    state = knock(BETTER, "")
    run = index(state, RUN)
    found = answer(state, LayOff(layoffs(("8S", run)), ()))
    assert (found.melds, found.layoffs) == ((), layoffs(("8S", run)))
    assert found.deadwood_points == 9 + 9 + 20
    assert answer(state, LayOff((), ())).deadwood_points == 8 + 9 + 9 + 20


def test_layoff_layoffs_named__with_the_best_melds_of_the_rest() -> None:
    state = knock(BETTER, "")
    run = index(state, RUN)
    found = answer(state, LayOff(layoffs(("8S", run))))
    assert (found.melds, found.deadwood_points) == (melds("3C 3D 3H"), 29)
    none = answer(state, LayOff(()))
    assert (none.layoffs, none.melds, none.deadwood_points) == ((), melds("3C 3D 3H"), 37)


def test_layoff_melds_named__with_the_best_layoffs_of_the_rest() -> None:
    state = knock(BETTER, "")
    run = index(state, RUN)
    found = answer(state, LayOff(None, ()))
    assert found.layoffs == layoffs(("8S", run), ("9S", run))
    assert (found.melds, found.deadwood_points) == ((), 29)
    named = answer(state, LayOff(None, melds("3C 3D 3H")))
    assert (named.layoffs, named.deadwood_points) == (found.layoffs, 20)


def test_layoff_none_named__the_lowest_deadwood() -> None:
    found = answer(knock(BETTER, ""), LayOff())
    assert (len(found.layoffs), found.melds, found.deadwood_points) == (2, melds("3C 3D 3H"), 20)


def test_layoff_none_named__then_fewest_layoffs() -> None:
    found = answer(knock("8S 9S TS KC KD QH AC", ""), LayOff())
    assert (found.layoffs, found.melds) == ((), melds("8S 9S TS"))


def test_layoff_none_named__then_the_melds_lowest_in_card_order() -> None:
    hand = "5C 6C 7C 5D 6D 7D 7H KH KD QC"
    state = knocked(rules(), ["9S TS JS JC JD JH 8C 8D 8H 2D", hand], "2C")
    assert answer(state, LayOff()).melds == melds("5C 6C 7C", "5D 6D 7D")
    fours = knock("7C 7D 7H 6C 8C 6D 8D", "")
    assert answer(fours, LayOff()).melds == melds("6C 7C 8C", "6D 7D 8D")


def test_layoff_none_named__then_the_lowest_card_and_meld() -> None:
    state = knocked(rules("oklahoma-open"), ["TC TD TH JS QS KS 2D", "TS KC KD 8C", ""], "2C")
    assert table(state).shown[0].melds == melds("TC TD TH", "JS QS KS")
    assert answer(state, LayOff()).layoffs == layoffs(("TS", 0))


def test_layoff_nothing_to_add__the_phase_is_still_there() -> None:
    state = knock("KC KD 8C 3C 3D TH 2S", "")
    assert (table(state).phase, turn(state)) == ("layoff", 1)
    choices = view_for(state, 1).actions.layoff
    assert choices
    assert choices.targets == ()
    assert choices.best.layoffs == ()
    assert turn(play(state, LayOff())) == 2


@pytest.mark.parametrize("onto,left", [("grown", 31), ("locked", 44), ("original", 40)])
def test_layoff_order__the_answers_follow_from_it(onto: str, left: int) -> None:
    found = settled(rules("oklahoma-open", layoff_onto=onto), [KNOCK, *ADDERS], "2C")
    assert counts(found) == {0: 2, 1: 44, 2: left}
