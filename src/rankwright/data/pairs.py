"""Explicit preference pairs, and the transform that turns graded rows into pairs."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse

from rankwright.data.features import check_columns
from rankwright.data.float_range import check_weight_sizes
from rankwright.data.names import row_numbers
from rankwright.data.rows import group_rows
from rankwright.data.targets import check_target
from rankwright.data.vectors import as_numbers, weight_of_each

__all__ = ["PAIR_RULES", "PreferencePairs", "pairwise_transform"]


@dataclass(frozen=True, eq=False)
class PreferencePairs:
    """Pairs (better row, worse row) of an item table, given to ``fit(X, pairs)``.

    Parameters
    ----------
    better, worse : (n_pairs,) array
        Row numbers of ``X``, or names in the index of a pandas ``X``.
    weights : (n_pairs,) array, optional
        How much each pair counts; 1 by default. Zero is allowed, negative is not.
    tied : (n_pairs,) bool array, optional
        Pairs in which neither item is better, for ``leaderboard``; rankers refuse them.

    Examples
    --------
    Item 2 was preferred to item 0 twice, and item 1 to item 2 once:

    >>> import rankwright as rw
    >>> pairs = rw.PreferencePairs(better=[2, 1], worse=[0, 2], weights=[2, 1])
    >>> len(pairs)
    2
    """

    better: NDArray[Any]
    worse: NDArray[Any]
    weights: NDArray[np.float64] | None = None
    tied: NDArray[np.bool_] | None = None

    def __init__(
        self,
        better: ArrayLike,
        worse: ArrayLike,
        weights: ArrayLike | None = None,
        tied: ArrayLike | None = None,
    ) -> None:
        better, worse = _as_items(better, "better"), _as_items(worse, "worse")
        if better.ndim != 1 or better.shape != worse.shape:
            raise ValueError(
                f"better has shape {better.shape} and worse {worse.shape}; "
                "give two lists of row numbers (or item names) of the same length"
            )
        if len(better) == 0:
            raise ValueError("there are no pairs; give at least one (better, worse) pair")
        if np.any(better == worse):
            pair = int(np.argmax(better == worse))
            item = better[[pair]].tolist()[0]
            raise ValueError(f"pair {pair} compares item {item!r} with itself; remove it")
        object.__setattr__(self, "better", better)
        object.__setattr__(self, "worse", worse)
        if weights is not None:
            weights = weight_of_each("weights", weights, len(better), "pair")
            check_weight_sizes("weights", weights, "pair")
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "tied", _check_tied(tied, len(better)))

    def __len__(self) -> int:
        return len(self.better)

    def rows_of(self, X: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the row numbers of the better and of the worse items in ``X``."""
        if self.tied is not None and self.tied.any():
            raise ValueError(
                f"pair {int(self.tied.argmax())} is tied; rankers learn from pairs of a better and "
                "a worse item, so leave tied ones out"
            )
        return row_numbers(X, self.better, "better"), row_numbers(X, self.worse, "worse")


def _as_items(items: ArrayLike, name: str) -> NDArray[Any]:
    try:
        found = np.asarray(items)
    except ValueError as error:
        raise ValueError(
            f"{name} holds lists; give one row number or name for each pair"
        ) from error
    missing = pd.isna(found)
    if np.any(missing):
        pair = int(np.argmax(missing))
        raise ValueError(f"{name} has a missing value in pair {pair}; leave the pair out")
    return found


def _check_tied(tied: ArrayLike | None, n_pairs: int) -> NDArray[np.bool_] | None:
    if tied is None:
        return None
    values = np.asarray(tied)
    if values.dtype != bool or values.shape != (n_pairs,):
        raise ValueError(
            f"tied has shape {values.shape} and type {values.dtype}; give True or False for each "
            "pair"
        )
    return values


PAIR_RULES = ("all", "adjacent")


def pairwise_transform(
    X: ArrayLike, y: ArrayLike, groups: ArrayLike | None = None, *, pairs: str = "all"
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Turn rows into differences of rows and the signs of their preference.

    For rows i, k of one group with different ``y``: ``x_i - x_k`` and the sign of ``y_i - y_k``,
    with the order alternated so that both signs are equally frequent. Any linear classifier
    without intercept on the result is a ranker. The result has a row for every pair; the linear
    rankers of this package reach the same optimum without building it.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
        Larger is better.
    groups : (n,) array, optional
        Rows of different groups are never compared.
    pairs : {"all", "adjacent"}
        All pairs with different ``y``, or only those of neighbouring distinct values of ``y``.

    Returns
    -------
    differences : (n_pairs, d) float64
    signs : (n_pairs,) int64
        1 or -1.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.pairwise_transform([[1.0], [4.0], [9.0]], [0, 1, 2])
    (array([[ 3.],
           [-8.],
           [ 5.]]), array([ 1, -1,  1]))
    """
    if pairs not in PAIR_RULES:
        raise ValueError(f"pairs={pairs!r}; choose from {sorted(PAIR_RULES)}")
    matrix = _as_matrix(X)
    better, worse = _list_pairs(check_target(y, len(matrix)), groups, pairs)
    signs = np.where(np.arange(len(better)) % 2 == 0, 1, -1)
    return signs[:, None] * (matrix[better] - matrix[worse]), signs


def _as_matrix(X: Any) -> NDArray[np.float64]:
    if issparse(X):
        raise ValueError("X is sparse; give X.toarray(), or fit PairwiseRanker, which takes it")
    check_columns(X)
    matrix = as_numbers("X", np.asarray(X), "encode its text as numbers")
    if matrix.ndim != 2:
        raise ValueError(f"X has shape {matrix.shape}; give one row of features for each item")
    finite = np.isfinite(matrix)
    if not finite.all():
        row, column = np.unravel_index(int(np.argmin(finite)), matrix.shape)
        raise ValueError(
            f"X is {matrix[row, column]} in row {row}, column {column}; remove such rows or give "
            "them a value"
        )
    return matrix


def _list_pairs(
    y: NDArray[np.float64], groups: ArrayLike | None, pairs: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    grouping = group_rows(groups, len(y))
    group_of_row = grouping.group_of_row
    worst_first = np.lexsort((grouping.sort(y), group_of_row))
    level = grouping.sort(y)[worst_first]
    # A run is the rows of one group with equal y; the partners of a row begin after its own run.
    new_run = np.r_[True, (level[1:] != level[:-1]) | (group_of_row[1:] != group_of_row[:-1])]
    run = np.cumsum(new_run) - 1
    run_ends = np.append(np.flatnonzero(new_run)[1:], len(y))
    begin = run_ends[run]
    end = grouping.offsets[group_of_row + 1]
    if pairs == "adjacent":
        next_run = np.minimum(run + 1, len(run_ends) - 1)
        end = np.minimum(end, run_ends[next_run])
    count = end - begin
    place = np.repeat(np.arange(len(y)), count)
    partner = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count - begin, count)
    row = worst_first if grouping.order is None else grouping.order[worst_first]
    return row[partner], row[place]
