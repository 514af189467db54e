"""A grown ranking tree: ordered cells, and the rules that send a row to one of them."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rankwright.trees.contributions import Walk
from rankwright.trees.pruning import sum_up_leaves

__all__ = ["RankingTree", "Splits", "auc_gains", "cell_masses"]

# scikit-learn takes scores that are all whole for labels, and would count how often they are right.
# So ranks are shares of less than all rows, and the scores of cells are halves.
ALL_BUT_A_TRACE = 1 - 1e-9


class Splits(Protocol):
    """The rules of a ranking tree: how its cells are split."""

    def apply(self, X: Any, left: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the cell in which each row ends, given the left children of the cells."""

    def walk(self, values: NDArray[np.float64], rows: NDArray[np.float64]) -> Walk | None:
        """Send two rows to cells that have these values, if the splits are of single features."""

    def importances(self, gains: NDArray[np.float64], n_features: int) -> NDArray[np.float64]:
        """Return each feature's part in the gains of the cells' splits."""

    def restrict(self, is_split: NDArray[np.bool_], number: NDArray[np.int32]) -> "Splits":
        """Keep the splits of the cells that stay split; ``number`` are the cells' new numbers."""


@dataclass(frozen=True)
class RankingTree:
    """A left-right oriented tree of cells, the best at the left.

    Attributes
    ----------
    cells : structured array
        The root is cell 0; the children of a cell follow it and each other, the better one first.
    splits : Splits
        How the cells are split.
    """

    cells: NDArray[Any]
    splits: Splits

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Which cells are not split."""
        leaves: NDArray[np.bool_] = self.cells["left"] < 0
        return leaves

    @property
    def leaves(self) -> NDArray[np.int64]:
        """The cells that are not split, worst first."""
        leaves = np.flatnonzero(self.is_leaf)
        return leaves[np.argsort(self.scores()[leaves])]

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the cell in which each row ends."""
        return self.splits.apply(X, self.cells["left"])

    def scores(self) -> NDArray[np.float64]:
        """Return each cell's score: 2^D - 2^(D-d)·k - 1/2 of the k-th of depth d, with D levels."""
        depth = int(self.cells["depth"].max())
        scores: NDArray[np.float64] = (
            2.0**depth - 2.0 ** (depth - self.cells["depth"]) * self.cells["position"] - 0.5
        )
        return scores

    def shares(self) -> NDArray[np.float64]:
        """Return the share of positives in each cell, by weight."""
        share: NDArray[np.float64] = self.cells["positives"] / (
            self.cells["positives"] + self.cells["negatives"]
        )
        return share

    def gains(self) -> NDArray[np.float64]:
        """Return by how much the split of each cell raises the AUC on the training rows."""
        return auc_gains(self.cells, self.cells["negatives"], self.cells["positives"])

    def importances(self, n_features: int) -> NDArray[np.float64]:
        """Return the AUC gained through each feature; they add up to the AUC less one half."""
        return self.splits.importances(self.gains(), n_features)

    def ranks(self, masses: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return each leaf's mid-rank as a share of the rows, given how many are in each cell.

        It is between 0 and 1, and neither: a leaf above all rows is above all but a trace of them.
        """
        ranks = np.full(self.cells.size, np.nan)
        mass = masses[self.leaves]
        shares = (np.cumsum(mass) - mass / 2) / mass.sum()
        ranks[self.leaves] = 0.5 + ALL_BUT_A_TRACE * (shares - 0.5)
        return ranks


def auc_gains(
    cells: NDArray[Any], negatives: NDArray[np.float64], positives: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return by how much each split raises the AUC, for rows counted by cell and class.

    With rates alpha of the negatives and beta of the positives, a split of C whose left child is C'
    gains (alpha(C)·beta(C') - beta(C)·alpha(C')) / 2.
    """
    inner = np.flatnonzero(cells["left"] >= 0)
    left = cells["left"][inner]
    gains = np.zeros(cells.size)
    twice = negatives[inner] * positives[left] - positives[inner] * negatives[left]
    gains[inner] = twice / (2 * negatives[0] * positives[0])
    return gains


def cell_masses(
    cells: NDArray[Any], ends: NDArray[np.int32], weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return the weight of the rows in each cell, given the cells in which they end."""
    masses = np.bincount(ends, weights, minlength=cells.size).astype(np.float64)
    return sum_up_leaves(cells, masses)
