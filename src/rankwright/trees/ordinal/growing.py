"""From binned features and labels to an ordinal tree."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.interruption import interruptible
from rankwright.kernels.trees.growing import grow
from rankwright.kernels.trees.growth import LabelValues, Rows
from rankwright.kernels.trees.sweeping import Sweeps
from rankwright.trees.binning import Bins
from rankwright.trees.growth import (
    Growth,
    growth_limits,
    histogram_pool,
    kernel_features,
    room_for_tree,
)
from rankwright.trees.ordinal.nodes import Tree, finish_tree
from rankwright.trees.rows import Labels

__all__ = ["SPLITTERS", "grow_tree"]

SPLITTERS = ("exact", "hist", "random")

# With more labels than this, rows are swept in bin order: histograms would be larger than the data.
HISTOGRAM_LABELS = 64


@interruptible()
def grow_tree(
    bins: Bins,
    labels: Labels,
    growth: Growth,
    *,
    rows: NDArray[np.int32] | None = None,
    weights: NDArray[np.float64] | None = None,
    seed: int = 0,
) -> Tree:
    """Grow a tree on some rows of a binned matrix.

    Parameters
    ----------
    bins : Bins
    labels : Labels
    growth : Growth
    rows : (m,) int32 array, optional
        Distinct row numbers, all by default.
    weights : (n,) float64 array, optional
        Positive on ``rows``.
    seed : int
        For drawing features and random cuts.
    """
    numbers = (
        np.arange(labels.codes.size, dtype=np.int32) if rows is None else rows.astype(np.int32)
    )
    n_rows, n_labels, n_features = numbers.size, labels.values.size, bins.n_bins.size
    features, pool, sweeps = kernel_features(bins), None, None
    if _needs_sweeps(growth, labels):
        weights = np.ones(labels.codes.size) if weights is None else weights
        features = features._replace(bins=bins.codes.astype(np.int32, copy=False))
        sweeps = _sweeps(features.bins, labels, weights, numbers)
    else:
        own_weights = np.broadcast_to(1.0, n_rows) if weights is None else weights[numbers]
        pool = histogram_pool(growth, bins, own_weights, n_labels + (weights is not None))
    own = Rows(numbers, labels.codes[numbers], np.empty(0) if weights is None else weights[numbers])
    weight = float(n_rows if weights is None else own.weights.sum())
    limits = growth_limits(
        growth,
        n_features,
        weight,
        spread=float(np.ptp(labels.values)),
        grouped=labels.offsets is not None,
    )
    room = room_for_tree(growth.most_leaves(n_rows), bins)
    n_nodes = grow(
        room, limits, features, LabelValues(labels.values, np.diff(labels.values)), own,
        np.arange(n_features), pool, sweeps, np.array([seed], dtype=np.uint64),
    )  # fmt: skip
    return finish_tree(room.nodes[:n_nodes], room.category_sets, bins, own, n_labels)


def _needs_sweeps(growth: Growth, labels: Labels) -> bool:
    if growth.splitter == "hist":
        return labels.offsets is not None or labels.values.size > HISTOGRAM_LABELS
    return growth.splitter == "exact"


def _sweeps(
    bins: NDArray[np.int32],
    labels: Labels,
    weights: NDArray[np.float64],
    rows: NDArray[np.int32],
) -> Sweeps:
    places = _label_places(labels)
    return Sweeps(
        orders=_sorted_rows(bins, rows),
        labels=labels.codes,
        weights=weights,
        places=places,
        fenwick=np.zeros((2, (places[:, 0] + places[:, 1]).max(), 2)),
        distances=np.empty(labels.codes.size),
        sequence=np.empty(rows.size, dtype=np.int32),
    )


def _label_places(labels: Labels) -> NDArray[np.int32]:
    """Lay out the Fenwick trees of ``Sweeps``: of all labels, or of those in each group."""
    n_labels, offsets = labels.values.size, labels.offsets
    if offsets is None:
        size = 2 ** int(np.ceil(np.log2(n_labels)))
        return np.column_stack(np.broadcast_arrays(np.int32(0), np.int32(size), labels.codes))
    group = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
    distinct, inverse = np.unique(group * n_labels + labels.codes, return_inverse=True)
    counts = np.bincount(distinct // n_labels, minlength=offsets.size - 1)
    sizes = 2 ** np.ceil(np.log2(counts)).astype(np.int64)
    begins = np.cumsum(sizes) - sizes
    codes = inverse - (np.cumsum(counts) - counts)[group]
    return np.column_stack([begins[group], sizes[group], codes]).astype(np.int32)


def _sorted_rows(bins: NDArray[Any], rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the rows sorted by each feature, equal values in the order of the rows."""
    orders = np.empty((bins.shape[0], rows.size if bins.shape[0] else 0), dtype=np.int32)
    for order, feature in zip(orders, bins, strict=True):
        order[:] = rows[np.argsort(feature[rows], kind="stable")]
    return orders
