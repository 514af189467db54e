"""Measures of the top of a list; tied scores count the mean over all orders of the tied items."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.metrics.inputs import Floats, UndefinedMetricError, binary, paired

__all__ = ["average_precision", "dcg", "hit_ratio", "ndcg"]


@dataclass(frozen=True)
class Listed:
    """Values listed by descending score, with the block of tied scores of every place.

    `before` and `size` are the number of items above a place's block and inside it.
    """

    values: Floats
    starts: NDArray[np.int64]
    before: NDArray[np.int64]
    size: NDArray[np.int64]

    def means(self) -> Floats:
        """Return at every place the mean value of its block."""
        sums = np.add.reduceat(self.values, self.starts)
        return np.repeat(sums, self.size[self.starts]) / self.size


def listed(values: Floats, scores: Floats) -> Listed:
    """List `values` by descending score."""
    order = np.argsort(-scores)
    descending = scores[order]
    starts = np.flatnonzero(np.r_[True, descending[1:] != descending[:-1]])
    sizes = np.diff(np.r_[starts, len(scores)])
    return Listed(values[order], starts, np.repeat(starts, sizes), np.repeat(sizes, sizes))


def gains_of(y_true: ArrayLike, scores: ArrayLike, k: int | None) -> tuple[Floats, Floats, int]:
    """Return checked gains and scores, and how many places count."""
    gains, values = paired(y_true, scores)
    if gains.min() < 0:
        raise ValueError(
            f"y_true has a negative gain ({gains.min()}); pass gains of 0 or more, "
            "for example y_true - min(y_true), or y_true == 1 for two classes"
        )
    if k is not None and k < 1:
        raise ValueError(f"k={k!r}; choose at least 1 place, or None for all")
    return gains, values, len(gains) if k is None else min(k, len(gains))


def discounted(gains: Floats, scores: Floats, k: int) -> float:
    """Sum the block means of the gains, divided by ln(1 + place), over the first k places."""
    places = np.arange(1, k + 1)
    return float((listed(gains, scores).means()[:k] / np.log1p(places)).sum())


def dcg(y_true: ArrayLike, scores: ArrayLike, *, k: int | None = None) -> float:
    """Return the discounted cumulative gain.

    The sum of gain / ln(1 + position), positions from 1 (the discount of Clémençon et al., 2013;
    the one with log2 is ln(2) times this). The gain of an item is its y_true: pass 2**y - 1 for
    exponential gains. Constant scores give every place the mean gain.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Gains, 0 or more.
    scores : array-like of shape (n_items,)
        Larger is better.
    k : int, optional
        Count only the first k places.

    Returns
    -------
    float
        0 or more.

    Examples
    --------
    >>> import rankwright as rw
    >>> round(rw.metrics.dcg([1, 0, 1], [0.9, 0.5, 0.1]), 4)
    2.164
    """
    return discounted(*gains_of(y_true, scores, k))


def ndcg(y_true: ArrayLike, scores: ArrayLike, *, k: int | None = None) -> float:
    """Return the discounted cumulative gain as a share of the largest one.

    The base of the logarithm cancels. Undefined when every gain is 0.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Gains, 0 or more.
    scores : array-like of shape (n_items,)
        Larger is better.
    k : int, optional
        Count only the first k places.

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.ndcg([2, 1, 0], [0.9, 0.5, 0.1])
    1.0
    """
    gains, values, places = gains_of(y_true, scores, k)
    if gains.max() == 0:
        raise UndefinedMetricError("y_true is 0 for every item; NDCG needs an item with a gain")
    return discounted(gains, values, places) / discounted(gains, gains, places)


def average_precision(y_true: ArrayLike, scores: ArrayLike) -> float:
    """Return the mean, over the positives, of the precision at their positions.

    Tied scores count the expectation over all orders of the tied items, so the order of rows never
    matters; without ties it is scikit-learn's.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Two different labels; the larger is positive.
    scores : array-like of shape (n_items,)
        Larger is better.

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
    labels, values = paired(y_true, scores)
    positive = binary(labels).astype(np.float64)
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
    labels, values = paired(y_true, scores)
    # 0.07 * 100 is 7.000000000000001: one part in 10^12 is rounding, not an eighth item.
    count = int(np.ceil(share * len(labels) * (1 - 1e-12)))
    return float(listed(binary(labels).astype(np.float64), values).means()[:count].mean())
