"""Units in which numbers that are searched together are of one size."""

import numpy as np

from rankwright.leaderboards.outcomes import FloatArray

__all__ = ["units_of"]


def units_of(columns: FloatArray) -> FloatArray:
    """Return a power of two for each column: in it the largest entry is at least one, below two.

    Dividing by a power of two is exact, so a column in nanometres gives the digits of one in
    metres.
    """
    largest = np.abs(columns).max(axis=0, initial=0.0)
    _, exponents = np.frexp(largest)
    return np.where(largest > 0, np.ldexp(1.0, exponents - 1), 1.0)
