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


@kernel
def score_by_nodes(X, nodes, first_node, category_sets, scores):
    """Add the values of trees of any shape; the right child of a node follows its left one."""
    for i in range(X.shape[0]):
        total = scores[i]
        for tree in range(first_node.size):
            root = first_node[tree]
            node = nodes[root]
            while node.left >= 0:
                right = goes_right(X[i, node.feature], node, category_sets)
                node = nodes[root + node.left + right]
            total += node.value
        scores[i] = total
