"""Differences of many items, of which no table is made."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["count_apart", "unbeaten"]


@kernel
def count_apart(strengths, variances, bounds, won, lost):
    """Count for every item the others that it is told apart from, above them and below them.

    Parameters
    ----------
    strengths, variances : (n_items,) float64
        The variance of a difference is at most the sum of the items' variances.
    bounds : (n_items,) float64
        What the studentised differences of an item have to exceed.
    won, lost : (n_items,) int64
        Filled in.
    """
    for item in range(len(strengths)):
        above, below = 0, 0
        square = bounds[item] * bounds[item]
        for other in range(len(strengths)):
            gap = strengths[item] - strengths[other]
            apart = gap * gap > square * (variances[item] + variances[other])
            above += apart and gap > 0
            below += apart and gap < 0
        won[item], lost[item] = above, below


@kernel
def unbeaten(strengths, variances, bound):
    """Return which items, sorted from the strongest on, are not told apart from any above them."""
    found = np.ones(len(strengths), dtype=np.bool_)
    square = bound * bound
    for item in range(len(strengths)):
        for other in range(item):
            gap = strengths[other] - strengths[item]
            if gap * gap > square * (variances[item] + variances[other]):
                found[item] = False
                break
    return found
