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
    before = np.zeros((n, n))
    tied = np.zeros((n, n))
    for v in range(m):
        weight = voter_weights[v]
        position = positions[v]
        for i in range(n):
            a = position[i]
            if np.isnan(a):
                continue
            for j in range(i):
                b = position[j]
                if a < b:
                    before[j, i] += weight
                elif a > b:
                    before[i, j] += weight
                elif a == b:
                    tied[i, j] += weight
    for i in range(n):
        for j in range(i):
            strict = before[i, j] + before[j, i]
            tie = penalty * tied[i, j]
            before[i, j] += tie
            before[j, i] += tie
            tied[i, j] = tied[j, i] = penalty * strict
    return before, tied
