"""Linear rankers from sums over partitions."""

from collections.abc import Callable
from functools import partial, reduce
from typing import Any

import numpy as np
from dask import delayed
from distributed import Future
from numpy.typing import NDArray
from sklearn.base import clone

from rankwright.base import as_rows
from rankwright.cluster.connection import Cluster
from rankwright.cluster.frames import NO_ROWS, Table
from rankwright.cluster.groups import with_whole_groups
from rankwright.cluster.kept import Kept
from rankwright.cluster.sums import ClusterParts, combine_tree
from rankwright.data import Rows, row_weights
from rankwright.linear.parts import PartFacts
from rankwright.linear.targets import Standing
from rankwright.linear.triangle import merge_triangles

__all__ = ["Progress", "fit_by_sums", "fit_by_triangles"]

Progress = Callable[[str, int, int | None], None]
Floats = NDArray[np.float64]

# Distinct values of y whose places among all rows one worker finds, at 16 bytes each.
MOST_VALUES = 10_000_000


def fit_by_sums(cluster: Cluster, ranker: Any, table: Table, progress: Progress) -> None:
    """Fit a ranker whose objective is a mean over pairs or choices inside groups."""
    table = with_whole_groups(cluster, table)
    table.describe(ranker)
    parts = _read(cluster, table, partial(_make_part, clone(ranker), table))
    facts = cluster.results(
        cluster.client.map(_facts, parts, pure=False),
        lambda done: progress("partitions read", done, len(parts)),
    )
    filled = [place for place, own in enumerate(facts) if own is not None]
    if not filled:
        raise ValueError(NO_ROWS)
    training = ClusterParts(
        cluster,
        [parts[place] for place in filled],
        [facts[place] for place in filled],
        ranker.n_features_in_,
        lambda done: progress("evaluations of the objective", done, None),
    )
    ranker._fit_parts(training)


def fit_by_triangles(cluster: Cluster, ranker: Any, table: Table, progress: Progress) -> None:
    """Fit a ranker by least squares, in one pass over the rows (two for LS2)."""
    target = getattr(ranker, "target", None)
    table = table if target in {"score", "rank"} else with_whole_groups(cluster, table)
    table.describe(ranker)
    standing = None
    if target == "rank":
        found = _read(cluster, table, partial(_make_standing, clone(ranker), table))
        standing = combine_tree(cluster, found, _merge_standings)
    triangles = _read(cluster, table, partial(_make_triangle, clone(ranker), table), standing)
    n_parts = len(triangles)
    cluster.results(
        cluster.client.map(_is_there, triangles, pure=False),
        lambda done: progress("partitions read", done, n_parts),
    )
    triangle = cluster.result(combine_tree(cluster, triangles, _merge_triangles))
    if triangle is None:
        raise ValueError(NO_ROWS)
    ranker._fit_triangle(triangle)


def _read(
    cluster: Cluster, table: Table, make: Callable[..., Any], *shared: Future | None
) -> list[Future]:
    """Return what is made of each partition, which workers keep and can make again."""
    partitions = table.frame.to_delayed()
    futures: list[Future] = cluster.client.compute(
        [delayed(make)(part, place, *shared) for place, part in enumerate(partitions)]
    )
    return futures


def _rows(ranker: Any, table: Table, partition: Any) -> Rows:
    own = table.rows(partition)
    return as_rows(ranker, own.X, own.y, own.groups, sample_weight=own.weights)


def _told(make: Callable[..., Any]) -> Callable[..., Any]:
    """Leave out partitions without weight, and say in which one an error was found."""

    def made(ranker: Any, table: Table, partition: Any, place: int, *shared: Any) -> Any:
        if not table.counts(partition):
            return None
        with table.told(place):
            return make(ranker, _rows(ranker, table, partition), *shared)

    return made


def _part(ranker: Any, rows: Rows) -> Kept:
    return Kept(ranker._part(rows))


def _triangle(ranker: Any, rows: Rows, standing: Standing | None) -> Floats:
    arguments = () if standing is None else (standing,)
    triangle: Floats = ranker._triangle(rows, *arguments)
    return triangle


def _standing(ranker: Any, rows: Rows) -> Standing:
    return Standing.of(rows.y, row_weights(rows))


_make_part, _make_triangle, _make_standing = _told(_part), _told(_triangle), _told(_standing)


def _facts(part: Kept | None) -> PartFacts | None:
    return None if part is None else PartFacts.of(part.value)


def _is_there(result: Any) -> bool:
    return result is not None


def _merge_triangles(triangles: list[Floats | None]) -> Floats | None:
    found = [triangle for triangle in triangles if triangle is not None]
    return reduce(merge_triangles, found) if found else None


def _merge_standings(standings: list[Standing | None]) -> Standing | None:
    found = [standing for standing in standings if standing is not None]
    merged = reduce(Standing.merged, found) if found else None
    if merged is not None and merged.values.size > MOST_VALUES:
        raise ValueError(
            f"y has more than {MOST_VALUES:,} distinct values, too many to find each row's place "
            "among all rows; round y, or use target='score' or 'group_rank'"
        )
    return merged
