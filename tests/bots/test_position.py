"""What a bot reads off its view: the cards it cannot see, and how far the round has come."""

from service.bots.position import read
from service.rules.cards import FULL_DECK, parse_card, parse_set
from service.rules.moves import Discard
from service.rules.state import GameState
from service.rules.views import view_for
from tests.rules.tables import PILE, dealt, play, rules, turn

HANDS = ["AC 3C 5C 7C 9C JC KC 2D 4D 6D", "AH 3H 5H 7H 9H JH KH 2S 4S 6S"]
SMALL = ["AC 3C 5C 7C 9C JC KC", "AH 3H 5H 7H 9H JH KH", "2D 4D 6D 8D TD QD 2S"]


def seen_by_turn(state: GameState) -> int:
    return FULL_DECK & ~read(view_for(state, turn(state))).unseen


def test_own_cards_and_the_discard_pile_are_seen() -> None:
    state = dealt(rules(), HANDS, "TH")
    assert seen_by_turn(state) == parse_set(HANDS[0] + " TH")
    assert read(view_for(state, 0)).held_by_others == 0


def test_an_upcard_that_is_gone_from_the_pile_is_held_by_another() -> None:
    state = play(dealt(rules(), HANDS, "TH"), PILE, Discard(parse_card("KC")))
    position = read(view_for(state, 1))
    assert position.held_by_others == parse_set("TH")
    assert not position.unseen & parse_set("TH KC")
    assert position.pile == (parse_card("KC"),)


def test_draws_are_shared_by_the_seats_that_are_in() -> None:
    two = read(view_for(dealt(rules(), HANDS, "TH"), 0))
    three = read(view_for(dealt(rules(), SMALL, "TH"), 0))
    assert (two.opponents, two.next_hand, two.draws_left) == (1, 10, 15)
    assert (three.opponents, three.next_hand, three.draws_left) == (2, 7, 10)


def test_the_turn_limit_leaves_fewer_draws() -> None:
    assert read(view_for(dealt(rules(turn_limit=20), HANDS, "TH"), 0)).draws_left == 10
