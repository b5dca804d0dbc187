"""What a hand may become, against slower counts, and the laws that chances keep."""

from random import Random

import pytest

from service.bots.outlook import (
    chance_at_most,
    draw_gains,
    feeding_chance,
    gin_chance,
    opponent_deadwood,
    outs,
)
from service.rules.cards import FULL_DECK, CardSet, cards_in, parse_card, parse_set, set_of
from service.rules.melds import deadwood_by_discard, deadwood_points, melds_in

OPEN = parse_set("4D 5D 6D 5S 6S 7S TH JH QH AC")


def some_hands(count: int) -> list[CardSet]:
    dice = Random(2)
    return [set_of(dice.sample(range(52), dice.choice((7, 10)))) for _ in range(count)]


def test_outs_are_the_cards_that_would_be_melded() -> None:
    for hand in some_hands(200):
        for card in cards_in(FULL_DECK & ~hand):
            melded = any(meld >> card & 1 for meld in melds_in(hand | 1 << card))
            assert outs(hand) >> card & 1 == melded


def test_the_gains_of_a_draw_are_nearly_those_of_every_throw_after_it() -> None:
    for hand in some_hands(60):
        unseen = FULL_DECK & ~hand
        now = deadwood_points(hand)
        gains = [
            now - min(now, *deadwood_by_discard(hand | 1 << card, hand).values())
            for card in cards_in(unseen)
        ]
        assert sum(draw_gains(hand, unseen)) == pytest.approx(sum(gains) / len(gains), abs=1.5)


def test_gin_is_as_likely_as_its_cards_are_many() -> None:
    unseen = FULL_DECK & ~OPEN
    assert gin_chance(OPEN, unseen) == pytest.approx(6 / 42)
    assert gin_chance(OPEN, unseen & ~parse_set("3D 7D")) == pytest.approx(4 / 40)


def test_nothing_is_gained_where_every_card_is_seen() -> None:
    assert draw_gains(OPEN, 0) == (0.0, 0.0)
    assert gin_chance(OPEN, 0) == 0.0


def test_a_card_whose_partners_are_all_seen_feeds_nobody() -> None:
    king = parse_card("KS")
    partners = parse_set("KC KD KH JS QS")
    assert feeding_chance(king, FULL_DECK & ~partners, 0, 0.5) == 0.0
    assert feeding_chance(king, parse_set("JS QS"), 0, 0.5) == pytest.approx(0.25)
    assert feeding_chance(king, parse_set("JS"), parse_set("QS"), 0.5) == pytest.approx(0.5)


def test_an_opponents_deadwood_falls_as_turns_go_by() -> None:
    for cards in (7, 10):
        expected = [opponent_deadwood(turns, cards) for turns in range(30)]
        assert expected == sorted(expected, reverse=True)
        assert expected[-1] > 0


def test_the_chance_of_a_low_deadwood_grows_with_the_bound() -> None:
    chances = [chance_at_most(points, 25.0) for points in range(-1, 200)]
    assert chances == sorted(chances)
    assert chances[0] == 0.0
    assert chances[-1] == pytest.approx(1.0)
