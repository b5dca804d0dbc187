"""Refusals with their reasons: a move passes ``check`` exactly when ``legal`` offers it.

A knock's and a layoff's own arrangement is checked here too, and completed where it is not named.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from service.rules.cards import Card, CardSet, card_name, cards_in, set_of
from service.rules.errors import (
    BigGinNotPlayed,
    CardJustTaken,
    CardNotInHand,
    DeadwoodOverLimit,
    GameOver,
    InvalidLayoff,
    InvalidMelds,
    NotYourTurn,
    SourceUnavailable,
    WrongPhase,
)
from service.rules.layoffs import Answer, best_answer, best_layoffs_beside, best_melds_after, extend
from service.rules.legal import (
    discards,
    draw_sources,
    hand_on_turn,
    knock_limit,
    layoff_spread,
)
from service.rules.melds import Split, best_split, split_by
from service.rules.moves import Discard, Draw, Knock, LayOff, Move, Pass, Rematch
from service.rules.ruleset import RuleSet
from service.rules.seat_checks import SEAT_CHECKS
from service.rules.state import GameState, Phase, Round


def check(state: GameState, seat: int | None, move: Move) -> None:
    """Refuse a move that ``legal`` does not offer.

    The arrangement of a knock or a layoff is for ``arrangement_of`` and ``answer_of``.

    :raises RuleError: of the kind that says why.
    """
    if state.result and not isinstance(move, Rematch):
        raise GameOver("The game is finished; its result stands. Ask for a rematch to play on.")
    _CHECKS[type(move)](state, seat, move)


_PHASE_ADVICE: Final[dict[Phase, str]] = {
    "upcard_offer": "The upcard is offered: pass, or draw from the discard pile.",
    "draw": "This turn begins with a draw from the stock or the discard pile.",
    "discard": "A card has been drawn: discard or knock.",
    "layoff": "A knock is being answered: lay off, even if there is nothing to lay off.",
    "over": "The round is over: deal the next one.",
}


def _turn_of(state: GameState, seat: int | None, phase: Phase) -> Round:
    table = state.round
    if table is None:
        raise WrongPhase("No round has been dealt. Fill the seats, then deal.")
    if table.phase == "over":
        raise WrongPhase(_PHASE_ADVICE["over"])
    if seat is None or table.turn != seat:
        raise NotYourTurn(f"It is the turn of seat {table.turn}. Wait until round.turn is yours.")
    if table.phase != phase:
        raise WrongPhase(_PHASE_ADVICE[table.phase])
    return table


def _check_draw(state: GameState, seat: int | None, move: Draw) -> None:
    table = state.round
    offered = table is not None and table.phase == "upcard_offer"
    table = _turn_of(state, seat, "upcard_offer" if offered else "draw")
    if move.source in draw_sources(state.rules, table):
        return
    if offered:
        raise WrongPhase(_PHASE_ADVICE["upcard_offer"])
    raise SourceUnavailable(
        "Everybody passed the upcard, so the first draw is from the stock only."
    )


def _check_discard(state: GameState, seat: int | None, move: Discard) -> None:
    _check_throw(state.rules, _turn_of(state, seat, "discard"), move.card)


def _check_pass(state: GameState, seat: int | None, _move: Pass) -> None:
    _turn_of(state, seat, "upcard_offer")


def _check_lay_off(state: GameState, seat: int | None, _move: LayOff) -> None:
    _turn_of(state, seat, "layoff")


def _check_throw(rules: RuleSet, table: Round, card: Card) -> None:
    if 1 << card & discards(rules, table):
        return
    if not 1 << card & hand_on_turn(table):
        raise CardNotInHand(f"You do not hold {card_name(card)}. Name a card of you.hand.")
    raise CardJustTaken(
        f"{card_name(card)} was taken from the discard pile in this turn and may not be thrown "
        "in it. Throw another card."
    )


def _check_knock(state: GameState, seat: int | None, move: Knock) -> None:
    table = _turn_of(state, seat, "discard")
    if move.discard is not None:
        _check_throw(state.rules, table, move.discard)
    elif not state.rules.big_gin_bonus:
        raise BigGinNotPlayed(
            "A knock without a discard is big gin, which this game is played without. Name the "
            "card to discard."
        )


def arrangement_of(rules: RuleSet, table: Round, move: Knock) -> Split:
    """Return how a checked knock lays the hand out: as named, or the best way.

    :raises InvalidMelds: if the named melds are not an arrangement of the hand.
    :raises DeadwoodOverLimit: if it keeps more than the knock limit, or big gin keeps any.
    """
    hand = hand_on_turn(table)
    kept = hand if move.discard is None else hand & ~(1 << move.discard)
    split = best_split(kept) if move.melds is None else _as_laid(kept, move.melds)
    limit = 0 if move.discard is None else knock_limit(rules, table)
    if split.points > limit:
        allowed = f"the knock limit of {limit}" if limit else "0: only gin ends this round"
        if move.discard is None:
            allowed = "0: big gin melds every card"
        points = "1 point" if split.points == 1 else f"{split.points} points"
        raise DeadwoodOverLimit(
            f"That leaves {points} of deadwood, over {allowed}. Choose a discard of "
            "actions.knock, or discard and play on.",
            split.points,
            limit,
        )
    return split


def _as_laid(hand: CardSet, melds: tuple[CardSet, ...]) -> Split:
    """Return the split that was named, its melds in the order named: layoffs go by their index."""
    return replace(_named(hand, melds), melds=melds)


def _named(hand: CardSet, melds: tuple[CardSet, ...]) -> Split:
    split = split_by(hand, melds)
    if split is None:
        raise InvalidMelds(
            "The melds must be sets of 3 or 4 of one rank or runs of 3 or more of one suit, of "
            "cards that you keep, each card in one meld at most."
        )
    return split


def answer_of(rules: RuleSet, table: Round, seat: int, move: LayOff) -> Answer:
    """Return the whole of a checked answer: what is named as named, the rest filled in.

    :raises CardNotInHand: if the seat does not hold a card that it lays off.
    :raises InvalidLayoff: if a card does not fit where it is laid off.
    :raises InvalidMelds: if the named melds are not an arrangement of the rest.
    """
    hand = table.hands[seat]
    spread = layoff_spread(rules, table)
    if move.layoffs is None:
        if move.melds is None:
            return best_answer(hand, spread)
        return best_layoffs_beside(hand, _named(hand, move.melds).melds, spread)
    _check_layoffs(hand, spread, move.layoffs)
    if move.melds is None:
        return best_melds_after(hand, move.layoffs)
    split = _named(hand & ~set_of(card for card, _ in move.layoffs), move.melds)
    return Answer(split.melds, tuple(sorted(move.layoffs)), split.deadwood, split.points)


def _check_layoffs(
    hand: CardSet, spread: tuple[CardSet, ...], layoffs: tuple[tuple[Card, int], ...]
) -> None:
    missing = set_of(card for card, _ in layoffs) & ~hand
    if missing:
        name = card_name(cards_in(missing)[0])
        raise CardNotInHand(f"You do not hold {name}. Lay off cards of you.hand.")
    if extend(spread, layoffs) is None:
        raise InvalidLayoff(
            "Each card must extend the knocker's meld at the index it names, once all the cards "
            "laid off there are on it; actions.layoff.targets lists what fits."
        )


_CHECKS: Final[dict[type, Callable[..., None]]] = {
    Pass: _check_pass,
    Draw: _check_draw,
    Discard: _check_discard,
    Knock: _check_knock,
    LayOff: _check_lay_off,
    **SEAT_CHECKS,
}
