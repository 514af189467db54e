"""Fit a ranker on rows that lie in partitions."""

import warnings
from collections.abc import Callable
from typing import Any

from distributed import Client

from rankwright.cluster.connection import Cluster
from rankwright.cluster.forests import TREE_ROWS, fit_forest, fit_whole
from rankwright.cluster.frames import Table
from rankwright.cluster.linear import Progress, fit_by_sums, fit_by_triangles
from rankwright.linear import (
    ExpectedRankRegressor,
    LeastSquaresRanker,
    PairwiseRanker,
    PlackettLuceRanker,
)
from rankwright.trees import BoostedOrdinal, BoostedRanker, OrdinalForest, RankingForest

__all__ = ["fit"]

SUMS = (PairwiseRanker, PlackettLuceRanker)
TRIANGLES = (ExpectedRankRegressor, LeastSquaresRanker)
FORESTS = (OrdinalForest, RankingForest)
BOOSTERS = (BoostedOrdinal, BoostedRanker)

WAYS: dict[type, Callable[..., None]] = {
    **dict.fromkeys(SUMS, fit_by_sums),
    **dict.fromkeys(TRIANGLES, fit_by_triangles),
    **dict.fromkeys(FORESTS, fit_forest),
    **dict.fromkeys(BOOSTERS, fit_whole),
}


def fit(
    ranker: Any,
    X: Any,
    y: Any,
    groups: Any = None,
    *,
    sample_weight: Any = None,
    tree_rows: str = "all",
    client: Client | None = None,
    progress: Progress | None = None,
) -> Any:
    """Fit a ranker on partitioned rows, to find what ``ranker.fit`` finds on one machine.

    Linear rankers: workers hold the partitions and return sums, and the optimum is that of one
    machine up to rounding. Forests: workers grow trees, by default the same ones
    (see ``tree_rows``). Boosted rankers: one worker fits them.

    Parameters
    ----------
    ranker : PairwiseRanker, PlackettLuceRanker, ExpectedRankRegressor, LeastSquaresRanker, \
RankingForest, OrdinalForest, BoostedRanker or BoostedOrdinal
        With its parameters; this object is fitted.
    X : Dask DataFrame
    y : Dask Series
        Larger is better. Like ``groups``, from the frame that ``X`` comes from.
    groups : Dask Series, optional
        Group id of each row. It is checked that every group is in one partition; otherwise the
        rows are shuffled by group once, with a warning that says how many. Without groups, all
        rows are one group and have to fit a worker (not for least squares on scores).
    sample_weight : Dask Series, optional
        Weights of the rows.
    tree_rows : {"all", "partition"}
        For forests. ``"all"``: all rows are brought to every worker, and the forest is bit by bit
        that of one machine. ``"partition"``: each tree grows on the bootstrap sample of one
        partition, for rows that do not fit a worker; `docs/scale.md` says what that costs.
    client : distributed.Client, optional
        By default the current one.
    progress : callable, optional
        Called with what is counted, how many are done, and how many there are (None if nobody
        knows): partitions read, evaluations of the objective, batches of trees.

    Returns
    -------
    ranker
        The same object, fitted.

    Examples
    --------
    >>> import dask.dataframe as dd
    >>> import pandas as pd
    >>> import rankwright as rw
    >>> frame = pd.DataFrame({"zoom": [3.0, 9.0, 6.0, 2.0], "y": [1, 3, 2, 1], "shop": [*"aabb"]})
    >>> rows, ranker = dd.from_pandas(frame, npartitions=2), rw.PairwiseRanker()
    >>> with rw.cluster.connect(processes=False, n_workers=1, dashboard_address=None):
    ...     ranker = rw.cluster.fit(ranker, rows[["zoom"]], rows["y"], rows["shop"])
    >>> ranker.rank(frame[["zoom"]], frame["shop"])
    array([2., 1., 1., 2.])
    """
    way = _way(ranker, tree_rows)
    ranker._check_parameters()
    table = Table.of(X, y, groups, sample_weight)
    arguments = (tree_rows,) if way is fit_forest else ()
    with Cluster(client) as cluster:
        way(cluster, ranker, table, progress or _silent, *arguments)
    return ranker


def _way(ranker: Any, tree_rows: str) -> Callable[..., None]:
    if isinstance(ranker, type):
        raise ValueError(f"ranker is the class {ranker.__name__}; give one: {ranker.__name__}()")
    kind = type(ranker)
    if kind not in WAYS:
        known = ", ".join(sorted(one.__name__ for one in WAYS))
        raise ValueError(
            f"{kind.__name__} can't be fitted in partitions; choose from {known}, or fit it on one "
            "machine (a scaler's means and deviations: X.mean().compute(), X.std().compute())"
        )
    if getattr(ranker, "regressor", None) is not None:
        raise ValueError(
            f"regressor={ranker.regressor!r} can't be fitted in partitions; leave it out for least "
            "squares, or fit it on one machine"
        )
    if tree_rows not in TREE_ROWS:
        raise ValueError(f"tree_rows={tree_rows!r}; choose from {list(TREE_ROWS)}")
    if tree_rows != "all" and kind not in FORESTS:
        raise ValueError(
            f"tree_rows={tree_rows!r} is for forests, and {kind.__name__} is none; leave it out"
        )
    if getattr(ranker, "alpha", None) == 0:
        warnings.warn(
            "alpha=0: whether an unpenalised minimum exists is not checked on a cluster; set "
            "alpha > 0 if the scores may order every pair correctly",
            stacklevel=3,
        )
    return WAYS[kind]


def _silent(what: str, done: int, total: int | None) -> None:
    """Show no progress."""
