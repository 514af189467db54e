"""Distances of two rankings given as positions."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from rankwright.aggregation.votes import Votes
from rankwright.metrics.kendall import pair_sums

__all__ = ["DISTANCES", "Distance", "distances_to"]

FloatArray = NDArray[np.float64]
Distance = Callable[[FloatArray, FloatArray, FloatArray, float], float]

ROUNDING = 1e-12  # of the weight of all pairs: the sums are differences


def kendall(first: FloatArray, second: FloatArray, weights: FloatArray, penalty: float) -> float:
    """Return the weight of the pairs ordered differently, those tied once at the penalty."""
    if not weights.any():
        return 0.0
    # Always with weights: that kernel compiles ten times faster than the one that counts.
    pairs = pair_sums(first, second, weights)
    tied_once = pairs.tied_first + pairs.tied_second - 2 * pairs.tied_both
    distance = float(pairs.discordant + penalty * tied_once)
    return distance if distance > ROUNDING * pairs.total else 0.0


def footrule(first: FloatArray, second: FloatArray, weights: FloatArray, _: float) -> float:
    """Return the sum of the differences of positions (Spearman's footrule)."""
    return float(weights @ np.abs(first - second))


def squared(first: FloatArray, second: FloatArray, weights: FloatArray, _: float) -> float:
    """Return the sum of the squared differences of positions (as in Spearman's rho)."""
    return float(weights @ (first - second) ** 2)


DISTANCES: dict[str, Distance] = {"footrule": footrule, "kendall": kendall, "squared": squared}


def distances_to(positions: FloatArray, votes: Votes, distance: str, penalty: float) -> FloatArray:
    """Return each voter's distance to positions, over the items that the voter ranks."""
    between = DISTANCES[distance]
    found = np.zeros(len(votes.positions))
    for voter, vote in enumerate(votes.positions):
        ranked = ~np.isnan(vote)
        if ranked.any():
            among = positions if ranked.all() else rankdata(positions[ranked])
            found[voter] = between(among, vote[ranked], votes.item_weights[ranked], penalty)
    return found
