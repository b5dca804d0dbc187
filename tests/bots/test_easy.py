"""What the level `easy` makes of single positions, by chance where it has a choice."""

from collections import Counter
from random import Random

from service.bots import choose
from service.rules.cards import parse_card
from service.rules.moves import Discard, Knock, Move, Pass
from service.rules.state import GameState
from service.rules.views import view_for
from tests.rules.tables import PILE, STOCK, all_pass, dealt, play, rules, turn

OTHER = "3C 5C 8C TC KD 2H 4H 9H JS QS"
SETS = "7C 7D 7S 4D 5D 6D 9D TD 2C KC"


def easy(state: GameState) -> Counter[Move]:
    """Return the moves that a hundred states of chance lead to, and how often."""
    view = view_for(state, turn(state))
    return Counter(choose(view, "easy", Random(seed)) for seed in range(100))


def test_the_upcard_is_taken_only_where_it_makes_a_meld() -> None:
    assert set(easy(dealt(rules(), [SETS, OTHER], "JD"))) == {PILE}
    assert set(easy(dealt(rules(), [SETS, OTHER], "QH"))) == {Pass()}


def test_one_of_the_three_highest_loose_cards_is_thrown() -> None:
    hand = "7C 7D 7S 4D 6H 9D TD 2C KC AS"
    moves = easy(play(all_pass(dealt(rules(), [hand, OTHER], "2S", "3H")), STOCK))
    assert set(moves) == {Discard(parse_card(name)) for name in ("KC", "TD", "9D")}


def test_a_knock_is_made_more_often_than_it_is_overlooked() -> None:
    hand = "7C 7D 7S 4D 5D 6D TH JH QH KC"
    moves = easy(play(all_pass(dealt(rules(), [hand, OTHER], "9S", "AC")), STOCK))
    knocks = sum(count for move, count in moves.items() if isinstance(move, Knock))
    assert 60 <= knocks < 100


def test_big_gin_is_called() -> None:
    hand = "4C 6C 7C 5C 8D 9D TD QC QD QH"
    chosen = rules(big_gin_bonus=31)
    other = OTHER.replace("5C", "3D").replace("QS", "2S")
    moves = easy(play(all_pass(dealt(chosen, [hand, other], "2D", "QS")), STOCK))
    assert Knock(None) in moves
