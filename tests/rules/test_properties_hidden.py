"""Nobody sees what is hidden: views and events do not depend on it, in any phase."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias

import pytest

from service.rules.cards import Card, cards_in, set_of
from service.rules.moves import (
    Deal,
    Move,
)
from service.rules.play import apply
from service.rules.state import Event, GameState
from service.rules.views import event_for, view_for
from tests.rules.chance import Ply
from tests.rules.random_games import GAMES, SLOW_GAMES, game, games, sampled, viewers, worth
from tests.rules.tables import table

View: TypeAlias = Callable[[GameState, int | None], Any]
EventView: TypeAlias = Callable[[Event, int | None], Any]


def hidden_from(state: GameState, viewer: int | None) -> set[Card]:
    """Return the cards of the round that a viewer has not been shown where they lie now."""
    on = state.round
    if on is None:
        return set(range(52))
    open_hands = range(state.seats) if on.phase == "over" else [each.seat for each in on.shown]
    shut = [hand for seat, hand in enumerate(on.hands) if seat != viewer and seat not in open_hands]
    return {*on.deck[on.stock_at :], *(card for hand in shut for card in cards_in(hand))}


def disguise(hidden: set[Card], dice: Random) -> list[Card]:
    """Return a permutation of the deck that moves hidden cards only."""
    mask = list(range(52))
    places = sorted(hidden)
    for place, card in zip(places, dice.sample(places, len(places)), strict=True):
        mask[place] = card
    return mask


def disguised(state: GameState, mask: list[Card]) -> GameState:
    """Return the game as it would be had the round's cards been others, as the mask says."""
    on = state.round
    if on is None:
        return state
    drawn = on.drawn_card
    other = replace(
        on,
        deck=tuple(mask[card] for card in on.deck),
        hands=tuple(set_of(mask[card] for card in cards_in(hand)) for hand in on.hands),
        drawn_card=None if drawn is None else mask[drawn],
    )
    return replace(state, round=other)


def disguised_move(move: Move, mask: list[Card]) -> Move:
    return (
        replace(move, deck=tuple(mask[card] for card in move.deck))
        if isinstance(move, Deal)
        else move
    )


def check_hidden(
    ply: Ply, dice: Random, view: View = view_for, event_view: EventView = event_for
) -> None:
    """Change all that a viewer may not see, before a move and after it, and compare what they get.

    A card that the move shows stays; the same move is then made in the other world.
    """
    for viewer in viewers(ply.before):
        after = disguise(hidden_from(ply.after, viewer), dice)
        same_view(view, ply.after, disguised(ply.after, after), viewer)
        both = hidden_from(ply.before, viewer) & hidden_from(ply.after, viewer)
        mask = disguise(both, dice)
        other = apply(disguised(ply.before, mask), ply.seat, disguised_move(ply.move, mask))
        same_view(view, ply.after, other.state, viewer)
        ours, theirs = event_view(ply.event, viewer), event_view(other.event, viewer)
        assert repr(ours) == repr(theirs), f"an event tells {viewer} what is hidden"


def same_view(view: View, one: GameState, other: GameState, viewer: int | None) -> None:
    assert repr(view(one, viewer)) == repr(view(other, viewer)), f"{viewer} sees what is hidden"


def test_views_and_events_do_not_depend_on_hidden_cards() -> None:
    dice = Random(4)
    for ply in sampled(games(GAMES), 7):
        check_hidden(ply, dice)


@pytest.mark.slow
def test_views_and_events_do_not_depend_on_hidden_cards_in_many_games() -> None:
    dice = Random(5)
    phases: dict[tuple[str, int], int] = {}
    for ply in sampled(games(SLOW_GAMES), 11):
        check_hidden(ply, dice)
        key = (table(ply.after).phase, ply.after.seats)
        phases[key] = phases.get(key, 0) + 1
    assert sum(phases.values()) >= 1000
    assert {phase for phase, _ in phases} == {
        *("upcard_offer", "draw", "discard", "layoff", "over")
    }


def test_a_deal_tells_each_seat_its_own_hand_only() -> None:
    dice = Random(6)
    for seed in range(GAMES):
        check_hidden(game(seed)[0], dice)


def check_games(view: View = view_for, event_view: EventView = event_for) -> None:
    dice = Random(7)
    for ply in games(GAMES):
        check_hidden(ply, dice, view, event_view)


def opponents_points(state: GameState, viewer: int | None) -> Any:
    hands = table(state).hands
    return view_for(state, viewer), [worth(hand) for hand in hands]


def top_of_stock(state: GameState, viewer: int | None) -> Any:
    on = table(state)
    return view_for(state, viewer), on.deck[on.stock_at : on.stock_at + 1]


def drawn_by_others(state: GameState, viewer: int | None) -> Any:
    return view_for(state, viewer), table(state).drawn_card


def whole_event(event: Event, _viewer: int | None) -> Any:
    return event


@pytest.mark.parametrize("leak", [opponents_points, top_of_stock, drawn_by_others])
def test_a_planted_leak_of_a_view_is_caught(leak: View) -> None:
    with pytest.raises(AssertionError, match="sees what is hidden"):
        check_games(view=leak)


def test_a_planted_leak_of_an_event_is_caught() -> None:
    with pytest.raises(AssertionError, match="an event tells"):
        check_games(event_view=whole_event)
