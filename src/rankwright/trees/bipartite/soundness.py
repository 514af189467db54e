"""Whether ranking trees that came from a file fit together; see ``rankwright.trees.soundness``."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.base import check_array, is_array, is_cheap_to_score, require
from rankwright.kernels.trees.ranking_trees import CELL, CUT
from rankwright.trees.bipartite.aggregation import KemenyMedian
from rankwright.trees.bipartite.nodes import RankingTree
from rankwright.trees.bipartite.splits import CartSplits, ClassifierSplit, ClassifierSplits
from rankwright.trees.soundness import check_tests, children_follow

__all__ = ["check_leaf_values", "check_median", "check_trees"]

TRIED = 3  # classifiers of a tree: forests of them would take seconds to try


def check_trees(ranker: Any, trees: Sequence[RankingTree]) -> None:
    """Check ranking trees against the features and categories of their ranker."""
    for tree in trees:
        require(isinstance(tree, RankingTree), ranker, "one of its trees is none")
        check_array(tree, "cells", (None,), CELL)
        left = tree.cells["left"]
        require(children_follow(left), tree, "a cell's child is no cell")
        if isinstance(tree.splits, CartSplits):
            _check_cuts(ranker, tree.splits, left.size)
        else:
            require(_are_classifiers(tree.splits, left), tree, "its cells are not split so")
            _check_seen(ranker, tree.splits)


def check_leaf_values(ranker: Any, values: Any, trees: Sequence[RankingTree]) -> None:
    """Check that there is a number for each cell of each tree."""
    is_sound = isinstance(values, list) and len(values) == len(trees)
    require(
        is_sound
        and all(
            is_array(one) and one.dtype == np.float64 and one.shape == tree.cells.shape
            for one, tree in zip(values, trees, strict=True)
        ),
        ranker,
        "its leaves have no values",
    )


def check_median(ranker: Any, median: KemenyMedian) -> None:
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
    check_tests(ranker, cuts, splits.category_sets)


def _check_seen(ranker: Any, splits: Any) -> None:
    """Check that each classifier sees features that there are, and that the first ones decide."""
    used = [split for split in splits.of_cells if split is not None]
    for split in used:
        check_array(split, "features", (None,), np.int64)
        is_feature = (split.features >= 0) & (split.features < ranker.n_features_in_)
        require(bool(is_feature.all()), split, "it sees a feature that is none")
    for split in filter(_can_be_tried, used[:TRIED]):
        goes_left = split.goes_left(np.zeros((1, ranker.n_features_in_)))
        is_decided = is_array(goes_left) and goes_left.shape == (1,)
        require(is_decided, split, "its classifier does not decide")


def _can_be_tried(split: ClassifierSplit) -> bool:
    return is_cheap_to_score(split.classifier)


def _are_classifiers(splits: Any, left: NDArray[np.int32]) -> bool:
    return (
        isinstance(splits, ClassifierSplits)
        and len(splits.of_cells) == left.size
        and all(
            isinstance(split, ClassifierSplit) if child >= 0 else split is None
            for split, child in zip(splits.of_cells, left, strict=True)
        )
    )
