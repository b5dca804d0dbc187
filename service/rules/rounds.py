"""A round's beginning and its end: the deal, the settlement, the void round, who deals next."""

from typing import Final

from service.rules.cards import Card, rank_of, set_of, suit_of
from service.rules.evolve import evolve
from service.rules.melds import lowest_split
from service.rules.moves import Deal
from service.rules.scoring import (
    add_lines,
    best_total,
    end_result,
    seats_in,
    settle,
    winner_by_target,
)
from service.rules.state import EndReason, GameState, Laid, Phase, Round, RoundResult

TWO_SEATS_HAND: Final = 10
MORE_SEATS_HAND: Final = 7


def hand_size(seats: int) -> int:
    """Return how many cards each seat is dealt."""
    return TWO_SEATS_HAND if seats == 2 else MORE_SEATS_HAND


def deal_round(state: GameState, deal: Deal) -> Round:
    """Return a freshly dealt round: hands one card at a time from the dealer's left, the upcard."""
    before = state.round
    dealer = _first_dealer(state, deal) if before is None else next_dealer(state, before)
    order = clockwise_from(state, dealer)
    size = hand_size(state.seats)
    dealt = size * len(order)
    hands = [0] * state.seats
    for place, seat in enumerate(order):
        hands[seat] = set_of(deal.deck[place : dealt : len(order)])
    upcard = deal.deck[dealt]
    phase: Phase = "upcard_offer" if state.rules.upcard_offer else "draw"
    return Round(
        number=before.number + 1 if before else 1,
        dealer=dealer,
        commitment=deal.commitment,
        deck=deal.deck,
        upcard=upcard,
        hands=tuple(hands),
        discard_pile=(upcard,),
        stock_at=dealt + 1,
        phase=phase,
        turn=order[0],
        limit_card=upcard,
    )


def clockwise_from(state: GameState, seat: int) -> list[int]:
    """Return the seats still in, clockwise, beginning left of a seat and ending with it."""
    around = [(seat + step) % state.seats for step in range(1, state.seats + 1)]
    return [other for other in around if not state.out[other]]


def next_seat(state: GameState, seat: int) -> int:
    """Return the nearest seat clockwise that is still in."""
    after = (seat + 1) % state.seats
    while state.out[after]:
        after = (after + 1) % state.seats
    return after


def highest_card_seat(cards: tuple[Card, ...]) -> int:
    """Return the seat dealt the highest card: king high, ace low; equal ranks S > H > D > C."""
    return max(range(len(cards)), key=lambda seat: (rank_of(cards[seat]), suit_of(cards[seat])))


def _first_dealer(state: GameState, deal: Deal) -> int:
    """Return the seat before the one who plays first."""
    return ((deal.first_player or 0) - 1) % state.seats


def next_dealer(state: GameState, over: Round) -> int:
    """Return who deals after a round: where that seat is out, the nearest before it still in."""
    dealer = _dealer_by_option(state, over)
    while state.out[dealer]:
        dealer = (dealer - 1) % state.seats
    return dealer


def _dealer_by_option(state: GameState, over: Round) -> int:
    result = over.result
    if result is None or result.winner is None:
        return over.dealer
    if state.rules.next_dealer == "winner":
        return result.winner
    if state.rules.next_dealer == "loser":
        return _loser(state, result)
    return next_seat(state, over.dealer)


def _loser(state: GameState, result: RoundResult) -> int:
    """Return the highest count, the nearest clockwise from the winner among equals."""
    winner = result.winner or 0
    others = [laid for laid in result.hands if laid.seat != winner]
    return max(
        others, key=lambda laid: (laid.deadwood_points, (winner - laid.seat) % state.seats)
    ).seat


def best_laid(table: Round, seat: int) -> Laid:
    """Return a hand laid down by itself, without layoffs, in its best melds."""
    split = lowest_split(table.hands[seat])
    return Laid(seat, split.melds, (), split.deadwood, split.points)


def settle_round(state: GameState, table: Round) -> GameState:
    """Return the game after a round that somebody went out in and all have answered."""
    settlement = settle(state.rules, table)
    totals = add_lines(state.totals, settlement.lines)
    boxes = list(state.boxes)
    boxes[settlement.winner] += settlement.boxes
    result = RoundResult(
        number=table.number,
        kind=settlement.kind,
        winner=settlement.winner,
        knocker=table.knocker,
        hands=table.shown,
        lines=settlement.lines,
        totals=totals,
    )
    leaving = _leaving(state, table)
    out = tuple(gone or seat in leaving for seat, gone in enumerate(state.out))
    state = evolve(state, totals=totals, boxes=tuple(boxes), out=out, round=_over(table, result))
    winner = winner_by_target(state)
    if winner is not None:
        return evolve(state, result=end_result(state, winner, "target"))
    timed_out = bool(leaving) and leaving[-1] in table.late
    return end_if_last_or_limit(state, "timed_out" if timed_out else "resigned")


def _leaving(state: GameState, table: Round) -> tuple[int, ...]:
    """Return the seats that a settled round takes out; where all resigned, the last one stays."""
    everybody = len(table.leaving) == len(seats_in(state))
    return table.leaving[:-1] if everybody else table.leaving


def void_round(state: GameState, table: Round, why: EndReason = "resigned") -> GameState:
    """Return the game after a round without points; all hands are shown, those laid as laid.

    ``why`` is the reason of the game's end, should one seat be left.
    """
    laid = {each.seat: each for each in table.shown}
    shown = tuple(
        laid.get(seat) or best_laid(table, seat) for seat, hand in enumerate(table.hands) if hand
    )
    result = RoundResult(
        number=table.number,
        kind="void",
        winner=None,
        knocker=table.knocker,
        hands=shown,
        lines=(),
        totals=state.totals,
    )
    over = _over(evolve(table, shown=shown), result)
    return end_if_last_or_limit(evolve(state, round=over), why)


def _over(table: Round, result: RoundResult) -> Round:
    return evolve(table, phase="over", turn=None, drawn_card=None, drawn_from=None, result=result)


def end_if_last_or_limit(state: GameState, why: EndReason = "resigned") -> GameState:
    """Return the game, ended where one seat or only bots are left in it, or by the round limit."""
    table = state.round
    seats = seats_in(state)
    only_bots = all(state.occupants[seat] == "bot" for seat in seats)
    reason: EndReason
    if len(seats) == 1 or only_bots:
        winner, reason = best_total(state), why
    elif table and table.phase == "over" and table.number >= state.rules.round_limit:
        winner, reason = best_total(state), "rounds"
    else:
        return state
    return evolve(state, result=end_result(state, winner, reason))
