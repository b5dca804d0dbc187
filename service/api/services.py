"""What the HTTP interface is given when the service is put together."""

from dataclasses import dataclass
from typing import Any

from service.api.rates import Rates
from service.games.streams import Streams
from service.games.usecases import Games


@dataclass(frozen=True, slots=True)
class Services:
    """The use cases, those of following among them, the log, and what a request may say.

    ``origins`` are those whose pages may call from a browser, ``rates`` how often anybody may.
    """

    games: Games
    log: Any
    streams: Streams
    sandbox: bool = False
    origins: frozenset[str] = frozenset()
    rates: Rates | None = None
