"""From binned features and derivatives to a tree."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.boosted.cuts import order_categories
from rankwright.kernels.boosted.growing import advance, divide, leaf_values, look
from rankwright.kernels.boosted.histograms import BLOCK, fill_root
from rankwright.kernels.boosted.packing import find_units, pack
from rankwright.kernels.boosted.tree import CUT, GROWING, LIMITS, SET, Features, Rows, Tree
from rankwright.trees.boosted.drawn import Drawn
from rankwright.trees.boosted.grown import GrownTree
from rankwright.trees.boosted.losses import Derivatives
from rankwright.trees.boosted.team import Team

__all__ = ["Memory", "TreeShape", "grow"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Table = NDArray[Any]

BINS = 256
# Curvature of rows that a category is mixed with when categories are ordered: few rows of its own
# say little about its place.
CATEGORY_SMOOTHING = 10.0
ANY_TWO = np.empty((0, 0), dtype=np.bool_)


@dataclass(frozen=True)
class TreeShape:
    """What a tree may become."""

    symmetric: bool
    max_depth: int
    max_leaves: int
    l2: float
    min_rows: int
    signs: Ints  # of each feature: -1 or 1 where the score must fall or rise with it, else 0
    partners: Flags | None = None  # (d, d): which two features a tree may have, itself included

    @property
    def counts_rows(self) -> bool:
        """Whether cuts need to know the rows of each bin."""
        return self.min_rows > 1 and not self.symmetric

    def n_leaves(self, n_rows: int) -> int:
        """Return how many leaves a tree on so many rows has at most."""
        return self.max_leaves if self.symmetric else min(self.max_leaves, max(n_rows, 1))

    def n_slots(self, n_rows: int) -> int:
        """Return for how many nodes histograms are kept at a time."""
        return 2 ** (self.max_depth - 1) if self.symmetric else self.n_leaves(n_rows)


class Memory:
    """Arrays that all trees of a booster grow in."""

    def __init__(self, n_rows: int) -> None:
        self._rows, self._spare = np.empty(n_rows, np.int32), np.empty(n_rows, np.int32)
        self._packed, self._spare_packed = np.empty(n_rows, np.int64), np.empty(n_rows, np.int64)
        self._pools = [np.empty(0, np.int64), np.empty(0, np.int64)]

    def rows(self, drawn: Drawn, shape: TreeShape) -> Rows:
        """Return room for the rows drawn and their histograms."""
        size, n_bins = drawn.numbers.size, int(drawn.first_bin[-1])
        n_slots = shape.n_slots(size)
        counted = shape.counts_rows
        rows = Rows(
            self._rows[:size], self._packed[:size], self._spare[:size], self._spare_packed[:size],
            np.ones(size if counted else 0, dtype=np.int64), self._pool(0, n_slots, n_bins),
            self._pool(1, n_slots if counted else 0, n_bins),
        )  # fmt: skip
        rows.rows[:] = np.arange(size, dtype=np.int32)
        return rows

    def _pool(self, kind: int, n_slots: int, n_bins: int) -> Ints:
        if self._pools[kind].size < n_slots * n_bins:
            self._pools[kind] = np.empty(n_slots * n_bins, np.int64)
        return self._pools[kind][: n_slots * n_bins].reshape(n_slots, n_bins)


def grow(
    drawn: Drawn, derivatives: Derivatives, shape: TreeShape, seed: int, memory: Memory, team: Team
) -> GrownTree:
    """Grow a tree of some shape on the rows and features drawn."""
    rows = memory.rows(drawn, shape)
    tree = _plant(drawn, derivatives, shape, seed, rows)
    _count_root(drawn, rows, team)
    features = _see(drawn, shape, rows, tree)
    nodes, sets, limits = tree.nodes, tree.sets, tree.limits[0]

    def look_at(first: int, last: int) -> Table:
        best = np.empty(limits["n_sets"] - limits["new_sets"], CUT)
        look(features, rows, tree, first, last, best)
        return best

    found = np.empty((0, 1), CUT)
    while advance(features, rows, tree, found, team.shared_from(drawn.features.size)):
        own = sets[limits["divided"]]
        sizes = _sizes(nodes[own["first"] : own["last"]])
        team.run(lambda first, last: divide(features, rows, tree, first, last), 2 * sizes)
        children = _sizes(nodes[limits["children"] : limits["n_nodes"]])
        n_counted = np.minimum(children[::2], children[1::2]).sum()
        costs = np.full(drawn.n_blocks, BLOCK * (n_counted + BINS * sizes.size))
        found = np.stack(team.run(look_at, costs))
    leaf_values(tree)
    cuts = sets[: limits["n_sets"]]
    cuts = cuts[cuts["test"] >= 0]
    cuts = cuts[np.argsort(cuts["test"])]
    return GrownTree(
        drawn, features, rows.rows, nodes[: limits["n_nodes"]], cuts, tree.goes_left[: cuts.size]
    )


def _sizes(nodes: Table) -> Ints:
    return np.asarray(nodes["stop"] - nodes["start"])


def _plant(drawn: Drawn, derivatives: Derivatives, shape: TreeShape, seed: int, rows: Rows) -> Tree:
    """Pack the derivatives, and return a tree that is all root."""
    size = drawn.numbers.size
    n_leaves = shape.n_leaves(size)
    limits = np.zeros(1, LIMITS)
    gradient, curvature = derivatives.gradient, derivatives.curvature
    unit, bend_unit = find_units(gradient, curvature, drawn.numbers)
    total = pack(gradient, curvature, drawn.numbers, seed, unit, bend_unit, rows.packed)
    limits["together"], limits["max_depth"] = shape.symmetric, shape.max_depth
    limits["max_leaves"], limits["l2"] = n_leaves, shape.l2
    limits["min_rows"], limits["counts_rows"] = shape.min_rows, shape.counts_rows
    limits["unit"], limits["bend_unit"], limits["alone"] = unit, bend_unit, -1
    limits["n_nodes"], limits["n_sets"] = 1, 1
    nodes, sets = np.empty(2 * n_leaves - 1, GROWING), np.empty(2 * n_leaves - 1, SET)
    nodes[0] = (0, size, total, 0, -np.inf, np.inf, -1, -1, -1, 0.0)
    sets[0] = (0, 1, 0, -1, 0.0, -1, -1, False)
    n_cuts = shape.max_depth if shape.symmetric else n_leaves
    goes_left = np.empty((n_cuts, BINS), dtype=np.bool_)
    return Tree(nodes, sets, goes_left, np.ones(drawn.features.size, dtype=np.bool_), limits)


def _count_root(drawn: Drawn, rows: Rows, team: Team) -> None:
    def count(first: int, last: int) -> None:
        for summands, pool in ((rows.packed, rows.pool), (rows.ones, rows.counts)):
            if len(pool):
                fill_root(drawn.blocks, rows.rows, summands, drawn.first_bin, first, last, pool[0])

    team.run(count, np.full(drawn.n_blocks, BLOCK * rows.rows.size))


def _see(drawn: Drawn, shape: TreeShape, rows: Rows, tree: Tree) -> Features:
    """Return the features, with the order in which each one's bins are cut."""
    n_places, orders = drawn.n_bins, drawn.orders
    if drawn.categorical.any():
        n_places, orders = n_places.copy(), orders.copy()
    limits = tree.limits[0]
    for j in np.flatnonzero(drawn.categorical):
        histogram = rows.pool[0, drawn.first_bin[j] : drawn.first_bin[j + 1]]
        n_places[j] = order_categories(
            histogram, drawn.n_bins[j], limits["unit"], limits["bend_unit"], CATEGORY_SMOOTHING,
            orders[j],
        )  # fmt: skip
    features, partners = drawn.features, ANY_TWO
    if shape.partners is not None:
        partners = shape.partners[np.ix_(features, features)]
    return Features(
        drawn.blocks, drawn.first_bin, orders, n_places, drawn.missing, shape.signs[features],
        partners,
    )  # fmt: skip
