"""The SDK's own fair shuffle: the shared vectors, the service's decks, and its description."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from oklahoma_gin import Shuffle
from oklahoma_gin._cards import DECK
from oklahoma_gin.shuffling import _below, commitment_of, deck_of, first_player_of, high_cards_of
from service.games import shuffle as service_shuffle
from service.rules.cards import CARD_NAMES

VECTORS = Path(__file__).parents[1] / "cases" / "shuffle.json"
FAIRNESS = Path(__file__).parents[2] / "docs" / "fairness.md"
CASES: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]


def inputs(game_id: str, number: int, secret: str, entropies: tuple[str, ...]) -> Shuffle:
    return Shuffle(
        algorithm="okg-shuffle-1",
        game_id=game_id,
        round=number,
        seats=len(entropies),
        secret=secret,
        commitment=commitment_of(secret),
        entropies=entropies,
    )


@pytest.mark.parametrize("case", CASES)
def test_the_shared_vectors_hold(case: dict[str, Any]) -> None:
    made = inputs(case["game_id"], case["round"], case["secret"], tuple(case["entropies"]))
    assert made.commitment == case["commitment"]
    assert " ".join(deck_of(made)) == case["deck"]
    assert first_player_of(made) == case["first_player"]
    assert " ".join(high_cards_of(made)) == case["high_cards"]


def test_the_service_shuffles_as_the_sdk_does() -> None:
    dice = Random(5)
    for number in range(1, 60):
        texts = tuple(chr(dice.randrange(32, 0xD800)) * 3 for _ in range(dice.randint(2, 4)))
        mine = inputs("b7Qm3xT9uKcW2_zA", number, dice.randbytes(32).hex(), texts)
        theirs = service_shuffle.shuffle_of(mine.game_id, number, mine.secret, texts)
        assert mine.commitment == theirs.commitment
        assert deck_of(mine) == tuple(CARD_NAMES[card] for card in service_shuffle.deck_of(theirs))
        assert first_player_of(mine) == service_shuffle.first_player_of(theirs)
        assert high_cards_of(mine) == tuple(
            CARD_NAMES[card] for card in service_shuffle.high_cards_of(theirs)
        )


def test_a_deck_is_the_52_cards() -> None:
    made = inputs("g", 1, "00" * 32, ("", ""))
    assert sorted(deck_of(made)) == sorted(DECK)
    assert tuple(CARD_NAMES) == DECK


def test_a_word_that_would_bias_is_thrown_away() -> None:
    assert _below(3, iter([2**32 - 1, 7])) == 1
    assert _below(4, iter([2**32 - 1])) == 3


def test_the_recipe_in_the_docs_makes_the_decks_of_the_vectors(
    capsys: pytest.CaptureFixture[str],
) -> None:
    blocks = re.findall(r"```python\n(.*?)```", FAIRNESS.read_text(encoding="utf-8"), re.DOTALL)
    [recipe] = [block for block in blocks if "def deck_of" in block]
    for case in CASES:
        exec(recipe, {"shuffle": case})
        assert capsys.readouterr().out.split("\n")[:2] == [case["commitment"], case["deck"]]
