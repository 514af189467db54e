"""Scores of new rows: the sum of the values of the leaves they fall into."""

import numpy as np

from rankwright.kernels.compile import kernel, part
from rankwright.kernels.trees.traversal import goes_right

__all__ = ["score_by_levels", "score_by_nodes"]

# Rows that go down the trees side by side.
BLOCK = 128


@part
def _mark_right(column, test, category_sets, n, leaves):
    """Append to each row's path whether it goes right at a test."""
    threshold = test.threshold
    if test.category_set >= 0:
        chosen = category_sets[test.category_set]
        for i in range(n):
            value = column[i]
            left = test.default_left == 1 if np.isnan(value) else chosen[np.int64(value)]
            leaves[i] = 2 * leaves[i] + 1 - left
    elif test.default_left == 1:
        for i in range(n):
            leaves[i] = 2 * leaves[i] + (column[i] > threshold)
    else:
        for i in range(n):
            leaves[i] = 2 * leaves[i] + 1 - (column[i] <= threshold)


@kernel
def score_by_levels(X, used, nodes, first_node, depths, category_sets, scores):
    """Add the values of symmetric trees, whose nodes of one level have one test.

    Level l of a tree begins at its node 2**l - 1. ``used`` lists the features that are tested.
    """
    columns = np.empty((X.shape[1], BLOCK))
    leaves = np.empty(BLOCK, dtype=np.int32)
    for begin in range(0, X.shape[0], BLOCK):
        n = min(BLOCK, X.shape[0] - begin)
        for i in range(n):
            for z in range(used.size):
                columns[used[z], i] = X[begin + i, used[z]]
        for tree in range(first_node.size):
            root = first_node[tree]
            for i in range(n):
                leaves[i] = 0
            for level in range(depths[tree]):
                test = nodes[root + (1 << level) - 1]
                _mark_right(columns[test.feature], test, category_sets, n, leaves)
            values = nodes[root + (1 << depths[tree]) - 1 :]
            for i in range(n):
                scores[begin + i] += values[leaves[i]].value


@part
def _goes_right(value, node, category_sets):
    """Tell to which side a value goes; numbers without branches, whose outcome nobody foresees."""
    if node.category_set >= 0:
        right = goes_right(value, node, category_sets)
    elif node.default_left == 1:
        right = value > node.threshold
    else:
        right = not value <= node.threshold
    return np.int64(right)


@kernel
def score_by_nodes(X, nodes, first_node, category_sets, scores):
    """Add the values of trees of any shape; the right child of a node follows its left one.

    Rows of a block go down step by step, so that none waits for another's values.
    """
    at, moving = np.empty(BLOCK, dtype=np.int64), np.empty(BLOCK, dtype=np.int64)
    for begin in range(0, X.shape[0], BLOCK):
        n = min(BLOCK, X.shape[0] - begin)
        for tree in range(first_node.size):
            root = first_node[tree]
            for i in range(n):
                at[i], moving[i] = root, i
            n_moving = n if nodes[root].left >= 0 else 0
            while n_moving > 0:
                still = 0
                for k in range(n_moving):
                    i = moving[k]
                    node = nodes[at[i]]
                    right = _goes_right(X[begin + i, node.feature], node, category_sets)
                    at[i] = root + node.left + right
                    moving[still] = i
                    still += nodes[at[i]].left >= 0
                n_moving = still
            for i in range(n):
                scores[begin + i] += nodes[at[i]].value
