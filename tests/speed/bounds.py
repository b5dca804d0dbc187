"""What one request may cost, counted and not timed: measured, and some 15 % on top.

A change that saves something lowers its bound here; one that needs more has to say why.
"""

from typing import Final

TRIPS_A_MOVE: Final = 1  # to Redis, where the worker has seen the game as it stands
TRIPS_AFTER_ANOTHER: Final = 2  # ... where another worker made the last move
SENT_A_MOVE: Final = 2_750  # bytes to Redis
ANSWER_OF_A_MOVE: Final = 3_250  # bytes

CALLS: Final = {"livez": 450, "unchanged": 675, "view": 700, "move": 1_130}
"""Python's and C's functions that one request calls, as cProfile counts them."""

SNAPSHOT: Final = 4 * 1024
SNAPSHOT_GROWTH: Final = 64  # bytes from round 1 to round 30: numbers get longer
