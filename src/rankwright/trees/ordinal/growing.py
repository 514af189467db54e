"""From binned features and labels to a tree: the arrays that the growth kernel works on."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.growing import SMALLEST_KEPT, grow
from rankwright.kernels.nodes import LIMITS, MAX_BINS, NODE
from rankwright.kernels.sweeping import grow_by_sweeps
from rankwright.trees.binning import Bins
from rankwright.trees.criteria import CRITERIA
from rankwright.trees.ordinal.nodes import Tree, finish_tree

__all__ = ["Growth", "Labels", "grow_tree", "growth_limits", "histogram_pool"]

SPLITTERS = ("exact", "hist", "random")

# With more labels than this, rows are swept in bin order: histograms would be larger than the data.
HISTOGRAM_LABELS = 64
# Histograms kept for subtraction.
POOL_BYTES = 1 << 26


@dataclass(frozen=True)
class Labels:
    """The target: label codes of the rows, and the labels' increasing values.

    With ``offsets``, rows of different groups are not compared; group g is rows
    ``offsets[g]:offsets[g + 1]``.
    """

    codes: NDArray[np.int32]
    values: NDArray[np.float64]
    offsets: NDArray[np.int64] | None = None


@dataclass(frozen=True)
class Growth:
    """How a tree grows; None means no limit."""

    criterion: str = "ordinal_gini"
    splitter: str = "hist"
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    max_features: int | None = None
    min_samples_leaf: int = 1
    min_impurity_decrease: float = 0.0


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
    rows = np.arange(labels.codes.size, dtype=np.int32) if rows is None else rows.astype(np.int32)
    limits = growth_limits(growth, bins, labels, rows, weights)
    nodes = np.empty(2 * _most_leaves(growth, rows.size) - 1, dtype=NODE)
    n_sets = nodes.size if bins.categorical.any() else 1
    category_sets = np.zeros((n_sets, MAX_BINS + 1), dtype=np.bool_)
    state = np.array([seed], dtype=np.uint64)
    own_labels = labels.codes[rows]
    if _needs_sweeps(growth, labels):
        row_weights = np.ones(labels.codes.size) if weights is None else weights
        own_weights = row_weights[rows]
        ranks = bins.codes.astype(np.int32, copy=False)
        places = _label_places(labels)
        n_nodes = grow_by_sweeps(
            nodes, category_sets, limits, ranks, _sorted_rows(ranks, rows), bins.n_bins,
            bins.categorical, labels.values, np.diff(labels.values), rows, own_labels, own_weights,
            labels.codes, row_weights, places, (places[:, 0] + places[:, 1]).max(), state,
        )  # fmt: skip
    else:
        own_weights = np.empty(0) if weights is None else weights[rows]
        n_nodes = grow(
            nodes, category_sets, limits, bins.codes, bins.bounds, bins.n_bins, bins.categorical,
            np.cumsum(bins.n_bins + 1) - (bins.n_bins + 1), labels.values, np.diff(labels.values),
            rows, own_labels, own_weights, np.arange(bins.n_bins.size),
            histogram_pool(growth, bins, rows.size, labels.values.size + (weights is not None)),
            state,
        )  # fmt: skip
    return finish_tree(
        nodes[:n_nodes], category_sets, bins, own_labels, own_weights, labels.values.size
    )


def _needs_sweeps(growth: Growth, labels: Labels) -> bool:
    if growth.splitter == "hist":
        return labels.offsets is not None or labels.values.size > HISTOGRAM_LABELS
    return growth.splitter == "exact"


def growth_limits(
    growth: Growth,
    bins: Bins,
    labels: Labels,
    rows: NDArray[np.int32],
    weights: NDArray[np.float64] | None,
) -> Any:
    """Return the LIMITS record of a tree's growth."""
    weight = float(rows.size if weights is None else weights[rows].sum())
    # The decrease of a mean impurity counts by the share of rows; pairs by the share of pairs.
    scale = weight**2 if growth.criterion == "ranking" else weight
    limits = np.zeros(1, dtype=LIMITS)
    limits["criterion"] = CRITERIA[growth.criterion]
    limits["max_depth"] = np.iinfo(np.int32).max if growth.max_depth is None else growth.max_depth
    limits["max_leaf_nodes"] = growth.max_leaf_nodes or 0
    limits["max_features"] = growth.max_features or bins.n_bins.size
    limits["min_samples_leaf"] = growth.min_samples_leaf
    limits["min_decrease"] = growth.min_impurity_decrease * scale
    limits["random"] = growth.splitter == "random"
    limits["grouped"] = labels.offsets is not None
    return limits[0]


def _most_leaves(growth: Growth, n_rows: int) -> int:
    by_depth = n_rows if growth.max_depth is None else 2 ** min(growth.max_depth, 31)
    return min(n_rows, growth.max_leaf_nodes or n_rows, by_depth)


def _label_places(labels: Labels) -> NDArray[np.int32]:
    """Lay out Fenwick trees of all labels, or of those in each group; see ``kernels.sweeping``."""
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


def histogram_pool(growth: Growth, bins: Bins, n_rows: int, n_columns: int) -> NDArray[np.float64]:
    """Make room for one node's histograms, and for those kept, if children look at all features."""
    n_bins = int((bins.n_bins + 1).sum())
    n_kept = 0
    all_features = growth.max_features is None or growth.max_features >= bins.n_bins.size
    if growth.splitter == "hist" and all_features and n_rows >= SMALLEST_KEPT:
        n_kept = min(n_rows // SMALLEST_KEPT + 2, max(2, POOL_BYTES // (8 * n_bins * n_columns)))
    return np.empty((1 + n_kept, n_bins, n_columns))


def _sorted_rows(ranks: NDArray[Any], rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the rows sorted by each feature, equal values in the order of the rows."""
    orders = np.empty((ranks.shape[0], rows.size if ranks.shape[0] else 0), dtype=np.int32)
    for order, feature in zip(orders, ranks, strict=True):
        order[:] = rows[np.argsort(feature[rows], kind="stable")]
    return orders
