"""How much the ranking of a learner changes with its training sample."""

import numpy as np
from numpy.typing import ArrayLike

from rankwright.metrics.inputs import UndefinedMetricError, vector
from rankwright.metrics.kendall import count_pairs

__all__ = ["instability"]


def instability(score_lists: ArrayLike) -> float:
    """Return the mean Kendall distance between the rankings of one learner's refits.

    2 / (B (B - 1)) times the sum over pairs of refits of d, the share of item pairs that they
    order oppositely plus half the share tied in one only (formula after (4) of the ranking forests
    paper). Smaller is more stable; 0 when all rankings agree, also when all are constant.

    Parameters
    ----------
    score_lists : array-like of shape (n_refits, n_items)
        Scores of the same items by models fitted on different samples, at least two.

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.instability([[3, 2, 1], [3, 1, 2], [3, 2, 1]])
    0.2222222222222222
    """
    table = np.asarray(score_lists)
    if table.ndim != 2 or len(table) < 2:
        raise ValueError(
            f"score_lists has shape {table.shape}; "
            "pass one row of scores for each of two or more refits"
        )
    scores = np.stack([vector(f"score_lists[{row}]", refit) for row, refit in enumerate(table)])
    n_refits, n_items = scores.shape
    if n_items < 2:
        raise UndefinedMetricError("a single item has no order; instability needs two items")
    distances = []
    for refit in range(n_refits - 1):
        later = scores[refit + 1 :]
        offsets = np.arange(len(later) + 1) * n_items
        pairs = count_pairs(np.tile(scores[refit], len(later)), later.ravel(), offsets)
        distances.append(pairs.distance())
    return float(np.concatenate(distances).mean())
