"""Rules that turn grades into the target of a least-squares regression, larger is better."""

import numpy as np
from numpy.typing import NDArray

from rankwright.data import Grouping, Rows, mean_places

__all__ = ["expected_rank_target"]


def expected_rank_target(rows: Rows) -> NDArray[np.float64]:
    """Return 1 - r/(n_j + 1) for the item at position r of a ranking of n_j items.

    Paper 1, expected rank regression: when n_j of all items are drawn at random, r/(n_j + 1) is
    the expected place of the item among all, as a fraction. Tied items share the mean position,
    and an item of weight w counts as w items.
    """
    weights = np.ones(len(rows.y)) if rows.weights is None else rows.weights
    place = mean_places(rows.y, Grouping(rows.offsets, None, rows.labels), weights)
    length = np.add.reduceat(weights, rows.offsets[:-1])
    return 1.0 - place / (np.repeat(length, np.diff(rows.offsets)) + 1.0)
