"""How the cells of a ranking tree are split: by classification trees or by any classifier."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from rankwright.trees.contributions import Walk
from rankwright.trees.features import dense_blocks

__all__ = ["CartSplits", "ClassifierSplit", "ClassifierSplits"]


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

    def apply(self, X: Any, left: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the cell in which each row ends."""
        from rankwright.kernels.trees.cells import find_cells

        ends = np.empty(X.shape[0], dtype=np.int32)
        for rows, block in dense_blocks(X):
            find_cells(block, self.cuts, self.category_sets, ends[rows])
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

    def goes_left(self, X: Any) -> NDArray[np.bool_]:
        """Return which rows go left."""
        left: NDArray[np.bool_] = self.classifier.predict(X[:, self.features]) == self.better
        return left


@dataclass(frozen=True)
class ClassifierSplits:
    """Cells split by classifiers; None in leaves."""

    of_cells: list[ClassifierSplit | None]

    def apply(self, X: Any, left: NDArray[np.int32]) -> NDArray[np.int32]:
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
