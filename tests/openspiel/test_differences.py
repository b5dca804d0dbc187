"""Each known difference from OpenSpiel in a position of its own (``differences`` names them)."""

from random import Random

from service.rules.cards import FULL_DECK, Card, cards_in, parse_card, parse_set
from service.rules.moves import Discard, Draw, Knock, LayOff, Pass
from service.rules.ruleset import choose_rules
from tests.openspiel.choices import NEVER_FROM_THE_STOCK
from tests.openspiel.match import Match, play_round

GIN = choose_rules("gin", {"passed_upcard": "stock_only"})
OKLAHOMA = choose_rules("oklahoma", {"undercut_bonus": 25})
KNOCKER = "8D 9D TD 4C 4H 4S QC QD QS 2H"


def stacked(first: str, second: str, upcard: str, stock: str) -> tuple[Card, ...]:
    """Return a deck that deals the hands, the upcard and the top of the stock."""
    dealt = [
        parse_card(name)
        for pair in zip(first.split(), second.split(), strict=True)
        for name in pair
    ]
    dealt += [parse_card(upcard), parse_card(stock)]
    return (*dealt, *(card for card in cards_in(FULL_DECK) if card not in dealt))


def drawn_from_stock(first: str, second: str, stock: str) -> Match:
    """Return a match in which both passed a king of diamonds and seat 0 has drawn."""
    match = Match(GIN, oklahoma=False)
    match.deal(stacked(first, second, "KD", stock), first_player=0)
    for move in (Pass(), Pass(), Draw("stock")):
        match.make(move)
    return match


def knocked(first: str, second: str) -> Match:
    match = drawn_from_stock(first, second, "JC")
    match.make(Knock(parse_card("JC")))
    return match


def test_splitting_eleven_cards_hides_a_knock() -> None:
    match = drawn_from_stock("4C 5C 6C 7C 2D 4D 5D 6D 6H 5S", "AC AH AS 9C 9H 9S KC KH KS 2S", "6S")
    match.make(Discard(parse_card("2D")))
    assert match.tally["eleven-card split"] == match.tally["missed knock"] == 1


def test_a_tie_scores_nothing_and_is_undercut_here() -> None:
    match = knocked(KNOCKER, "AC 2C 3C 5H 6H 7H 9S TS JS 2S")
    match.make(LayOff())
    match.close()
    assert match.tally["tie"] == match.tally["undercut"] == 1


def test_a_third_card_at_one_end_of_a_run_cannot_be_laid_off() -> None:
    match = knocked(KNOCKER, "5D 6D 7D KC KH KS 9H TH AC 3S")
    melds = match.table.shown[0].melds
    run = melds.index(parse_set("8D 9D TD"))
    match.make(LayOff(tuple((card, run) for card in cards_in(parse_set("5D 6D 7D")))))
    kept = match.table.shown[1].layoffs
    assert [card for card, _ in kept] == list(cards_in(parse_set("6D 7D")))
    match.close()
    assert match.tally["third of a chain"] == 1
    assert match.tally["whole"] == 1


def test_a_card_on_a_set_lengthens_a_run_too() -> None:
    match = knocked("7C 7D 7S 8H 9H TH QC QD QS 2H", "6H 7H KC KH KS AC 3S 5S 9C JD")
    seven = match.table.shown[0].melds.index(parse_set("7C 7D 7S"))
    match.make(LayOff(((parse_card("7H"), seven),)))
    match.close()
    assert match.tally["card used twice"] == 1


def test_two_throw_backs_in_a_row_end_their_round() -> None:
    match = Match(GIN, oklahoma=False)
    match.deal(stacked(KNOCKER, "AC 2C 3C 5H 6H 7H 9S TS JS 2S", "KD", "JC"), first_player=0)
    for _ in range(2):
        match.make(Draw("discard"))
        match.make(Discard(parse_card("KD")))
    assert not match.playing
    match.close()
    assert match.tally["repeat"] == 1


def test_fifty_draws_from_the_pile_end_their_round() -> None:
    match = Match(OKLAHOMA, oklahoma=True)
    play_round(match, Random(1), NEVER_FROM_THE_STOCK)
    assert match.tally["fifty draws"] == 1
