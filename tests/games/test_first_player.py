"""Who plays first, as the rule book says: by chance, by high card, the host, or a given deck."""

from random import Random

import pytest

from service.games.record import Shuffle
from service.games.shuffle import first_player_of, high_cards_of
from service.rules.rounds import highest_card_seat
from service.rules.ruleset import OptionValue, choose_rules
from tests.games.playing import Table

SHUFFLED = tuple(Random(3).sample(range(52), 52))


def table_for(first_player: str, seats: int, seed: int) -> Table:
    options: dict[str, OptionValue] = {"first_player": first_player}
    table = Table(seed=seed, rules=choose_rules("oklahoma", options), seats=seats)
    table.deal()
    return table


def shuffle_on(table: Table) -> Shuffle:
    assert table.record.shuffle
    return table.record.shuffle


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_first_random__any_seat_by_the_fair_shuffle(seats: int) -> None:
    seen = set()
    for seed in range(24):
        table = table_for("random", seats, seed)
        assert table.turn == first_player_of(shuffle_on(table))
        seen.add(table.turn)
    assert seen == set(range(seats))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_first_host__seat_0_always(seats: int) -> None:
    assert {table_for("host", seats, seed).turn for seed in range(8)} == {0}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_first_high_card__the_highest_of_cards_dealt_for_it(seats: int) -> None:
    for seed in range(12):
        table = table_for("high_card", seats, seed)
        cards = high_cards_of(shuffle_on(table))
        assert len(set(cards)) == seats
        assert table.turn == highest_card_seat(cards)
        dealt = table.events()[-1].event
        assert (dealt.type, dealt.high_cards) == ("dealt", cards)


@pytest.mark.parametrize("first_player", ["random", "high_card", "host"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_first_sandbox__seat_0_whatever_the_option_says(first_player: str, seats: int) -> None:
    options: dict[str, OptionValue] = {"first_player": first_player}
    chosen = choose_rules("oklahoma", options)
    for seed in range(6):
        table = Table(seed=seed, rules=chosen, seats=seats, decks=(SHUFFLED,))
        table.deal()
        assert table.turn == 0
        assert table.record.state.round
        assert table.record.state.round.deck == SHUFFLED
