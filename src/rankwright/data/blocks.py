"""Where all pairs of all groups are, without listing them."""

from dataclasses import dataclass
from functools import cached_property
from itertools import chain

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

    @cached_property
    def has_direct(self) -> bool:
        """Whether any pair is in a direct range: none is where y has few levels."""
        return bool((self.direct_start < self.worse_end).any())

    def weight_below(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the weight of the rows that each row is better than, all in sorted order."""
        from rankwright.kernels.ranges import range_sums

        sums: NDArray[np.float64] = range_sums(weights, self.worse_start, self.worse_end)
        return sums


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
    if pairs == "all":
        worse_start = groups[group_of_row(groups)]
        large = np.flatnonzero(np.diff(groups) > leaf_rows)
        leaves = [forest.grow(levels.groups[g], levels.groups[g + 1]) for g in large]
    else:
        below = np.where(np.isin(starts, groups), starts, np.roll(starts, 1))
        worse_start = below[levels.of_row]
        many = np.diff(levels.offsets) * (starts - below) > leaf_rows**2
        leaves = [forest.chain(run.start - 1, run.stop) for run in _runs(many)]
    direct_start = worse_start.copy()
    for start, end in chain.from_iterable(leaves):
        direct_start[start:end] = start
    return PairBlocks(
        order=levels.order,
        groups=groups,
        worse_start=worse_start,
        worse_end=starts[levels.of_row],
        direct_start=direct_start,
        trees=np.array(forest.trees, dtype=np.int64).reshape(-1, 6),
        nodes=np.concatenate(forest.nodes),
        blocks=np.concatenate(forest.blocks),
    )


def _runs(flags: NDArray[np.bool_]) -> list[range]:
    changes = np.flatnonzero(np.diff(np.r_[False, flags, False]))
    return [range(start, stop) for start, stop in changes.reshape(-1, 2)]


class _Forest:
    """Trees over the levels (rows of one group with equal y) of the large groups."""

    def __init__(self, levels: Ints, leaf_rows: int) -> None:
        self.levels = levels
        self.leaf_rows = leaf_rows
        self.trees: list[tuple[int, int, int, int, int, int]] = []
        self.nodes = [np.empty((0, 4), dtype=np.int64)]
        self.blocks = [np.empty((0, 2), dtype=np.int64)]
        self.n_nodes = self.n_blocks = 0

    def grow(self, first: int, last: int) -> Ints:
        """Split levels in halves until the leaves are short or a single level; return the leaves.

        A leaf is given by its first and last row; rows are compared directly inside it only.
        """
        from rankwright.kernels.level_trees import split_levels

        tree = self.levels, first, last, self.leaf_rows, self.n_nodes
        n_nodes = split_levels(*tree, self.nodes[0], self.blocks[0])
        nodes = np.empty((n_nodes, 4), dtype=np.int64)
        blocks = np.empty((n_nodes // 2, 2), dtype=np.int64)
        split_levels(*tree, nodes, blocks)
        self._add(nodes, blocks)
        return nodes[nodes[:, 3] == 1, :2]

    def chain(self, first: int, last: int) -> Ints:
        """Compare each of the levels first + 1:last with the one before it; return those."""
        bounds = self.levels[first : last + 1]
        nodes = np.empty((last - first, 4), dtype=np.int64)
        nodes[:, 0], nodes[:, 1] = bounds[:-1], bounds[1:]
        nodes[:, 2:] = -1, 1
        leaves = self.n_nodes + np.arange(last - first)
        self._add(nodes, np.column_stack([leaves[:-1], leaves[1:]]))
        # The lowest level of the chain may have a short direct range below it, the others none.
        return nodes[1:, :2]

    def _add(self, nodes: Ints, blocks: Ints) -> None:
        ends = self.n_nodes + len(nodes), self.n_blocks + len(blocks)
        self.trees.append(
            (nodes[0, 0], nodes[-1, 1], self.n_nodes, ends[0], self.n_blocks, ends[1])
        )
        self.nodes.append(nodes)
        self.blocks.append(blocks)
        self.n_nodes, self.n_blocks = ends
