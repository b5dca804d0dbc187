"""Bots: a move chosen from what a seat sees, a level and a source of chance."""

from service.bots.levels import LEVELS, choose

__all__ = ["LEVELS", "choose"]
