"""Weakest-link pruning: the penalty per leaf at which each split stops being worth its leaves."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["weakest_links"]


@kernel
def _set_key(keys, i, key):
    """Set a leaf of the tournament tree ``keys`` and replay its matches."""
    keys[i] = key
    while i > 1:
        i //= 2
        keys[i] = min(keys[2 * i], keys[2 * i + 1])


@kernel
def _link(t, cost, below, leaves):
    """Return the cost that each further leaf below node t saves."""
    return (cost[t] - below[t]) / (leaves[t] - 1)


@kernel
def weakest_links(left, parent, cost, alphas):
    """Write for each split the smallest penalty per leaf that prunes it, infinity for none.

    Children follow their parents, ``left[t]`` and ``left[t] + 1`` are those of t, -1 in a leaf. A
    tournament tree over the nodes finds the weakest link; pruning it changes its ancestors only.
    """
    n_nodes = left.size
    leaves = np.ones(n_nodes)
    below = cost.copy()
    size = 1
    while size < n_nodes:
        size *= 2
    keys = np.full(2 * size, np.inf)
    for t in range(n_nodes - 1, -1, -1):
        if left[t] >= 0:
            leaves[t] = leaves[left[t]] + leaves[left[t] + 1]
            below[t] = below[left[t]] + below[left[t] + 1]
            _set_key(keys, size + t, _link(t, cost, below, leaves))
    stack = np.empty(n_nodes, dtype=np.int64)
    alpha = 0.0
    while keys[1] < np.inf:
        alpha = max(alpha, keys[1])
        i = 1
        while i < size:
            i = 2 * i if keys[2 * i] <= keys[2 * i + 1] else 2 * i + 1
        pruned = i - size
        fewer = leaves[pruned] - 1
        more = cost[pruned] - below[pruned]
        stack[0] = pruned
        n_stack = 1
        while n_stack > 0:
            n_stack -= 1
            t = stack[n_stack]
            if left[t] >= 0 and keys[size + t] < np.inf:
                alphas[t] = alpha
                _set_key(keys, size + t, np.inf)
                stack[n_stack] = left[t]
                stack[n_stack + 1] = left[t] + 1
                n_stack += 2
        t = parent[pruned]
        while t >= 0:
            leaves[t] -= fewer
            below[t] += more
            _set_key(keys, size + t, _link(t, cost, below, leaves))
            t = parent[t]
