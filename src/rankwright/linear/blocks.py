"""All pairs of all groups, met once each without listing them."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

__all__ = ["PairBlocks", "pair_blocks"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PairBlocks:
    """Where the pairs are: rows sorted by group and y, short direct ranges, and blocks.

    Row i (in sorted order) is better than rows `direct_start[i]:direct_end[i]`; the remaining pairs
    are the blocks, each comparing all rows of a worse node with all rows of a better one.
    """

    order: Ints  # sorted row i is row order[i] of the data
    groups: Ints  # offsets of the groups
    levels: Ints  # offsets of the levels: rows of one group with equal y
    direct_start: Ints
    direct_end: Ints
    trees: Ints  # per large group: rows, nodes and blocks, each as start and end
    nodes: Ints  # start row, end row, parent or -1, whether a leaf; children before parents
    blocks: Ints  # worse node, better node; after the blocks inside them


def pair_blocks(
    y: Floats, groups: Ints, pairs: Literal["all", "adjacent"] = "all", leaf_rows: int = 256
) -> PairBlocks:
    """Return the pairs of rows with different y in each group `groups[g]:groups[g + 1]`.

    With ``pairs="adjacent"`` a row is compared with the rows of the next lower level only.
    Leaves of the trees keep at most `leaf_rows` rows, unless they consist of a single level.
    """
    sizes = np.diff(groups)
    of_row = np.repeat(np.arange(sizes.size), sizes)
    order = np.argsort(y, kind="stable") if sizes.size == 1 else np.lexsort((y, of_row))
    ordered = y[order]
    begins = np.ones(y.size, dtype=bool)
    begins[1:] = (ordered[1:] != ordered[:-1]) | (of_row[1:] != of_row[:-1])
    levels = np.append(np.flatnonzero(begins), y.size).astype(np.int64)
    level_of_row = np.cumsum(begins) - 1
    direct_end = levels[level_of_row]
    forest = _Forest(levels, leaf_rows)
    group_levels = np.searchsorted(levels, groups)
    if pairs == "all":
        direct_start = np.repeat(groups[:-1], sizes)
        for g in np.flatnonzero(sizes > leaf_rows):
            forest.grow(group_levels[g], group_levels[g + 1])
        for start, end, _, leaf in forest.nodes:
            if leaf:
                direct_start[start:end] = start
    else:
        first_of_group = np.isin(levels[:-1], groups[:-1])
        previous = np.where(first_of_group, levels[:-1], np.roll(levels[:-1], 1))
        direct_start = previous[level_of_row]
        level_sizes = np.diff(levels)
        pairs_below = level_sizes * (levels[:-1] - previous)
        for level in np.flatnonzero(pairs_below > leaf_rows**2):
            forest.link(level - 1, level)
            direct_start[levels[level] : levels[level + 1]] = levels[level]
    return PairBlocks(
        order=order.astype(np.int64),
        groups=groups,
        levels=levels,
        direct_start=np.minimum(direct_start, direct_end),
        direct_end=direct_end,
        trees=np.array(forest.trees, dtype=np.int64).reshape(-1, 6),
        nodes=np.array(forest.nodes, dtype=np.int64).reshape(-1, 4),
        blocks=np.array(forest.blocks, dtype=np.int64).reshape(-1, 2),
    )


class _Forest:
    """Recursive splits by y, one tree per large group."""

    def __init__(self, levels: Ints, leaf_rows: int) -> None:
        self.levels = levels
        self.leaf_rows = leaf_rows
        self.trees: list[tuple[int, int, int, int, int, int]] = []
        self.nodes: list[list[int]] = []
        self.blocks: list[tuple[int, int]] = []

    def grow(self, first: int, last: int) -> None:
        """Add the tree of the group with levels first:last."""
        node, block = len(self.nodes), len(self.blocks)
        self._split(first, last)
        self._close(first, last, node, block)

    def link(self, worse: int, better: int) -> None:
        """Add a tree of one block, which compares two whole levels."""
        node, block = len(self.nodes), len(self.blocks)
        self.blocks.append((self._node(worse, worse + 1, 1), self._node(better, better + 1, 1)))
        self._close(worse, better + 1, node, block)

    def _close(self, first: int, last: int, node: int, block: int) -> None:
        rows = int(self.levels[first]), int(self.levels[last])
        self.trees.append((*rows, node, len(self.nodes), block, len(self.blocks)))

    def _node(self, first: int, last: int, leaf: int) -> int:
        self.nodes.append([int(self.levels[first]), int(self.levels[last]), -1, leaf])
        return len(self.nodes) - 1

    def _split(self, first: int, last: int) -> int:
        start, end = self.levels[first], self.levels[last]
        if last - first == 1 or end - start <= self.leaf_rows:
            return self._node(first, last, 1)
        cut = int(np.searchsorted(self.levels, (start + end) // 2))
        if cut > first and self.levels[cut] - (start + end) // 2 > (start + end) // 2 - self.levels[cut - 1]:
            cut -= 1
        cut = min(max(cut, first + 1), last - 1)
        low, high = self._split(first, cut), self._split(cut, last)
        node = self._node(first, last, 0)
        self.nodes[low][2] = self.nodes[high][2] = node
        self.blocks.append((low, high))
        return node
