"""The cell of a ranking tree that each row falls into."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["find_cells"]


@kernel
def find_cells(X, cuts, category_sets, cells):
    """Write the cell of each row of ``X`` (n, d) into ``cells``, cell 0 without cuts.

    A cut points to the next one or, as the complement ~c, to cell c; NaN takes the default side.
    """
    first = 0 if cuts.size > 0 else -1
    for i in range(X.shape[0]):
        this = first
        while this >= 0:
            value = X[i, cuts[this].feature]
            if np.isnan(value):
                is_left = cuts[this].default_left == 1
            elif cuts[this].category_set >= 0:
                is_left = category_sets[cuts[this].category_set, np.int64(value)]
            else:
                is_left = value <= cuts[this].threshold
            this = cuts[this].left if is_left else cuts[this].right
        cells[i] = ~this
