"""The fair shuffle: shared vectors, a second implementation, and evenness."""

import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from service.games import shuffle
from service.games.record import Shuffle
from service.games.shuffle import (
    commitment_of,
    deck_of,
    first_player_of,
    high_cards_of,
    new_secret,
    shuffle_of,
)
from service.rules.cards import card_name
from tests.games import shuffler
from tests.games.table import Seeded

VECTORS = Path(__file__).parents[1] / "cases" / "shuffle.json"
CASES: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]
DECKS = 1500


def of_case(case: dict[str, Any]) -> Shuffle:
    return shuffle_of(case["game_id"], case["round"], case["secret"], tuple(case["entropies"]))


def random_shuffle(dice: Random) -> Shuffle:
    texts = tuple(
        "".join(chr(dice.choice((dice.randrange(0x80), dice.randrange(0x20), 0x2028, 0x1F600))))
        for _ in range(dice.randint(2, 4))
    )
    return shuffle_of("g" * 22, dice.randrange(1, 1000), dice.randbytes(32).hex(), texts)


@pytest.mark.parametrize("case", CASES)
def test_the_shared_vectors_hold(case: dict[str, Any]) -> None:
    made = of_case(case)
    assert (made.algorithm, made.seats) == ("okg-shuffle-1", len(case["entropies"]))
    assert made.commitment == case["commitment"]
    assert " ".join(map(card_name, deck_of(made))) == case["deck"]
    assert first_player_of(made) == case["first_player"]
    assert " ".join(map(card_name, high_cards_of(made))) == case["high_cards"]


def test_a_second_implementation_agrees() -> None:
    dice = Random(1)
    for _ in range(100):
        made = random_shuffle(dice)
        secret = bytes.fromhex(made.secret)

        def stream(label: str, made: Shuffle = made, secret: bytes = secret) -> Any:
            said = shuffler.message(label, made.game_id, made.round, list(made.entropies))
            return shuffler.words(secret, said)

        assert list(deck_of(made)) == shuffler.deck(stream("deck"))
        assert first_player_of(made) == shuffler.below(stream("first_player"), made.seats)
        assert list(high_cards_of(made)) == shuffler.deck(stream("high_card"))[: made.seats]


def test_every_input_changes_the_deck() -> None:
    decks = {
        deck_of(shuffle_of(game_id, number, secret, entropies))
        for game_id in ("g" * 22, "h" * 22)
        for number in (1, 2)
        for secret in ("00" * 32, "01" * 32)
        for entropies in (("", ""), ("a", ""), ("", "a"), ("", "", ""))
    }
    assert len(decks) == 32


def test_each_label_has_a_stream_of_its_own() -> None:
    made = of_case(CASES[0])
    assert high_cards_of(made) != deck_of(made)[:2]


def test_a_word_that_would_bias_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    biased = (1 << 32) - 1
    drawn = iter([biased, biased, 7])
    monkeypatch.setattr(shuffle, "_words", lambda _key, _message: drawn)
    assert first_player_of(shuffle_of("g" * 22, 1, "00" * 32, ("", "", ""))) == 7 % 3
    assert shuffler.below(iter([biased, 7]), 3) == 1
    assert next(drawn, None) is None


def test_a_secret_is_32_bytes_and_its_commitment_the_sha_256() -> None:
    source = Seeded()
    secrets = {new_secret(source) for _ in range(10)}
    assert {len(bytes.fromhex(secret)) for secret in secrets} == {32}
    assert len(secrets) == 10
    assert commitment_of("00" * 32) == hashlib.sha256(bytes(32)).hexdigest()


def chi_square(seen: list[int]) -> float:
    even = sum(seen) / len(seen)
    return sum((count - even) ** 2 / even for count in seen)


@pytest.mark.parametrize("place", [0, 20, 51])
def test_each_card_comes_as_often_to_each_place(place: int) -> None:
    seen = [0] * 52
    for number in range(DECKS):
        seen[deck_of(shuffle_of("g" * 22, number, "00" * 32, ("", "")))[place]] += 1
    assert chi_square(seen) < 87.97  # 51 degrees of freedom, exceeded once in a thousand


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_seat_plays_first_as_often(seats: int) -> None:
    seen = [0] * seats
    for number in range(DECKS):
        seen[first_player_of(shuffle_of("g" * 22, number, "00" * 32, ("",) * seats))] += 1
    assert chi_square(seen) < 16.27  # 3 degrees of freedom, exceeded once in a thousand
