"""What the HTTP interface is given when the service is put together."""

from dataclasses import dataclass, field

from service.api.log import Log
from service.api.metrics import Metrics
from service.api.rates import Rates
from service.games.streams import Streams
from service.games.usecases import Games


@dataclass(frozen=True, slots=True)
class Services:
    """The use cases, those of following among them, the log, and what a request may say.

    ``origins`` are those whose pages may call from a browser, ``rates`` how often anybody may.
    ``metrics_apart`` says that the figures are read elsewhere, and not among the operations.
    """

    games: Games
    log: Log
    streams: Streams
    sandbox: bool = False
    origins: frozenset[str] = frozenset()
    rates: Rates | None = None
    metrics: Metrics = field(default_factory=Metrics)
    metrics_apart: bool = False
