"""Rankings by one number for each item; smaller is better."""

import numpy as np
from numpy.typing import NDArray

from rankwright.aggregation.pair_costs import PairCosts
from rankwright.aggregation.votes import Votes
from rankwright.kernels.voters import borda_shares

__all__ = ["borda", "copeland", "mean", "median"]

FloatArray = NDArray[np.float64]


def borda(votes: Votes) -> FloatArray:
    """Return the mean share of the other items' weight that voters place ahead of each item.

    A voter's share is of the items that this voter ranks; half of what is tied counts as ahead.
    """
    shares = borda_shares(votes.positions, votes.item_weights)
    return _weighted_mean(shares, votes)


def mean(votes: Votes) -> FloatArray:
    """Return each item's mean position."""
    return _weighted_mean(votes.positions, votes)


def median(votes: Votes) -> FloatArray:
    """Return each item's median position: the middle of all that halve the voters' weight."""
    order = np.argsort(votes.positions, axis=0, kind="stable")  # NaN last
    sorted_positions = np.take_along_axis(votes.positions, order, axis=0)
    weights = np.where(np.isnan(sorted_positions), 0.0, votes.voter_weights[order])
    reached = np.cumsum(weights, axis=0)
    half = reached[-1] / 2
    slack = 1e-12 * reached[-1]  # sums of weights are rounded
    low = np.argmax(reached >= half - slack, axis=0)
    high = np.argmax(reached > half + slack, axis=0)
    columns = np.arange(votes.positions.shape[1])
    middle: FloatArray = (sorted_positions[low, columns] + sorted_positions[high, columns]) / 2
    return middle


def copeland(costs: PairCosts, item_weights: FloatArray) -> FloatArray:
    """Return the weight of the items that each item loses to, less that of those it beats."""
    losses: FloatArray = np.sign(costs.before - costs.before.T) @ item_weights
    return losses


def _weighted_mean(values: FloatArray, votes: Votes) -> FloatArray:
    ranked = ~np.isnan(votes.positions)
    totals = votes.voter_weights @ ranked
    sums = votes.voter_weights @ np.where(ranked, values, 0.0)
    # An item that only voters of no weight rank goes behind all others.
    means: FloatArray = np.divide(sums, totals, out=np.full(len(totals), np.inf), where=totals > 0)
    return means
