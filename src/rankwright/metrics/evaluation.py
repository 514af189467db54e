"""Metrics of a ranking with bootstrap intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.data import as_labels, group_rows
from rankwright.metrics.grouped import GroupValues
from rankwright.metrics.inputs import Floats, paired
from rankwright.metrics.measure import Measure

__all__ = ["Evaluation", "evaluate", "suitable_metrics"]

# With fewer groups than this, resampling them would say little: their items are resampled instead.
ENOUGH_GROUPS = 20


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A metric's mean over groups and a bootstrap interval for it.

    Attributes
    ----------
    metric : str
        The metric with its options, such as ``ndcg(gains=linear)@10``.
    mean : float
        The mean over the groups in which the metric is defined.
    low, high : float
        The ends of the percentile interval.
    level : float
        The nominal level of the interval: 0.95 holds the middle 95 of 100 resampled means.
    resampled : {"groups", "items"}
        What was drawn with replacement: groups; or items inside each group, which takes the groups
        as given and says nothing about others.
    groups : GroupValues
        The metric's value in each group.

    Examples
    --------
    >>> import rankwright as rw
    >>> y, scores, groups = [1, 2, 3, 1, 2, 3], [1, 2, 3, 2, 1, 3], list("aaabbb")
    >>> rw.metrics.evaluate(y, scores, groups)[0].groups.values.round(2).tolist()
    [1.0, 0.33]
    """

    metric: str
    mean: float
    low: float
    high: float
    level: float
    resampled: Literal["groups", "items"]
    groups: GroupValues


def suitable_metrics(y_true: ArrayLike) -> tuple[str, ...]:
    """Return the metrics that say most about a target: by its number of values and their sign.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        The target: labels, grades or scores.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.suitable_metrics([0, 1, 1, 0])
    ('auc', 'average_precision', 'kendall_tau')
    """
    values = np.unique(np.asarray(y_true))
    if len(values) == 2:
        return ("auc", "average_precision", "kendall_tau")
    graded = ("ndcg",) if values.min() >= 0 and values.max() > 0 else ()
    return ("kendall_tau", "spearman_rho", "spearman_footrule", *graded)


def evaluate(
    y_true: ArrayLike,
    scores: ArrayLike,
    groups: ArrayLike | None = None,
    *,
    metrics: Sequence[str] | None = None,
    level: float = 0.95,
    n_resamples: int = 1000,
    random_state: int = 0,
) -> tuple[Evaluation, ...]:
    """Return metrics averaged over groups, with bootstrap intervals.

    With 20 groups or more whole groups are drawn with replacement, else items inside each group.

    Parameters
    ----------
    y_true, scores : array-like of shape (n_items,)
        Larger is better in both.
    groups : array-like of shape (n_items,), optional
        Without them all items are one group.
    metrics : sequence of str, optional
        Names of metrics or the notation of `Measure`, such as ``"ndcg(gains=exponential)@10"``; by
        default those that suit the target.
    level : float, default=0.95
        The nominal level of the intervals.
    n_resamples : int, default=1000
        How often groups or items are drawn.
    random_state : int, default=0
        Draws them.

    Returns
    -------
    tuple of Evaluation

    Examples
    --------
    >>> import rankwright as rw
    >>> y, scores = [1, 2, 3, 4, 5, 6], [1, 3, 2, 4, 6, 5]
    >>> (tau,) = rw.metrics.evaluate(y, scores, metrics=["kendall_tau"])
    >>> round(tau.mean, 3), bool(tau.low < tau.mean < tau.high), tau.resampled
    (0.733, True, 'items')
    """
    truth, values = paired(y_true, scores)
    names = suitable_metrics(truth) if metrics is None else metrics
    if not 0 < level < 1:
        raise ValueError(f"level={level!r}; give a number between 0 and 1")
    if n_resamples < 1:
        raise ValueError(f"n_resamples={n_resamples!r}; give at least 1")
    n = len(truth)
    labels = np.zeros(n, dtype=np.int64) if groups is None else as_labels(groups, n)
    return tuple(
        _evaluate(Measure.read(name), truth, values, labels, level, n_resamples, random_state)
        for name in names
    )


def _evaluate(
    measure: Measure,
    truth: Floats,
    scores: Floats,
    labels: NDArray[Any],
    level: float,
    n_resamples: int,
    random_state: int,
) -> Evaluation:
    rng = np.random.default_rng(random_state)
    found = measure.by_group(truth, scores, labels)
    defined = found.values[~np.isnan(found.values)]
    by_groups = len(defined) >= ENOUGH_GROUPS
    if by_groups:
        means = rng.choice(defined, (n_resamples, len(defined))).mean(axis=1)
    else:
        means = _resample_items(measure, truth, scores, labels, n_resamples, rng)
    tails = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.nanquantile(means, tails).tolist() if np.isfinite(means).any() else (np.nan,) * 2
    resampled: Literal["groups", "items"] = "groups" if by_groups else "items"
    return Evaluation(str(measure), found.mean, low, high, level, resampled, found)


def _resample_items(
    measure: Measure,
    truth: Floats,
    scores: Floats,
    labels: NDArray[Any],
    n_resamples: int,
    rng: np.random.Generator,
) -> Floats:
    """Return the metric's mean over groups whose items were drawn with replacement."""
    # Of one group after the other, so that the compiled metrics need not sort.
    members = group_rows(labels, len(truth)).rows()
    means = np.empty(n_resamples)
    for resample in range(n_resamples):
        drawn = [rng.choice(rows, len(rows)) for rows in members]
        rows = np.concatenate(drawn)
        values = measure.by_group(truth[rows], scores[rows], labels[rows]).values
        # A draw in which a metric is undefined everywhere, all of one class perhaps, says nothing.
        means[resample] = np.nan if np.isnan(values).all() else np.nanmean(values)
    return means
