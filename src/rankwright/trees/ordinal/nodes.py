"""A grown tree: one structured array of nodes, and the label weights beside it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.trees.growth import Rows
from rankwright.trees.binning import Bins
from rankwright.trees.contributions import Walk
from rankwright.trees.features import dense_blocks
from rankwright.trees.pruning import sum_up_leaves

__all__ = ["NODE", "Tree", "finish_tree", "median_labels"]

# The right child of a node follows its left child; children follow their parents. The first five
# fields are all that prediction reads.
NODE = np.dtype(
    [
        ("feature", np.int32),  # -1 in a leaf
        ("left", np.int32),  # the left child, -1 in a leaf
        ("threshold", np.float64),  # values up to it go left
        ("category_set", np.int32),  # row of Tree.category_sets, or -1 for numbers
        ("default_left", np.int32),  # where missing values and unknown categories go
        ("depth", np.int32),
        ("label", np.int32),  # the label of least expected rank loss
        ("weight", np.float64),  # of the training rows
        ("cost", np.float64),  # the impurity, in the form that adds up over leaves
        ("decrease", np.float64),  # of the cost, by the split
    ]
)


@dataclass(frozen=True)
class Tree:
    """A tree on numbers: features by column, labels by code.

    Attributes
    ----------
    nodes : structured array
        The root is node 0.
    values : (n_nodes, k) float64
        Weight of each label among the training rows of each node.
    category_sets : (n_sets, .) bool
        Whether a category goes left, for each split of categories.
    """

    nodes: NDArray[Any]
    values: NDArray[np.float64]
    category_sets: NDArray[np.bool_]

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Which nodes are leaves."""
        leaves: NDArray[np.bool_] = self.nodes["left"] < 0
        return leaves

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the leaf of each row."""
        from rankwright.kernels.trees.traversal import find_leaves

        leaves = np.empty(X.shape[0], dtype=np.int32)
        for rows, block in dense_blocks(X):
            find_leaves(block, self.nodes, self.category_sets, leaves[rows])
        return leaves

    def distributions(self) -> NDArray[np.float64]:
        """Return the share of each label in each node."""
        shares: NDArray[np.float64] = self.values / self.values.sum(axis=1, keepdims=True)
        return shares

    def walk(self, values: NDArray[np.float64], rows: NDArray[np.float64]) -> Walk:
        """Send two rows through the tree whose nodes have these values."""
        return Walk.of_nodes(self.nodes, self.category_sets, values, rows)

    def importances(self, n_features: int) -> NDArray[np.float64]:
        """Return each feature's share of the decrease of the cost."""
        inner = self.nodes[~self.is_leaf]
        total = np.zeros(n_features)
        np.add.at(total, inner["feature"], inner["decrease"])
        return np.divide(total, total.sum() or 1.0)


def finish_tree(
    grown: NDArray[Any],
    category_sets: NDArray[np.bool_],
    bins: Bins,
    rows: Rows,
    n_labels: int,
) -> Tree:
    """Make a tree of what the kernel has grown; ``rows`` are in the order it has left them in."""
    nodes = np.empty(grown.size, dtype=NODE)
    for field in ("feature", "left", "default_left", "depth", "weight", "cost", "decrease"):
        nodes[field] = grown[field]
    inner = np.flatnonzero(nodes["left"] >= 0)
    feature = nodes["feature"][inner]
    edges = np.minimum(grown["cut"][inner], bins.n_bins[feature] - 1)
    nodes["threshold"] = np.nan
    nodes["threshold"][inner] = bins.edges[feature, edges]
    of_categories = inner[bins.categorical[feature]]
    nodes["category_set"] = -1
    nodes["category_set"][of_categories] = np.arange(of_categories.size)
    undecided = inner[nodes["default_left"][inner] < 0]
    left = nodes["left"][undecided]
    nodes["default_left"][nodes["left"] < 0] = -1
    nodes["default_left"][undecided] = nodes["weight"][left] >= nodes["weight"][left + 1]
    values = _label_weights(grown, rows.labels, rows.weights, n_labels)
    nodes["label"] = median_labels(values)
    return Tree(nodes, values, category_sets[of_categories])


def _label_weights(
    nodes: NDArray[Any], labels: NDArray[np.int32], weights: NDArray[np.float64], n_labels: int
) -> NDArray[np.float64]:
    """Count the labels of each node's rows."""
    leaves = np.flatnonzero(nodes["left"] < 0)
    leaves = leaves[np.argsort(nodes["start"][leaves])]
    leaf = np.repeat(leaves, nodes["stop"][leaves] - nodes["start"][leaves])
    counts = np.bincount(
        leaf * n_labels + labels, weights if weights.size else None, minlength=nodes.size * n_labels
    )
    return sum_up_leaves(nodes, counts.reshape(nodes.size, n_labels).astype(np.float64))


def median_labels(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return for each row of label weights the smallest label of least expected rank loss."""
    below = np.cumsum(values, axis=1)
    medians: NDArray[np.int64] = np.argmax(2.0 * below >= below[:, -1:], axis=1)
    return medians
