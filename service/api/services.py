"""What the HTTP interface is given when the service is put together."""

from dataclasses import dataclass
from typing import Any

from service.games.usecases import Games


@dataclass(frozen=True, slots=True)
class Services:
    """The use cases, the log, and the settings that change what a request may say."""

    games: Games
    log: Any
    sandbox: bool = False
