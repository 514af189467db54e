"""Forests whose trees grow on workers, and rankers that one worker fits whole.

A tree is grown from its seed and its rows alone, so it comes out the same wherever it grows. With
all rows on every worker that takes one, the forest is that of one machine, bit by bit. Where they
do not fit, each tree grows on the bootstrap sample of a single partition.
"""

from copy import copy
from functools import partial, reduce
from typing import Any

import numpy as np
import pandas as pd
from dask import delayed
from distributed import Future
from numpy.typing import NDArray

from rankwright.cluster.connection import Cluster
from rankwright.cluster.frames import NO_ROWS, TARGET, Table
from rankwright.cluster.groups import with_whole_groups
from rankwright.cluster.kept import Kept
from rankwright.cluster.linear import Progress
from rankwright.cluster.sums import combine_tree
from rankwright.trees.categories import find_categories, merge_categories
from rankwright.trees.rows import Shared

__all__ = ["TREE_ROWS", "fit_forest", "fit_whole"]

TREE_ROWS = ("all", "partition")
# The table as it was read, as numbers, and binned: about three times the numbers.
COPIES = 3
ROOM = 0.6  # share of a worker's memory that they may take
ROUNDS = 4  # tasks for each worker, so that nobody waits long for the last one

Grown = list[Any]


def fit_forest(
    cluster: Cluster, ranker: Any, table: Table, progress: Progress, tree_rows: str
) -> None:
    """Grow the trees of a forest on the workers."""
    if getattr(ranker, "warm_start", False):
        raise ValueError("warm_start=True adds trees on one machine only; set warm_start=False")
    by = {"all": _grow_on_all, "partition": _grow_on_partitions}[tree_rows]
    by(cluster, ranker, table, progress)


def fit_whole(cluster: Cluster, ranker: Any, table: Table, progress: Progress) -> None:
    """Let one worker fit a ranker to all rows, since each tree needs those before it."""
    rows = _gathered(cluster, table, "give one worker more memory, or learn from a sample of rows")
    progress("rankers fitted on one worker", 0, 1)
    fitted = cluster.result(cluster.client.submit(_fit, ranker, table, rows, pure=False))
    progress("rankers fitted on one worker", 1, 1)
    _take(ranker, fitted)


def _grow_on_all(cluster: Cluster, ranker: Any, table: Table, progress: Progress) -> None:
    remedy = "use tree_rows='partition', which grows each tree on one partition"
    rows = _gathered(cluster, table, remedy)
    read = cluster.client.submit(_read, ranker, table, rows, pure=False)
    seeds = ranker._draw_seeds()
    n_chunks = max(1, min(len(seeds), ROUNDS * cluster.n_workers))  # workers may all be away
    chunks = np.array_split(np.asarray(seeds), n_chunks)
    grown = [cluster.client.submit(_grow, read, chunk.tolist(), pure=False) for chunk in chunks]
    _wait(cluster, grown, progress)
    _take(ranker, cluster.result(cluster.client.submit(_finish, read, grown, seeds, pure=False)))


def _grow_on_partitions(cluster: Cluster, ranker: Any, table: Table, progress: Progress) -> None:
    if ranker.oob_score or getattr(ranker, "aggregation", None) == "kemeny":
        raise ValueError(
            "oob_score=True and aggregation='kemeny' compare trees on rows that all of them know; "
            "leave them out with tree_rows='partition'"
        )
    table = with_whole_groups(cluster, table) if table.has_groups else table
    partitions = table.frame.to_delayed()
    told = cluster.client.compute(
        [
            delayed(partial(_describe, ranker, table))(part, place)
            for place, part in enumerate(partitions)
        ]
    )
    n_labels = cluster.results(cluster.client.map(_n_labels, told, pure=False))
    if not any(n_labels):
        raise ValueError(NO_ROWS)
    # A partition in which all rows have one label has nothing to tell apart.
    usable = [place for place, found in enumerate(n_labels) if found > 1]
    if not usable:
        raise ValueError(
            "in every partition all y are equal; shuffle the rows, so that trees see several labels"
        )
    shared = combine_tree(cluster, told, partial(_merge, _label_order(table)))
    seeds = ranker._draw_seeds()
    # Trees share out the partitions evenly, whether there are more of those or of these.
    chosen = [usable[tree * len(usable) // len(seeds)] for tree in range(len(seeds))]
    grown = []
    for place in dict.fromkeys(chosen):
        own = [seed for seed, where in zip(seeds, chosen, strict=True) if where == place]
        task = delayed(partial(_grow_on_one, ranker, table))(partitions[place], shared, own)
        grown.append(cluster.client.compute(task))
    _wait(cluster, grown, progress)
    _take(ranker, cluster.result(cluster.client.submit(_join, grown, seeds, pure=False)))


def _gathered(cluster: Cluster, table: Table, remedy: str) -> list[Future]:
    """Return the partitions, if all of them fit one worker together."""
    partitions: list[Future] = cluster.client.compute(table.frame.to_delayed())
    n_rows = sum(cluster.results(cluster.client.map(len, partitions, pure=False)))
    needed, limit = COPIES * 8 * n_rows * len(table.names), cluster.memory
    if limit is not None and needed > ROOM * limit:
        raise ValueError(
            f"{n_rows:,} rows of {len(table.names)} features take about {needed / 1e9:.2g} GB "
            f"while trees grow, and the smallest worker has {limit / 1e9:.2g} GB; {remedy}"
        )
    return partitions


def _wait(cluster: Cluster, grown: list[Future], progress: Progress) -> None:
    sizes = cluster.client.map(len, grown, pure=False)
    cluster.results(sizes, lambda done: progress("batches of trees grown", done, len(sizes)))


def _take(ranker: Any, fitted: Any) -> None:
    """Give a ranker what its copy on a worker has learned."""
    parameters = ranker.get_params(deep=False)
    ranker._forget_fit()
    ranker.__dict__.update(
        {name: value for name, value in vars(fitted).items() if name not in parameters}
    )


def _together(table: Table, partitions: list[pd.DataFrame]) -> tuple[Any, Any, Any, Any]:
    filled = [part for part in partitions if len(part)]
    if not filled:
        raise ValueError(NO_ROWS)
    own = table.rows(pd.concat(filled, ignore_index=True))
    return own.X, own.y, own.groups, own.weights


def _fit(ranker: Any, table: Table, partitions: list[pd.DataFrame]) -> Any:
    X, y, groups, weights = _together(table, partitions)
    return copy(ranker).fit(X, y, groups, sample_weight=weights)


def _read(ranker: Any, table: Table, partitions: list[pd.DataFrame]) -> Kept:
    reader = copy(ranker)
    reader.n_jobs = 1  # workers have as many tasks at a time as they have threads
    return Kept((reader, reader._read_rows(*_together(table, partitions))))


def _grow(read: Kept, seeds: list[int]) -> Grown:
    ranker, data = read.value
    grown: Grown = ranker._grow(data, seeds)
    return grown


def _finish(read: Kept, grown: list[Grown], seeds: list[int]) -> Any:
    ranker, data = copy(read.value[0]), read.value[1]
    ranker._finish(data, [tree for some in grown for tree in some], seeds)
    return ranker


def _describe(ranker: Any, table: Table, partition: pd.DataFrame, place: int) -> Shared | None:
    if not table.counts(partition):
        return None
    own = table.rows(partition)
    with table.told(place):
        categories = find_categories(own.X, ranker.categorical_features)
        return Shared(categories, ranker._part_labels(own.y))


def _n_labels(found: Shared | None) -> int:
    return 0 if found is None else len(found.labels)


def _label_order(table: Table) -> list[Any]:
    """Return the order of an ordered categorical target, which its labels do not know."""
    dtype = table.frame[TARGET].dtype
    is_ordered = isinstance(dtype, pd.CategoricalDtype) and dtype.ordered
    return list(dtype.categories) if is_ordered else []


def _merge(order: list[Any], parts: list[Shared | None]) -> Shared | None:
    found = [part for part in parts if part is not None]
    if not found:
        return None
    labels: NDArray[Any] = np.unique(np.concatenate([part.labels for part in found]))
    if order and set(labels.tolist()) <= set(order):
        labels = np.array(sorted(labels.tolist(), key=order.index), dtype=labels.dtype)
    return Shared(reduce(merge_categories, (part.categories for part in found)), labels)


def _grow_on_one(
    ranker: Any, table: Table, partition: pd.DataFrame, shared: Shared, seeds: list[int]
) -> Grown:
    reader, own = copy(ranker), table.rows(partition)
    reader.n_jobs = 1
    data = reader._read_rows(own.X, own.y, own.groups, own.weights, shared)
    return [(reader, tree) for tree in reader._grow(data, seeds)]


def _join(grown: list[Grown], seeds: list[int]) -> Any:
    """Make one forest of the trees of several partitions."""
    pairs = [pair for some in grown for pair in some]
    ranker = copy(pairs[0][0])
    ranker.has_missing_ = np.any([reader.has_missing_ for reader, _ in pairs], axis=0)
    ranker._finish(None, [tree for _, tree in pairs], seeds)
    return ranker
