"""The footrule-optimal order: an assignment of items to places."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from rankwright.aggregation.votes import Votes

__all__ = ["footrule_order", "pointwise_bound"]

FloatArray = NDArray[np.float64]


def footrule_order(votes: Votes) -> tuple[NDArray[np.int64], float]:
    """Return each item's place, 0 the best, and the footrule that no order without ties beats.

    The places of voters who leave items out are stretched to all n first.
    """
    n = len(votes.items)
    counts = (~np.isnan(votes.positions)).sum(axis=1, keepdims=True)
    stretched = np.where(counts == n, votes.positions, votes.positions * (n + 1) / (counts + 1))
    places = np.arange(1.0, n + 1)
    costs = np.zeros((n, n))
    for weight, positions in zip(votes.voter_weights, stretched, strict=True):
        costs += weight * np.nan_to_num(np.abs(positions[:, None] - places))
    costs *= votes.item_weights[:, None]
    _, place = linear_sum_assignment(costs)
    return place.astype(np.int64), float(costs[np.arange(n), place].sum())


def pointwise_bound(votes: Votes, center: FloatArray, power: int) -> float:
    """Return the distance to each item's best position alone, which need not form a ranking."""
    distances = votes.voter_weights @ np.abs(votes.positions - center) ** power
    return float(distances @ votes.item_weights)
