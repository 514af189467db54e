"""Whether the arrays of trees that came from a file fit together.

The kernels follow indices without a look at the bounds, so a damaged tree would end the process.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankwright.base import check_array, require
from rankwright.kernels.ranking_trees import CELL, CUT
from rankwright.kernels.tree_growth import MAX_BINS
from rankwright.trees.bipartite.nodes import RankingTree
from rankwright.trees.bipartite.splits import CartSplits, ClassifierSplit, ClassifierSplits
from rankwright.trees.ordinal.nodes import NODE, Tree

if TYPE_CHECKING:
    from rankwright.trees.bipartite.aggregation import KemenyMedian

__all__ = ["check_categories", "check_median", "check_ranking_trees", "check_trees"]


def check_categories(ranker: Any) -> None:
    """Check that the categorical columns exist and have as many categories as fit a set."""
    categories = ranker.categories_
    require(
        isinstance(categories, dict)
        and all(
            type(j) is int and 0 <= j < ranker.n_features_in_ and isinstance(known, list)
            for j, known in categories.items()
        )
        and max(map(len, categories.values()), default=0) <= MAX_BINS,
        ranker,
        "its categories do not fit its features",
    )


def check_trees(ranker: Any, trees: Iterable[Tree]) -> None:
    """Check ordinal trees against the features, categories and labels of their ranker."""
    n_labels = ranker.label_values_.size
    for tree in trees:
        require(isinstance(tree, Tree), ranker, "one of its trees is none")
        check_array(tree, "nodes", (None,), NODE)
        check_array(tree, "values", (tree.nodes.size, n_labels))
        left = tree.nodes["left"]
        inner = np.flatnonzero(left >= 0)
        pairs_follow = (left[inner] > inner) & (left[inner] < left.size - 1)
        require(left.size >= 1 and bool(pairs_follow.all()), tree, "a node's child is no node")
        _check_tests(ranker, tree.nodes[inner], tree.category_sets)


def check_ranking_trees(ranker: Any, trees: Iterable[RankingTree]) -> None:
    """Check ranking trees against the features and categories of their ranker."""
    for tree in trees:
        require(isinstance(tree, RankingTree), ranker, "one of its trees is none")
        check_array(tree, "cells", (None,), CELL)
        left = tree.cells["left"]
        inner = np.flatnonzero(left >= 0)
        pairs_follow = (left[inner] > inner) & (left[inner] < left.size - 1)
        require(left.size >= 1 and bool(pairs_follow.all()), tree, "a cell's child is no cell")
        if isinstance(tree.splits, CartSplits):
            _check_cuts(ranker, tree.splits, left.size)
        else:
            require(_are_classifiers(tree.splits, left), tree, "its cells are not split so")


def check_median(ranker: Any, median: "KemenyMedian") -> None:
    """Check the consensus of a forest's trees."""
    check_array(median, "votes", (None, len(ranker.trees_)))
    n_cells = len(median.votes)
    check_array(median, "weights", (n_cells,))
    check_array(median, "buckets", (n_cells,), np.int64)
    in_range = (median.buckets >= 0) & (median.buckets < n_cells)
    require(n_cells >= 1 and bool(in_range.all()), median, "a bucket is none")


def _check_cuts(ranker: Any, splits: CartSplits, n_cells: int) -> None:
    check_array(splits, "cuts", (None,), CUT)
    cuts = splits.cuts
    this = np.arange(cuts.size)
    for side in ("left", "right"):
        to = cuts[side]
        next_cut = (to > this) & (to < cuts.size)
        cell = (to < 0) & (to >= -n_cells)  # ~c of a cell c
        require(bool((next_cut | cell).all()), splits, "a cut leads nowhere")
    require(
        bool(((cuts["cell"] >= 0) & (cuts["cell"] < n_cells)).all()), splits, "a cut has no cell"
    )
    _check_tests(ranker, cuts, splits.category_sets)


def _check_tests(ranker: Any, tests: NDArray[Any], category_sets: Any) -> None:
    """Check that each test is of a feature, and of categories only where the feature has some."""
    feature, row = tests["feature"], tests["category_set"]
    known = (feature >= 0) & (feature < ranker.n_features_in_)
    require(bool(known.all()), ranker, "a split is on a feature that is none")
    of_categories = row >= 0
    if of_categories.any():
        widest = max(map(len, ranker.categories_.values()), default=0)
        require(
            isinstance(category_sets, np.ndarray)
            and category_sets.dtype == np.bool_
            and category_sets.ndim == 2
            and category_sets.shape[1] >= widest
            and bool((row < len(category_sets)).all())
            and set(feature[of_categories].tolist()) <= ranker.categories_.keys(),
            ranker,
            "a split is on categories that are none",
        )


def _are_classifiers(splits: Any, left: NDArray[np.int32]) -> bool:
    return (
        isinstance(splits, ClassifierSplits)
        and len(splits.of_cells) == left.size
        and all(
            isinstance(split, ClassifierSplit) if child >= 0 else split is None
            for split, child in zip(splits.of_cells, left, strict=True)
        )
    )
