"""The fair shuffle ``okg-shuffle-1``: committed to before anybody can add to it, revealed after.

A secret of 32 random bytes is shown as its SHA-256 first; the deck follows from the secret and from
what every seat said meanwhile. Rejection sampling and Fisher and Yates' shuffle, so that each deck
is as likely as any other.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator
from typing import Final

from service.games.ports import RandomSource
from service.games.record import Shuffle
from service.rules.cards import DECK_SIZE, Card

ALGORITHM: Final = "okg-shuffle-1"
SECRET_BYTES: Final = 32
_WORDS: Final = 1 << 32


def new_secret(random: RandomSource) -> str:
    """Return a secret in hex."""
    return random.token_bytes(SECRET_BYTES).hex()


def commitment_of(secret: str) -> str:
    """Return the SHA-256 of a secret, both in hex."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def shuffle_of(game_id: str, number: int, secret: str, entropies: tuple[str, ...]) -> Shuffle:
    """Return all that a round's chance follows from; ``entropies`` has a text for each seat."""
    return Shuffle(
        algorithm=ALGORITHM,
        game_id=game_id,
        round=number,
        seats=len(entropies),
        secret=secret,
        commitment=commitment_of(secret),
        entropies=entropies,
    )


def deck_of(shuffle: Shuffle) -> tuple[Card, ...]:
    """Return the round's deck, first card dealt first."""
    return _deck(_Dice(shuffle, "deck"))


def first_player_of(shuffle: Shuffle) -> int:
    """Return the seat that plays first where it is random."""
    return _Dice(shuffle, "first_player").below(shuffle.seats)


def high_cards_of(shuffle: Shuffle) -> tuple[Card, ...]:
    """Return the card that each seat is dealt to find who plays first."""
    return _deck(_Dice(shuffle, "high_card"))[: shuffle.seats]


def _deck(dice: "_Dice") -> tuple[Card, ...]:
    deck = list(range(DECK_SIZE))
    for place in range(DECK_SIZE - 1, 0, -1):
        other = dice.below(place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return tuple(deck)


class _Dice:
    """Numbers from a keyed stream of random words, one stream for each label."""

    def __init__(self, shuffle: Shuffle, label: str) -> None:
        self._words = _words(bytes.fromhex(shuffle.secret), _message(shuffle, label))

    def below(self, limit: int) -> int:
        """Return a number from 0 to ``limit`` - 1, each as likely; words that would bias go."""
        fair = _WORDS - _WORDS % limit
        return next(word for word in self._words if word < fair) % limit


def _message(shuffle: Shuffle, label: str) -> bytes:
    parts = [ALGORITHM, label, shuffle.game_id, shuffle.round, list(shuffle.entropies)]
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()


def _words(key: bytes, message: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = hmac.digest(key, message + counter.to_bytes(4, "big"), hashlib.sha256)
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1
