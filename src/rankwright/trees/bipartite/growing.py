"""The growth of a ranking tree by LeafRank, a classifier that weighs both classes of a cell alike.

By default the classifier is a classification tree, and the whole ranking tree grows in one kernel.
Any scikit-learn classifier that takes sample weights may stand in: then the cells are split one by
one.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone

from rankwright.kernels.interruption import interruptible
from rankwright.kernels.trees.growth import LabelValues, Rows
from rankwright.kernels.trees.ranking_trees import CELL, CUT, MASTER, grow_ranking_tree
from rankwright.trees.binning import Bins
from rankwright.trees.bipartite.nodes import RankingTree
from rankwright.trees.bipartite.splits import CartSplits, ClassifierSplit, ClassifierSplits
from rankwright.trees.growth import (
    Growth,
    growth_limits,
    histogram_pool,
    kernel_features,
    room_for_tree,
)
from rankwright.trees.rows import TrainingRows

__all__ = ["RankingGrowth", "SPLITTERS", "grow_ranking"]

SPLITTERS = ("hist", "random")


@dataclass(frozen=True)
class RankingGrowth:
    """How a ranking tree grows: the master tree, and the trees or the classifier inside it."""

    max_depth: int
    min_samples_split: int
    max_features: int
    leaf: Growth
    classifier: BaseEstimator | None = None


@interruptible()
def grow_ranking(
    data: TrainingRows,
    growth: RankingGrowth,
    *,
    rows: NDArray[np.int32] | None = None,
    weights: NDArray[np.float64] | None = None,
    seed: int = 0,
) -> RankingTree:
    """Grow a ranking tree on some rows (all by default).

    Parameters
    ----------
    data : TrainingRows
    growth : RankingGrowth
    rows : (m,) int32 array, optional
        Distinct row numbers.
    weights : (n,) float64 array, optional
        Positive on ``rows``; the data's own by default.
    seed : int
        For drawing features and random cuts.
    """
    rows = np.arange(data.n_rows, dtype=np.int32) if rows is None else rows
    if weights is None:
        weights = np.ones(data.n_rows) if data.weights is None else data.weights
    by = _grow_by_trees if growth.classifier is None else _grow_by_classifier
    return by(data, growth, rows, weights, seed)


def _grow_by_trees(
    data: TrainingRows,
    growth: RankingGrowth,
    rows: NDArray[np.int32],
    weights: NDArray[np.float64],
    seed: int,
) -> RankingTree:
    bins, leaf = data.bins, growth.leaf
    master = np.zeros(1, dtype=MASTER)
    master["max_depth"] = growth.max_depth
    master["min_samples_split"] = growth.min_samples_split
    master["max_features"] = growth.max_features
    n_leaves = max(1, rows.size // leaf.min_samples_leaf)
    room = room_for_tree(leaf.most_leaves(n_leaves), bins)
    cells = np.empty(2 * min(n_leaves, 2 ** min(growth.max_depth, 31)) - 1, dtype=CELL)
    n_cells, cuts, category_sets = grow_ranking_tree(
        cells, np.empty(room.nodes.size, dtype=CUT), room.category_sets.copy(), master[0],
        growth_limits(leaf, bins.n_bins.size, float(weights[rows].sum())), kernel_features(bins),
        LabelValues(np.array([0.0, 1.0]), np.ones(1)),
        Rows(rows.copy(), data.labels.codes[rows], np.empty(rows.size)), weights, room,
        histogram_pool(leaf, bins, weights[rows], 3),
        np.array([seed], dtype=np.uint64),
    )  # fmt: skip
    return RankingTree(cells[:n_cells].copy(), _finish_cuts(cuts, category_sets, bins))


def _finish_cuts(cuts: NDArray[Any], category_sets: NDArray[np.bool_], bins: Bins) -> CartSplits:
    """Turn the bins of cuts into thresholds, and number the cuts of categories."""
    feature = cuts["feature"]
    cuts["threshold"] = bins.edges[feature, np.minimum(cuts["bin"], bins.n_bins[feature] - 1)]
    of_categories = np.flatnonzero(bins.categorical[feature])
    cuts["category_set"] = -1
    cuts["category_set"][of_categories] = np.arange(of_categories.size)
    cuts["threshold"][of_categories] = -np.inf
    return CartSplits(cuts.copy(), category_sets[of_categories])


def _grow_by_classifier(
    data: TrainingRows,
    growth: RankingGrowth,
    rows: NDArray[np.int32],
    weights: NDArray[np.float64],
    seed: int,
) -> RankingTree:
    rng = np.random.default_rng(seed)
    members = [rows]
    cells = [np.zeros(1, dtype=CELL)]
    splits: list[ClassifierSplit | None] = []
    while len(splits) < len(cells):
        cell, here = cells[len(splits)][0], members[len(splits)]
        positive = data.labels.codes[here] == 1
        cell["positives"], cell["negatives"] = weights[here] @ positive, weights[here] @ ~positive
        cell["left"] = -1
        split = _split_by_classifier(data, growth, here, weights[here], cell, rng)
        splits.append(split)
        if split is None:
            continue
        cell["left"] = len(cells)
        left = split.goes_left(data.X[here])
        for side, part in enumerate((here[left], here[~left])):
            child = np.zeros(1, dtype=CELL)
            child["depth"] = cell["depth"] + 1
            child["position"] = 2 * cell["position"] + side
            members.append(part)
            cells.append(child)
    return RankingTree(np.concatenate(cells), ClassifierSplits(splits))


def _split_by_classifier(
    data: TrainingRows,
    growth: RankingGrowth,
    rows: NDArray[np.int32],
    weights: NDArray[np.float64],
    cell: Any,
    rng: np.random.Generator,
) -> ClassifierSplit | None:
    """Fit the classifier to a cell; None where the cell stays whole."""
    if (
        cell["depth"] == growth.max_depth
        or rows.size < growth.min_samples_split
        or min(cell["positives"], cell["negatives"]) == 0.0
    ):
        return None
    n_features = data.X.shape[1]
    features = np.sort(rng.permutation(n_features)[: growth.max_features])
    classifier = clone(growth.classifier)
    if "random_state" in classifier.get_params():
        classifier.set_params(random_state=int(rng.integers(2**31)))
    labels = data.labels.codes[rows]
    positives, negatives = cell["positives"], cell["negatives"]
    costs = weights * np.where(labels == 1, negatives, positives) / (positives + negatives)
    classifier.fit(data.X[rows][:, features], labels, sample_weight=costs)
    split = ClassifierSplit(classifier, features, 1)
    left = split.goes_left(data.X[rows])
    if min(left.sum(), (~left).sum()) < growth.leaf.min_samples_leaf:
        return None
    gain = costs @ (left * np.where(labels == 1, 1.0, -1.0))
    if gain == 0.0:
        return None
    return split if gain > 0.0 else ClassifierSplit(classifier, features, 0)
