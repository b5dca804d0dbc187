"""Questions about cards without a game, answered by the functions that referee the games."""

from dataclasses import dataclass, replace

from service.rules.cards import FULL_DECK, Card, CardSet, card_name, cards_in
from service.rules.errors import InvalidPosition
from service.rules.evolve import evolve
from service.rules.layoffs import Answer, Layoff, Target, best_answer, targets
from service.rules.melds import best_split, is_meld, melds_in
from service.rules.moves import Knock, LayOff
from service.rules.play import apply, new_game
from service.rules.rounds import hand_size
from service.rules.ruleset import RuleSet
from service.rules.state import GameState, Round, RoundResult


@dataclass(frozen=True, slots=True)
class DiscardAnalysis:
    """What throwing a card would leave; ``can_knock`` is known only under a knock limit."""

    card: Card
    deadwood_points: int
    gin: bool
    can_knock: bool | None
    melds: tuple[CardSet, ...]


@dataclass(frozen=True, slots=True)
class HandAnalysis:
    """The best split of a hand and all melds in it; ``discards`` for hands that have drawn."""

    melds: tuple[CardSet, ...]
    deadwood: CardSet
    deadwood_points: int
    possible_melds: tuple[CardSet, ...]
    discards: tuple[DiscardAnalysis, ...] | None


@dataclass(frozen=True, slots=True)
class LayoffAnalysis:
    """The best answer to a knock, and every layoff that can be reached."""

    answer: Answer
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A seat's cards in a settlement, and what it names of its melds and layoffs."""

    hand: CardSet
    melds: tuple[CardSet, ...] | None = None
    layoffs: tuple[Layoff, ...] | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """A round at the moment when ``knocker`` goes out with ``discard``, or by big gin without.

    The knocker's hand holds the discard. ``knock_limit`` replaces the one that the rules and the
    upcard give.
    """

    rules: RuleSet
    upcard: Card
    knocker: int
    seats: tuple[ShownHand, ...]
    discard: Card | None = None
    knock_limit: int | None = None


def analyse_hand(hand: CardSet, knock_limit: int | None = None) -> HandAnalysis:
    """Return what a hand of 1 to 11 cards is worth; for 8 or 11 cards each discard, too."""
    split = best_split(hand)
    has_drawn = hand.bit_count() in (8, 11)
    return HandAnalysis(
        melds=split.melds,
        deadwood=split.deadwood,
        deadwood_points=split.points,
        possible_melds=tuple(sorted(melds_in(hand), key=cards_in)),
        discards=tuple(_discard(hand, card, knock_limit) for card in cards_in(hand))
        if has_drawn
        else None,
    )


def _discard(hand: CardSet, card: Card, knock_limit: int | None) -> DiscardAnalysis:
    split = best_split(hand ^ 1 << card)
    can_knock = None if knock_limit is None else split.points <= knock_limit
    return DiscardAnalysis(card, split.points, split.points == 0, can_knock, split.melds)


def analyse_layoff(hand: CardSet, melds: tuple[CardSet, ...]) -> LayoffAnalysis:
    """Return how an opponent's hand best answers a knocker's melds, by their given order.

    :raises InvalidPosition: if these are no melds, or a card is in two places.
    """
    seen = hand
    for index, meld in enumerate(melds):
        if not is_meld(meld):
            raise InvalidPosition(
                "A meld is a set of 3 or 4 of one rank or a run of 3 or more of one suit, ace low.",
                f"/melds/{index}",
            )
        if twice := seen & meld:
            name = card_name(cards_in(twice)[0])
            raise InvalidPosition(
                f"{name} is in two places; a card lies in one.", f"/melds/{index}"
            )
        seen |= meld
    return LayoffAnalysis(best_answer(hand, melds), targets(hand, melds))


def analyse_settlement(position: Position) -> RoundResult:
    """Return the result that would follow if the knock went on as the seats name it.

    Opponents' layoffs name the knocker's melds by index, in the order named or in card order.

    :raises RuleError: if the cards are no position, or the rules refuse the knock or an answer.
    """
    _check_position(position)
    state = _table(position)
    named = position.seats[position.knocker]
    state = apply(state, position.knocker, Knock(position.discard, named.melds)).state
    while state.round and state.round.turn is not None:
        seat = state.round.turn
        answer = LayOff(position.seats[seat].layoffs, position.seats[seat].melds)
        state = apply(state, seat, answer).state
    return _result(state)


def _result(state: GameState) -> RoundResult:
    if state.round is None or state.round.result is None:
        raise LookupError("a knock that all have answered has no result")
    return state.round.result


def _check_position(position: Position) -> None:
    size = hand_size(len(position.seats))
    if position.knocker >= len(position.seats):
        raise InvalidPosition(
            f"Seat {position.knocker} knocks, of {len(position.seats)} seats.", "/knocker"
        )
    seen = 0
    for seat, shown in enumerate(position.seats):
        due = size + 1 if seat == position.knocker else size
        if shown.hand.bit_count() != due:
            raise InvalidPosition(
                f"Seat {seat} has {shown.hand.bit_count()} cards where {due} are due: {size} each, "
                "and the knocker one more, the discard or the last card of a big gin.",
                f"/seats/{seat}/hand",
            )
        if twice := seen & shown.hand:
            name = card_name(cards_in(twice)[0])
            raise InvalidPosition(f"{name} is in two hands.", f"/seats/{seat}/hand")
        seen |= shown.hand


def _table(position: Position) -> GameState:
    """Return a game whose round has just come to the knocker's discard."""
    rules = position.rules
    if position.knock_limit is not None:
        rules = replace(rules, knock_limit_source="fixed", knock_limit_points=position.knock_limit)
    hands = tuple(shown.hand for shown in position.seats)
    dealt = 0
    for hand in hands:
        dealt |= hand
    rest = cards_in(FULL_DECK & ~(dealt | 1 << position.upcard))
    table = Round(
        number=1,
        dealer=(position.knocker - 1) % len(hands),
        commitment=None,
        deck=rest,
        upcard=position.upcard,
        hands=hands,
        discard_pile=(),
        stock_at=0,
        phase="discard",
        turn=position.knocker,
        limit_card=position.upcard,
    )
    state = new_game(rules, len(hands)).state
    return evolve(state, occupants=("human",) * len(hands), round=table)
