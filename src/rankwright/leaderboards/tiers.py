"""Who can't be told apart from the best; then among the rest."""

import numpy as np
from scipy.stats import t as student

from rankwright.leaderboards.critical import Critical
from rankwright.leaderboards.outcomes import BoolArray, FloatArray, IntArray

__all__ = ["tiers"]


def tiers(studentised: FloatArray, critical: Critical, degrees: float) -> IntArray:
    """Return the tier of each item, 1 for the confidence set of the best.

    The next tier is the same set among the items that are left. The first contains the best item
    with the probability ``level``; the others describe the rest of the table in the same way.
    """
    found = np.zeros(len(studentised), dtype=np.int64)
    left = np.ones(len(studentised), dtype=bool)
    while left.any():
        best = _best_of(studentised, left, critical, degrees)
        found[best] = found.max() + 1
        left &= ~best
    return found


def _best_of(
    studentised: FloatArray, left: BoolArray, critical: Critical, degrees: float
) -> BoolArray:
    """Return the items below which none of the others can be shown to be: one test for each."""
    beaten_by = np.where(left[:, None], studentised, -np.inf).max(axis=0)
    # Drawn bounds lie between those of one test and of all, so few of them have to be drawn.
    error = 1 - critical.level
    surely_in = student.isf(error, degrees)
    surely_out = student.isf(error / max(int(left.sum()) - 1, 1), degrees)
    best: BoolArray = left & (beaten_by <= surely_in)
    for item in np.flatnonzero(left & (beaten_by > surely_in) & (beaten_by <= surely_out)):
        below = left.copy()
        below[item] = False
        best[item] = beaten_by[item] <= critical.of_item(int(item), np.zeros_like(below), below)
    return best
