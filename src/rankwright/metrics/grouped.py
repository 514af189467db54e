"""Any metric for each group of items, and the mean over groups."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.data import Grouping, group_rows
from rankwright.metrics.inputs import Floats, UndefinedMetricError, paired, weights_or_ones
from rankwright.metrics.kendall import (
    PairSums,
    count_pairs,
    kendall_tau,
    probabilistic_kendall_tau,
    somers_d,
)
from rankwright.metrics.spearman import spearman_rho

__all__ = ["GroupValues", "by_group", "mean_over_groups"]

Metric = Callable[..., float]

# These are 0 by convention, not by measurement, where y_true is constant: a group without an order
# to find says nothing about the scores.
CONVENTIONAL: frozenset[Metric] = frozenset({kendall_tau, somers_d, spearman_rho})
# Metrics of all groups in one compiled call.
FROM_COUNTS: dict[Metric, Callable[[PairSums], Floats]] = {
    kendall_tau: PairSums.tau_b,
    probabilistic_kendall_tau: PairSums.probabilistic_tau,
    somers_d: PairSums.somers_d,
}


@dataclass(frozen=True)
class GroupValues:
    """A metric's value in each group.

    Attributes
    ----------
    labels : ndarray of shape (n_groups,)
        The groups' labels in ascending order.
    values : ndarray of shape (n_groups,)
        The metric of each group, NaN where it is undefined.

    Examples
    --------
    >>> import rankwright as rw
    >>> groups = ["a", "a", "b", "b"]
    >>> result = rw.metrics.by_group(rw.metrics.auc, [1, 0, 1, 1], [2, 1, 5, 6], groups)
    >>> result.mean, result.n_undefined
    (1.0, 1)
    """

    labels: NDArray[Any]
    values: Floats

    @property
    def n_undefined(self) -> int:
        """The number of groups in which the metric is undefined."""
        return int(np.isnan(self.values).sum())

    @property
    def mean(self) -> float:
        """The mean over the groups in which the metric is defined."""
        if self.n_undefined == len(self.values):
            raise UndefinedMetricError(
                f"the metric is undefined in all {len(self.values)} group(s); it needs a group "
                "with at least two different y_true (both classes for auc): with cv, shuffle or "
                "stratify the folds"
            )
        return float(np.nanmean(self.values))


def by_group(
    metric: Metric,
    y_true: ArrayLike,
    scores: ArrayLike,
    groups: ArrayLike | None,
    *,
    sample_weight: ArrayLike | None = None,
    empty: float | None = None,
    **options: Any,
) -> GroupValues:
    """Return a metric of each group; items of different groups are never compared.

    Parameters
    ----------
    metric : callable
        Any metric of this module: ``metric(y_true, scores, **options)``.
    y_true, scores : array-like of shape (n_items,)
        Larger is better in both.
    groups : array-like of shape (n_items,) or None
        Labels of groups; without them all items are one group.
    sample_weight : array-like of shape (n_items,), optional
        Weights of items, for metrics that take them.
    empty : float, optional
        What a group counts in which the metric is undefined: NDCG of a query without a relevant
        document is 0 for some and 1 for others. By default such groups are NaN and left out.
    **options
        Passed to the metric.

    Returns
    -------
    GroupValues
        Labels and values; NaN where the metric raises `UndefinedMetricError`, and for
        `kendall_tau`, `somers_d` and `spearman_rho` where y_true of the items that have weight is
        constant: there is no order to find. (Constant scores on a group that has an order count as
        0.)

    Examples
    --------
    >>> import rankwright as rw
    >>> groups = ["b", "b", "a", "a"]
    >>> result = rw.metrics.by_group(rw.metrics.kendall_tau, [1, 2, 1, 2], [3, 4, 6, 5], groups)
    >>> dict(zip(result.labels.tolist(), result.values.tolist()))
    {'a': -1.0, 'b': 1.0}
    """
    truth, values = paired(y_true, scores)
    grouping = group_rows(groups, len(truth))
    weights = None if sample_weight is None else weights_or_ones(sample_weight, len(truth))
    if weights is None and metric in FROM_COUNTS and not options:
        sums = count_pairs(grouping.sort(truth), grouping.sort(values), grouping.offsets)
        results = FROM_COUNTS[metric](sums)
    else:
        results = one_by_one(partial(metric, **options), truth, values, weights, grouping.rows())
    if metric in CONVENTIONAL:
        results[is_constant(truth, weights, grouping)] = np.nan
    if empty is not None:
        results[np.isnan(results)] = empty
    ascending = np.argsort(grouping.labels)
    return GroupValues(grouping.labels[ascending], results[ascending])


def is_constant(values: Floats, weights: Floats | None, grouping: Grouping) -> NDArray[np.bool_]:
    """Return in which groups all values of the items that have weight are equal."""
    counts = np.True_ if weights is None else grouping.sort(weights) > 0
    ordered, starts = grouping.sort(values), grouping.offsets[:-1]
    low = np.minimum.reduceat(np.where(counts, ordered, np.inf), starts)
    high = np.maximum.reduceat(np.where(counts, ordered, -np.inf), starts)
    return np.asarray(low >= high)


def one_by_one(
    metric: Metric,
    truth: Floats,
    values: Floats,
    weights: Floats | None,
    groups: list[NDArray[np.int64]],
) -> Floats:
    """Return the metric of each group's rows, NaN where it is undefined or nothing has weight."""
    results = np.full(len(groups), np.nan)
    for group, rows in enumerate(groups):
        weighted = {} if weights is None else {"sample_weight": weights[rows]}
        if weights is not None and not weights[rows].any():
            continue
        try:
            results[group] = metric(truth[rows], values[rows], **weighted)
        except UndefinedMetricError:
            continue
    return results


def mean_over_groups(
    metric: Metric,
    y_true: ArrayLike,
    scores: ArrayLike,
    groups: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    empty: float | None = None,
    **options: Any,
) -> float:
    """Return the mean of a metric over the groups in which it is defined.

    Every group counts the same, whatever its size. `by_group` tells which groups were skipped, and
    why. Without groups all items are one group, and a constant y_true is an error for metrics of an
    order.

    Parameters
    ----------
    metric : callable
        Any metric of this module: ``metric(y_true, scores, **options)``.
    y_true, scores : array-like of shape (n_items,)
        Larger is better in both.
    groups : array-like of shape (n_items,), optional
        Labels of groups; without them all items are one group.
    sample_weight : array-like of shape (n_items,), optional
        Weights of items inside their group, for metrics that take them.
    empty : float, optional
        What a group counts in which the metric is undefined; by default it is left out.
    **options
        Passed to the metric.

    Returns
    -------
    float
        The mean; `UndefinedMetricError` when no group has a value.

    Examples
    --------
    >>> import rankwright as rw
    >>> kendall_tau = rw.metrics.kendall_tau
    >>> rw.metrics.mean_over_groups(kendall_tau, [1, 2, 1, 2], [3, 4, 6, 5], [0, 0, 1, 1])
    0.0
    """
    if groups is None and empty is None and metric not in CONVENTIONAL:
        # Its own error says more, and a metric of one's own sees y_true as it is.
        weighted = {} if sample_weight is None else {"sample_weight": sample_weight}
        return metric(y_true, scores, **weighted, **options)
    return by_group(
        metric, y_true, scores, groups, sample_weight=sample_weight, empty=empty, **options
    ).mean
