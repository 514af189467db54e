"""The footrule-optimal order: an assignment of items to places."""

import numpy as np
from numpy.typing import NDArray

from rankwright.aggregation.budget import Budget
from rankwright.aggregation.positional import median
from rankwright.aggregation.votes import Votes
from rankwright.kernels.assignment import assign

__all__ = ["footrule_order", "pointwise_bound"]

FloatArray = NDArray[np.float64]
Places = NDArray[np.int64]


def footrule_order(votes: Votes, budget: Budget) -> tuple[Places, float]:
    """Return each item's place, 0 the best, and a footrule that no order without ties beats.

    The places of voters who leave items out are stretched to all n first. Where the seconds end
    before every item has its place, the rest goes by median into the places that are left, or all
    items do, whichever costs less.
    """
    n = len(votes.items)
    costs = _place_costs(votes, budget)
    u, v = np.zeros(n), np.zeros(n)
    place, item_at = np.full(n, -1), np.full(n, -1)
    for item in range(n):
        if budget.is_late:
            place = _completed(place, costs, np.argsort(median(votes), kind="stable"))
            return place, float(u.sum() + v.sum())
        assign(item, costs, u, v, place, item_at)
    return place, _total(costs, place)


def _place_costs(votes: Votes, budget: Budget) -> FloatArray:
    """Return what it costs to put each item at each place."""
    m, n = votes.positions.shape
    counts = (~np.isnan(votes.positions)).sum(axis=1, keepdims=True)
    stretched = np.where(counts == n, votes.positions, votes.positions * (n + 1) / (counts + 1))
    places = np.arange(1.0, n + 1)
    costs = np.zeros((n, n))
    for first, last in budget.pieces(n, m * n):
        for weight, positions in zip(votes.voter_weights, stretched[:, first:last], strict=True):
            costs[first:last] += weight * np.nan_to_num(np.abs(positions[:, None] - places))
    costs *= votes.item_weights[:, None]
    return costs


def _completed(place: Places, costs: FloatArray, by_median: NDArray[np.intp]) -> Places:
    """Return the cheaper of two orders: by median, and that where some items have their place."""
    all_by_median, some = np.empty_like(place), place.copy()
    all_by_median[by_median] = np.arange(len(place))
    some[by_median[place[by_median] < 0]] = np.setdiff1d(np.arange(len(place)), place)
    return min(all_by_median, some, key=lambda order: _total(costs, order))


def _total(costs: FloatArray, place: Places) -> float:
    return float(costs[np.arange(len(place)), place].sum())


def pointwise_bound(votes: Votes, center: FloatArray, power: int) -> float:
    """Return the distance to each item's best position alone, which need not form a ranking."""
    distances = votes.voter_weights @ np.abs(votes.positions - center) ** power
    return float(distances @ votes.item_weights)
