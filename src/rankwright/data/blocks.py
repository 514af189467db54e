"""Where all pairs of all groups are, without listing them."""

from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rankwright.data.levels import sort_levels
from rankwright.data.pairs import PAIR_RULES
from rankwright.data.rows import group_of_row

__all__ = ["PairBlocks", "pair_blocks"]

LEAF_ROWS = 128  # below this, meeting every pair is faster than a block

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class PairBlocks:
    """Rows sorted by group and y, short direct ranges, and blocks for the other pairs.

    Row i (in sorted order) is better than rows ``worse_start[i]:worse_end[i]``. The part from
    ``direct_start[i]`` on is short; the other pairs are in the blocks, each of which compares all
    rows of a worse node with all rows of a better one.
    """

    order: Ints  # sorted row i is row order[i] of the data
    groups: Ints  # offsets of the groups
    worse_start: Ints
    worse_end: Ints
    direct_start: Ints
    trees: Ints  # one per large group: rows, nodes and blocks, each as start and end
    nodes: Ints  # start row, end row, parent or -1, whether a leaf; children before parents
    blocks: Ints  # worse node, better node; a block comes after those inside its nodes


def pair_blocks(
    y: NDArray[np.float64], groups: Ints, pairs: str = "all", leaf_rows: int = LEAF_ROWS
) -> PairBlocks:
    """Organise the pairs of rows with different y in each group ``groups[g]:groups[g + 1]``.

    With ``pairs="adjacent"`` a row is compared with the rows of the next lower y only.
    """
    if pairs not in PAIR_RULES:
        raise ValueError(f"pairs={pairs!r}; choose from {sorted(PAIR_RULES)}")
    levels = sort_levels(y, groups)
    forest = _Forest(levels.offsets, leaf_rows)
    starts = levels.offsets[:-1]
    sizes = np.diff(groups)
    if pairs == "all":
        worse_start = groups[group_of_row(groups)]
        for g in np.flatnonzero(sizes > leaf_rows):
            forest.grow(levels.groups[g], levels.groups[g + 1])
    else:
        below = np.where(np.isin(starts, groups), starts, np.roll(starts, 1))
        worse_start = below[levels.of_row]
        many = np.diff(levels.offsets) * (starts - below) > leaf_rows**2
        for run in _runs(many):
            forest.chain(run.start - 1, run.stop)
    direct_start = worse_start.copy()
    for start, end, first in forest.direct:
        direct_start[start:end] = first
    return PairBlocks(
        order=levels.order,
        groups=groups,
        worse_start=worse_start,
        worse_end=starts[levels.of_row],
        direct_start=direct_start,
        trees=np.array(forest.trees, dtype=np.int64).reshape(-1, 6),
        nodes=np.array(forest.nodes, dtype=np.int64).reshape(-1, 4),
        blocks=np.array(forest.blocks, dtype=np.int64).reshape(-1, 2),
    )


def _runs(flags: NDArray[np.bool_]) -> list[range]:
    changes = np.flatnonzero(np.diff(np.r_[False, flags, False]))
    return [range(start, stop) for start, stop in changes.reshape(-1, 2)]


class _Forest:
    """Trees over the levels (rows of one group with equal y) of the large groups."""

    def __init__(self, levels: Ints, leaf_rows: int) -> None:
        self.levels = levels.tolist()
        self.leaf_rows = leaf_rows
        self.trees: list[tuple[int, int, int, int, int, int]] = []
        self.nodes: list[list[int]] = []
        self.blocks: list[tuple[int, int]] = []
        self.direct: list[tuple[int, int, int]] = []  # rows start:end, where their range begins

    def grow(self, first: int, last: int) -> None:
        """Split the levels first:last in halves until the leaves are short or a single level."""
        node, block = len(self.nodes), len(self.blocks)
        self._split(int(first), int(last))
        self._close(first, last, node, block)

    def chain(self, first: int, last: int) -> None:
        """Compare each of the levels first + 1:last with the one before it."""
        node, block = len(self.nodes), len(self.blocks)
        leaves = [self._node(level, level + 1, leaf=True) for level in range(first, last)]
        self.blocks += pairwise(leaves)
        # The lowest level of the chain may have a short direct range below it, the others none.
        self.direct.pop(-len(leaves))
        self._close(first, last, node, block)

    def _split(self, first: int, last: int) -> int:
        start, end = self.levels[first], self.levels[last]
        if last - first == 1 or end - start <= self.leaf_rows:
            return self._node(first, last, leaf=True)
        middle = (start + end) / 2
        cut = bisect_left(self.levels, middle, first + 1, last - 1)
        if cut > first + 1 and self.levels[cut] - middle > middle - self.levels[cut - 1]:
            cut -= 1
        low, high = self._split(first, cut), self._split(cut, last)
        node = self._node(first, last, leaf=False)
        self.nodes[low][2] = self.nodes[high][2] = node
        self.blocks.append((low, high))
        return node

    def _node(self, first: int, last: int, leaf: bool) -> int:
        start, end = self.levels[first], self.levels[last]
        self.nodes.append([start, end, -1, int(leaf)])
        if leaf:
            self.direct.append((start, end, start))
        return len(self.nodes) - 1

    def _close(self, first: int, last: int, node: int, block: int) -> None:
        start, end = self.levels[first], self.levels[last]
        self.trees.append((start, end, node, len(self.nodes), block, len(self.blocks)))
