"""Spearman's measures: distances between mid-ranks."""

import numpy as np
from numpy.typing import ArrayLike

from rankwright.metrics.inputs import Floats, UndefinedMetricError, paired

__all__ = ["spearman_footrule", "spearman_rho"]


def mid_ranks(y_true: ArrayLike, scores: ArrayLike) -> tuple[Floats, Floats]:
    """Return both rankings as ranks from 1, tied items sharing the mean of theirs."""
    from scipy.stats import rankdata

    first, second = paired(y_true, scores)
    if len(first) < 2:
        raise UndefinedMetricError("a single item has no order; Spearman's measures need two items")
    return rankdata(first), rankdata(second)


def spearman_rho(y_true: ArrayLike, scores: ArrayLike) -> float:
    """Return Spearman's rho: the correlation of the mid-ranks.

    Without ties it is 1 - 6 sum (r - r')² / (n (n² - 1)), Appendix B of the ranking forests paper;
    with ties the correlation (its Remark 13) keeps the range. A constant ranking gives 0.0.

    Parameters
    ----------
    y_true, scores : array-like of shape (n_items,)
        Larger is better in both.

    Returns
    -------
    float
        Between -1 and 1.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.spearman_rho([4, 3, 2, 1], [0.8, 0.9, 0.2, 0.1])
    0.8
    """
    first, second = mid_ranks(y_true, scores)
    first, second = first - first.mean(), second - second.mean()
    spread = np.sqrt((first @ first) * (second @ second))
    return float(first @ second / spread) if spread > 0 else 0.0


def spearman_footrule(y_true: ArrayLike, scores: ArrayLike) -> float:
    """Return Spearman's footrule as a measure of agreement.

    1 - 3 sum |r - r'| / (n² - 1) over mid-ranks, Appendix B of the ranking forests paper. Two
    constant rankings agree: 1.0; against a ranking without ties a constant one gives 1/4 when n is
    odd, and (n² - 4) / (4 (n² - 1)) when n is even.

    Parameters
    ----------
    y_true, scores : array-like of shape (n_items,)
        Larger is better in both.

    Returns
    -------
    float
        Between -1 and 1; a reversed order gives about -1/2.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.spearman_footrule([4, 3, 2, 1], [0.8, 0.9, 0.2, 0.1])
    0.6
    """
    first, second = mid_ranks(y_true, scores)
    return float(1 - 3 * np.abs(first - second).sum() / (len(first) ** 2 - 1))
