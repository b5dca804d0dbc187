"""What can be done to a game, as frozen values; who may do it is for ``legal`` to say."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from service.rules.cards import Card, CardSet

Source: TypeAlias = Literal["stock", "discard"]
Occupant: TypeAlias = Literal["human", "bot"]


@dataclass(frozen=True, slots=True)
class Join:
    """Take the lowest free seat: a newcomer does, or the host seats a bot in it."""

    occupant: Occupant = "human"


@dataclass(frozen=True, slots=True)
class Leave:
    """Give up one's seat before the first deal."""


@dataclass(frozen=True, slots=True)
class Remove:
    """As the host, take another seat's occupant out before the first deal."""

    seat: int


@dataclass(frozen=True, slots=True)
class SetEntropy:
    """Leave a text for the next shuffle; the text itself is no matter of the rules."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Start the next round with this deck, first card dealt first.

    ``first_player`` is needed for the first round only. ``high_cards`` are the cards that chose
    them, one for each seat, where the rules say so. ``commitment`` is what was published before
    the shuffle, if it was; the rules only carry it.
    """

    deck: tuple[Card, ...]
    first_player: int | None = None
    high_cards: tuple[Card, ...] | None = None
    commitment: str | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Decline the upcard."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the top of a pile; taking the offered upcard is a draw from the discard pile."""

    source: Source


@dataclass(frozen=True, slots=True)
class Discard:
    """Throw a card and end the turn."""

    card: Card


@dataclass(frozen=True, slots=True)
class Knock:
    """Go out by throwing ``discard``; without one it is big gin.

    ``melds`` is the arrangement; when it is absent the best one is laid.
    """

    discard: Card | None
    melds: tuple[CardSet, ...] | None = None


@dataclass(frozen=True, slots=True)
class LayOff:
    """Answer a knock: cards onto the knocker's melds by index, and own melds.

    What is absent the engine fills in; what is named it never improves.
    """

    layoffs: tuple[tuple[Card, int], ...] | None = None
    melds: tuple[CardSet, ...] | None = None


@dataclass(frozen=True, slots=True)
class Resign:
    """Leave a running game for good."""


@dataclass(frozen=True, slots=True)
class TimeOut:
    """End the wait for the seat on turn, whose time is up.

    Its turn is then played for it, or with ``forfeit`` it is out as if it had resigned.
    """

    forfeit: bool


@dataclass(frozen=True, slots=True)
class Rematch:
    """Note that the seats of a finished game go on in another."""


PlayerMove: TypeAlias = Pass | Draw | Discard | Knock | LayOff | Resign
"""What a seat does in a running game."""

Move: TypeAlias = PlayerMove | Join | Leave | Remove | SetEntropy | Deal | TimeOut | Rematch
