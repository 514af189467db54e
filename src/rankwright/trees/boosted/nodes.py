"""Grown trees: the nodes of all of them in one structured array."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.trees.contributions import Walk

__all__ = ["BoostedTree", "NODE", "TreeSum", "sum_trees"]

# As in the other families: the right child of a node follows its left child, children follow their
# parents, and the first five fields are the test.
NODE = np.dtype(
    [
        ("feature", np.int32),  # -1 in a leaf
        ("left", np.int32),  # the left child, counted from the tree's root; -1 in a leaf
        ("threshold", np.float64),  # values up to it go left
        ("category_set", np.int32),  # row of category_sets, or -1 for numbers
        ("default_left", np.int32),  # where missing values and unknown categories go
        ("value", np.float64),  # what a leaf adds to the score
        ("decrease", np.float64),  # of the loss, by the split, to second order
    ]
)


@dataclass(frozen=True)
class BoostedTree:
    """One tree; ``category_sets`` (., 256) says which categories go left."""

    nodes: NDArray[Any]
    category_sets: NDArray[np.bool_]

    def walk(self, rows: NDArray[np.float64]) -> Walk:
        """Send two rows through the tree."""
        return Walk.of_nodes(self.nodes, self.category_sets, self.nodes["value"], rows)


@dataclass(frozen=True)
class TreeSum:
    """The trees of a booster, which add up.

    Attributes
    ----------
    nodes : structured array
        The nodes of tree t are ``first_node[t]`` up to ``first_node[t + 1]``.
    first_node : (n_trees + 1,) int64
    category_sets : (n_sets, 256) bool
        Whether a category goes left, for each split of categories.
    symmetric : bool
        Whether all nodes of a level of a tree have the same test, and stand level by level.
    """

    nodes: NDArray[Any]
    first_node: NDArray[np.int64]
    category_sets: NDArray[np.bool_]
    symmetric: bool

    def __len__(self) -> int:
        return self.first_node.size - 1

    def __iter__(self) -> Iterator[BoostedTree]:
        for number in range(len(self)):
            yield BoostedTree(self.nodes[self._range(number)], self.category_sets)

    def __getitem__(self, trees: slice) -> "TreeSum":
        """Return some trees that follow each other."""
        begin, end, _ = trees.indices(len(self))
        first = self.first_node[begin : end + 1]
        nodes = self.nodes[first[0] : first[-1]]
        return TreeSum(nodes, first - first[0], self.category_sets, self.symmetric)

    def only(self, numbers: Sequence[int]) -> "TreeSum":
        """Return the trees of these numbers."""
        parts = [self.nodes[self._range(number)] for number in numbers]
        starts = np.cumsum([0, *map(len, parts)]).astype(np.int64)
        return TreeSum(np.concatenate(parts), starts, self.category_sets, self.symmetric)

    def _range(self, number: int) -> slice:
        return slice(self.first_node[number], self.first_node[number + 1])

    def followed_by(self, other: "TreeSum") -> "TreeSum":
        """Return the trees of both."""
        nodes = other.nodes.copy()
        nodes["category_set"][nodes["category_set"] >= 0] += len(self.category_sets)
        return TreeSum(
            np.concatenate([self.nodes, nodes]),
            np.concatenate([self.first_node, other.first_node[1:] + self.first_node[-1]]),
            np.concatenate([self.category_sets, other.category_sets]),
            self.symmetric and other.symmetric,
        )

    @property
    def depths(self) -> NDArray[np.int64]:
        """The number of levels of tests of each symmetric tree."""
        # A full tree of depth d has 2**(d + 1) - 1 nodes.
        depths: NDArray[np.int64] = np.log2(np.diff(self.first_node) + 1).astype(np.int64) - 1
        return depths

    def add_scores(self, X: NDArray[np.float64], scores: NDArray[np.float64]) -> None:
        """Add what the trees say of each row to its score."""
        from rankwright.kernels.boosted.scoring import score_by_levels, score_by_nodes

        begins = self.first_node[:-1]
        if self.symmetric:
            used = np.unique(self.nodes["feature"][self.nodes["left"] >= 0])
            score_by_levels(X, used, self.nodes, begins, self.depths, self.category_sets, scores)
        else:
            score_by_nodes(X, self.nodes, begins, self.category_sets, scores)

    def importances(self, n_features: int) -> NDArray[np.float64]:
        """Return each feature's share of the decrease of the loss."""
        inner = self.nodes[self.nodes["left"] >= 0]
        total = np.bincount(inner["feature"], inner["decrease"], minlength=n_features)
        return np.divide(total, total.sum() or 1.0)


def sum_trees(trees: Sequence[BoostedTree], symmetric: bool) -> TreeSum:
    """Put the nodes of single trees into one array."""
    starts = np.cumsum([0, *(len(tree.nodes) for tree in trees)]).astype(np.int64)
    offsets = np.cumsum([0, *(len(tree.category_sets) for tree in trees)])
    parts = [np.empty(0, dtype=NODE)]
    for tree, offset in zip(trees, offsets, strict=False):
        nodes = tree.nodes.copy()
        nodes["category_set"][nodes["category_set"] >= 0] += offset
        parts.append(nodes)
    sets = [np.empty((0, 256), dtype=np.bool_), *(tree.category_sets for tree in trees)]
    return TreeSum(np.concatenate(parts), starts, np.concatenate(sets), symmetric)
