"""Items by tasks with scores: means of standardised scores or of ranks, tasks as the sample."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from rankwright.data.float_range import check_weight_sizes
from rankwright.data.observations import count
from rankwright.leaderboards.certainty import Certainty, Errors
from rankwright.leaderboards.few_clusters import ENOUGH_CLUSTERS, lifted, lifts
from rankwright.leaderboards.outcomes import FloatArray, IntArray

__all__ = ["AVERAGES", "ScoreTable", "average", "read_scores"]


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Scores of items in tasks; larger is better, NaN where an item did not take part.

    Attributes
    ----------
    items, tasks : list
    values : (items, tasks) array
    weights : (tasks,) array
    clusters : (tasks,) array
        Tasks with the same number belong together.
    notes : list of str
    """

    items: list[Hashable]
    tasks: list[str]
    values: FloatArray
    weights: FloatArray
    clusters: IntArray
    notes: list[str]

    @property
    def n_comparisons(self) -> float:
        """The number of scores."""
        return float((~np.isnan(self.values)).sum())

    @property
    def n_distinct(self) -> int:
        """The number of scores: they are not compressed."""
        return int(self.n_comparisons)

    def appearances(self) -> FloatArray:
        """Return the number of each item's tasks."""
        return np.asarray((~np.isnan(self.values)).sum(axis=1), dtype=np.float64)


def read_scores(
    frame: pd.DataFrame,
    smaller_is_better: bool | Sequence[str] = False,
    weights: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
) -> ScoreTable:
    """Read a frame with a row for each item and a column of scores for each task."""
    values = frame.to_numpy(dtype=np.float64, na_value=np.nan).copy()
    items, tasks = frame.index.tolist(), [str(name) for name in frame.columns]
    _check(values, items, tasks)
    smaller = tasks if smaller_is_better is True else list(smaller_is_better or [])
    if unknown := [name for name in smaller if name not in tasks]:
        raise ValueError(f"smaller_is_better names {unknown[0]!r}; the tasks are {tasks}")
    values[:, [name in smaller for name in tasks]] *= -1
    shares = np.ones(len(tasks)) if weights is None else np.asarray(weights, dtype=np.float64)
    if shares.shape != (len(tasks),) or not (np.isfinite(shares) & (shares >= 0)).all():
        raise ValueError(
            f"weights must be {len(tasks)} numbers that are not negative, one for each task"
        )
    check_weight_sizes("weights", shares, "task")
    groups = np.arange(len(tasks)) if cluster is None else pd.factorize(np.asarray(cluster))[0]
    if len(groups) != len(tasks):
        raise ValueError(f"cluster has {len(groups)} entries; give one for each of the tasks")
    notes = []
    constant = np.nanmin(values, axis=0) == np.nanmax(values, axis=0)
    if constant.any():
        same = count(int(constant.sum()), "task")
        notes.append(f"All items have the same score in {same}, which says nothing.")
    if np.isnan(values).any():
        notes.append(
            f"Missing: {count(int(np.isnan(values).sum()), 'score')}. An item's mean is over its "
            "own tasks, which is fair only if they are as hard as the others."
        )
    return ScoreTable(items, tasks, values, shares, groups, notes)


def _check(values: FloatArray, items: list[Hashable], tasks: list[str]) -> None:
    if len(items) < 2:
        raise ValueError(f"the table has {count(len(items), 'item')}; give at least two")
    if len(tasks) < 2:
        raise ValueError(
            f"the table has {count(len(tasks), 'task')}; it takes at least two to tell how certain "
            "ranks are"
        )
    if len(set(items)) < len(items):
        twice = next(item for item in items if items.count(item) > 1)
        raise ValueError(f"item {twice!r} has several rows; average or rename them")
    if np.isinf(values).any():
        raise ValueError("a score is infinite; leave the cell empty where there is none")
    for axis, names, what in ((1, items, "item"), (0, tasks, "task")):
        empty = np.isnan(values).all(axis=axis)
        if empty.any():
            raise ValueError(f"{what} {names[int(empty.argmax())]!r} has no score; leave it out")


def _standardised(values: FloatArray) -> FloatArray:
    # By a power of two, which changes no digit: the squares of any scores are floats then.
    exponent = np.frexp(np.nanmax(np.abs(values), axis=0))[1]
    values = np.ldexp(values, -exponent)
    spread = np.nanstd(values, axis=0)
    return np.asarray((values - np.nanmean(values, axis=0)) / np.where(spread > 0, spread, 1.0))


def _places(values: FloatArray) -> FloatArray:
    """Return by how many places an item is above the middle of the task."""
    middle = ((~np.isnan(values)).sum(axis=0) + 1) / 2
    return np.asarray(rankdata(values, axis=0, nan_policy="omit") - middle)


AVERAGES = {"mean_score": _standardised, "mean_rank": _places}


def average(
    table: ScoreTable, model: str, rng: np.random.Generator
) -> tuple[FloatArray, Certainty]:
    """Return the items' means and their covariance, tasks being drawn from many alike."""
    values = AVERAGES[model](table.values)
    weights = np.where(np.isnan(values), 0.0, table.weights)
    total = weights.sum(axis=1, keepdims=True)
    if (total == 0).any():
        item = table.items[int((total.ravel() == 0).argmax())]
        raise ValueError(f"item {item!r} has scores only in tasks of weight 0; leave it out")
    means = (weights * np.nan_to_num(values)).sum(axis=1) / total.ravel()
    deviations = weights * (np.nan_to_num(values) - means[:, None]) / total
    deviations -= deviations.mean(axis=0)
    n_clusters = int(table.clusters.max()) + 1
    if n_clusters < 2:
        raise ValueError(
            "all tasks are in one cluster; it takes at least two to tell how certain ranks are"
        )
    influence = np.zeros((n_clusters, len(means)))
    np.add.at(influence, table.clusters, deviations.T)
    covariance = influence.T @ influence * (n_clusters / (n_clusters - 1))
    found = Certainty(covariance, n_clusters - 1, Errors.CLUSTERED)
    return means - means.mean(), _lifted(found, values - means[:, None], weights, rng)


def _lifted(
    certainty: Certainty, deviations: FloatArray, weights: FloatArray, rng: np.random.Generator
) -> Certainty:
    """Raise variances of items that lack tasks and have few: they vary as those of all items do.

    The deviations of few scores from their own mean say little, that of a single one nothing.
    """
    there = ~np.isnan(deviations)
    n_tasks = there.sum(axis=1)
    few = (n_tasks < ENOUGH_CLUSTERS) & (n_tasks < there.shape[1])
    if not few.any():
        return certainty
    spread = np.nansum(deviations**2) / max((n_tasks - 1).sum(), 1)
    floor = np.diag(spread * (weights**2).sum(axis=1) / weights.sum(axis=1) ** 2)
    return lifted(certainty, lifts(certainty.covariance, floor, n_tasks, few), rng)
