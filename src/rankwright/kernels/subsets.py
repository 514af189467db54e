"""The best ranking of a few items by dynamic programming over subsets (bit masks).

``value[S]`` is the least cost of ranking the items of S among themselves:
``value[S] = min over last buckets K of value[S - K] + cost(S - K before K) + cost(K tied)``.
"""

import numpy as np

from rankwright.kernels.compile import kernel, part

__all__ = ["last_buckets", "subset_values"]


@part
def _lowest(subset):
    """Return the lowest item of a subset that is not empty."""
    item = 0
    while not (subset >> item) & 1:
        item += 1
    return item


@kernel
def last_bucket_costs(subset, ahead, behind, tie, cost):
    """Fill ``cost[K]`` for all K in the subset: its other items before K, and K tied.

    Moving one more item b into the last bucket adds what b pays behind the items left and takes
    away what it paid ahead of the bucket: O(1) for each K, in ascending order.
    """
    cost[0] = 0.0
    last = -subset & subset
    while last > 0:
        b = _lowest(last)
        rest = last & (last - 1)
        cost[last] = cost[rest] - ahead[b, rest] + behind[b, subset ^ last]
        last = (last - subset) & subset
    last = subset
    while last > 0:
        cost[last] += tie[last]
        last = (last - 1) & subset


@kernel
def subset_values(before, tied):
    """Return the value of each subset and the tables ahead, behind, tie for ``last_buckets``."""
    n = len(before)
    size = 1 << n
    ahead = np.zeros((n, size))  # ahead[b, S]: the cost of b before all of S
    behind = np.zeros((n, size))
    tie = np.zeros(size)
    for s in range(1, size):
        low = _lowest(s)
        rest = s & (s - 1)
        tie[s] = tie[rest]
        for b in range(n):
            ahead[b, s] = ahead[b, rest] + before[b, low]
            behind[b, s] = behind[b, rest] + before[low, b]
            if (rest >> b) & 1:
                tie[s] += tied[low, b]
    value = np.full(size, np.inf)
    value[0] = 0.0
    cost = np.zeros(size)
    for s in range(1, size):
        last_bucket_costs(s, ahead, behind, tie, cost)
        last = s
        while last > 0:
            value[s] = min(value[s], value[s ^ last] + cost[last])
            last = (last - 1) & s
    return value, ahead, behind, tie


@kernel
def last_buckets(subset, value, ahead, behind, tie, tolerance):
    """Mark the last buckets with which a best ranking of the subset can end."""
    cost = np.zeros(len(value))
    last_bucket_costs(subset, ahead, behind, tie, cost)
    marks = np.zeros(len(value), dtype=np.bool_)
    last = subset
    while last > 0:
        marks[last] = value[subset ^ last] + cost[last] <= value[subset] + tolerance
        last = (last - 1) & subset
    return marks
