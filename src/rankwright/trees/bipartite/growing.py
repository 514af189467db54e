"""LeafRank: the split of a cell by a classifier that weighs both classes alike.

By default the classifier is a classification tree, and the whole ranking tree grows in one kernel.
Any scikit-learn classifier that takes sample weights may stand in: then the cells are split one by
one.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone

from rankwright.kernels.nodes import MAX_BINS, NODE
from rankwright.kernels.ranking_trees import CELL, CUT, MASTER, grow_ranking_tree
from rankwright.trees.binning import Bins
from rankwright.trees.bipartite.nodes import RankingTree
from rankwright.trees.contributions import Walk
from rankwright.trees.ordinal.growing import Growth, Labels, growth_limits, histogram_pool

__all__ = [
    "CartSplits",
    "ClassifierSplit",
    "ClassifierSplits",
    "RankingGrowth",
    "RankingRows",
    "grow",
]


@dataclass(frozen=True)
class RankingRows:
    """Rows of positive weight, binned; a label is 1 for a positive and 0 for a negative."""

    X: NDArray[np.float64]
    bins: Bins
    labels: NDArray[np.int32]
    weights: NDArray[np.float64] | None
    given: NDArray[np.int64]  # number of each row in the caller's data
    n_given: int

    def spread(self, values: NDArray[Any], fill: float) -> NDArray[Any]:
        """Return values of the rows as an array for the caller's rows, ``fill`` where left out."""
        spread = np.full(self.n_given, fill, dtype=values.dtype)
        spread[self.given] = values
        return spread


@dataclass(frozen=True)
class RankingGrowth:
    """How a ranking tree grows: the master tree, and the trees or the classifier inside it."""

    max_depth: int
    min_samples_split: int
    max_features: int
    leaf: Growth
    classifier: BaseEstimator | None = None


@dataclass(frozen=True)
class CartSplits:
    """Cells split by classification trees, kept as the cuts that separate better from worse rows.

    Attributes
    ----------
    cuts : structured array
        A cut points to the next one or, as the complement ~c, to cell c.
    category_sets : (n_sets, .) bool
        Whether a category goes left, for each cut of categories.
    """

    cuts: NDArray[Any]
    category_sets: NDArray[np.bool_]

    def apply(self, X: NDArray[np.float64], left: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the cell in which each row ends."""
        from rankwright.kernels.cells import find_cells

        ends = np.empty(X.shape[0], dtype=np.int32)
        find_cells(X, self.cuts, self.category_sets, ends)
        return ends

    def walk(self, values: NDArray[np.float64], rows: NDArray[np.float64]) -> Walk:
        """Send two rows through the cuts to cells that have these values."""
        sides = self.cuts["left"], self.cuts["right"]
        return Walk.of(self.cuts, self.category_sets, sides, values, rows)

    def importances(self, gains: NDArray[np.float64], n_features: int) -> NDArray[np.float64]:
        """Divide the gain of each cell among its cuts as they decrease the impurity."""
        cell, decrease = self.cuts["cell"], self.cuts["decrease"]
        of_cell = np.bincount(cell, decrease, minlength=gains.size)
        parts = gains[cell] * decrease / of_cell[cell]
        return np.bincount(self.cuts["feature"], parts, minlength=n_features).astype(np.float64)

    def restrict(self, is_split: NDArray[np.bool_], number: NDArray[np.int32]) -> "CartSplits":
        """Keep the cuts of the cells that stay split; ``number`` are the cells' new numbers."""
        is_kept = is_split[self.cuts["cell"]]
        new_cut = np.cumsum(is_kept, dtype=np.int32) - 1
        cuts = self.cuts[is_kept]
        for side in ("left", "right"):
            to = cuts[side]
            next_cut = np.maximum(to, 0)
            cell = np.where(to < 0, ~to, self.cuts["cell"][next_cut])
            cuts[side] = np.where((to >= 0) & is_split[cell], new_cut[next_cut], ~number[cell])
        cuts["cell"] = number[cuts["cell"]]
        return CartSplits(cuts, self.category_sets)


@dataclass(frozen=True)
class ClassifierSplit:
    """A cell split by a fitted classifier: left is where it predicts ``better``."""

    classifier: BaseEstimator
    features: NDArray[np.int64]
    better: int

    def goes_left(self, X: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which rows go left."""
        left: NDArray[np.bool_] = self.classifier.predict(X[:, self.features]) == self.better
        return left


@dataclass(frozen=True)
class ClassifierSplits:
    """Cells split by classifiers; None in leaves."""

    of_cells: list[ClassifierSplit | None]

    def apply(self, X: NDArray[np.float64], left: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the cell in which each row ends."""
        ends = np.zeros(X.shape[0], dtype=np.int32)
        for number, split in enumerate(self.of_cells):
            here = np.flatnonzero(ends == number)
            if split is not None and here.size:
                ends[here] = left[number] + ~split.goes_left(X[here])
        return ends

    def walk(self, values: NDArray[np.float64], rows: NDArray[np.float64]) -> None:
        """Return None: what a classifier makes of a hybrid of two rows can't be told from them."""

    def importances(self, gains: NDArray[np.float64], n_features: int) -> NDArray[np.float64]:
        """Divide the gain of each cell evenly among the features that its classifier saw."""
        parts = np.zeros(n_features)
        for split, gain in zip(self.of_cells, gains, strict=True):
            if split is not None:
                parts[split.features] += gain / split.features.size
        return parts

    def restrict(
        self, is_split: NDArray[np.bool_], number: NDArray[np.int32]
    ) -> "ClassifierSplits":
        """Keep the splits of the cells that stay split; ``number`` are the cells' new numbers."""
        kept = np.flatnonzero(number >= 0)
        return ClassifierSplits([self.of_cells[cell] if is_split[cell] else None for cell in kept])


def grow(
    data: RankingRows,
    growth: RankingGrowth,
    *,
    rows: NDArray[np.int32] | None = None,
    weights: NDArray[np.float64] | None = None,
    seed: int = 0,
) -> RankingTree:
    """Grow a ranking tree on some rows (all by default).

    Parameters
    ----------
    data : RankingRows
    growth : RankingGrowth
    rows : (m,) int32 array, optional
        Distinct row numbers.
    weights : (n,) float64 array, optional
        Positive on ``rows``; the data's own by default.
    seed : int
        For drawing features and random cuts.
    """
    rows = np.arange(len(data.X), dtype=np.int32) if rows is None else rows
    if weights is None:
        weights = np.ones(len(data.X)) if data.weights is None else data.weights
    by = _grow_by_trees if growth.classifier is None else _grow_by_classifier
    return by(data, growth, rows, weights, seed)


def _grow_by_trees(
    data: RankingRows,
    growth: RankingGrowth,
    rows: NDArray[np.int32],
    weights: NDArray[np.float64],
    seed: int,
) -> RankingTree:
    bins, leaf = data.bins, growth.leaf
    labels = Labels(data.labels, np.array([0.0, 1.0]))
    master = np.zeros(1, dtype=MASTER)
    master["max_depth"] = growth.max_depth
    master["min_samples_split"] = growth.min_samples_split
    master["max_features"] = growth.max_features
    n_leaves = max(1, rows.size // leaf.min_samples_leaf)
    nodes = np.empty(2 * min(n_leaves, 2 ** min(leaf.max_depth or 31, 31)) - 1, dtype=NODE)
    cells = np.empty(2 * min(n_leaves, 2 ** min(growth.max_depth, 31)) - 1, dtype=CELL)
    n_sets = nodes.size if bins.categorical.any() else 1
    n_cells, cuts, category_sets = grow_ranking_tree(
        cells, np.empty(nodes.size, dtype=CUT), np.zeros((n_sets, MAX_BINS + 1), dtype=np.bool_),
        master[0], growth_limits(leaf, bins, labels, rows, weights), bins.codes, bins.bounds,
        bins.n_bins, bins.categorical, np.cumsum(bins.n_bins + 1) - (bins.n_bins + 1), rows.copy(),
        data.labels[rows], weights, nodes, np.zeros((n_sets, MAX_BINS + 1), dtype=np.bool_),
        histogram_pool(leaf, bins, rows.size, 3), np.array([seed], dtype=np.uint64),
    )  # fmt: skip
    feature = cuts["feature"]
    cuts["threshold"] = bins.edges[feature, np.minimum(cuts["bin"], bins.n_bins[feature] - 1)]
    of_categories = np.flatnonzero(bins.categorical[feature])
    cuts["category_set"] = -1
    cuts["category_set"][of_categories] = np.arange(of_categories.size)
    cuts["threshold"][of_categories] = -np.inf
    return RankingTree(
        cells[:n_cells].copy(), CartSplits(cuts.copy(), category_sets[of_categories])
    )


def _grow_by_classifier(
    data: RankingRows,
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
        positive = data.labels[here] == 1
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
    data: RankingRows,
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
    labels = data.labels[rows]
    share = cell["positives"] / (cell["positives"] + cell["negatives"])
    costs = weights * np.where(labels == 1, 1.0 - share, share)
    classifier.fit(data.X[np.ix_(rows, features)], labels, sample_weight=costs)
    split = ClassifierSplit(classifier, features, 1)
    left = split.goes_left(data.X[rows])
    if min(left.sum(), (~left).sum()) < growth.leaf.min_samples_leaf:
        return None
    gain = costs @ (left * np.where(labels == 1, 1.0, -1.0))
    if gain == 0.0:
        return None
    return split if gain > 0.0 else ClassifierSplit(classifier, features, 0)
