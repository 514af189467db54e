"""Costs of the three ways to place two items: before, after, tied."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["pair_costs"]


@kernel
def pair_costs(positions, voter_weights, penalty):
    """Return what "i before j" costs, (n, n), and what tying i and j costs, (n, n).

    ``positions`` is (voters, items), NaN where a voter leaves an item out; such pairs cost nothing.
    """
    m, n = positions.shape
    worse = np.zeros((n, n))  # for j < i, the weight of the voters who place i behind j, ...
    better = np.zeros((n, n))
    level = np.zeros((n, n))
    for i in range(n):
        for v in range(m):
            weight = voter_weights[v]
            own = positions[v, i]
            for j in range(i):  # without branches and in the order of memory: vectorised
                other = positions[v, j]
                worse[i, j] += weight * (own > other)
                better[i, j] += weight * (own < other)
                level[i, j] += weight * (own == other)
    for i in range(n):
        for j in range(i):
            tie = penalty * level[i, j]
            level[i, j] = level[j, i] = penalty * (worse[i, j] + better[i, j])
            worse[i, j] += tie
            worse[j, i] = better[i, j] + tie
    return worse, level
