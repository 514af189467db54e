"""What a split should decrease."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.kernels.trees import impurity

__all__ = ["CRITERIA", "PAIR_CRITERIA", "SPREAD_CRITERIA", "label_cost"]

CRITERIA = {
    "ranking": impurity.RANKING,
    "ordinal_gini": impurity.ORDINAL_GINI,
    "absolute": impurity.ABSOLUTE,
    "gini": impurity.GINI,
    "entropy": impurity.ENTROPY,
}

# Criteria that are sums over pairs of rows, so that pairs of different groups can be left out.
PAIR_CRITERIA = frozenset({"ranking", "ordinal_gini"})

# Criteria in the unit of the labels: the others count labels and do not know their values.
SPREAD_CRITERIA = PAIR_CRITERIA | {"absolute"}


def label_cost(
    counts: ArrayLike, values: ArrayLike | None = None, *, criterion: str = "ranking"
) -> float:
    """Return the cost of a set of labelled rows: impurity in the form that adds up over leaves.

    ``ranking`` is the ranking impurity, the sum over pairs of labels of their distance times both
    counts; ``ordinal_gini`` the same divided by the number of rows; ``absolute`` the summed
    distance to the median label; ``gini`` and ``entropy`` are the number of rows times the usual
    mean.

    Parameters
    ----------
    counts : (k,) array
        Rows, or their weight, of each label.
    values : (k,) array, optional
        The labels' values, increasing; 0, 1, 2, ... by default.
    criterion : str

    Examples
    --------
    >>> label_cost([2, 1, 1])  # 2·1·1 + 2·1·2 + 1·1·1
    7.0
    >>> label_cost([2, 1, 1], criterion="ordinal_gini")
    1.75
    """
    weights: NDArray[Any] = np.asarray(counts, dtype=np.float64)
    gaps = np.ones(weights.size - 1) if values is None else np.diff(np.asarray(values, dtype=float))
    code = CRITERIA[criterion]
    total = float(weights.sum())
    if total == 0.0:
        return 0.0
    statistic, _ = impurity.side_statistics(code, weights, weights, gaps, total, total)
    return float(impurity.node_cost(code, statistic, total))
