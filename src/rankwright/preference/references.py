"""The rows that every item is compared with to get its score."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["references", "share_of_losses"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def share_of_losses(better: Ints, worse: Ints, weights: Floats | None, n_rows: int) -> Floats:
    """Return the share of its pairs that each row loses: one half where it has none."""
    won = np.bincount(better, weights, n_rows)
    lost = np.bincount(worse, weights, n_rows)
    return np.asarray(np.divide(lost, won + lost, out=np.full(n_rows, 0.5), where=won + lost > 0))


def references(X: Floats, place: Floats, weights: Floats, count: int) -> Floats:
    """Return rows at evenly spread places from the best to the worst.

    They depend neither on the order of the rows nor on whether a row is repeated or weighted;
    equal places are told apart by the features.
    """
    order = np.lexsort((*X.T[::-1], place))
    up_to = np.cumsum(weights[order])
    points = (np.arange(count) + 0.5) / count * up_to[-1]
    return np.asarray(X[order[np.searchsorted(up_to, points)]])
