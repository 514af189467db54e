"""What a booster learns from: binned rows, a loss of their scores, and what is held out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from rankwright.base import check_weights, validate_features
from rankwright.data import PreferencePairs, group_of_row
from rankwright.metrics.kendall import SHORT_LIST, count_pairs
from rankwright.trees.binning import Bins, bin_features
from rankwright.trees.boosted.losses import Flags, Floats, GradedRows, Ints, Loss, listed_pairs
from rankwright.trees.categories import encode_categories, find_categories
from rankwright.trees.rows import read_rows

__all__ = ["HoldOut", "Problem", "read_graded", "read_pairs"]

# With fewer groups than this, some rows of each are held out, not whole groups.
FEW_GROUPS = 10
# Of a group with fewer rows than this, none is held out: too few would be left to learn from.
FEW_ROWS = 5


@dataclass(frozen=True)
class HoldOut:
    """How large a part of the units to hold out, and the dice to choose it."""

    fraction: float
    random: np.random.RandomState

    def choose(self, candidates: Ints) -> Ints:
        """Return some of the candidates, all but one at most."""
        wanted = round(self.fraction * candidates.size)
        size = min(max(wanted, 1), candidates.size - 1)
        chosen: Ints = self.random.permutation(candidates)[: max(size, 0)]
        return chosen


@dataclass(frozen=True)
class Problem:
    """Rows and a loss; units of the loss (groups, or listed pairs) may be held out.

    ``X`` and ``bins`` have the rows in one order, that of the loss. ``judge`` scores the scores by
    what is held out, and is None if nothing is.
    """

    X: Any
    bins: Bins
    categories: dict[int, list[Any]]
    loss: Loss
    unit_of_row: Ints | None  # None where a row belongs to several units: listed pairs
    unseen: Flags  # for each unit of the loss: held out, or without an order
    judge: Callable[[Floats], float] | None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.bins.codes.shape[1])


@dataclass(frozen=True)
class HeldOutGroups:
    """Groups that no tree sees, long ones in parts: every c-th row by y, from each of the first c.

    Tau of such parts is that of the group but for chance, and short lists are counted by a kernel
    that compiles at once.
    """

    y: Floats
    rows: Ints
    offsets: Ints  # of the parts
    shares: Floats  # of a part in its group

    def __call__(self, scores: Floats) -> float:
        """Return the mean Kendall tau-b over the groups."""
        tau = count_pairs(self.y, scores[self.rows], self.offsets).tau_b()
        return float(np.average(tau, weights=self.shares))


@dataclass(frozen=True)
class HeldOutPairs:
    """Listed pairs that no tree sees."""

    better: Ints
    worse: Ints
    weights: Floats

    def __call__(self, scores: Floats) -> float:
        """Return the weight of the pairs in order, less that of those that are not."""
        signs = np.sign(scores[self.better] - scores[self.worse])
        return float(np.average(signs, weights=self.weights))


def read_graded(
    ranker: BaseEstimator,
    X: Any,
    y: Any,
    groups: Any,
    sample_weight: Any,
    make_loss: Callable[[GradedRows], Loss],
    hold_out: HoldOut | None,
) -> Problem:
    """Read rows with grades, sort them by group and grade, and hold out groups."""
    data = read_rows(ranker, X, y, groups, sample_weight=sample_weight, max_bins=ranker.max_bins)
    target = data.labels.values[data.labels.codes]
    offsets = data.labels.offsets
    group = group_of_row(np.array([0, target.size]) if offsets is None else offsets)
    held = np.zeros(int(group[-1]) + 1, dtype=np.bool_)
    if hold_out is not None:
        group, held = _hold_out_groups(target, group, held, hold_out)
    order = np.lexsort((target, group))
    group, target = group[order], target[order]
    offsets = np.searchsorted(group, np.arange(held.size + 1))
    # Sorted by y: the first and the last grade of a group tell whether it has an order.
    has_order = target[offsets[:-1]] < target[offsets[1:] - 1]
    weights = None if data.weights is None else data.weights[order]
    for column in data.bins.codes:
        column[:] = column[order]
    return Problem(
        data.X[order] if ranker.warm_start else None,
        data.bins,
        data.categories,
        make_loss(GradedRows(target, offsets, weights)),
        group,
        held | ~has_order,
        _judge_groups(target, offsets, held & has_order),
    )


def _hold_out_groups(y: Floats, group: Ints, held: Flags, hold_out: HoldOut) -> tuple[Ints, Flags]:
    """Hold out whole groups that have an order, or rows of each where groups are few."""
    offsets = np.searchsorted(group, np.arange(held.size + 1))[:-1]
    ordered = np.minimum.reduceat(y, offsets) < np.maximum.reduceat(y, offsets)
    if np.count_nonzero(ordered) >= FEW_GROUPS:
        held[hold_out.choose(np.flatnonzero(ordered))] = True
        return group, held
    moved = group.copy()
    for g in range(held.size):
        rows = np.flatnonzero(group == g)
        if rows.size >= FEW_ROWS:
            moved[hold_out.choose(rows)] += held.size
    numbers, moved = np.unique(moved, return_inverse=True)
    return moved, numbers >= held.size


def _judge_groups(y: Floats, offsets: Ints, held: Flags) -> HeldOutGroups | None:
    """Return the judge of the groups held out; rows are sorted by y within groups."""
    parts: list[Ints] = []
    shares: list[float] = []
    for g in np.flatnonzero(held):
        own = np.arange(offsets[g], offsets[g + 1])
        n_parts = -(-own.size // SHORT_LIST)
        parts += [own[first::n_parts] for first in range(n_parts)]
        shares += n_parts * [1.0 / n_parts]
    if not parts:
        return None
    rows = np.concatenate(parts)
    ends = np.append(0, np.cumsum([part.size for part in parts]))
    return HeldOutGroups(y[rows], rows, ends, np.array(shares))


def read_pairs(
    ranker: BaseEstimator,
    X: Any,
    pairs: PreferencePairs,
    sample_weight: Any,
    hold_out: HoldOut | None,
) -> Problem:
    """Read items and the pairs of them that were compared, and hold out pairs."""
    categories = find_categories(X, ranker.categorical_features)
    valid = validate_features(
        ranker, encode_categories(X, categories), dtype=np.float64, order="C",
        ensure_all_finite="allow-nan", accept_sparse="csr",
    )  # fmt: skip
    better, worse = pairs.rows_of(X if hasattr(X, "shape") else valid)
    weights = np.ones(better.size) if pairs.weights is None else pairs.weights
    if sample_weight is not None:
        of_item = check_weights(sample_weight, valid)
        weights = weights * of_item[better] * of_item[worse]
    loss = listed_pairs(better, worse, weights, valid.shape[0])
    held = np.zeros(weights.size, dtype=np.bool_)
    judge = None
    if hold_out is not None:
        held[hold_out.choose(np.flatnonzero(weights > 0))] = True
        judge = HeldOutPairs(better[held], worse[held], weights[held]) if held.any() else None
    categorical = np.isin(np.arange(valid.shape[1]), list(categories))
    bins = bin_features(valid, categorical, ranker.max_bins)
    return Problem(valid, bins, categories, loss, None, held, judge)
