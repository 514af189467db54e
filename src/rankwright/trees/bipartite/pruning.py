"""Smaller ranking trees: the subtree of largest AUC less a penalty for each leaf.

The AUC of a ranking tree is one half plus the gains of its splits, so that minimal cost-complexity
pruning applies, and the AUC of every pruned tree on any rows is a partial sum of the gains there.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwright.trees.bipartite.nodes import RankingTree
from rankwright.trees.pruning import find_candidates, find_survivors, link_strengths

__all__ = ["AucPruning", "choose_penalty", "prune", "strengths"]


@dataclass(frozen=True)
class AucPruning:
    """The cross-validated AUC of the pruned trees.

    Attributes
    ----------
    penalties : (m,) float64
        Penalties per leaf that were compared, one for each pruned tree, simplest tree last.
    aucs : (m,) float64
        Mean AUC on the held-out rows.
    chosen : float
        The penalty of largest AUC; of equals the one with the simplest tree.
    """

    penalties: NDArray[np.float64]
    aucs: NDArray[np.float64]
    chosen: float


def strengths(tree: RankingTree) -> NDArray[np.float64]:
    """Return the penalty per leaf that prunes each split, minus infinity in leaves."""
    left, gains = tree.cells["left"], tree.gains()
    # Costs of which a split saves its gain: the children share what is left of their parent's.
    costs = np.full(left.size, 0.5)
    for cell in np.flatnonzero(left >= 0):
        costs[left[cell] : left[cell] + 2] = (costs[cell] - gains[cell]) / 2
    return link_strengths(left, costs)


def prune(tree: RankingTree, penalty: float) -> RankingTree:
    """Return the subtree that maximises the AUC less ``penalty`` for each leaf."""
    is_split = strengths(tree) > penalty
    kept, number = find_survivors(tree.cells["left"], is_split)
    cells = tree.cells[kept]
    cells["left"] = np.where(is_split[kept], number[cells["left"]], -1)
    return RankingTree(cells, tree.splits.restrict(is_split, number))


def choose_penalty(
    tree: RankingTree,
    folds: Iterable[tuple[RankingTree, NDArray[np.float64]]],
) -> AucPruning:
    """Compare the pruned versions of a tree by folds.

    Each fold is the tree grown without it and the gains of that tree's splits on the fold's rows; a
    fold's tree pruned with some penalty stands for the whole data's tree pruned with it.
    """
    penalties = find_candidates(strengths(tree))
    aucs = []
    for fold_tree, gains in folds:
        # A split counts for the penalties below its strength.
        until = np.searchsorted(penalties, strengths(fold_tree))
        lost = np.bincount(until, gains, minlength=penalties.size + 1)
        aucs.append(0.5 + lost.sum() - np.cumsum(lost)[:-1])
    mean = np.mean(aucs, axis=0)
    best = np.flatnonzero(mean >= mean.max() - 1e-12)[-1]
    return AucPruning(penalties, mean, float(penalties[best]))
