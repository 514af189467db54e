"""Cells, explored until nothing is left of them."""

import numpy as np

from rankwright.kernels.rating.planes import NOTHING
from rankwright.reverse.bound.large_cells import explore_large

GO = np.array([False])  # nobody says stop
MOST = 10_000  # cells: an exploration of a tiny rating that takes more does not end


def explore_all(problem, cells, explore):
    """Explore cells a few rays at a time, and return the best value."""
    best, cells, explored = NOTHING, list(cells), 0
    while cells:
        cell, explored = cells.pop(), explored + 1
        assert explored < MOST
        one = explore_large if cell.rays.dtype == object else explore
        found = one(problem, cell, best, 3, GO)
        assert found.weights is None or problem.value(found.weights) == found.value
        best = max(best, found.value)
        cells += found.left
    return best
