"""The place of a new item in a consensus ranking."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["insert_items"]


@kernel
def insert_items(values, votes, buckets, weights, places):
    """Write where each new item fits best into an order of items, given what the voters say.

    The place is one where the sum of disagreements with the items in order is least: p when it ties
    with bucket p, p - 1/2 when it comes between buckets p - 1 and p. A voter disagrees by 1 on a
    pair in the opposite order, by 1/2 on a pair that is tied on one side alone.

    Parameters
    ----------
    values : (m, B) float64
        The voters' values of the new items, larger is better.
    votes : (K, B) float64
        Those of the items in order.
    buckets : (K,) int64
        Their buckets, numbered from the best.
    weights : (K,) float64
    places : (m,) float64
        Written.
    """
    n_buckets = buckets.max() + 1
    above = np.empty(n_buckets)
    level = np.empty(n_buckets)
    below = np.empty(n_buckets)
    for i in range(values.shape[0]):
        above[:] = 0.0
        level[:] = 0.0
        below[:] = 0.0
        for k in range(votes.shape[0]):
            n_better = 0
            n_worse = 0
            for b in range(votes.shape[1]):
                n_better += values[i, b] > votes[k, b]
                n_worse += values[i, b] < votes[k, b]
            half = 0.5 * (votes.shape[1] - n_better - n_worse)
            above[buckets[k]] += weights[k] * (n_worse + half)
            below[buckets[k]] += weights[k] * (n_better + half)
            level[buckets[k]] += weights[k] * 0.5 * (n_better + n_worse)
        # The cost above all buckets, then bucket by bucket downward.
        cost = above.sum()
        least = cost
        places[i] = -0.5
        for p in range(n_buckets):
            tied = cost - above[p] + level[p]
            cost += below[p] - above[p]
            if tied < least:
                least = tied
                places[i] = p
            if cost < least:
                least = cost
                places[i] = p + 0.5
