"""The fair shuffle a second time, from its description alone, to hold against the service's."""

import hashlib
import hmac
from collections.abc import Iterator


def quoted(text: str) -> str:
    """Return the JSON of a text with no escape that JSON does not need."""
    short = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r"}
    short["\t"] = "\\t"
    return '"' + "".join(short.get(each, _escaped(each)) for each in text) + '"'


def _escaped(each: str) -> str:
    return each if ord(each) >= 0x20 else f"\\u{ord(each):04x}"


def message(label: str, game_id: str, number: int, entropies: list[str]) -> bytes:
    texts = ",".join(quoted(text) for text in entropies)
    return (f'["okg-shuffle-1",{quoted(label)},{quoted(game_id)},{number},[{texts}]]').encode()


def words(secret: bytes, said: bytes) -> Iterator[int]:
    for counter in range(1 << 32):
        block = hmac.new(secret, said + counter.to_bytes(4, "big"), hashlib.sha256).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at : at + 4], "big")


def below(stream: Iterator[int], limit: int) -> int:
    largest = (1 << 32) // limit * limit
    while (word := next(stream)) >= largest:
        pass
    return word % limit


def deck(stream: Iterator[int]) -> list[int]:
    cards = list(range(52))
    for place in range(51, 0, -1):
        other = below(stream, place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return cards
