"""How trees grow: the settings, and the records and the memory that the kernels of growth get."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.trees.growth import LIMITS, MAX_BINS, Features, Grown
from rankwright.kernels.trees.impurity import TOLERANCE
from rankwright.kernels.trees.kept_histograms import SMALLEST_KEPT
from rankwright.kernels.trees.nodes import GROWING_NODE
from rankwright.trees.binning import Bins
from rankwright.trees.criteria import CRITERIA, SPREAD_CRITERIA

__all__ = [
    "Growth",
    "growth_limits",
    "histogram_pool",
    "kernel_features",
    "room_for_tree",
]

# Histograms kept for subtraction.
POOL_BYTES = 1 << 26

# Subtraction leaves traces of heavy rows in the histogram of light ones: where weights are further
# apart, each node counts its own rows.
SUBTRACTED_WEIGHTS = 1e8


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

    def most_leaves(self, n_rows: int) -> int:
        """Return how many leaves a tree on so many rows has at most."""
        by_depth = n_rows if self.max_depth is None else 2 ** min(self.max_depth, 31)
        return min(n_rows, self.max_leaf_nodes or n_rows, by_depth)


def growth_limits(
    growth: Growth, n_features: int, weight: float, *, spread: float = 1.0, grouped: bool = False
) -> Any:
    """Return the LIMITS record of the growth of a tree on rows of some weight.

    ``spread`` is how far apart labels are: what a cost is small beside.
    """
    # The decrease of a mean impurity counts by the share of rows; pairs by the share of pairs.
    scale = weight**2 if growth.criterion == "ranking" else weight
    limits = np.zeros(1, dtype=LIMITS)
    limits["criterion"] = CRITERIA[growth.criterion]
    limits["max_depth"] = np.iinfo(np.int32).max if growth.max_depth is None else growth.max_depth
    limits["max_leaf_nodes"] = growth.max_leaf_nodes or 0
    limits["max_features"] = growth.max_features or n_features
    limits["min_samples_leaf"] = growth.min_samples_leaf
    limits["min_decrease"] = growth.min_impurity_decrease * scale
    limits["pure"] = TOLERANCE * (spread if growth.criterion in SPREAD_CRITERIA else 1.0)
    limits["random"] = growth.splitter == "random"
    limits["grouped"] = grouped
    return limits[0]


def kernel_features(bins: Bins) -> Features:
    """Return binned features as the kernels take them."""
    sizes = bins.n_bins + 1
    return Features(
        bins.codes, bins.bounds, bins.n_bins, bins.categorical, np.cumsum(sizes) - sizes
    )


def room_for_tree(n_leaves: int, bins: Bins) -> Grown:
    """Make room for a tree of at most so many leaves."""
    nodes = np.empty(2 * n_leaves - 1, dtype=GROWING_NODE)
    n_sets = nodes.size if bins.categorical.any() else 1
    return Grown(nodes, np.zeros((n_sets, MAX_BINS + 1), dtype=np.bool_))


def histogram_pool(
    growth: Growth, bins: Bins, weights: NDArray[np.float64], n_columns: int
) -> NDArray[np.float64]:
    """Make room for one node's histograms, and for those kept, if children look at all features."""
    n_rows = weights.size
    n_bins = int((bins.n_bins + 1).sum())
    n_kept = 0
    all_features = growth.max_features is None or growth.max_features >= bins.n_bins.size
    is_even = weights.max() <= SUBTRACTED_WEIGHTS * weights.min()
    if growth.splitter == "hist" and all_features and n_rows >= SMALLEST_KEPT and is_even:
        n_kept = min(n_rows // SMALLEST_KEPT + 2, max(2, POOL_BYTES // (8 * n_bins * n_columns)))
    return np.empty((1 + n_kept, n_bins, n_columns))
