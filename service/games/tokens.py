"""Seat tokens and invites: HMACs under the service's key, so that the store holds nothing secret.

A seat token is ``okg_`` and game id (22), seat (1), occupancy (8) and MAC (32 characters). The
occupancy is in it so that an operation can be named before the game is read; the MAC covers all of
it and the nonce in the seat's record.
"""

import hashlib
import hmac
import re
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from service.games.ports import RandomSource

_TOKEN: Final = re.compile(
    r"okg_(?P<game>[\w-]{22})(?P<seat>[0-3])(?P<occupancy>[\w-]{8})[\w-]{32}", re.ASCII
)
MAC_BYTES: Final = 24
OCCUPANCY_BYTES: Final = 6
NONCE_BYTES: Final = 12
GAME_ID_BYTES: Final = 16


def url_text(raw: bytes) -> str:
    """Return bytes as unpadded base64url."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def new_occupancy(random: RandomSource) -> str:
    """Return a name for one occupancy of a seat, 8 characters."""
    return url_text(random.token_bytes(OCCUPANCY_BYTES))


def new_nonce(random: RandomSource) -> str:
    """Return what makes one token of an occupancy differ from the next, 16 characters."""
    return url_text(random.token_bytes(NONCE_BYTES))


@dataclass(frozen=True, slots=True)
class Claim:
    """What a token says it opens; nothing is proved yet."""

    game_id: str
    seat: int
    occupancy: str


@lru_cache(maxsize=4096)
def read_token(token: str) -> Claim | None:
    """Return what a token claims, or nothing where it has not the form of one."""
    match = _TOKEN.fullmatch(token)
    if match is None:
        return None
    return Claim(match["game"], int(match["seat"]), match["occupancy"])


class Tokens:
    """Makes and proves tokens under the current key; the one before it is still believed."""

    def __init__(self, secret_key: str, previous_key: str | None = None) -> None:
        self._keys = [secret_key.encode()]
        if previous_key:
            self._keys.append(previous_key.encode())
        self._key_ids = [_key_id(key) for key in self._keys]

    def seat_token(self, claim: Claim, nonce: str) -> str:
        """Return the token that opens a seat while its record holds the nonce."""
        return _seat_token(self._keys[0], claim, nonce)

    def key_id(self) -> str:
        """Return a public name of the current key, 8 characters."""
        return self._key_ids[0]

    def seat_token_under(self, key_id: str, claim: Claim, nonce: str) -> str:
        """Return the token as it was made under the key of that name, if it is still believed."""
        place = self._key_ids.index(key_id) if key_id in self._key_ids else 0
        return _seat_token(self._keys[place], claim, nonce)

    def opens(self, token: str, claim: Claim, nonce: str) -> bool:
        """Return whether a token was made for the claim and the nonce, in constant time."""
        made = [_seat_token(key, claim, nonce) for key in self._keys]
        return any(hmac.compare_digest(token, right) for right in made)

    def invite(self, game_id: str) -> str:
        """Return what lets its bearer look at a private game and join it, 22 characters."""
        return _invite(self._keys[0], game_id)

    def invites(self, invite: str, game_id: str) -> bool:
        """Return whether an invite is for the game, in constant time."""
        made = [_invite(key, game_id).encode() for key in self._keys]
        return any(hmac.compare_digest(invite.encode(), right) for right in made)

    def game_ids(self, key: str) -> tuple[str, ...]:
        """Return the ids that a game created under an idempotency key may have, newest first."""
        return tuple(_derived_id(each, "game", key) for each in self._keys)

    def macs(self, *parts: str) -> tuple[str, ...]:
        """Return the MACs of a text under every key, the newest first, 32 characters each."""
        return tuple(url_text(_mac(each, *parts)[:MAC_BYTES]) for each in self._keys)

    def moved(self, claim: Claim) -> tuple[tuple[str, str], ...]:
        """Return the occupancy and the nonce that whoever holds a seat begins a rematch with.

        The first is under the current key, the other, if there is one, under the one before.
        """
        return tuple(_moved(key, claim) for key in self._keys)

    def rematch_id(self, game_id: str) -> str:
        """Return the id of the game in which the seats of another go on."""
        return _derived_id(self._keys[0], "rematch", game_id)


def _moved(key: bytes, claim: Claim) -> tuple[str, str]:
    mac = _mac(key, "moved", claim.game_id, str(claim.seat), claim.occupancy)
    return url_text(mac[:OCCUPANCY_BYTES]), url_text(mac[OCCUPANCY_BYTES:][:NONCE_BYTES])


def _derived_id(key: bytes, label: str, text: str) -> str:
    return url_text(_mac(key, label, text)[:GAME_ID_BYTES])


def _mac(key: bytes, *parts: str) -> bytes:
    return hmac.digest(key, "\0".join(parts).encode(), hashlib.sha256)


def _key_id(key: bytes) -> str:
    return url_text(_mac(key, "key")[:6])


def _invite(key: bytes, game_id: str) -> str:
    return url_text(_mac(key, "invite", game_id)[:GAME_ID_BYTES])


def _seat_token(key: bytes, claim: Claim, nonce: str) -> str:
    seat = str(claim.seat)
    mac = _mac(key, "seat", claim.game_id, seat, claim.occupancy, nonce)[:MAC_BYTES]
    return f"okg_{claim.game_id}{seat}{claim.occupancy}{url_text(mac)}"
