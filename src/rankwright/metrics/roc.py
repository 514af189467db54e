"""ROC curves of scores for two classes, and what is read off them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rankwright.metrics.inputs import (
    Floats,
    UndefinedMetricError,
    binary,
    paired,
    weights_or_ones,
)

__all__ = ["RocCurve", "RocEnvelope", "auc", "roc_curve", "roc_envelope"]


@dataclass(frozen=True)
class RocCurve:
    """A ROC curve from (0, 0) to (1, 1): one segment for each distinct score, best first.

    Attributes
    ----------
    false_positive_rate, true_positive_rate : ndarray of shape (n_distinct + 1,)
        Shares of negatives and of positives scored at least `thresholds`.
    thresholds : ndarray of shape (n_distinct + 1,)
        Infinity, then the distinct scores in descending order.

    Examples
    --------
    >>> import rankwright as rw
    >>> curve = rw.metrics.roc_curve([1, 0, 1, 0], [3, 2, 2, 1])
    >>> curve.thresholds.tolist()
    [inf, 3.0, 2.0, 1.0]
    """

    false_positive_rate: Floats
    true_positive_rate: Floats
    thresholds: Floats


@dataclass(frozen=True)
class RocEnvelope:
    """The region that several ROC curves sweep.

    Attributes
    ----------
    false_positive_rate : ndarray of shape (2 n_points,)
        Every rate at which a curve has a point, twice: for the limits from the left and right,
        which differ where a curve rises vertically.
    lower, upper : ndarray of shape (2 n_points,)
        The least and the greatest true positive rate of the curves there.

    Examples
    --------
    >>> import rankwright as rw
    >>> good = rw.metrics.roc_curve([1, 1, 0, 0], [4, 3, 2, 1])
    >>> poor = rw.metrics.roc_curve([1, 1, 0, 0], [1, 1, 1, 1])
    >>> rw.metrics.roc_envelope([good, poor]).area
    0.5
    """

    false_positive_rate: Floats
    lower: Floats
    upper: Floats

    @property
    def area(self) -> float:
        """The area between the bounds, joined by straight lines."""
        return float(np.trapezoid(self.upper - self.lower, self.false_positive_rate))


def tie_blocks(
    y_true: ArrayLike, scores: ArrayLike, sample_weight: ArrayLike | None
) -> tuple[Floats, Floats, Floats]:
    """Return the distinct scores, best first, and the weights of negatives and positives there."""
    labels, values = paired(y_true, scores)
    weights = weights_or_ones(sample_weight, len(labels))
    positive = binary(labels)
    order = np.argsort(-values)
    values, positive, weights = values[order], positive[order], weights[order]
    starts = np.flatnonzero(np.r_[True, values[1:] != values[:-1]])
    negatives = np.add.reduceat(np.where(positive, 0.0, weights), starts)
    positives = np.add.reduceat(np.where(positive, weights, 0.0), starts)
    if negatives.sum() == 0 or positives.sum() == 0:
        raise UndefinedMetricError("sample_weight is zero on a whole class; give it some weight")
    return values[starts], negatives, positives


def auc(y_true: ArrayLike, scores: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Return the area under the ROC curve, tied pairs counted half.

    The share of (positive, negative) pairs in which the positive is scored higher, plus half the
    share scored alike; O(n log n). Constant scores give 0.5.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Two different labels; the larger is positive.
    scores : array-like of shape (n_items,)
        Larger is better.
    sample_weight : array-like of shape (n_items,), optional
        Weights of items; a pair counts the product of its two weights.

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.auc([1, 0, 1, 0], [3, 2, 2, 1])
    0.875
    """
    _, negatives, positives = tie_blocks(y_true, scores, sample_weight)
    # Sums of integers before the one division: exact without weights.
    seen = np.cumsum(positives)
    return float(negatives @ (seen - positives / 2) / (seen[-1] * negatives.sum()))


def roc_curve(
    y_true: ArrayLike, scores: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> RocCurve:
    """Return the ROC curve, tied scores joined by one segment.

    Constant scores give the diagonal. Its area is `auc`.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Two different labels; the larger is positive.
    scores : array-like of shape (n_items,)
        Larger is better.
    sample_weight : array-like of shape (n_items,), optional
        Weights of items.

    Returns
    -------
    RocCurve
        Rates and thresholds, best score first.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.roc_curve([1, 0, 1, 0], [3, 2, 2, 1]).true_positive_rate.tolist()
    [0.0, 0.5, 1.0, 1.0]
    """
    thresholds, negatives, positives = tie_blocks(y_true, scores, sample_weight)
    false_positives, true_positives = np.cumsum(negatives), np.cumsum(positives)
    return RocCurve(
        np.r_[0.0, false_positives / false_positives[-1]],
        np.r_[0.0, true_positives / true_positives[-1]],
        np.r_[np.inf, thresholds],
    )


def limits(curve: RocCurve, rates: Floats) -> Floats:
    """Return the curve's true positive rates just left and right of each rate, shape (2, n)."""
    x, y = curve.false_positive_rate, curve.true_positive_rate
    first = np.searchsorted(x, rates, side="left")
    last = np.searchsorted(x, rates, side="right") - 1
    between = np.interp(rates, x, y)
    on_curve = x[first] == rates
    return np.where(on_curve, np.stack([y[first], y[last]]), between)


def roc_envelope(curves: Sequence[RocCurve]) -> RocEnvelope:
    """Return the bounds of several ROC curves at every false positive rate that one of them has.

    Between those rates the curves are straight, and the bounds exact wherever no two curves cross.

    Parameters
    ----------
    curves : sequence of RocCurve
        For example one for each replication of an experiment.

    Returns
    -------
    RocEnvelope
        Lower and upper bounds, and the area between them.

    Examples
    --------
    >>> import rankwright as rw
    >>> curves = [rw.metrics.roc_curve([1, 0, 1], scores) for scores in ([3, 2, 1], [1, 2, 3])]
    >>> rw.metrics.roc_envelope(curves).upper.tolist()
    [0.0, 0.5, 0.5, 1.0]
    """
    if len(curves) == 0:
        raise ValueError("curves is empty; pass at least one RocCurve")
    rates = np.unique(np.concatenate([curve.false_positive_rate for curve in curves]))
    both = np.stack([limits(curve, rates).T.ravel() for curve in curves])
    return RocEnvelope(np.repeat(rates, 2), both.min(axis=0), both.max(axis=0))
