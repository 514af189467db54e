"""Metrics of partitioned rankings, group by group."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from dask import delayed
from distributed import Client

from rankwright.cluster.connection import Cluster
from rankwright.cluster.frames import TARGET, Table
from rankwright.cluster.groups import with_whole_groups
from rankwright.cluster.scoring import predict
from rankwright.cluster.sums import combine_tree
from rankwright.metrics import Measure, UndefinedMetricError

__all__ = ["evaluate"]

# Of the groups in which a metric is defined: how many, their mean, and the sum of their squared
# deviations from it; and how many groups have none.
Moments = tuple[float, float, float, int]


def evaluate(
    ranker: Any,
    X: Any,
    y: Any,
    groups: Any = None,
    *,
    metrics: Sequence[str] = ("kendall_tau",),
    client: Client | None = None,
) -> pd.DataFrame:
    """Return metrics averaged over groups, computed partition by partition.

    Parameters
    ----------
    ranker : fitted ranker, pipeline or search
        What is judged.
    X : Dask DataFrame
    y : Dask Series
        Larger is better.
    groups : Dask Series, optional
        Without them all rows are one group, which has to fit a worker.
    metrics : sequence of str
        As in `rankwright.metrics.evaluate`: ``"auc"``, ``"ndcg(gains=exponential)@10"``.
    client : distributed.Client, optional
        By default the current one.

    Returns
    -------
    DataFrame
        Indexed by metric: ``mean`` over the groups in which it is defined, its ``standard_error``
        (of groups drawn at random; NaN for a single one), ``groups`` and ``undefined``, how many of
        both kinds there are.

    Examples
    --------
    >>> import dask.dataframe as dd
    >>> import pandas as pd
    >>> import rankwright as rw
    >>> frame = pd.DataFrame({"zoom": [3.0, 9.0, 6.0, 5.0], "y": [0, 1, 1, 0], "shop": [*"aabb"]})
    >>> ranker = rw.LeastSquaresRanker().fit(frame[["zoom"]], frame["y"])
    >>> rows = dd.from_pandas(frame, npartitions=2)
    >>> with rw.cluster.connect(processes=False, n_workers=1, dashboard_address=None):
    ...     found = rw.cluster.evaluate(
    ...         ranker, rows[["zoom"]], rows["y"], rows["shop"], metrics=["auc"]
    ...     )
    >>> float(found.loc["auc", "mean"])
    1.0
    """
    measures = [Measure.read(name) for name in metrics]
    table = Table.of(predict(ranker, X).to_frame(), y, groups)
    with Cluster(client) as cluster:
        table = with_whole_groups(cluster, table)
        parts = cluster.client.compute(
            [
                delayed(partial(_moments, measures, table))(part, place)
                for place, part in enumerate(table.frame.to_delayed())
            ]
        )
        found = cluster.result(combine_tree(cluster, parts, _merge_all))
    names = [str(measure) for measure in measures]
    rows = {name: _summary(name, own) for name, own in zip(names, found, strict=True)}
    columns = ["mean", "standard_error", "groups", "undefined"]
    means = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    return means.astype({"groups": np.int64, "undefined": np.int64})


def _moments(
    measures: list[Measure], table: Table, partition: pd.DataFrame, place: int
) -> list[Moments]:
    if not len(partition):
        return [(0.0, 0.0, 0.0, 0)] * len(measures)
    own = table.rows(partition)
    scores, truth = own.X.iloc[:, 0].to_numpy(), partition[TARGET]
    labels = np.zeros(len(scores), dtype=np.int64) if own.groups is None else own.groups
    with table.told(place):
        found = [measure.by_group(truth, scores, labels).values for measure in measures]
    return [_of_values(values) for values in found]


def _of_values(values: Any) -> Moments:
    defined = values[~np.isnan(values)]
    if not defined.size:
        return 0.0, 0.0, 0.0, len(values)
    mean = float(defined.mean())
    return (
        float(defined.size),
        mean,
        float(((defined - mean) ** 2).sum()),
        len(values) - defined.size,
    )


def _merge_all(parts: list[list[Moments]]) -> list[Moments]:
    merged = parts[0]
    for more in parts[1:]:
        merged = [_merge(a, b) for a, b in zip(merged, more, strict=True)]
    return merged


def _merge(first: Moments, second: Moments) -> Moments:
    """Return the moments of both (Chan, Golub, LeVeque 1983)."""
    n, mean, squares, undefined = first
    m, other, more, lacking = second
    if not n + m:
        return 0.0, 0.0, 0.0, undefined + lacking
    shift = other - mean
    return (
        n + m,
        mean + shift * m / (n + m),
        squares + more + shift**2 * n * m / (n + m),
        undefined + lacking,
    )


def _summary(name: str, moments: Moments) -> tuple[float, float, float, int]:
    n, mean, squares, undefined = moments
    if not n:
        raise UndefinedMetricError(
            f"{name} is undefined in all {undefined} group(s); it needs groups with at least two "
            "different items (and both classes for auc)"
        )
    error = np.sqrt(squares / (n - 1) / n) if n > 1 else np.nan
    return mean, error, n, undefined
