"""The ranks that items may have: differences tested together, step by step.

The reference is M. Mogstad, J. P. Romano, A. M. Shaikh and D. Wilhelm, Inference for ranks with
applications to mobility across neighbourhoods and academic achievement across countries, Review of
Economic Studies 91 (2024): a test for every ordered pair says whether the one item is above the
other; rejected hypotheses leave the family, and the next bound is lower.
"""

from dataclasses import dataclass

import numpy as np

from rankwright.leaderboards.critical import Critical
from rankwright.leaderboards.outcomes import FloatArray, IntArray

__all__ = ["RankSets", "differences", "marginal_sets", "simultaneous_sets"]


@dataclass(frozen=True, eq=False)
class RankSets:
    """The best and the worst rank that each item may have."""

    low: IntArray
    high: IntArray


def differences(strengths: FloatArray, covariance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return studentised differences (row minus column), and one over their standard errors.

    Items whose difference has no error at all have 0 for both.
    """
    diagonal = np.diag(covariance)
    variance = diagonal[:, None] + diagonal - 2 * covariance
    known = variance > 1e-12 * max(float(diagonal.max()), 1e-300)
    inverse = np.zeros_like(variance)
    inverse[known] = 1 / np.sqrt(variance[known])
    return (strengths[:, None] - strengths) * inverse, inverse


def marginal_sets(studentised: FloatArray, critical: Critical) -> RankSets:
    """Return rank sets that hold for each item by itself."""
    n = len(studentised)
    others = ~np.eye(n, dtype=bool)
    low, high = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    for item in range(n):
        above, below = others[item].copy(), others[item].copy()
        while above.any() or below.any():
            bound = critical.of_item(item, above, below)
            won = above & (studentised[item] > bound)
            lost = below & (-studentised[item] > bound)
            if not (won.any() or lost.any()):
                break
            # A rejected hypothesis leaves the family, and the next bound is lower.
            above &= ~won
            below &= ~lost
        low[item] = 1 + (others[item] & ~below).sum()
        high[item] = n - (others[item] & ~above).sum()
    return RankSets(low, high)


def simultaneous_sets(studentised: FloatArray, critical: Critical) -> RankSets:
    """Return rank sets that hold for all items at once."""
    n = len(studentised)
    everybody = ~np.eye(n, dtype=bool)
    open_pairs = everybody.copy()
    while open_pairs.any():
        rejected = open_pairs & (studentised > critical.of_pairs(open_pairs))
        if not rejected.any():
            break
        open_pairs &= ~rejected
    above = everybody & ~open_pairs
    return RankSets(1 + above.sum(axis=0), n - above.sum(axis=1))
