"""The cell of a ranking tree that each row falls into."""

import numpy as np

from rankwright.kernels.compile import kernel
from rankwright.kernels.traversal import BLOCK

__all__ = ["find_cells"]


@kernel
def find_cells(X, cuts, category_sets, cells):
    """Write the cell of each row of ``X`` (n, d) into ``cells``, cell 0 without cuts.

    A cut points to the next one or, as the complement ~c, to cell c; NaN takes the default side.
    """
    for begin in range(0, X.shape[0], BLOCK):
        end = min(begin + BLOCK, X.shape[0])
        for i in range(begin, end):
            cells[i] = 0 if cuts.size > 0 else -1
        moving = True
        while moving:
            moving = False
            for i in range(begin, end):
                if cells[i] < 0:
                    continue
                cut = cuts[cells[i]]
                value = X[i, cut.feature]
                if np.isnan(value):
                    is_left = cut.default_left == 1
                elif cut.category_set >= 0:
                    is_left = category_sets[cut.category_set, np.int64(value)]
                else:
                    is_left = value <= cut.threshold
                cells[i] = cut.left if is_left else cut.right
                moving = True
        for i in range(begin, end):
            cells[i] = ~cells[i]
