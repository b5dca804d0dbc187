"""The deal, the offer and the turn, clause by clause."""

from typing import Any

import pytest

from service.rules.cards import cards_in, parse_card, parse_set
from service.rules.moves import Draw, Knock, Pass
from service.rules.ruleset import PRESETS
from service.rules.state import GameState
from service.rules.views import event_for, view_for
from tests.rules.tables import (
    PILE,
    STOCK,
    actions,
    all_pass,
    dealt,
    idle_turn,
    names,
    play,
    refusal,
    result,
    rules,
    step,
    table,
    thrown,
    turn,
)

PILES = ("stock", "discard")
GIN = "AS 2S 3S 4S 9C 9D 9H KC KD KH"
BIG = "2S 3S 4S 5S 7H 8H 9H TH QC QD"


@pytest.mark.parametrize("seats,size", [(2, 10), (3, 7), (4, 7)])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_deal_hand_size__ten_for_two_else_seven(preset: str, seats: int, size: int) -> None:
    state = dealt(rules(preset), [""] * seats, "7D")
    assert [hand.bit_count() for hand in table(state).hands] == [size] * seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_deal_order__one_card_at_a_time_from_the_dealers_left(seats: int) -> None:
    on = table(dealt(rules(), [""] * seats, "7D"))
    size = 10 if seats == 2 else 7
    assert on.dealer == seats - 1
    for seat, hand in enumerate(on.hands):
        assert cards_in(hand) == tuple(sorted(on.deck[seat : size * seats : seats]))
    assert on.upcard == on.deck[size * seats]
    assert on.discard_pile == (on.upcard,)
    assert on.stock_at == size * seats + 1


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_deal_upcard__it_is_shown_to_all_the_whole_round(viewer: int | None) -> None:
    state = dealt(rules(), ["KC", ""], "7D")
    taken = play(state, PILE, thrown("KC"))
    for each in (state, play(state, PILE), taken, idle_turn(taken)):
        seen = view_for(each, viewer).round
        assert seen
        assert seen.upcard == parse_card("7D")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_offer_order__from_the_dealers_left_to_the_dealer(seats: int) -> None:
    state = dealt(rules(), [""] * seats, "7D")
    asked = []
    while table(state).phase == "upcard_offer":
        asked.append(turn(state))
        assert actions(state).pass_upcard
        assert actions(state).draw == ("discard",)
        state = play(state, Pass())
    assert asked == list(range(seats))
    assert asked[-1] == table(state).dealer


def test_offer_pile_only__no_stock_draw_in_the_offer() -> None:
    assert refusal(dealt(rules(), ["", ""], "7D"), STOCK) == "wrong_phase"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_offer_taking__play_goes_on_to_their_left(seats: int) -> None:
    hands = ["", "KC", *[""] * (seats - 2)]
    taken = play(dealt(rules(), hands, "7D"), Pass(), PILE)
    assert table(taken).hands[1] >> parse_card("7D") & 1
    thrown_one = play(taken, thrown("KC"))
    assert (turn(thrown_one), table(thrown_one).phase) == (2 % seats, "draw")
    assert actions(thrown_one).draw == PILES


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_offer_all_pass__the_dealers_left_plays_first(seats: int) -> None:
    state = all_pass(dealt(rules(), [""] * seats, "7D"))
    assert (turn(state), table(state).phase) == (0, "draw")
    assert table(state).passed == tuple(range(seats))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_offer_stock_only__on_that_one_turn(seats: int) -> None:
    state = all_pass(dealt(rules(passed_upcard="stock_only"), [""] * seats, "7D"))
    assert actions(state).draw == ("stock",)
    assert refusal(state, PILE) == "source_unavailable"
    for _ in range(seats + 1):
        state = idle_turn(state)
        assert actions(state).draw == PILES


def test_offer_any__from_either_pile() -> None:
    state = all_pass(dealt(rules(passed_upcard="any"), ["", ""], "7D"))
    assert actions(state).draw == PILES
    assert table(play(state, PILE)).drawn_card == parse_card("7D")


@pytest.mark.parametrize("passed", ["stock_only", "any"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_offer_none__the_first_player_draws_from_either(passed: str, seats: int) -> None:
    chosen = rules(upcard_offer=False, passed_upcard=passed)
    state = dealt(chosen, [""] * seats, "7D")
    assert (turn(state), actions(state).draw) == (0, PILES)
    assert not actions(state).pass_upcard
    assert refusal(state, Pass()) == "wrong_phase"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_turn_order__clockwise(seats: int) -> None:
    state = all_pass(dealt(rules(), [""] * seats, "7D"))
    turns = []
    for _ in range(2 * seats):
        turns.append(turn(state))
        state = idle_turn(state)
    assert turns == [*range(seats), *range(seats)]


def test_turn_draw__the_top_of_a_pile() -> None:
    state = idle_turn(all_pass(dealt(rules(), ["", ""], "7D", "5C 6C 4D")))
    assert names(table(state).discard_pile) == "7D 5C"
    assert names([table(play(state, STOCK)).drawn_card or 0]) == "6C"
    taken = play(state, PILE)
    assert names([table(taken).drawn_card or 0]) == "5C"
    assert names(table(taken).discard_pile) == "7D"
    assert refusal(state, thrown("6C")) == "wrong_phase"
    assert refusal(taken, STOCK) == "wrong_phase"


def drew(source: Any, viewer: int | None) -> tuple[Any, Any, GameState]:
    before = all_pass(dealt(rules(passed_upcard="any"), ["", ""], "7D", "5C"))
    made = step(before, Draw(source))
    seen = view_for(made.state, viewer)
    return event_for(made.event, viewer).card, seen.you and seen.you.drawn_card, made.state


def test_turn_stock_secret__only_who_draws_sees_the_card() -> None:
    five, seven = parse_card("5C"), parse_card("7D")
    assert drew("stock", 0)[:2] == (five, five)
    for other in (1, None):
        assert drew("stock", other)[:2] == (None, None)
        assert drew("discard", other)[0] == seven
        assert "5C" not in names(drew("stock", 0)[2].round.discard_pile)  # type: ignore[union-attr]


def test_turn_discard__one_card_ends_the_turn() -> None:
    state = play(all_pass(dealt(rules(), ["KC", ""], "7D")), STOCK)
    assert table(state).hands[0].bit_count() == 11
    after = play(state, thrown("KC"))
    assert table(after).hands[0].bit_count() == 10
    assert table(after).discard_pile[-1] == parse_card("KC")
    assert (turn(after), table(after).phase, table(after).turns_played) == (1, "draw", 1)
    assert refusal(state, thrown("7D")) == "card_not_in_hand"


def test_turn_knock__a_card_thrown_and_at_most_the_limit_kept() -> None:
    hand = "3S 4S 5S 9C 9D 9H KC KD KH 7C"
    state = play(all_pass(dealt(rules(), [hand, ""], "7D", "8C")), STOCK)
    assert names(actions(state).knock) == "8C"
    after = play(state, Knock(parse_card("8C")))
    assert (table(after).knocker, table(after).going_out) == (0, "knock")
    assert table(after).discard_pile[-1] == parse_card("8C")
    assert refusal(state, Knock(parse_card("7C"))) == "deadwood_over_limit"


def test_turn_gin__no_deadwood_after_the_discard() -> None:
    state = play(all_pass(dealt(rules(), [GIN, ""], "AD", "7C")), STOCK)
    found = result(play(state, Knock(parse_card("7C"))))
    assert (found.kind, found.hands[0].deadwood_points) == ("gin", 0)


@pytest.mark.parametrize(
    "hands,drawn", [([BIG, ""], "QH"), (["2S 3S 4S 7H 8H 9H TH", "", ""], "JH")]
)
def test_turn_big_gin__all_cards_melded_and_no_discard(hands: list[str], drawn: str) -> None:
    state = play(all_pass(dealt(rules(big_gin_bonus=31), hands, "AD", drawn)), STOCK)
    assert actions(state).big_gin
    after = play(state, Knock(None))
    assert result(after).kind == "big_gin"
    assert names(table(after).discard_pile) == "AD"
    loose = play(all_pass(dealt(rules(big_gin_bonus=31), hands, "AD", "6C")), STOCK)
    assert not actions(loose).big_gin
    assert refusal(loose, Knock(None)) == "deadwood_over_limit"


def test_turn_no_big_gin__where_its_bonus_is_zero() -> None:
    state = play(all_pass(dealt(rules(big_gin_bonus=0), [BIG, ""], "AD", "QH")), STOCK)
    assert not actions(state).big_gin
    assert refusal(state, Knock(None)) == "invalid_request"


@pytest.mark.parametrize("preset", list(PRESETS))
def test_turn_never_obliged__play_may_go_on_with_gin_in_hand(preset: str) -> None:
    state = play(all_pass(dealt(rules(preset), [GIN, ""], "7D", "7C")), STOCK)
    assert actions(state).knock
    after = play(state, thrown("7C"))
    assert (table(after).phase, table(after).knocker) == ("draw", None)


def test_turn_any_turn__on_the_offer_turn_and_on_every_later_one() -> None:
    hand = GIN.replace("AS", "7C")
    taking = play(dealt(rules(), [hand, ""], "AS"), PILE)
    assert names(actions(taking).knock) == "7C"
    assert result(play(taking, Knock(parse_card("7C")))).kind == "gin"
    dealer = play(dealt(rules(), ["", hand], "AS"), Pass(), PILE)
    assert result(play(dealer, Knock(parse_card("7C")))).knocker == 1
    state = all_pass(dealt(rules(), [GIN, ""], "7D"))
    for _ in range(4):
        assert actions(play(state, STOCK)).knock
        state = idle_turn(idle_turn(state))


KNOCKABLE = "3S 4S 5S 9C 9D 9H KC KD KH AD"


def test_turn_returning__neither_to_discard_nor_to_knock() -> None:
    state = play(dealt(rules(return_taken_discard=False), [KNOCKABLE, ""], "7D"), PILE)
    seven = parse_set("7D")
    assert not actions(state).discard & seven
    assert not actions(state).knock & seven
    assert refusal(state, thrown("7D")) == "card_just_taken"
    assert refusal(state, Knock(parse_card("7D"))) == "card_just_taken"
    later = idle_turn(play(state, thrown("AD")))
    assert actions(play(later, STOCK)).discard & seven


@pytest.mark.parametrize("knocking", [False, True])
def test_turn_returning_allowed__where_the_option_says_so(knocking: bool) -> None:
    state = play(dealt(rules(return_taken_discard=True), [KNOCKABLE, ""], "7D"), PILE)
    seven = parse_card("7D")
    after = play(state, Knock(seven) if knocking else thrown("7D"))
    assert table(after).discard_pile == (seven,)
    assert (table(after).knocker is not None) == knocking
