"""The cell of a ranking tree that each row falls into."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["find_cells"]


@kernel
def find_cells(X, cuts, category_sets, cells):
    """Write the cell of each row of ``X`` (n, d) into ``cells``, cell 0 without cuts.

    A cut points to the next one or, as the complement ~c, to cell c; NaN takes the default side.
    Most values are numbers, so the threshold is asked first: no category lies below that of its
    cut.
    """
    for i in range(X.shape[0]):
        this = 0 if cuts.size > 0 else -1
        while this >= 0:
            cut = cuts[this]
            value = X[i, cut.feature]
            if value <= cut.threshold:
                this = cut.left
            elif np.isnan(value):
                this = cut.left if cut.default_left == 1 else cut.right
            elif cut.category_set >= 0 and category_sets[cut.category_set, np.int64(value)]:
                this = cut.left
            else:
                this = cut.right
        cells[i] = ~this
