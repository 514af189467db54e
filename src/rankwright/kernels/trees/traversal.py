"""The leaf that each row falls into."""

import numpy as np

from rankwright.kernels.compile import kernel, part

__all__ = ["find_leaves", "goes_right"]

# Rows that go down the tree in step, so that none waits for another's values.
BLOCK = 8


@part
def goes_right(value, node, category_sets):
    """Tell to which side of a split a value goes."""
    if np.isnan(value):
        right = node.default_left != 1
    elif node.category_set >= 0:
        right = not category_sets[node.category_set, np.int64(value)]
    else:
        right = value > node.threshold
    return right


@kernel
def find_leaves(X, nodes, category_sets, leaves):
    """Write the leaf of each row of ``X`` (n, d) into ``leaves``; NaN takes the default side."""
    for begin in range(0, X.shape[0], BLOCK):
        end = min(begin + BLOCK, X.shape[0])
        for i in range(begin, end):
            leaves[i] = 0
        moving = nodes[0].left >= 0
        while moving:
            moving = False
            for i in range(begin, end):
                node = nodes[leaves[i]]
                if node.left < 0:
                    continue
                leaves[i] = node.left + goes_right(X[i, node.feature], node, category_sets)
                moving = True
