"""How well an ordinal forest predicts rows, told by the trees that did not see them."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwright.trees.ordinal.nodes import median_labels
from rankwright.trees.rows import TrainingRows

__all__ = ["OutOfBag", "estimate_out_of_bag"]


@dataclass(frozen=True, eq=False)
class OutOfBag:
    """The out-of-bag estimate of an ordinal forest.

    Attributes
    ----------
    rank_loss : float
        Mean distance between the predicted and the true label, NaN where every tree saw every row.
    scores : (n,) float64
        Expected label of each of the caller's rows, NaN where every tree saw it.
    """

    rank_loss: float
    scores: NDArray[np.float64]


def estimate_out_of_bag(
    votes: Iterable[tuple[NDArray[np.int64], NDArray[np.float64]]], data: TrainingRows
) -> OutOfBag:
    """Predict the training rows, given the label distributions that trees find for unseen rows."""
    values = data.labels.values
    sums = np.zeros((data.n_rows, values.size))
    for unseen, distributions in votes:
        sums[unseen] += distributions
    counted = np.flatnonzero(sums.sum(axis=1) > 0)
    expected = np.full(data.n_rows, np.nan)
    expected[counted] = (sums[counted] @ values) / sums[counted].sum(axis=1)
    predicted, true = values[median_labels(sums[counted])], values[data.labels.codes[counted]]
    weights = None if data.weights is None else data.weights[counted]
    loss = np.average(np.abs(predicted - true), weights=weights) if counted.size else np.nan
    return OutOfBag(float(loss), data.spread(expected, np.nan))
