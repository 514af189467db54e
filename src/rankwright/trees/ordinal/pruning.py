"""Smaller ordinal trees: pruned by rank loss, impurity or depth, their size cross-validated.

The strength of a split is the penalty per leaf that prunes it; for pruning to a depth D it is minus
the depth, and x is -D. So a node serves as a leaf exactly for x in [its strength, its parent's
strength), and one pass over the nodes gives the loss of every pruned tree on any data.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rankwright.trees.ordinal.nodes import Tree
from rankwright.trees.pruning import (
    find_candidates,
    find_parents,
    find_survivors,
    link_strengths,
    sum_up_leaves,
)

__all__ = [
    "PRUNE_BY",
    "PRUNE_COSTS",
    "Pruning",
    "choose_pruning",
    "prune",
    "strengths",
]

PRUNE_BY = ("alpha", "depth")
PRUNE_COSTS = ("impurity", "rank_loss")
ROUNDING = 1e-12  # losses this close, beside the spread of the labels, are equal


@dataclass(frozen=True)
class Pruning:
    """The cross-validated loss of the pruned trees.

    Attributes
    ----------
    by : "alpha" or "depth"
    candidates : (m,) float64
        Penalties per leaf, or depths, that were compared; simplest tree last or first.
    losses : (m,) float64
        Mean rank loss on the held-out rows.
    chosen : float
        The candidate of least loss; of equals the one with the simplest tree.
    """

    by: str
    candidates: NDArray[np.float64]
    losses: NDArray[np.float64]
    chosen: float


def node_losses(
    counts: NDArray[np.float64], tree: Tree, values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the summed rank loss of each node's label on rows counted by node and label."""
    distances = np.abs(values[tree.nodes["label"]][:, np.newaxis] - values)
    losses: NDArray[np.float64] = np.sum(counts * distances, axis=1)
    return losses


def strengths(
    tree: Tree, values: NDArray[np.float64], *, by: str, cost: str
) -> NDArray[np.float64]:
    """Return the strength of each split, minus infinity in leaves."""
    if by == "depth":
        return np.where(tree.is_leaf, -np.inf, -tree.nodes["depth"].astype(np.float64))
    costs = tree.nodes["cost"] if cost == "impurity" else node_losses(tree.values, tree, values)
    return link_strengths(tree.nodes["left"], costs / tree.nodes["weight"][0])


def prune(tree: Tree, strength: NDArray[np.float64], x: float) -> Tree:
    """Return the tree that keeps the splits stronger than ``x``."""
    is_split = strength > x
    kept, number = find_survivors(tree.nodes["left"], is_split)
    nodes = tree.nodes[kept]
    nodes["left"] = np.where(is_split[kept], number[nodes["left"]], -1)
    leaves = nodes["left"] < 0
    for field in ("feature", "default_left", "category_set"):
        nodes[field][leaves] = -1
    nodes["threshold"][leaves] = np.nan
    nodes["decrease"][leaves] = 0.0
    return replace(tree, nodes=nodes, values=tree.values[kept])


def choose_pruning(
    strength: NDArray[np.float64],
    by: str,
    folds: Iterable[tuple[Tree, NDArray[np.float64], NDArray[np.float64]]],
    values: NDArray[np.float64],
) -> Pruning:
    """Compare the pruned versions of a tree with the given strengths on the held-out rows of folds.

    Each fold is the tree grown without it, that tree's strengths, and the leaf-by-label counts of
    its own rows; a fold's tree pruned at x stands for the whole data's tree pruned at x.
    """
    candidates = find_candidates(strength)
    losses = np.zeros(candidates.size + 1)
    weight = 0.0
    for tree, fold_strength, leaf_counts in folds:
        counts = sum_up_leaves(tree.nodes, leaf_counts)
        loss = node_losses(counts, tree, values)
        parents = find_parents(tree.nodes["left"])
        begin = np.searchsorted(candidates, fold_strength)
        end = np.searchsorted(candidates, np.where(parents < 0, np.inf, fold_strength[parents]))
        np.add.at(losses, begin, loss)
        np.subtract.at(losses, end, loss)
        weight += counts[0].sum()
    mean = np.cumsum(losses)[:-1] / weight
    best = np.flatnonzero(mean <= mean.min() + ROUNDING * np.ptp(values))[-1]
    sign = -1.0 if by == "depth" else 1.0
    return Pruning(by, sign * candidates, mean, float(sign * candidates[best]))
