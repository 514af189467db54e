"""Shapley values of features between two rows of a tree.

A hybrid of the two rows has each feature from the first (high) row or from the second (low) one. It
reaches a leaf if the features that part the rows on the way there come from the right row: a
features from the high row, b others from the low one, and no matter where the rest come from. A
leaf of value v is thus the game v·[all of the a are in, none of the b], whose Shapley values are

    + v (a - 1)! b! / (a + b)!  for each of the a,    - v a! (b - 1)! / (a + b)!  for each of the b.

A tree is the sum of the games of its leaves.
"""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["add_tree_contributions"]

UNDECIDED, HIGH, LOW = range(3)


@kernel
def _add_leaf(value, decided, n_decided, sources, contributions):
    """Add the Shapley values of a leaf's game."""
    a = 0
    for i in range(n_decided):
        a += sources[decided[i]] == HIGH
    b = n_decided - a
    share = value  # becomes v a! b! / (a + b)!
    for i in range(1, min(a, b) + 1):
        share *= i / (max(a, b) + i)
    for i in range(n_decided):
        j = decided[i]
        contributions[j] += share / a if sources[j] == HIGH else -share / b


@kernel
def add_tree_contributions(features, high_next, low_next, values, contributions, max_steps):
    """Add the Shapley values of one tree; return the steps left, negative if they ran out.

    Parameters
    ----------
    features : (n_nodes,) int
        The feature that a node asks for; node 0 is the root.
    high_next, low_next : (n_nodes,) int
        Where a node sends the high and the low row: another node, or as the complement ~i to leaf
        i. Several nodes may send rows to the same one.
    values : (n_leaves,) float64
    contributions : (d,) float64
        Added to; of no use if the steps ran out.
    max_steps : int
        How many nodes to visit at most.
    """
    sources = np.zeros(contributions.size, dtype=np.int8)
    decided = np.empty(contributions.size, dtype=np.int64)  # the features that part the rows so far
    n_decided = 0
    # What waits to be walked: a node to which the low row is sent, and the number of features that
    # were decided at its parent, whose own feature then is the next one.
    waiting = np.empty(contributions.size, dtype=np.int64)
    levels = np.empty(contributions.size, dtype=np.int64)
    n_waiting = 0
    this = np.int64(0)
    while max_steps >= 0:
        while this >= 0 and max_steps >= 0:
            max_steps -= 1
            feature = features[this]
            high = high_next[this]
            low = low_next[this]
            if high == low or sources[feature] == HIGH:
                this = high
            elif sources[feature] == LOW:
                this = low
            else:
                sources[feature] = HIGH
                decided[n_decided] = feature
                waiting[n_waiting] = low
                levels[n_waiting] = n_decided
                n_decided += 1
                n_waiting += 1
                this = high
        if this >= 0:
            break
        _add_leaf(values[~this], decided, n_decided, sources, contributions)
        if n_waiting == 0:
            break
        n_waiting -= 1
        this = waiting[n_waiting]
        while n_decided > levels[n_waiting] + 1:
            n_decided -= 1
            sources[decided[n_decided]] = UNDECIDED
        sources[decided[n_decided - 1]] = LOW
    return max_steps
