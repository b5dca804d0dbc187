"""Refusals of the use cases; each carries its code and its sentence."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from service.games.view import GameView


class Refusal(Exception):
    """A request that is not granted; nothing has changed.

    ``code`` is a code of the problem catalogue, ``numbers`` the figures that belong to it, and
    ``faults`` pairs of a JSON Pointer and a sentence. ``look`` makes the caller's current view,
    for the codes whose reason is the state of the game.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        numbers: Mapping[str, int] | None = None,
        faults: tuple[tuple[str, str], ...] = (),
        look: Callable[[], "GameView"] | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.numbers: Mapping[str, int] = numbers or {}
        self.faults = faults
        self.look = look
