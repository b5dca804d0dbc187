"""A game as it is kept: the state that the rules know, and all that they need not know."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from service.rules.cards import Card
from service.rules.state import Event, GameState, RoundResult

Visibility: TypeAlias = Literal["public", "private"]
TimeoutAction: TypeAlias = Literal["autoplay", "forfeit"]

LOG_EVENTS = 1000


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits in a seat. ``occupancy`` is theirs while they keep it; ``nonce`` makes their token,
    and changes when it is renewed.

    ``entropy`` is their text for the next shuffle; ``level`` is a bot's.
    """

    name: str
    occupancy: str
    nonce: str
    entropy: str = ""
    level: str | None = None


@dataclass(frozen=True, slots=True)
class Shuffle:
    """What a finished round reveals of its shuffle; secret and commitment in hex."""

    algorithm: str
    game_id: str
    round: int
    seats: int
    secret: str
    commitment: str
    entropies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game's whole snapshot. Times are milliseconds since 1970 UTC.

    ``version`` counts applied moves from 1; ``nonce`` is random per commit, so that a version lost
    in a failover and used again is another revision. ``players`` has an entry for each seat, none
    for a free one. ``next_secret`` (hex) is for the round to be dealt next, ``shuffle`` belongs to
    the round on the table. ``round_versions`` are the first versions of the previous and of the
    running round, for the log's length. ``listed`` tells whether the lobby may ever show the game.
    ``decks`` are those of a sandbox game still to be dealt.
    """

    game_id: str
    version: int
    nonce: str
    created_at: int
    updated_at: int
    expires_at: int
    preset: str
    visibility: Visibility
    turn_seconds: int
    timeout_action: TimeoutAction
    sandbox: bool
    players: tuple[Player | None, ...]
    state: GameState
    next_secret: str
    shuffle: Shuffle | None = None
    round_versions: tuple[int, ...] = ()
    decks: tuple[tuple[Card, ...], ...] = ()
    turn_deadline: int | None = None
    rematch_game_id: str | None = None
    listed: bool = True

    @property
    def revision(self) -> str:
        """The version and its nonce: what a commit expects and an entity tag begins with."""
        return f"{self.version}-{self.nonce}"


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event in the log. ``id`` is the version with a nonce of its own; ``name`` a player's."""

    version: int
    id: str
    at: int
    event: Event
    name: str | None = None


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A finished round whole: the deck as dealt, every move with every card, the shuffle revealed.

    ``shuffle`` is absent where a sandbox deck was dealt.
    """

    number: int
    dealer: int
    deck: tuple[Card, ...]
    result: RoundResult
    shuffle: Shuffle | None
    moves: tuple[LoggedEvent, ...] = ()
