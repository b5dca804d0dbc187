"""The levels of play, each a row: its name and the function that plays it."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, TypeAlias

from service.bots import easy, medium
from service.bots.position import Position, read
from service.rules.moves import LayOff, Move
from service.rules.views import SeatView

Policy: TypeAlias = Callable[[Position, Random], Move]

LEVELS: Final[Mapping[str, Policy]] = {"easy": easy.play, "medium": medium.play}


def choose(view: SeatView, level: str, random: Random) -> Move:
    """Return a legal move for the seat whose view it is, and whose turn it is.

    Equal views, levels and states of ``random`` give equal moves.

    :raises ValueError: if there is no such level, or the view offers its seat no turn.
    """
    policy = LEVELS.get(level)
    if policy is None:
        raise ValueError(f"{level!r} is not a level; choose one of {', '.join(LEVELS)}")
    layoff = view.actions.layoff
    if layoff:
        return LayOff(layoff.best.layoffs, layoff.best.melds)
    return policy(read(view), random)
