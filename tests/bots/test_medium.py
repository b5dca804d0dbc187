"""What the level `medium` makes of single positions; the cards named are all that matters."""

from random import Random

from service.bots import choose
from service.rules.cards import card_name, parse_card
from service.rules.moves import Discard, Draw, Knock, Move, Pass
from service.rules.ruleset import OptionValue
from service.rules.state import GameState
from service.rules.views import view_for
from tests.rules.positions import melds
from tests.rules.tables import all_pass, dealt, idle_turn, play, rules, turn

LOOSE = "3C 5C 8C TC KD 2H 4H 9H JS QS"  # an opponent's hand, and nothing in it
STOCK = Draw("stock")
PILE = Draw("discard")


def medium(state: GameState) -> Move:
    """Return the move of the seat on turn, which is the same for every state of chance."""
    view = view_for(state, turn(state))
    moves = {repr(choose(view, "medium", Random(seed))) for seed in range(5)}
    assert len(moves) == 1, moves
    return choose(view, "medium", Random(0))


def thrown(move: Move) -> str:
    assert isinstance(move, Discard)
    return card_name(move.card)


def offered(hand: str, upcard: str, **options: OptionValue) -> GameState:
    """Return a game whose first seat is offered the upcard."""
    return dealt(rules("oklahoma", **options), [hand, LOOSE], upcard)


def drawn(hand: str, card: str, upcard: str, **options: OptionValue) -> GameState:
    """Return a game in which all passed and the first seat has drawn a card from the stock."""
    state = dealt(rules("oklahoma", **options), [hand, LOOSE], upcard, card)
    return play(all_pass(state), STOCK)


def test_an_upcard_that_makes_a_set_is_taken() -> None:
    assert medium(offered("7C 7D 2C 4D 6S 9D JC QH KH KS", "7S")) == PILE


def test_an_upcard_that_fits_nothing_is_passed() -> None:
    assert medium(offered("7C 7D 2C 4D 6S 9D JC QH KH KS", "TH")) == Pass()


def test_an_upcard_that_lets_the_seat_knock_is_taken() -> None:
    hand = "7C 7D 7S 4D 5D 6D TH JH QH 9D"
    assert medium(offered(hand, "6C")) == PILE


def test_an_upcard_that_would_break_a_better_meld_is_passed() -> None:
    assert medium(offered("AC 2C 3C 4C 9D TD JD QD 3H JH", "JS")) == Pass()


def test_a_lone_high_card_is_thrown_before_a_pair() -> None:
    move = medium(drawn("QC QD 9S 3D 4D 5D 6H 7H 8H KS", "2S", "4S"))
    assert thrown(move) == "KS"


def test_two_neighbours_are_kept_before_two_strangers() -> None:
    move = medium(drawn("9S TS 2D 3D 4D 6H 7H 8H KC 9C", "QD", "4S"))
    assert thrown(move) in ("KC", "QD")


def test_gin_is_called() -> None:
    move = medium(drawn("7C 7D 7S 4D 5D 6D TH JH QH KD", "KH", "9S"))
    assert isinstance(move, Knock)
    assert move.discard == parse_card("KD")


NOTHING_FOR_THEM = "2C 4C 6C 7C JC QC AD 2D 8D 9D AH 3H 5H 6H 7H 8H AS 2S"


def many_outs_for_gin(turns: int, **options: OptionValue) -> GameState:
    """Return a game whose first seat, after so many idle turns, may knock with an ace left over."""
    hands = ["4D 5D 6D 5S 6S 7S TH JH QH AC", "3C 5C 8C TC KD 2H 4H 9S JS QS"]
    idle = NOTHING_FOR_THEM.split()[:turns]
    state = all_pass(dealt(rules("oklahoma", **options), hands, "9C", " ".join([*idle, "KC"])))
    for _ in idle:
        state = idle_turn(state)
    return play(state, STOCK)


def test_it_knocks_at_once_while_the_others_hold_much() -> None:
    assert isinstance(medium(many_outs_for_gin(0)), Knock)


def test_later_it_plays_on_for_gin_where_many_cards_make_it() -> None:
    assert medium(many_outs_for_gin(10)) == Discard(parse_card("KC"))


def test_it_does_not_play_on_where_gin_pays_nothing() -> None:
    assert isinstance(medium(many_outs_for_gin(10, gin_bonus=0)), Knock)


def test_it_does_not_play_on_where_the_round_is_about_to_be_void() -> None:
    assert isinstance(medium(many_outs_for_gin(18, turn_limit=20)), Knock)


def test_it_lays_the_melds_on_which_the_fewest_cards_fit() -> None:
    hand = "AH 5H 6H 7H 5D 6D 7D 5C 6C 7C"
    move = medium(drawn(hand, "KS", "JH", gin_bonus=0))
    assert move == Knock(parse_card("KS"), melds("5C 5D 5H", "6C 6D 6H", "7C 7D 7H"))


def test_big_gin_is_called_where_it_pays_no_less_than_gin() -> None:
    hand, card = "4C 5C 6C 7C 8D 9D TD QC QD QH", "QS"
    assert medium(drawn(hand, card, "2S", big_gin_bonus=31)) == Knock(None)
    assert medium(drawn(hand, card, "2S", big_gin_bonus=5)) != Knock(None)
