"""Positions for tests: a table dealt as a test needs it, brought on by moves of the rules alone."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from service.rules.cards import Card, CardSet, card_name, cards_in, parse_card
from service.rules.errors import RuleError
from service.rules.legal import Actions, legal
from service.rules.moves import Deal, Discard, Draw, Join, Knock, LayOff, Move, Pass, Resign
from service.rules.play import apply, forced, new_game
from service.rules.ruleset import OptionValue, RuleSet, choose_rules
from service.rules.state import GameState, Laid, Round, RoundResult, Step

Deck = tuple[Card, ...]

STOCK = Draw("stock")
PILE = Draw("discard")

# Every other rank downwards, each of another suit: neighbours in this order hardly ever meld.
LOOSE = tuple((3 - place % 4) * 13 + (12 - 2 * place) % 13 for place in range(52))


def rules(preset: str = "oklahoma", **options: OptionValue) -> RuleSet:
    return choose_rules(preset, options)


def cards(names: str) -> list[Card]:
    return [parse_card(name) for name in names.split()]


def names(held: Iterable[Card] | CardSet) -> str:
    """Return the names of cards, a set's in card order."""
    return " ".join(map(card_name, cards_in(held) if isinstance(held, int) else held))


def full(chosen: RuleSet, seats: int) -> GameState:
    """Return a game with all seats taken and nothing dealt."""
    state = new_game(chosen, seats).state
    for _ in range(seats - 1):
        state = apply(state, None, Join()).state
    return state


def hand_size(seats: int) -> int:
    return 10 if seats == 2 else 7


def deck_of(hands: list[str], upcard: str, stock: str = "", *, size: int = 0) -> Deck:
    """Return the deck that deals these hands, the first to the first player, the named cards on top
    of the stock; what is not named is filled up with other cards that hardly ever meld.
    """
    named = [cards(hand) for hand in hands]
    top = cards(stock)
    used = {card for group in (*named, cards(upcard), top) for card in group}
    spare = [card for card in LOOSE if card not in used]
    size = size or hand_size(len(hands))
    for hand in named:
        while len(hand) < size:
            hand.append(spare.pop(0))
    dealt = [hand[place] for place in range(size) for hand in named]
    return (*dealt, *cards(upcard), *top, *spare)


def dealt(chosen: RuleSet, hands: list[str], upcard: str, stock: str = "") -> GameState:
    """Return a game whose first round is dealt so; seat 0 plays first."""
    deck = deck_of(hands, upcard, stock)
    return apply(full(chosen, len(hands)), 0, Deal(deck, 0)).state


def table(state: GameState) -> Round:
    assert state.round
    return state.round


def turn(state: GameState) -> int:
    on_turn = table(state).turn
    assert on_turn is not None
    return on_turn


def actions(state: GameState) -> Actions:
    return legal(state, turn(state))


def step(state: GameState, move: Move, seat: int | None = None) -> Step:
    """Return where a move of the seat on turn, or of another seat, leads."""
    return apply(state, turn(state) if seat is None else seat, move)


def play(state: GameState, *moves: Move) -> GameState:
    """Return the state after moves, each by the seat on turn."""
    for move in moves:
        state = step(state, move).state
    return state


def all_pass(state: GameState) -> GameState:
    while table(state).phase == "upcard_offer":
        state = play(state, Pass())
    return state


def thrown(name: str) -> Discard:
    return Discard(parse_card(name))


def out_with_drawn(state: GameState) -> GameState:
    """Return the state after the seat on turn has drawn from the stock and knocked with that card,
    and all have given their best answers."""
    drawn = play(state, STOCK)
    return answered(play(drawn, Knock(table(drawn).drawn_card)))


def idle_turn(state: GameState) -> GameState:
    """Return the state after the seat on turn has drawn from the stock and thrown that card."""
    drawn = play(state, STOCK)
    card = table(drawn).drawn_card
    assert card is not None
    return play(drawn, Discard(card))


def knocked(
    chosen: RuleSet,
    hands: list[str],
    upcard: str,
    melds: tuple[CardSet, ...] | None = None,
    throw: str = "",
) -> GameState:
    """Return the game after seat 0 has gone out with the first hand, throwing the card it drew.

    ``throw`` names that card where it matters.
    """
    throw = throw or next(
        name for name in names(range(51, -1, -1)).split() if _free(name, [*hands, upcard])
    )
    state = all_pass(dealt(chosen, hands, upcard, throw))
    return play(state, STOCK, Knock(parse_card(throw), melds))


def _free(name: str, hands: list[str]) -> bool:
    return all(name not in hand for hand in hands)


def followed(state: GameState) -> GameState:
    """Return the game after what must follow by itself."""
    while follows := forced(state):
        state = apply(state, *follows).state
    return state


def resigned(state: GameState, *seats: int) -> GameState:
    for seat in seats:
        state = followed(apply(state, seat, Resign()).state)
    return state


def answered(state: GameState) -> GameState:
    """Return the game after every opponent has given the best answer."""
    while table(state).phase == "layoff":
        state = play(state, LayOff())
    return state


def settled(chosen: RuleSet, hands: list[str], upcard: str) -> RoundResult:
    """Return the result of a round in which seat 0 goes out with the first hand."""
    return result(answered(knocked(chosen, hands, upcard)))


def result(state: GameState) -> RoundResult:
    found = table(state).result
    assert found
    return found


def with_totals(state: GameState, *totals: int, boxes: tuple[int, ...] = ()) -> GameState:
    return replace(state, totals=totals, boxes=boxes or state.boxes)


def dealt_again(state: GameState, hands: list[str] | None = None, upcard: str = "2C") -> GameState:
    """Return the game with its next round dealt, in order of play among the seats still in."""
    seat = state.out.index(False)
    size = hand_size(state.seats)
    deck = deck_of(hands, upcard, size=size) if hands else tuple(range(52))
    return apply(state, seat, Deal(deck)).state


def refused(state: GameState, seat: int | None, move: Move) -> RuleError:
    """Return why a move is refused; the state is as it was."""
    before = repr(state)
    with pytest.raises(RuleError) as caught:
        apply(state, seat, move)
    assert repr(state) == before
    assert caught.value.detail.endswith(".")
    return caught.value


def refusal(state: GameState, move: Move) -> str:
    """Return the code with which a move of the seat on turn is refused."""
    return refused(state, turn(state), move).code


def laid(state: GameState, seat: int) -> Laid:
    return next(each for each in table(state).shown if each.seat == seat)


def counts(found: RoundResult) -> dict[int, int]:
    return {each.seat: each.deadwood_points for each in found.hands}


def lines(found: RoundResult) -> list[tuple[int, int, str]]:
    return [(line.seat, line.points, line.reason) for line in found.lines]


def held_by_all(state: GameState) -> list[Card]:
    """Return every card of the round on the table, where it lies now."""
    on = table(state)
    hands = [card for hand in on.hands for card in cards_in(hand)]
    return [*hands, *on.discard_pile, *on.deck[on.stock_at :]]
