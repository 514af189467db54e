"""What each feature adds to the difference of two rows' scores, by walking the trees."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Walk", "mean_contributions"]

# Nodes visited in all trees of a forest, some seconds of work: the cells of a ranking tree may be
# reached in very many ways.
MAX_STEPS = 50_000_000


@dataclass(frozen=True)
class Walk:
    """A tree as two rows walk it.

    Attributes
    ----------
    features : (n_nodes,) int32
        The feature that each node asks for.
    high_next, low_next : (n_nodes,) int64
        Where each node sends the first row and the second: a node, or the complement ~i of leaf i.
    values : (n_leaves,) float64
        What the tree says of its leaves.
    """

    features: NDArray[np.int32]
    high_next: NDArray[np.int64]
    low_next: NDArray[np.int64]
    values: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        splits: NDArray[Any],
        category_sets: NDArray[np.bool_],
        following: Sequence[NDArray[np.int32]],
        values: NDArray[np.float64],
        rows: NDArray[np.float64],
    ) -> "Walk":
        """Send two rows through all splits at once.

        ``splits`` have the fields ``feature``, ``threshold``, ``category_set`` and
        ``default_left``; ``following`` are the nodes or leaves to the left and right of each.
        """
        left, right = (side.astype(np.int64) for side in following)
        high, low = (np.where(_go_left(splits, category_sets, row), left, right) for row in rows)
        return cls(np.ascontiguousarray(splits["feature"]), high, low, values)

    @classmethod
    def of_nodes(
        cls,
        nodes: NDArray[Any],
        category_sets: NDArray[np.bool_],
        values: NDArray[np.float64],
        rows: NDArray[np.float64],
    ) -> "Walk":
        """Send two rows through nodes whose right child follows the left one, -1 in a leaf."""
        is_leaf = nodes["left"] < 0
        inner = 0 if is_leaf[0] else len(nodes)
        children = np.maximum(nodes["left"][:inner], 0)
        sides = [np.where(is_leaf[to], ~to, to) for to in (children, children + 1)]
        return cls.of(nodes[:inner], category_sets, sides, values, rows)


def _go_left(
    splits: NDArray[Any], category_sets: NDArray[np.bool_], row: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Return at which splits a row goes left."""
    value = row[splits["feature"]]
    left: NDArray[np.bool_] = value <= splits["threshold"]
    of_categories = np.flatnonzero((splits["category_set"] >= 0) & ~np.isnan(value))
    number = splits["category_set"][of_categories]
    left[of_categories] = category_sets[number, value[of_categories].astype(np.int64)]
    return np.where(np.isnan(value), splits["default_left"] == 1, left)


def mean_contributions(walks: Iterable[Walk | None], n_features: int) -> NDArray[np.float64] | None:
    """Return the Shapley values of the trees' mean.

    None if a tree can't be walked, or if there are too many ways to.
    """
    from rankwright.kernels.trees.shapley import add_tree_contributions

    total = np.zeros(n_features)
    steps, n_trees = MAX_STEPS, 0
    for walk in walks:
        n_trees += 1
        if walk is None:
            return None
        if walk.features.size == 0:  # a tree of one leaf
            continue
        steps = add_tree_contributions(
            walk.features, walk.high_next, walk.low_next, walk.values, total, steps
        )
        if steps < 0:
            return None
    return total / n_trees
