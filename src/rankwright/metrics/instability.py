"""How much the ranking of a learner changes with its training sample."""

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from rankwright.metrics.inputs import vector
from rankwright.metrics.kendall import defined, pair_sums

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
    refits = [vector(f"score_lists[{row}]", scores) for row, scores in enumerate(table)]
    n_items = table.shape[1]
    distances = [
        defined(pair_sums(first, second).distance(), n_items)
        for first, second in combinations(refits, 2)
    ]
    return float(np.mean(distances))
