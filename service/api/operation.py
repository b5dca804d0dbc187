"""How an operation is declared: all that its route, its checks and its spec are made from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

from service.api.schemas.requests import Body, Query
from service.api.schemas.shown import Answer
from service.api.services import Services
from service.games.access import Caller
from service.games.desk import Ask
from service.games.stream import Position
from service.games.view import GameView

Auth: TypeAlias = Literal["none", "optional", "required"]
Condition: TypeAlias = Literal["", "If-Match", "If-None-Match"]
Key: TypeAlias = Literal["", "optional", "secret"]
View: TypeAlias = Callable[..., "Reply"]

JSON = "application/json"
YAML = "application/yaml"


class Mark(NamedTuple):
    """What the log tells of the game in an answer: its viewer, and its version before and after."""

    seat: int | None
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Reply:
    """What a view returns: an object for the operation's schema, or the bytes of another kind.

    A function makes the object only where it is sent, which a 304 is not.

    ``replayed`` tells that the request had been applied before; ``game_id`` and ``mark`` are for
    the log; ``status`` replaces the operation's own.
    """

    content: Any
    etag: str | None = None
    replayed: bool = False
    location: str | None = None
    game_id: str | None = None
    mark: Mark | None = None
    status: int | None = None
    media: str | None = None
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """One request as its view gets it; ``ask`` is only what an operation that changes needs.

    ``media`` is what the caller would have of the operation's kinds of answer, ``unchanged`` the
    test that If-None-Match makes of an entity tag, ``position`` what Last-Event-ID names.
    """

    services: Services
    operations: tuple["Operation", ...]
    caller: Caller
    ask: Ask
    body: Mapping[str, Any]
    query: Mapping[str, Any]
    media: str
    unchanged: Callable[[str], bool] | None
    position: Position | None


@dataclass(frozen=True, slots=True)
class Tag:
    """What operations that belong together are called."""

    name: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Operation:
    """An operation of the contract.

    ``answer`` is the schema of a JSON answer, none where ``media`` is something else. ``auth``
    says whether a seat token is read, ``key`` whether an Idempotency-Key is, ``condition`` which
    precondition is; ``refusals`` are the codes that do not follow from these. ``resumes`` says
    that Last-Event-ID is read, and that 204 tells a reader that there is no more. ``example`` is a
    body, ``shows`` names the example of the answer. ``alias`` is another path of it, for people,
    that the contract leaves out.
    """

    id: str
    method: str
    path: str
    tag: Tag
    summary: str
    description: str
    view: View
    answer: type[Answer] | None = None
    media: tuple[str, ...] = (JSON,)
    status: int = 200
    body: type[Body] | None = None
    query: type[Query] | None = None
    auth: Auth = "none"
    key: Key = ""
    condition: Condition = ""
    refusals: tuple[str, ...] = ()
    example: Mapping[str, Any] | None = None
    shows: str = ""
    stored: bool = False
    resumes: bool = False
    alias: str | None = None

    @property
    def callers_own(self) -> bool:
        """Whether the answer depends on who asks, or holds a secret of theirs."""
        return self.auth != "none" or self.key != ""

    @property
    def limited(self) -> bool:
        """Whether it may be limited how often a caller asks."""
        return self.path.startswith("/v1/")


@dataclass(frozen=True, slots=True)
class Resource:
    """Operations that belong together: a tag of the spec and a blueprint of the app."""

    name: str
    description: str
    operations: list[Operation] = field(default_factory=list)

    def get(self, path: str, operation_id: str, **words: Any) -> Callable[[View], View]:
        """Declare what GET answers on a path."""
        return self._declare("GET", path, operation_id, words)

    def post(self, path: str, operation_id: str, **words: Any) -> Callable[[View], View]:
        """Declare what POST does on a path."""
        return self._declare("POST", path, operation_id, words)

    def _declare(
        self, method: str, path: str, operation_id: str, words: dict[str, Any]
    ) -> Callable[[View], View]:
        def declare(view: View) -> View:
            summary, _, rest = (view.__doc__ or "").partition("\n")
            self.operations.append(
                Operation(
                    id=operation_id,
                    method=method,
                    path=path,
                    tag=Tag(self.name, self.description),
                    summary=summary.strip().rstrip("."),
                    description=" ".join(rest.split()) or summary,
                    view=view,
                    **words,
                )
            )
            return view

        return declare


def mark_of(view: GameView, versions: int = 0) -> Mark:
    """Return the mark of a view that the last so many versions were made for."""
    seat = view.you.seat if view.you else None
    return Mark(seat, view.version - versions, view.version)
