"""Scores and positions of partitioned rows, lazily."""

from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
from dask import delayed
from distributed import Client

from rankwright.base import scores_of
from rankwright.cluster.connection import Cluster
from rankwright.cluster.frames import GROUP, ROW, Table, aligned, check_frame, in_columns, pinned
from rankwright.cluster.groups import check_groups, first_rows, number_rows
from rankwright.cluster.kept import Kept
from rankwright.data import positions

__all__ = ["predict", "rank"]

SCORE, POSITION = "score", "position"


def predict(ranker: Any, X: Any) -> Any:
    """Score partitioned rows, lazily: nothing is computed before the result is asked for.

    Parameters
    ----------
    ranker : fitted ranker, pipeline or search
        What scores the rows.
    X : Dask DataFrame

    Returns
    -------
    Dask Series
        Scores, larger is better, with the partitions and the index of ``X``. ``to_frame()`` and
        ``to_parquet(...)`` write them, partition by partition.

    Examples
    --------
    >>> import dask.dataframe as dd
    >>> import pandas as pd
    >>> import rankwright as rw
    >>> frame = pd.DataFrame({"zoom": [3.0, 9.0, 6.0]})
    >>> ranker = rw.LeastSquaresRanker().fit(frame, [3, 9, 6])
    >>> scores = rw.cluster.predict(ranker, dd.from_pandas(frame, npartitions=2))
    >>> scores.compute(scheduler="synchronous").round(6).tolist()
    [3.0, 9.0, 6.0]
    """
    check_frame(X)
    meta = pd.Series(dtype=np.float64, name=SCORE, index=X._meta.index)
    # As an argument of its own, the ranker is sent to a worker once, and not with each partition.
    return X.map_partitions(
        _scores, delayed(Kept(ranker)), list(X.columns), meta=meta, enforce_metadata=False
    )


def rank(ranker: Any, X: Any, groups: Any = None, *, client: Client | None = None) -> Any:
    """Rank partitioned rows inside their groups: 1 is best, ties share the mean position.

    The labels of the groups are looked through at once; scores and positions are computed when they
    are asked for. Groups that lie in several partitions are brought together by their scores alone,
    and their positions brought back.

    Parameters
    ----------
    ranker : fitted ranker, pipeline or search
        What scores the rows.
    X : Dask DataFrame
    groups : Dask Series, optional
        Without it all rows are one group.
    client : distributed.Client, optional
        By default the current one.

    Returns
    -------
    Dask Series
        Positions, with the partitions and the index of ``X``.

    Examples
    --------
    >>> import dask.dataframe as dd
    >>> import pandas as pd
    >>> import rankwright as rw
    >>> frame = pd.DataFrame({"zoom": [3.0, 9.0, 6.0, 5.0], "shop": [*"abab"]})
    >>> ranker = rw.LeastSquaresRanker().fit(frame[["zoom"]], [3, 9, 6, 5])
    >>> rows = dd.from_pandas(frame, npartitions=2)
    >>> with rw.cluster.connect(processes=False, n_workers=1, dashboard_address=None):
    ...     rw.cluster.rank(ranker, rows[["zoom"]], rows["shop"]).compute().tolist()
    [2.0, 1.0, 1.0, 2.0]
    """
    scores = pinned(predict(ranker, X))
    if groups is None:
        groups = scores.map_partitions(_one_group, meta=scores._meta.astype(np.int64))
        whole = X.npartitions == 1
    else:
        groups = pinned(aligned(X, groups, "groups"))
        with Cluster(client) as cluster:
            whole = not check_groups(cluster, groups).n_split
    placed = _placed_apart(scores, groups) if whole else _placed_together(scores, groups)
    return dd.map_partitions(
        _as_positions,
        scores,
        placed,
        meta=scores._meta.rename(POSITION),
        align_dataframes=False,
        enforce_metadata=False,
    )


PLACED = pd.DataFrame({ROW: [0], POSITION: [0.0]}).iloc[:0]


def _placed_apart(scores: Any, groups: Any) -> Any:
    """Rank the rows of each partition by themselves."""
    rows = number_rows(Table.of(scores.to_frame(), groups=groups).frame)
    return rows.map_partitions(_placed, meta=PLACED, enforce_metadata=False)


def _placed_together(scores: Any, groups: Any) -> Any:
    """Bring groups together by their scores alone, and their positions back to their rows."""
    rows = number_rows(Table.of(scores.to_frame(), groups=groups).frame)
    placed = rows.shuffle(on=GROUP, npartitions=scores.npartitions).map_partitions(
        _placed, meta=PLACED, enforce_metadata=False
    )
    return placed.set_index(ROW, divisions=first_rows(scores.npartitions))


def _scores(X: pd.DataFrame, ranker: Kept, names: list[Any]) -> pd.Series:
    """Score a partition; an error names it by the label of its first row."""
    if X.empty:
        return pd.Series(index=X.index, name=SCORE, dtype=np.float64)
    try:
        found = scores_of(ranker.value, in_columns(X, names))
    except ValueError as error:
        where = f"in the partition whose first row is {X.index[0]!r}"
        raise ValueError(f"{where}: {error}") from error
    return pd.Series(found, index=X.index, name=SCORE, dtype=np.float64)


def _one_group(scores: pd.Series) -> pd.Series:
    return pd.Series(0, index=scores.index)


def _placed(rows: pd.DataFrame) -> pd.DataFrame:
    found = positions(rows["x0"].to_numpy(), np.asarray(rows[GROUP])) if len(rows) else np.empty(0)
    return pd.DataFrame({ROW: rows[ROW], POSITION: found})


def _as_positions(scores: pd.Series, placed: pd.DataFrame) -> pd.Series:
    found = placed.sort_index()[POSITION].to_numpy()
    return pd.Series(found, index=scores.index, name=POSITION, dtype=np.float64)
