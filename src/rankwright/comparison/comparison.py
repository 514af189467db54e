"""Rankers beside each other on the same held-out lists."""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import GroupKFold, KFold

from rankwright.base import as_graded, scores_of
from rankwright.comparison.fitting import fit_with_groups
from rankwright.data import as_frame, as_labels, check_target, group_rows, take_rows
from rankwright.metrics import GroupValues, Measure, holm, paired_test
from rankwright.metrics.significance import LEVEL

__all__ = ["Comparison", "RankerResult", "compare"]


@dataclass(frozen=True, eq=False)
class RankerResult:
    """How one ranker did on the held-out lists.

    Attributes
    ----------
    name : str
    values : (n_lists,) array
        The metric on each held-out list: a group, or a fold where there are no groups. NaN where
        it is undefined or was not reached, and on all lists if a fit failed.
    seconds : float
        Mean time of a fit.
    failure : str or None
        Why the ranker could not be fitted in some fold.
    """

    name: str
    values: NDArray[np.float64]
    seconds: float
    failure: str | None = None

    @property
    def mean(self) -> float:
        """The mean over the lists."""
        return _mean(self.values)

    @property
    def standard_error(self) -> float:
        """The standard error of the mean, from the spread over lists."""
        return _standard_error(self.values)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several rankers under the same cross-validation.

    Attributes
    ----------
    metric : str
        With its options, such as ``ndcg(gains=linear)@10``.
    lists : tuple of str
        The held-out lists, in the order of ``RankerResult.values``.
    results : tuple of RankerResult
        The best mean first, failures last.
    interrupted : bool
        Whether it was stopped before the last fold; then the means are over fewer lists.

    Examples
    --------
    >>> import rankwright as rw
    >>> data = rw.datasets.load_camera_ratings()
    >>> rankers = {"linear": rw.ExpectedRankRegressor()}
    >>> result = rw.compare(rankers, data.X, data.y, data.groups, n_folds=2)
    >>> result.metric, [one.name for one in result.results], result.interrupted
    ('kendall_tau', ['linear'], False)
    """

    metric: str
    lists: tuple[str, ...]
    results: tuple[RankerResult, ...]
    interrupted: bool

    @property
    def alike(self) -> list[str]:
        """The rankers that can't be told from the best: p of the difference is 0.05 or more."""
        p_best = self.table()["p_best"]
        return [str(name) for name in p_best.index[p_best >= LEVEL]]

    @property
    def lists_needed(self) -> int:
        """How many lists the test of all pairs needs before it can find any difference.

        However large a difference is, coins fall like the signs of n lists with probability
        2^(1-n), which is adjusted for the number of pairs.
        """
        n_fitted = sum(result.failure is None for result in self.results)
        return math.floor(1 + math.log2(max(math.comb(n_fitted, 2), 1) / LEVEL)) + 1

    def table(self) -> pd.DataFrame:
        """Return mean, standard error and the paired difference to the best, by ranker.

        ``p_best`` is the p-value of that difference by the randomisation test, adjusted as in
        :meth:`tests`: above 0.05 a ranker can't be told from the best. NaN for the best itself.
        """
        best = self.results[0]
        adjusted = self.tests()["p_holm"].to_dict()
        return pd.DataFrame(
            {
                "mean": [result.mean for result in self.results],
                "standard_error": [result.standard_error for result in self.results],
                "to_best": [_mean(result.values - best.values) for result in self.results],
                "to_best_error": [
                    _standard_error(result.values - best.values) for result in self.results
                ],
                "p_best": [
                    adjusted.get((best.name, result.name), np.nan) for result in self.results
                ],
                "lists": [int(np.isfinite(result.values).sum()) for result in self.results],
                "seconds": [result.seconds for result in self.results],
            },
            index=pd.Index([result.name for result in self.results], name="ranker"),
        )

    def tests(self) -> pd.DataFrame:
        """Test every pair of rankers on the lists that both have a value on.

        Which ranker is best is seen in the same data, so p-values are adjusted (Holm) for all pairs
        and not only for those with the best.

        Returns
        -------
        DataFrame
            By ``better`` and ``worse`` ranker: the mean ``difference``, ``p`` of the randomisation
            test and ``p_wilcoxon`` of Wilcoxon's, ``p_holm`` and ``p_wilcoxon_holm`` adjusted for
            the number of pairs, ``detectable``, the least true difference that one such test would
            find in four of five cases at 5%, and the number of ``lists``.
        """
        fitted = [result for result in self.results if result.failure is None]
        pairs = list(combinations(fitted, 2))
        tests = [paired_test(one.values - other.values) for one, other in pairs]
        frame = pd.DataFrame(
            {
                "difference": [test.effect for test in tests],
                "p": [test.p_randomisation for test in tests],
                "p_holm": holm([test.p_randomisation for test in tests]),
                "p_wilcoxon": [test.p_wilcoxon for test in tests],
                "p_wilcoxon_holm": holm([test.p_wilcoxon for test in tests]),
                "detectable": [test.detectable for test in tests],
                "lists": [test.n for test in tests],
            }
        )
        names = [(one.name, other.name) for one, other in pairs]
        return frame.set_index(pd.MultiIndex.from_tuples(names, names=["better", "worse"]))


def compare(
    rankers: Mapping[str, BaseEstimator],
    X: Any,
    y: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    metric: str = "kendall_tau",
    n_folds: int = 5,
    random_state: int = 0,
    progress: Callable[[str, int, int], None] | None = None,
) -> Comparison:
    """Cross-validate rankers on the same folds: whole groups are held out, never parts of them.

    Without groups the rows are shuffled into folds, and each fold is one list. Stopped by the
    keyboard it returns what was found so far.

    Parameters
    ----------
    rankers : mapping of str to model
        Rankers, pipelines, searches, and other models of scikit-learn's kind, ranked by their
        ``decision_function``, by their probability of the second of two classes, or else by what
        they predict. Unfitted; each is cloned for every fold. Those that have no use for groups
        are fitted without.
    X : (n, d) frame, array or sparse matrix, or Rankings
        With ``Rankings``, ``y`` and ``groups`` come from the orders.
    y : (n,) array
        Larger is better.
    groups : (n,) array, optional
        Group id of each row; without it all rows are one group.
    metric : str, default="kendall_tau"
        The name of a metric of ``rw.metrics``, or the notation of a `rankwright.metrics.Measure`,
        such as ``"ndcg(gains=exponential)@10"``.
    n_folds : int, default=5
        At most as many as there are groups.
    random_state : int, default=0
        Shuffles rows into folds where there are no groups.
    progress : callable, optional
        Called with the ranker's name, the fits done and their total.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import rankwright as rw
    >>> from sklearn.dummy import DummyRegressor
    >>> data = rw.datasets.load_camera_ratings()
    >>> rankers = {
    ...     "constant": rw.ExpectedRankRegressor(DummyRegressor()),
    ...     "linear": rw.ExpectedRankRegressor(),
    ... }
    >>> result = rw.compare(rankers, data.X, data.y, data.groups)
    >>> result.table()["mean"].round(2).to_dict()
    {'linear': 0.79, 'constant': 0.0}
    """
    if not isinstance(rankers, Mapping):
        raise ValueError(
            f"rankers is a {type(rankers).__name__}; give a mapping of names to rankers, "
            'such as {"linear": rw.PairwiseRanker()}'
        )
    if not rankers:
        raise ValueError("rankers is empty; give at least one")
    X, y, groups = as_graded(X, y, groups)
    rows = _rows(X)
    if np.ndim(rows) == 0:
        raise ValueError(f"X has shape {np.shape(rows)}; give one row of features for each item")
    if y is None:
        raise ValueError("y is None; give y (larger is better) or a Rankings object")
    target = check_target(y, rows.shape[0])
    measure = Measure.read(metric)
    labels = None if groups is None else as_labels(groups, len(target))
    splits, lists = _splits(len(target), labels, n_folds, random_state)
    problem = _Problem(rows, target, labels, lists, measure)
    runs = {name: _Run(ranker, len(problem.labels)) for name, ranker in rankers.items()}
    jobs = [(name, train, test) for train, test in splits for name in rankers]
    interrupted = False
    fits = (
        delayed(_hold_out)(name, runs[name].ranker, problem, train, test)
        for name, train, test in _announced(jobs, progress)
        if runs[name].failure is None
    )
    try:
        # One after the other, unless the caller has chosen another backend of joblib's.
        for held_out in Parallel(return_as="generator")(fits):
            runs[held_out.name].take(held_out, problem)
    except KeyboardInterrupt:
        interrupted = True
    results = [run.result(name) for name, run in runs.items()]
    ordered = sorted(results, key=_place)
    return Comparison(str(measure), tuple(map(str, problem.labels)), tuple(ordered), interrupted)


def _place(result: RankerResult) -> tuple[bool, bool, float]:
    return result.failure is not None, np.isnan(result.mean), -result.mean


@dataclass(frozen=True, eq=False)
class _Problem:
    X: Any  # a frame, an array or a CSR matrix
    y: NDArray[np.float64]
    groups: NDArray[Any] | None
    lists: NDArray[Any]  # the group of each row, or its fold
    measure: Measure

    def rows(self, numbers: Any) -> Any:
        return take_rows(self.X, numbers)

    @cached_property
    def labels(self) -> NDArray[Any]:
        return np.unique(self.lists)


class _Run:
    """What one ranker has done so far."""

    def __init__(self, ranker: BaseEstimator, n_lists: int) -> None:
        self.ranker = ranker
        self.values = np.full(n_lists, np.nan)
        self.seconds: list[float] = []
        self.failure: str | None = None

    def take(self, held_out: "_HeldOut", problem: _Problem) -> None:
        """Keep what was measured on the lists that were held out."""
        self.failure = self.failure or held_out.failure
        if held_out.found is not None:
            self.seconds.append(held_out.seconds)
            found = held_out.found
            self.values[np.searchsorted(problem.labels, found.labels)] = found.values

    def result(self, name: str) -> RankerResult:
        # On the lists before a failure it can't be compared with rankers that have them all.
        values = self.values if self.failure is None else np.full_like(self.values, np.nan)
        return RankerResult(name, values, _mean(np.array(self.seconds)), self.failure)


@dataclass(frozen=True)
class _HeldOut:
    """One ranker on one fold."""

    name: str
    seconds: float
    found: GroupValues | None
    failure: str | None = None


def _hold_out(
    name: str, ranker: BaseEstimator, problem: _Problem, train: Any, test: Any
) -> _HeldOut:
    """Fit on the training rows and measure on the lists of the test rows."""
    groups = None if problem.groups is None else problem.groups[train]
    started = time.perf_counter()
    try:
        fitted = fit_with_groups(clone(ranker), problem.rows(train), problem.y[train], groups)
        scores = scores_of(fitted, problem.rows(test))
        if not np.isfinite(scores).all():
            raise ValueError("its scores are not all finite")
    except Exception as error:  # whatever a foreign model raises is that model's failure
        return _HeldOut(name, np.nan, None, str(error) or type(error).__name__)
    seconds = time.perf_counter() - started
    found = problem.measure.by_group(problem.y[test], scores, problem.lists[test])
    return _HeldOut(name, seconds, found)


def _announced(
    jobs: list[tuple[str, Any, Any]], progress: Callable[[str, int, int], None] | None
) -> Iterator[tuple[str, Any, Any]]:
    for done, job in enumerate(jobs):
        if progress is not None:
            progress(job[0], done, len(jobs))
        yield job


def _rows(X: Any) -> Any:
    """Return a frame, or anything else in a form whose rows can be taken out."""
    X = as_frame(X)
    if isinstance(X, pd.DataFrame):
        return X
    return X.tocsr() if hasattr(X, "tocsr") else np.asarray(X)


def _splits(
    n_rows: int, groups: NDArray[Any] | None, n_folds: int, random_state: int
) -> tuple[list[tuple[Any, Any]], NDArray[Any]]:
    """Return training and test rows of each fold, and the list that each row is held out in."""
    if n_folds < 2:
        raise ValueError(f"n_folds={n_folds!r}; give at least 2")
    if groups is not None and len(names := group_rows(groups, n_rows).labels) > 1:
        splitter = GroupKFold(min(n_folds, len(names)))
        return list(splitter.split(np.empty(n_rows), groups=groups)), groups
    if n_rows < 2 * n_folds:
        raise ValueError(
            f"{n_rows} rows are too few for {n_folds} folds of at least two; use fewer folds"
        )
    shuffled = KFold(n_folds, shuffle=True, random_state=random_state)
    splits = list(shuffled.split(np.empty(n_rows)))
    lists = np.empty(n_rows, dtype=np.int64)
    for fold, (_, test) in enumerate(splits, start=1):
        lists[test] = fold
    return splits, lists


def _mean(values: NDArray[np.float64]) -> float:
    """Return the mean of what is there, NaN if nothing is."""
    return float(np.nanmean(values)) if np.isfinite(values).any() else np.nan


def _standard_error(values: NDArray[np.float64]) -> float:
    """Return the standard error of the mean of what is there; one value has none."""
    there = values[np.isfinite(values)]
    return float(there.std(ddof=1) / np.sqrt(len(there))) if len(there) > 1 else np.nan
