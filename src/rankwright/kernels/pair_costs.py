"""Costs of the three ways to place two items: before, after, tied."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["pair_costs"]


@kernel
def pair_costs(positions, voter_weights, item_weights, penalty, ends, before, tied):
    """Fill in what "i before j" and "j before i" cost, and what tying them costs, both (n, n).

    For i between the ends, and all j < i. ``positions`` is (voters, items), NaN where a voter
    leaves an item out; such pairs cost nothing.
    """
    m = len(positions)
    first, last = ends
    for i in range(first, last):
        worse = np.zeros(i)  # the weight of the voters who place i behind j, ...
        better = np.zeros(i)
        level = np.zeros(i)
        for v in range(m):
            weight = voter_weights[v]
            own = positions[v, i]
            for j in range(i):  # without branches and in the order of memory: vectorised
                other = positions[v, j]
                worse[j] += weight * (own > other)
                better[j] += weight * (own < other)
                level[j] += weight * (own == other)
        for j in range(i):
            mass = item_weights[i] * item_weights[j]
            tie = penalty * level[j]
            before[i, j] = (worse[j] + tie) * mass
            before[j, i] = (better[j] + tie) * mass
            tied[i, j] = tied[j, i] = penalty * (worse[j] + better[j]) * mass
