"""Where good formulas come from: directions, starts, line searches, the middle of the best."""

from rankwright.reverse.search.climbing import climb_from, climb_on, search
from rankwright.reverse.search.least_squares import least_squares_starts

__all__ = ["climb_from", "climb_on", "least_squares_starts", "search"]
