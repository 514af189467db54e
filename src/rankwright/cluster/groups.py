"""Groups that are whole: every row of a group in one partition, checked and not believed."""

import warnings
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
from dask import delayed
from numpy.typing import NDArray

from rankwright.cluster.connection import Cluster
from rankwright.cluster.frames import GROUP, NO_ROWS, ROW, Table, row_bytes

__all__ = ["GroupCheck", "check_groups", "with_whole_groups"]

BUCKET = 4_000_000  # groups compared at once: 64 MB of hashes and counts
ROOM = 0.5  # share of a worker's memory that one group may take
ROW_BITS = 40  # rows of a partition, numbered


@dataclass(frozen=True)
class GroupCheck:
    """What the labels of all partitions say."""

    n_rows: int
    n_split: int  # groups in more than one partition
    largest: int  # rows of the largest group
    label: Any  # of the largest group within one partition


@dataclass(frozen=True)
class _Labels:
    """The groups of one partition."""

    n_rows: int
    hashes: NDArray[np.uint64]  # of the labels, ascending
    counts: NDArray[np.int64]
    ends: tuple[Any, Any] | None  # the smallest and the largest label
    largest: tuple[int, Any] | None

    def without_hashes(self) -> "_Labels":
        return _Labels(self.n_rows, self.hashes[:0], self.counts[:0], self.ends, self.largest)


def check_groups(cluster: Cluster, groups: Any) -> GroupCheck:
    """Look through the labels once: which groups lie in several partitions, and how large.

    Where the partitions' labels do not overlap as ranges, nothing more is asked; else hashes of all
    labels are compared. (Two labels with one hash would be shuffled in vain, and no worse.)
    """
    labels = cluster.client.compute(
        [delayed(_labels)(part, place) for place, part in enumerate(groups.to_delayed())]
    )
    told = cluster.results(cluster.client.map(_Labels.without_hashes, labels, pure=False))
    filled = [one for one in told if one.n_rows]
    n_rows = sum(one.n_rows for one in told)
    if not filled:
        raise ValueError(NO_ROWS)
    largest, label = max((one.largest for one in filled), key=lambda found: found[0])
    if _are_ranges(filled):
        return GroupCheck(n_rows, 0, largest, label)
    sizes = cluster.results(cluster.client.map(_n_groups, labels, pure=False))
    n_buckets = -(-sum(sizes) // BUCKET)
    met = []
    for bucket in range(n_buckets):
        own = [cluster.client.submit(_bucket, one, bucket, n_buckets, pure=False) for one in labels]
        met += cluster.results([cluster.client.submit(_meet, own, pure=False)])
    return GroupCheck(n_rows, sum(n for n, _ in met), max(largest, *(m for _, m in met)), label)


def with_whole_groups(cluster: Cluster, table: Table) -> Table:
    """Return the table with every group in one partition, shuffled once if need be."""
    bytes_of_row = row_bytes(len(table.names))
    if not table.has_groups:
        n_rows = sum(cluster.results(cluster.client.compute(
            [delayed(len)(part) for part in table.frame.to_delayed()]
        )))  # fmt: skip
        _check_room(cluster, n_rows, bytes_of_row, "without groups all rows are one group, which")
        return Table(table.frame.repartition(npartitions=1), table.names)
    found = check_groups(cluster, table.frame[GROUP])
    _check_room(cluster, found.largest, bytes_of_row, f"group {found.label!r} or another one")
    if not found.n_split:
        return table
    warnings.warn(
        f"{found.n_split:,} groups lie in several partitions, so {found.n_rows:,} rows (about "
        f"{found.n_rows * bytes_of_row / 1e9:.2g} GB) are shuffled by group once; write the "
        "data set partitioned by group to save this",
        stacklevel=4,
    )
    return Table(shuffled(table.frame, GROUP), table.names, shuffled=True)


def shuffled(frame: Any, by: str) -> Any:
    """Return the rows with equal values of a column in one partition, in their given order."""
    return (
        number_rows(frame)
        .shuffle(on=by, npartitions=frame.npartitions)
        .map_partitions(_in_order, enforce_metadata=False)
    )


def number_rows(frame: Any) -> Any:
    """Add the number of each row: that of its partition, then its place there."""
    meta = _numbered(frame._meta, 0)
    parts = [delayed(_numbered)(part, place) for place, part in enumerate(frame.to_delayed())]
    return dd.from_delayed(parts, meta=meta, verify_meta=False)


def first_rows(n_partitions: int) -> list[int]:
    """Return where the numbers of each partition's rows begin, and where they all end."""
    return [place << ROW_BITS for place in range(n_partitions + 1)]


def _numbered(partition: pd.DataFrame, place: int) -> pd.DataFrame:
    return partition.assign(**{ROW: np.arange(len(partition)) + (place << ROW_BITS)})


def _in_order(partition: pd.DataFrame) -> pd.DataFrame:
    # The order in which a shuffle hands rows over depends on who was faster.
    return partition.sort_values(ROW).drop(columns=ROW)


def _labels(groups: pd.Series, place: int) -> _Labels:
    if n_missing := int(groups.isna().sum()):
        raise ValueError(
            f"groups has {n_missing} missing values in partition {place}; fill them or leave those "
            "rows out"
        )
    if not len(groups):
        return _Labels(0, np.empty(0, np.uint64), np.empty(0, np.int64), None, None)
    values = np.asarray(groups)
    codes, distinct = pd.factorize(values)
    counts = np.bincount(codes)
    hashes = pd.util.hash_array(np.asarray(distinct), categorize=False)
    order = np.argsort(hashes)
    try:
        ends = (min(distinct), max(distinct)) if distinct.dtype == object else (
            distinct.min(), distinct.max()
        )  # fmt: skip
    except TypeError:
        ends = None  # labels of several types; reading the rows will refuse them by name
    top = int(np.argmax(counts))
    return _Labels(
        len(groups), hashes[order], counts[order], ends, (int(counts[top]), distinct[top])
    )


def _are_ranges(labels: list[_Labels]) -> bool:
    """Say whether each partition's labels lie wholly before or after those of another."""
    ends = [one.ends for one in labels if one.ends is not None]
    if len(ends) < len(labels):
        return False
    try:
        ends = sorted(ends)
        return all(before[1] < after[0] for before, after in pairwise(ends))
    except TypeError:
        return False


def _n_groups(labels: _Labels) -> int:
    return labels.hashes.size


def _bucket(
    labels: _Labels, bucket: int, n_buckets: int
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    own = labels.hashes % np.uint64(n_buckets) == bucket
    return labels.hashes[own], labels.counts[own]


def _meet(parts: list[tuple[NDArray[np.uint64], NDArray[np.int64]]]) -> tuple[int, int]:
    """Return how many groups are in several of these parts, and the rows of the largest."""
    hashes = np.concatenate([found for found, _ in parts])
    counts = np.concatenate([found for _, found in parts])
    distinct, place, times = np.unique(hashes, return_inverse=True, return_counts=True)
    rows = np.bincount(place, counts, minlength=distinct.size)
    return int((times > 1).sum()), int(rows.max(initial=0))


def _check_room(cluster: Cluster, n_rows: int, bytes_of_row: int, which: str) -> None:
    limit = cluster.memory
    if limit is None or n_rows * bytes_of_row <= ROOM * limit:
        return
    raise ValueError(
        f"{which} has {n_rows:,} rows, about {n_rows * bytes_of_row / 1e9:.2g} GB, and the "
        f"smallest worker has {limit / 1e9:.2g} GB; a group is never split: give workers more "
        "memory, draw a sample of its rows, or use smaller groups (LeastSquaresRanker with "
        "target='score' needs none)"
    )
