"""The leaf that each row falls into."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["find_leaves"]


@kernel
def find_leaves(X, nodes, category_sets, leaves):
    """Write the leaf of each row of ``X`` (n, d) into ``leaves``; NaN takes the default side."""
    for i in range(X.shape[0]):
        this = 0
        while nodes[this].left >= 0:
            value = X[i, nodes[this].feature]
            if np.isnan(value):
                right = nodes[this].default_left != 1
            elif nodes[this].category_set >= 0:
                right = not category_sets[nodes[this].category_set, np.int64(value)]
            else:
                right = value > nodes[this].threshold
            this = nodes[this].left + right
        leaves[i] = this
