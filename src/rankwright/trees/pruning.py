"""Smaller trees: what every kind of minimal cost-complexity pruning needs.

A pruned tree is described by a *strength* of each split, never larger than that of the splits above
it: the tree pruned at x keeps the splits stronger than x.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "find_candidates",
    "find_parents",
    "find_survivors",
    "link_strengths",
    "sum_up_leaves",
]


def sum_up_leaves(nodes: NDArray[Any], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add up what leaves hold towards the root, in place."""
    for depth in range(int(nodes["depth"].max()) - 1, -1, -1):
        parents = np.flatnonzero((nodes["depth"] == depth) & (nodes["left"] >= 0))
        left = nodes["left"][parents]
        counts[parents] = counts[left] + counts[left + 1]
    return counts


def find_parents(left: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the parent of each node, -1 for the root, given the left children, -1 in leaves."""
    parents = np.full(left.size, -1, dtype=np.int64)
    inner = np.flatnonzero(left >= 0)
    parents[left[inner]] = parents[left[inner] + 1] = inner
    return parents


def link_strengths(left: NDArray[np.int32], costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the penalty per leaf that prunes each split, minus infinity in leaves.

    ``costs`` are what each node costs as a leaf.
    """
    from rankwright.kernels.trees.pruning import weakest_links

    strength = np.full(left.size, -np.inf)
    weakest_links(left.astype(np.int64), find_parents(left), costs, strength)
    return strength


def find_survivors(
    left: NDArray[np.int32], is_split: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the nodes that stay when only some stay split, and the new number of each, or -1."""
    parents = find_parents(left)
    kept = np.flatnonzero((parents < 0) | is_split[parents])
    number = np.full(left.size, -1, dtype=np.int32)
    number[kept] = np.arange(kept.size)
    return kept, number


def find_candidates(strength: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return one x for each pruned tree, the geometric mean of its range where that is positive."""
    ends = np.unique(np.append(strength[np.isfinite(strength)], 0.0))
    if ends[0] < 0.0:
        return ends
    return np.append(np.sqrt(ends[:-1] * ends[1:]), ends[-1])
