"""Items that are relevant or not: how many of them stand at the top of a list, and where.

Tied scores count the mean over all orders of the tied items.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from rankwright.metrics.inputs import Floats, UndefinedMetricError, binary, paired
from rankwright.metrics.listed import listed, places_counted

__all__ = ["average_precision", "hit_ratio", "precision", "recall", "reciprocal_rank"]


def relevance(
    y_true: ArrayLike, scores: ArrayLike, relevant: float | None
) -> tuple[Floats, Floats]:
    """Return 1 for the relevant items and 0 for the others, and the scores."""
    grades, values = paired(y_true, scores)
    is_relevant = binary(grades) if relevant is None else grades >= relevant
    if not is_relevant.any():
        raise UndefinedMetricError(
            f"no y_true is {relevant} or more (the largest is {grades.max()}), so no item is "
            "relevant; lower `relevant`, or say what such lists count by `empty` of by_group"
        )
    return is_relevant.astype(np.float64), values


def precision(
    y_true: ArrayLike, scores: ArrayLike, *, k: int | None = None, relevant: float = 1.0
) -> float:
    """Return the share of relevant items among the first k: P@k.

    A list of fewer than k items counts as if the missing ones were not relevant.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Grades.
    scores : array-like of shape (n_items,)
        Larger is better.
    k : int, optional
        How many places are looked at; all by default.
    relevant : float, default=1
        The least grade of a relevant item.

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.precision([1, 0, 1, 0], [4, 3, 2, 1], k=3)
    0.6666666666666666
    """
    is_relevant, values = relevance(y_true, scores, relevant)
    places = places_counted(k, len(values))
    return float(listed(is_relevant, values).means()[:places].sum()) / (k or places)


def recall(
    y_true: ArrayLike, scores: ArrayLike, *, k: int | None = None, relevant: float = 1.0
) -> float:
    """Return the share of the relevant items that are among the first k: R@k.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Grades.
    scores : array-like of shape (n_items,)
        Larger is better.
    k : int, optional
        How many places are looked at; all by default.
    relevant : float, default=1
        The least grade of a relevant item.

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.recall([1, 0, 1, 0], [4, 3, 2, 1], k=2)
    0.5
    """
    is_relevant, values = relevance(y_true, scores, relevant)
    places = places_counted(k, len(values))
    return float(listed(is_relevant, values).means()[:places].sum() / is_relevant.sum())


def reciprocal_rank(
    y_true: ArrayLike, scores: ArrayLike, *, k: int | None = None, relevant: float = 1.0
) -> float:
    """Return 1 / position of the first relevant item; its mean over lists is the MRR.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Grades.
    scores : array-like of shape (n_items,)
        Larger is better.
    k : int, optional
        Count 0 if the first relevant item is not among the first k.
    relevant : float, default=1
        The least grade of a relevant item.

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.reciprocal_rank([0, 1, 1], [3, 2, 1])
    0.5
    """
    is_relevant, values = relevance(y_true, scores, relevant)
    last = places_counted(k, len(values))
    blocks = listed(is_relevant, values)
    first = int(np.argmax(blocks.means() > 0))  # the first place of the first block with any
    before, size = int(blocks.before[first]), int(blocks.size[first])
    hits = round(float(blocks.values[before : before + size].sum()))
    offsets = np.arange(1, size - hits + 2)
    # The first of `hits` among `size` shuffled items stands at an offset with probability
    # C(size - offset, hits - 1) / C(size, hits).
    log_chances = _log_binomial(size - offsets, hits - 1) - _log_binomial(size, hits)
    positions = before + offsets
    return float((np.exp(log_chances) / positions)[positions <= last].sum())


def _log_binomial(n: int | NDArray[np.int64], k: int) -> Floats:
    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))


def average_precision(
    y_true: ArrayLike, scores: ArrayLike, *, relevant: float | None = None
) -> float:
    """Return the mean, over the relevant items, of the precision at their positions.

    Its mean over lists is the MAP. Tied scores count the expectation over all orders of the tied
    items, so the order of rows never matters; without ties it is scikit-learn's.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Two different labels, the larger of which is relevant; or grades, with ``relevant``.
    scores : array-like of shape (n_items,)
        Larger is better.
    relevant : float, optional
        The least grade of a relevant item.

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.average_precision([1, 0, 1, 0], [4, 3, 2, 1])
    0.8333333333333333
    """
    positive, values = relevance(y_true, scores, relevant)
    blocks = listed(positive, values)
    share = blocks.means()
    positions = np.arange(1, len(positive) + 1)
    seen = np.r_[0.0, np.cumsum(blocks.values)][blocks.before]
    # Given a positive at a place, the other places of its block above it are each positive with
    # probability (positives - 1) / (size - 1).
    others = (share * blocks.size - 1) / np.maximum(blocks.size - 1, 1)
    hits = seen + 1 + (positions - blocks.before - 1) * others
    return float((share * hits / positions).sum() / positive.sum())


def hit_ratio(y_true: ArrayLike, scores: ArrayLike, *, share: float = 0.1) -> float:
    """Return the share of positives among the best scored items.

    The best scored are the first ceil(share · n); of items tied at the cut, the mean of their block
    counts. Constant scores give the share of positives among all items.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Two different labels; the larger is positive.
    scores : array-like of shape (n_items,)
        Larger is better.
    share : float, default=0.1
        Which part of the list is looked at: 0.1 for the hit ratio at 10%.

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.hit_ratio([1, 0, 1, 0], [4, 3, 2, 1], share=0.5)
    0.5
    """
    if not 0 < share <= 1:
        raise ValueError(f"share={share!r}; choose a part of the list, above 0 and at most 1")
    positive, values = relevance(y_true, scores, None)
    # 0.07 * 100 is 7.000000000000001: one part in 10^12 is rounding, not an eighth item.
    count = int(np.ceil(share * len(values) * (1 - 1e-12)))
    return float(listed(positive, values).means()[:count].mean())
