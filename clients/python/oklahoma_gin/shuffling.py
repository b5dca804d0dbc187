"""The fair shuffle `okg-shuffle-1`, made again from what a finished round reveals.

Written from its description alone, and with nothing of the service's: random words are
HMAC-SHA256(secret, message + counter), a word that would bias is thrown away, and the deck is
shuffled as Fisher and Yates do it.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator
from itertools import count
from typing import Final

from oklahoma_gin._cards import DECK
from oklahoma_gin.models import Cards
from oklahoma_gin.records import Shuffle

ALGORITHM: Final = "okg-shuffle-1"
_WORD_BYTES: Final = 4
_WORDS: Final = 2 ** (8 * _WORD_BYTES)


def commitment_of(secret: str) -> str:
    """The SHA-256 of a secret, both in hexadecimal."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def deck_of(shuffle: Shuffle) -> Cards:
    """The round's deck, the card dealt first in front."""
    return _shuffled(_words(shuffle, "deck"))


def first_player_of(shuffle: Shuffle) -> int:
    """The seat that plays first, where it is left to chance alone."""
    return _below(shuffle.seats, _words(shuffle, "first_player"))


def high_cards_of(shuffle: Shuffle) -> Cards:
    """The cards dealt, by seat, to find who plays first."""
    return _shuffled(_words(shuffle, "high_card"))[: shuffle.seats]


def _shuffled(words: Iterator[int]) -> Cards:
    deck = list(DECK)
    for place in reversed(range(1, len(deck))):
        other = _below(place + 1, words)
        deck[place], deck[other] = deck[other], deck[place]
    return tuple(deck)


def _below(limit: int, words: Iterator[int]) -> int:
    """A number from 0 to `limit` - 1, each as likely."""
    word = next(words)
    while word >= _WORDS // limit * limit:
        word = next(words)
    return word % limit


def _words(shuffle: Shuffle, label: str) -> Iterator[int]:
    """The endless stream of 32-bit words that belongs to a label."""
    key = bytes.fromhex(shuffle.secret)
    parts = [ALGORITHM, label, shuffle.game_id, shuffle.round, shuffle.entropies]
    message = json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()
    for counter in count():
        block = hmac.digest(key, message + counter.to_bytes(4, "big"), "sha256")
        for start in range(0, len(block), _WORD_BYTES):
            yield int.from_bytes(block[start : start + _WORD_BYTES], "big")
