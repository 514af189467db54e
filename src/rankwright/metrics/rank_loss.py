"""The mean absolute rank loss of ordinal labels."""

import numpy as np
from numpy.typing import ArrayLike

from rankwright.metrics.inputs import paired, weights_or_ones

__all__ = ["rank_loss"]


def rank_loss(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Return the mean absolute difference between true and predicted ranks; smaller is better.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_items,)
        Ordinal labels, on one scale.
    sample_weight : array-like of shape (n_items,), optional
        Weights of items.

    Returns
    -------
    float
        0 or more.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.rank_loss([1, 2, 5, 3], [1, 3, 3, 3])
    0.75
    """
    labels, predicted = paired(y_true, y_pred, name="y_pred")
    weights = weights_or_ones(sample_weight, len(labels))
    return float(np.average(np.abs(labels - predicted), weights=weights))
