"""Refusals with their reasons: a move passes ``check`` exactly when ``legal`` offers it.

A knock's and a layoff's own arrangement is checked here too, and completed where it is not named.
"""

from dataclasses import replace
from typing import Final

from service.rules.cards import Card, CardSet, card_name, cards_in, set_of
from service.rules.errors import (
    AlreadySeated,
    BigGinNotPlayed,
    CardJustTaken,
    CardNotInHand,
    DeadwoodOverLimit,
    GameFull,
    GameNotFull,
    GameOver,
    HostOnly,
    InvalidLayoff,
    InvalidMelds,
    NotYourTurn,
    SourceUnavailable,
    WrongPhase,
)
from service.rules.layoffs import Answer, best_answer, best_layoffs_beside, best_melds_after, extend
from service.rules.legal import (
    HOST,
    discards,
    draw_sources,
    hand_on_turn,
    knock_limit,
    layoff_spread,
    removable,
)
from service.rules.melds import Split, best_split, split_by
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
    Remove,
    Resign,
    SetEntropy,
)
from service.rules.ruleset import RuleSet
from service.rules.state import GameState, Phase, Round


def check(state: GameState, seat: int | None, move: Move) -> None:
    """Refuse a move that ``legal`` does not offer.

    The arrangement of a knock or a layoff is for ``arrangement_of`` and ``answer_of``.

    :raises RuleError: of the kind that says why.
    """
    if state.result:
        raise GameOver("The game is finished; its result stands. Ask for a rematch to play on.")
    if isinstance(move, Draw):
        _check_draw(state, seat, move)
    elif isinstance(move, Discard):
        _check_throw(state.rules, _turn_of(state, seat, "discard"), move.card)
    elif isinstance(move, Knock):
        _check_knock(state, seat, move)
    elif isinstance(move, Pass):
        _turn_of(state, seat, "upcard_offer")
    elif isinstance(move, LayOff):
        _turn_of(state, seat, "layoff")
    elif isinstance(move, Deal):
        _check_deal(state, seat)
    else:
        _check_seating(state, seat, move)


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
        raise DeadwoodOverLimit(
            f"That leaves {split.points} points of deadwood, over {allowed}. Choose a discard of "
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


def _check_deal(state: GameState, seat: int | None) -> None:
    if None in state.occupants:
        free = state.occupants.count(None)
        raise GameNotFull(f"{free} of {state.seats} seats are free. Deal when all are taken.")
    if state.round and state.round.phase != "over":
        raise WrongPhase("A round is being played. " + _PHASE_ADVICE[state.round.phase])
    _check_in(state, seat)


def _check_in(state: GameState, seat: int | None) -> None:
    if seat is None or state.out[seat]:
        raise WrongPhase("Your seat is out of the game; you can only watch it.")


def _check_seating(state: GameState, seat: int | None, move: Move) -> None:
    if isinstance(move, Join):
        _check_join(state, seat)
    elif isinstance(move, SetEntropy | Resign):
        if isinstance(move, Resign) and state.round is None:
            raise WrongPhase("The game has not begun. Leave instead of resigning.")
        _check_in(state, seat)
        if state.round and seat in state.round.leaving:
            raise WrongPhase("Your seat has resigned; you can only watch the round end.")
    elif state.round is not None:
        raise WrongPhase("The first round has been dealt. Resign to give up your seat.")
    elif isinstance(move, Remove):
        _check_remove(state, seat, move)
    elif not isinstance(move, Leave) or seat is None:
        raise WrongPhase("Only who has a seat can leave it.")


def _check_join(state: GameState, seat: int | None) -> None:
    if seat is not None:
        raise AlreadySeated(f"Your token holds seat {seat} of this game. Send none to join again.")
    if None not in state.occupants:
        raise GameFull(f"All {state.seats} seats are taken. Watch, or join another game.")


def _check_remove(state: GameState, seat: int | None, move: Remove) -> None:
    if seat != HOST:
        raise HostOnly("Only the host, seat 0, may take a player out.")
    if move.seat not in removable(state):
        raise WrongPhase(
            f"Seat {move.seat} holds nobody whom the host can take out; actions.remove lists "
            "who can be."
        )
