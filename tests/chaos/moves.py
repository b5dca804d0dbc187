"""What players ask for, as their views offer it."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import uuid4

from tests.chaos.caller import Request


@dataclass(frozen=True, slots=True)
class Move:
    """What a seat asks for: the last part of the path, the body, and the event that it makes."""

    name: str
    body: Mapping[str, object]
    event: str
    detail: str = ""


CHAT: Final = Move("entropy", {"entropy": "seven herons"}, "entropy_set")


@dataclass(frozen=True, slots=True)
class Game:
    """A game with the tokens of its two seats."""

    game_id: str
    tokens: tuple[str, str]


def choose(actions: Mapping[str, Any], dice: random.Random) -> Move | None:
    """Return one of the moves that a view offers, in a hurry to go out, if it offers any."""
    if actions["deal"]:
        return Move("deal", {}, "dealt")
    if actions["layoff"]:
        return Move("layoff", {}, "laid_off")
    if actions["knock"]:
        card = dice.choice(actions["knock"])["discard"]
        return Move("knock", {"discard": card}, "knocked", card)
    if actions["discard"]:
        card = min(actions["discard"], key=lambda choice: int(choice["deadwood_points"]))["card"]
        return Move("discard", {"card": card}, "discarded", card)
    if actions["pass"] and dice.random() < 0.7:
        return Move("pass", {}, "passed")
    if actions["draw"]:
        source = dice.choice(actions["draw"])
        return Move("draw", {"source": source}, "drew", source)
    return None


def offered(actions: Mapping[str, Any]) -> list[Move]:
    """Return every move that a view offers, layoffs in two ways."""
    moves = [Move("draw", {"source": each}, "drew", each) for each in actions["draw"]]
    discards = [choice["card"] for choice in actions["discard"]]
    moves += [Move("discard", {"card": card}, "discarded", card) for card in discards]
    knocks = [choice["discard"] for choice in actions["knock"]]
    moves += [Move("knock", {"discard": card}, "knocked", card) for card in knocks]
    if actions["pass"]:
        moves.append(Move("pass", {}, "passed"))
    if actions["layoff"]:
        moves += [Move("layoff", {}, "laid_off"), Move("layoff", {"layoffs": []}, "laid_off")]
    if actions["deal"]:
        moves.append(Move("deal", {}, "dealt"))
    return moves


def keyed(
    path: str, body: Mapping[str, object], token: str = "", etag: str | None = None
) -> Request:
    """Return a request under a key of its own, on a view if its tag is given."""
    condition = {"If-Match": etag} if etag else {}
    return Request("POST", path, token, body, {"Idempotency-Key": str(uuid4()), **condition})
