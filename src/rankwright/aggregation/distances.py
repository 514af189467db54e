"""Distances of voters to a ranking given as positions."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rankwright.aggregation.votes import Votes
from rankwright.kernels.voters import kendall_distances, places_among_ranked

__all__ = ["DISTANCES", "distances_to"]

FloatArray = NDArray[np.float64]
Distances = Callable[[FloatArray, Votes, float], FloatArray]


def kendall(ranking: FloatArray, votes: Votes, penalty: float) -> FloatArray:
    """Return the weight of the pairs ordered differently, those tied once at the penalty."""
    order = np.argsort(ranking, kind="stable")
    distances: FloatArray = kendall_distances(
        order, ranking, votes.positions, votes.item_weights, penalty
    )
    return distances


def footrule(ranking: FloatArray, votes: Votes, _: float) -> FloatArray:
    """Return the sum of the differences of positions (Spearman's footrule)."""
    return np.abs(_differences(ranking, votes)) @ votes.item_weights


def squared(ranking: FloatArray, votes: Votes, _: float) -> FloatArray:
    """Return the sum of the squared differences of positions (as in Spearman's rho)."""
    return _differences(ranking, votes) ** 2 @ votes.item_weights


def _differences(ranking: FloatArray, votes: Votes) -> FloatArray:
    """Return the differences of positions among the items of each voter, 0 for the others."""
    order = np.argsort(ranking, kind="stable")
    among: FloatArray = places_among_ranked(order, ranking, votes.positions)
    return np.nan_to_num(among - votes.positions)


DISTANCES: dict[str, Distances] = {"footrule": footrule, "kendall": kendall, "squared": squared}


def distances_to(ranking: FloatArray, votes: Votes, distance: str, penalty: float) -> FloatArray:
    """Return each voter's distance to a ranking, over the items that the voter ranks."""
    return DISTANCES[distance](ranking, votes, penalty)
