"""Our round and OpenSpiel's side by side: all that must be equal, and each known difference.

A difference is asserted exactly where it shows, and counted under one of these names:

* ``taken card``: it lets the card just taken from the pile be thrown back, or thrown to knock.
* ``eleven-card split``: it takes the best melds of eleven cards and throws the worst card left,
  which can keep more deadwood than the best throw. Where that hides a knock: ``missed knock``.
* ``repeat``: its round ends without points at the second throw-back in a row.
* ``fifty draws``: its round ends without points at the fiftieth draw of an upcard that was not
  offered.
* ``wall``: where the stock is down to two cards ours is void; there the next seat may still take
  the upcard to knock (``wall knock``).
* ``tie``: a knocker whose deadwood is equalled scores 0 there, and is undercut here.
* ``third of a chain``: no third card of a chain can be laid off at an end of a run.
* ``card used twice``: a card laid off on a set also lengthens the run that it would fit on.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final, TypeAlias

import pytest

from service.rules.cards import CARD_POINTS, CardSet, cards_in, points_of, rank_of, set_of
from service.rules.errors import CardJustTaken
from service.rules.layoffs import Layoff, extend
from service.rules.legal import Actions, knock_limit, legal
from service.rules.melds import deadwood_by_discard, deadwood_points, fits_on, knock_discards
from service.rules.moves import Discard
from service.rules.play import apply
from service.rules.state import GameState, Round, RoundResult
from tests.openspiel.bridge import (
    DRAW_STOCK,
    DRAW_UPCARD,
    KNOCK,
    PASS,
    Referee,
    their_deadwood,
    their_loose_cards,
)

Tally: TypeAlias = Counter[str]

_WALL: Final = 2


def compare_ply(state: GameState, table: Round, referee: Referee, tally: Tally) -> None:
    """Compare the table and what the seat on turn may do, before every ply but a layoff."""
    _compare_table(state, table, referee)
    actions = legal(state, table.turn)
    if table.phase == "discard":
        _compare_throws(state, table, actions, referee, tally)
        _compare_knocks(table, actions, referee, tally)
    else:
        assert referee.actions == set(_expected(actions))


def _compare_table(state: GameState, table: Round, referee: Referee) -> None:
    assert referee.turn == table.turn
    assert referee.limit == knock_limit(state.rules, table)
    assert referee.stock_count == len(table.deck) - table.stock_at
    if table.phase != "discard":
        assert referee.upcard == table.discard_pile[-1]
    for seat, hand in enumerate(table.hands):
        assert referee.hand(seat) == hand
        if hand.bit_count() == 10:
            assert referee.deadwood(seat) == deadwood_points(hand)


def _expected(actions: Actions) -> Iterable[int]:
    if actions.pass_upcard:
        yield PASS
    for source in actions.draw:
        yield DRAW_STOCK if source == "stock" else DRAW_UPCARD


def _compare_throws(
    state: GameState, table: Round, actions: Actions, referee: Referee, tally: Tally
) -> None:
    held = _held(table)
    assert referee.cards == held
    refused = held & ~actions.discard
    if not refused:
        return
    assert cards_in(refused) == (table.drawn_card,)
    assert table.drawn_from == "discard"
    with pytest.raises(CardJustTaken):
        apply(state, table.turn, Discard(cards_in(refused)[0]))
    tally["taken card"] += 1


def _compare_knocks(table: Round, actions: Actions, referee: Referee, tally: Tally) -> None:
    held = _held(table)
    _compare_eleven(held, referee.deadwood(referee.turn), tally)
    if KNOCK in referee.actions:
        knocking = referee.branch()
        knocking.act(KNOCK)
        assert actions.knock == knocking.cards & actions.discard
        tally["taken card to knock"] += knocking.cards != actions.knock
    elif actions.knock:
        assert referee.deadwood(referee.turn) > referee.limit
        for card in cards_in(actions.knock):
            assert their_deadwood(held ^ 1 << card) <= referee.limit
        tally["missed knock"] += 1


def _compare_eleven(held: CardSet, theirs: int, tally: Tally) -> None:
    lowest = min(deadwood_by_discard(held, held).values())
    if theirs == lowest:
        return
    loose = their_loose_cards(held)
    worst = max(CARD_POINTS[card] for card in cards_in(loose))
    assert points_of(loose) == deadwood_points(held)
    assert theirs == points_of(loose) - worst > lowest
    tally["eleven-card split"] += 1


def _held(table: Round) -> CardSet:
    return 0 if table.turn is None else table.hands[table.turn]


def compare_wall(state: GameState, table: Round, referee: Referee, tally: Tally) -> None:
    """Compare a round that ours calls void: theirs goes on for one answer without a discard."""
    assert referee.stock_count == len(table.deck) - table.stock_at == _WALL
    held = referee.hand(referee.turn) | 1 << table.discard_pile[-1]
    offered = their_deadwood(held) <= referee.limit
    assert referee.actions == ({PASS, KNOCK} if offered else {PASS})
    assert not offered or knock_discards(held, held, knock_limit(state.rules, table))
    tally["wall"] += 1
    tally["wall knock"] += offered
    referee.act(PASS)
    assert referee.over
    assert referee.score(0) == referee.score(1) == 0


def compare_end_without_points(referee: Referee, reason: str, tally: Tally) -> None:
    """Compare a round that only theirs has ended."""
    assert referee.over
    assert referee.score(0) == referee.score(1) == 0
    tally[reason] += 1


def compare_layoffs(
    hand: CardSet,
    spread: tuple[CardSet, ...],
    laid: tuple[Layoff, ...],
    referee: Referee,
    tally: Tally,
) -> None:
    """Compare which cards can be laid off next, after some have been."""
    gone = set_of(card for card, _ in laid)
    rest = hand & ~gone
    ours = set_of(
        card
        for card in cards_in(rest)
        if any(extend(spread, (*laid, (card, index))) for index in range(len(spread)))
    )
    theirs = referee.cards
    assert theirs == _their_layoffs(spread, gone) & rest
    tally["third of a chain"] += (ours & ~theirs).bit_count()
    tally["card used twice"] += (theirs & ~ours).bit_count()


def _their_layoffs(spread: tuple[CardSet, ...], gone: CardSet) -> CardSet:
    """Return what fits on melds as laid, or on runs after one card at either end, laid anywhere."""
    offered = 0
    for meld in spread:
        fits = fits_on(meld)
        offered |= fits if _is_set(meld) else fits_on(meld | fits & gone)
    return offered


def _is_set(meld: CardSet) -> bool:
    return len({rank_of(card) for card in cards_in(meld)}) == 1


def compare_settlement(result: RoundResult, referee: Referee, tally: Tally) -> None:
    """Compare the counts of both seats and what the winner gained."""
    assert referee.over
    counts = {laid.seat: laid.deadwood_points for laid in result.hands}
    assert counts == {seat: referee.deadwood(seat) for seat in counts}
    winner = -1 if result.winner is None else result.winner
    assert {line.seat for line in result.lines} == {winner}
    gained = sum(line.points for line in result.lines)
    tally[result.kind] += 1
    if result.kind == "undercut" and counts[0] == counts[1]:
        tally["tie"] += 1
        assert (gained, referee.score(0), referee.score(1)) == (25, 0, 0)
    else:
        assert (gained, -gained) == (referee.score(winner), referee.score(1 - winner))
