"""``legal`` is exactly what ``apply`` takes, and what players name counts as named."""

from random import Random

import pytest

from service.rules.cards import Card, CardSet, cards_in, set_of
from service.rules.errors import RuleError
from service.rules.legal import Actions, legal
from service.rules.moves import (
    Deal,
    Discard,
    Draw,
    Join,
    Knock,
    LayOff,
    Leave,
    Move,
    Pass,
    Rematch,
    Remove,
    Resign,
    SetEntropy,
)
from service.rules.play import apply
from service.rules.state import GameState, Round
from service.rules.views import view_for
from tests.rules.random_games import GAMES, games, sampled, viewers, worth
from tests.rules.solver import Hand
from tests.rules.tables import full, rules, table


def all_moves(state: GameState) -> list[Move]:
    """Return one of every kind of move that there is, each card's of those with a card."""
    cards = range(52)
    return [
        *(Discard(card) for card in cards),
        *(Knock(card) for card in cards),
        *(Remove(seat) for seat in range(state.seats)),
        *(Knock(None), Pass(), Draw("stock"), Draw("discard"), LayOff(), LayOff(()), Resign()),
        *(Join(), Join("bot"), Leave(), SetEntropy(), Deal(tuple(cards), 0), Rematch()),
    ]


def offered(actions: Actions, move: Move) -> bool:
    """Return whether a move is among the actions."""
    match move:
        case Discard(card):
            return bool(actions.discard >> card & 1)
        case Knock(None):
            return actions.big_gin
        case Knock(int(card)):
            return bool(actions.knock >> card & 1)
        case Remove(seat):
            return seat in actions.remove
        case Draw(source):
            return source in actions.draw
        case Join("bot"):
            return actions.add_bot
    flags = {
        Pass: actions.pass_upcard,
        LayOff: actions.layoff,
        Resign: actions.resign,
        Join: actions.join,
        Leave: actions.leave,
        SetEntropy: actions.entropy,
        Deal: actions.deal,
        Rematch: actions.rematch,
    }
    return flags[type(move)]


PHASE_OF: dict[type, tuple[str, ...]] = {
    Pass: ("upcard_offer",),
    Draw: ("upcard_offer", "draw"),
    Discard: ("discard",),
    Knock: ("discard",),
    LayOff: ("layoff",),
}
KNOCK_CODES = {"deadwood_over_limit", "invalid_request"}
SEAT_CODES = {"wrong_phase", "already_seated", "game_full", "game_not_full", "host_only"}


def right_codes(state: GameState, seat: int | None, move: Move) -> set[str]:
    """Return the codes that a refusal of the move may bear."""
    if state.result:
        return {"game_over", "wrong_phase"} if isinstance(move, Rematch) else {"game_over"}
    if type(move) not in PHASE_OF:
        return SEAT_CODES
    on = state.round
    if on is None or on.phase == "over":
        return {"wrong_phase"}
    if on.turn is None or seat != on.turn:
        return {"not_your_turn"}
    if on.phase not in PHASE_OF[type(move)]:
        return {"wrong_phase"}
    if isinstance(move, Draw):
        return {"wrong_phase" if on.phase == "upcard_offer" else "source_unavailable"}
    return _codes_for_a_card(on, on.hands[on.turn], move)


def _codes_for_a_card(on: Round, hand: CardSet, move: Move) -> set[str]:
    card = move.card if isinstance(move, Discard) else None
    card = move.discard if isinstance(move, Knock) else card
    if card is not None and not hand >> card & 1:
        return {"card_not_in_hand"}
    if card is not None and card == on.drawn_card and on.drawn_from == "discard":
        return {"card_just_taken", "deadwood_over_limit"}
    return KNOCK_CODES


def code_of(state: GameState, seat: int | None, move: Move) -> str | None:
    try:
        apply(state, seat, move)
    except RuleError as error:
        return error.code
    return None


def check_offers(state: GameState) -> None:
    """Try every move by everybody: those offered are accepted, all others refused, each rightly."""
    before = repr(state)
    for seat in viewers(state):
        actions = legal(state, seat)
        for move in all_moves(state):
            code = code_of(state, seat, move)
            assert (code is None) == offered(actions, move), (state, seat, move, code)
            assert code is None or code in right_codes(state, seat, move), (seat, move, code)
    assert repr(state) == before


def test_legal_is_exactly_what_apply_takes() -> None:
    for ply in sampled(games(GAMES), 41):
        check_offers(ply.after)


def test_legal_is_exactly_what_apply_takes_where_a_seat_is_leaving() -> None:
    found = [ply.after for ply in games(GAMES) if table(ply.after).leaving]
    assert found
    for state in found[:40]:
        check_offers(state)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_legal_is_exactly_what_apply_takes_before_the_first_deal(seats: int) -> None:
    state = apply(full(rules(), seats), 1, Leave()).state
    check_offers(full(rules(), seats))
    for seat in (None, 0):
        actions = legal(state, seat)
        for move in all_moves(state):
            assert (code_of(state, seat, move) is None) == offered(actions, move)


def test_a_refusal_changes_nothing() -> None:
    for ply in sampled(games(GAMES), 97):
        state, before = ply.after, repr(ply.after)
        for seat in viewers(state):
            for move in (Pass(), Draw("stock"), Discard(0), Knock(51), LayOff(((0, 0),))):
                if code_of(state, seat, move):
                    assert repr(state) == before


# Arrangements that players name


def random_arrangement(hand: CardSet, dice: Random) -> tuple[CardSet, ...]:
    """Return some disjoint melds of a hand, found without the engine."""
    left: Hand = frozenset(cards_in(hand))
    named: list[CardSet] = []
    for _ in range(dice.randrange(4)):
        found = _melds_of(left)
        if not found:
            break
        meld = dice.choice(found)
        named.append(set_of(meld))
        left = left.difference(meld)
    return tuple(named)


def _melds_of(hand: Hand) -> list[tuple[Card, ...]]:
    runs = [
        tuple(range(first, first + size))
        for first in sorted(hand)
        for size in range(3, 9)
        if first % 13 + size <= 13 and hand.issuperset(range(first, first + size))
    ]
    alike = [tuple(card for card in hand if card % 13 == rank) for rank in range(13)]
    return [*runs, *(cards for cards in alike if len(cards) >= 3)]


def test_named_melds_are_laid_as_named_where_the_limit_allows() -> None:
    dice = Random(1)
    for ply in games(GAMES):
        on = table(ply.after)
        if on.phase != "discard" or on.turn is None:
            continue
        actions = legal(ply.after, on.turn)
        for card in cards_in(actions.knock)[:2]:
            _knock_as_named(ply.after, card, on.hands[on.turn] & ~(1 << card), dice)


def _knock_as_named(state: GameState, card: Card, kept: CardSet, dice: Random) -> None:
    named = random_arrangement(kept, dice)
    left = kept & ~set_of(card for meld in named for card in cards_in(meld))
    seat = table(state).turn
    shown = view_for(state, seat).round
    assert shown
    if worth(left) > shown.knock_limit:
        assert code_of(state, seat, Knock(card, named)) == "deadwood_over_limit"
        return
    laid = table(apply(state, seat, Knock(card, named)).state).shown[0]
    assert (laid.melds, laid.deadwood, laid.deadwood_points) == (named, left, worth(left))


def test_garbage_for_melds_and_layoffs_is_refused() -> None:
    dice = Random(2)
    tried = 0
    for ply in games(GAMES):
        on = table(ply.after)
        if on.phase == "layoff":
            tried += _garbage_layoffs(ply.after, dice)
        elif on.phase == "discard" and on.turn is not None:
            for card in cards_in(legal(ply.after, on.turn).knock)[:1]:
                junk = (set_of(dice.sample(range(52), dice.choice((0, 1, 2, 3, 4)))),)
                if not _is_meld_of(junk[0], on.hands[on.turn] & ~(1 << card)):
                    move = Knock(card, junk)
                    assert code_of(ply.after, on.turn, move) == "invalid_melds"
                    tried += 1
    assert tried > GAMES


def _is_meld_of(cards: CardSet, hand: CardSet) -> bool:
    return tuple(cards_in(cards)) in {
        tuple(sorted(m)) for m in _melds_of(frozenset(cards_in(hand)))
    }


def _garbage_layoffs(state: GameState, dice: Random) -> int:
    on = table(state)
    assert on.turn is not None
    reachable = view_for(state, on.turn).actions.layoff
    assert reachable
    fitting = {(each.card, each.meld) for each in reachable.targets}
    junk = (dice.randrange(52), dice.randrange(-1, 5))
    if junk in fitting:
        return 0
    held = on.hands[on.turn] >> junk[0] & 1
    code = code_of(state, on.turn, LayOff((junk,)))
    assert code == ("invalid_layoff" if held else "card_not_in_hand")
    return 1


def test_named_layoffs_count_as_named() -> None:
    dice = Random(3)
    for ply in games(GAMES):
        on = table(ply.after)
        if on.phase != "layoff" or on.turn is None:
            continue
        choices = view_for(ply.after, on.turn).actions.layoff
        assert choices
        if not choices.targets:
            continue
        target = dice.choice(choices.targets)
        named = ((target.card, target.meld), *((card, target.meld) for card in target.requires))
        event = apply(ply.after, on.turn, LayOff(named, ())).event
        left = on.hands[on.turn] & ~set_of(card for card, _ in named)
        assert event.layoffs == tuple(sorted(named))
        assert (event.melds, event.deadwood, event.deadwood_points) == ((), left, worth(left))
