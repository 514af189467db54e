"""Regression on grades: rules that turn them into targets, larger is better, and the fit."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.data import Grouping, Rows, mean_places
from rankwright.data.levels import sort_levels

__all__ = ["TARGETS", "expected_rank_target", "regress"]

Floats = NDArray[np.float64]


def expected_rank_target(rows: Rows) -> Floats:
    """Return 1 - r/(n_j + 1) for the item at position r of a ranking of n_j items.

    Paper 1, expected rank regression: when n_j of all items are drawn at random, r/(n_j + 1) is
    the expected place of the item among all, as a fraction. Tied items share the mean position,
    and an item of weight w counts as w items.
    """
    weights = np.ones(len(rows.y)) if rows.weights is None else rows.weights
    place = mean_places(rows.y, Grouping(rows.offsets, None, rows.labels), weights)
    length = np.add.reduceat(weights, rows.offsets[:-1])
    return 1.0 - place / (np.repeat(length, np.diff(rows.offsets)) + 1.0)


def score_target(rows: Rows, counted: NDArray[np.bool_]) -> Floats:
    """Return y itself (LS1 of paper 5)."""
    return rows.y


def rank_target(rows: Rows, counted: NDArray[np.bool_]) -> Floats:
    """Return how many rows, of those counted and of any group, have a smaller y (LS2)."""
    return np.searchsorted(np.sort(rows.y[counted]), rows.y).astype(np.float64)


def group_rank_target(rows: Rows, counted: NDArray[np.bool_]) -> Floats:
    """Return how many rows of the same group have a smaller y (LS3)."""
    levels = sort_levels(rows.y, rows.offsets)
    below = levels.offsets[levels.of_row] - np.repeat(rows.offsets[:-1], np.diff(rows.offsets))
    target = np.empty(rows.y.size)
    target[levels.order] = below
    return target


TARGETS = {"group_rank": group_rank_target, "rank": rank_target, "score": score_target}


def regress(regressor: Any, rows: Rows, target: Floats, weights: Floats | None) -> Any:
    """Fit a regressor to the target; weights only reach regressors when there are any."""
    return regressor.fit(rows.X, target, **({} if weights is None else {"sample_weight": weights}))
