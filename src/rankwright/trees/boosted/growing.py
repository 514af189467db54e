"""From binned features and derivatives to a tree.

Growth is a sequence of steps: one cut splits a set of nodes, all of a level in a symmetric tree and
the most promising leaf in a leaf-wise one. Both kinds share everything but the order of the steps.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.boosted.cuts import CUT, TINY, CutSearch, find_cut, order_categories
from rankwright.kernels.boosted.histograms import BLOCK, fill_children, fill_root
from rankwright.kernels.boosted.packing import CURVATURE_BITS, CURVATURE_MASK, find_units, pack
from rankwright.kernels.boosted.rows import split_nodes
from rankwright.trees.boosted.drawn import Drawn
from rankwright.trees.boosted.losses import Derivatives
from rankwright.trees.boosted.team import Team

__all__ = ["Cut", "Growth", "Memory", "Nodes", "TreeShape"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Table = NDArray[Any]

BINS = 256
# Curvature of rows that a category is mixed with when categories are ordered: few rows of its own
# say little about its place.
CATEGORY_SMOOTHING = 10.0
# A Newton step where the loss is all but straight would have no end.
LARGEST_VALUE = 10.0


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

    @property
    def n_slots(self) -> int:
        """The number of nodes whose histograms are kept at a time."""
        return 2 ** (self.max_depth - 1) if self.symmetric else self.max_leaves


@dataclass(frozen=True)
class Nodes:
    """Nodes of a growing tree: ranges of rows, packed sums, and where their histograms are."""

    start: Ints
    stop: Ints
    total: Ints
    slot: Ints
    bounds: Floats  # (n, 2): the least and the largest value allowed

    def __getitem__(self, chosen: Any) -> "Nodes":
        return Nodes(
            self.start[chosen], self.stop[chosen], self.total[chosen], self.slot[chosen],
            self.bounds[chosen],
        )  # fmt: skip

    @property
    def n_rows(self) -> Ints:
        """The number of rows of each node."""
        return self.stop - self.start


@dataclass(frozen=True)
class Cut:
    """A test on one feature of those drawn: bins for which ``goes_left`` holds go left."""

    feature: int
    place: int
    goes_left: Flags  # (256,)
    missing_left: bool
    gain: float


class Memory:
    """Arrays that all trees of a booster grow in."""

    def __init__(self, n_rows: int) -> None:
        self.rows, self.spare = np.empty(n_rows, np.int32), np.empty(n_rows, np.int32)
        self.packed, self.spare_packed = np.empty(n_rows, np.int64), np.empty(n_rows, np.int64)
        self._pools = [np.empty(0, np.int64), np.empty(0, np.int64)]

    def pool(self, kind: int, n_slots: int, n_bins: int) -> Ints:
        """Return room for the histograms of so many nodes."""
        if self._pools[kind].size < n_slots * n_bins:
            self._pools[kind] = np.empty(n_slots * n_bins, np.int64)
        return self._pools[kind][: n_slots * n_bins].reshape(n_slots, n_bins)


class Growth:
    """A growing tree."""

    def __init__(
        self,
        drawn: Drawn,
        derivatives: Derivatives,
        shape: TreeShape,
        seed: int,
        memory: Memory,
        team: Team,
    ) -> None:
        self.drawn, self.shape, self._team = drawn, shape, team
        size = drawn.numbers.size
        self.rows, self._packed = memory.rows[:size], memory.packed[:size]
        self._spare, self._spare_packed = memory.spare[:size], memory.spare_packed[:size]
        self.rows[:] = np.arange(size, dtype=np.int32)
        gradient, curvature = derivatives.gradient, derivatives.curvature
        self._units = find_units(gradient, curvature, drawn.numbers)
        total = pack(gradient, curvature, drawn.numbers, seed, *self._units, self._packed)
        n_bins = int(drawn.first_bin[-1])
        self._pool = memory.pool(0, shape.n_slots, n_bins)
        self._counts = memory.pool(1, shape.n_slots if shape.counts_rows else 0, n_bins)
        self._ones = np.ones(size if shape.counts_rows else 0, dtype=np.int64)
        self._n_slots = 1
        self.root = Nodes(
            np.zeros(1, np.int64), np.full(1, size), np.full(1, total), np.zeros(1, np.int64),
            np.array([[-np.inf, np.inf]]),
        )  # fmt: skip
        self._count_root()
        self._orders, self._n_places = self._order_bins()

    def values(self, nodes: Nodes) -> Floats:
        """Return the Newton value of each node, within its bounds."""
        slope = (nodes.total >> CURVATURE_BITS) * self._units[0]
        bend = (nodes.total & CURVATURE_MASK) * self._units[1]
        free = -slope / (bend + self.shape.l2 + TINY)
        low = np.maximum(nodes.bounds[:, 0], -LARGEST_VALUE)
        high = np.minimum(nodes.bounds[:, 1], LARGEST_VALUE)
        return np.asarray(np.minimum(np.maximum(free, low), high))

    def split(self, nodes: Nodes, cut: Cut) -> Nodes:
        """Divide nodes by a cut; the children of node i are at 2 i and 2 i + 1."""
        work = np.zeros((nodes.start.size, 5), dtype=np.int64)
        work[:, 0], work[:, 1] = nodes.start, nodes.stop
        self._team.run(
            lambda first, last: split_nodes(
                self.drawn.blocks, cut.feature, cut.goes_left, work, first, last, self.rows,
                self._packed, self._spare, self._spare_packed,
            ),
            2 * nodes.n_rows,
        )  # fmt: skip
        # A row of work: start, stop, middle, and the totals of both parts.
        children = Nodes(
            work[:, [0, 2]].ravel(),
            work[:, [2, 1]].ravel(),
            work[:, 3:].ravel(),
            np.repeat(nodes.slot, 2),
            np.repeat(nodes.bounds, 2, axis=0),
        )
        return self._bounded(children, int(self.shape.signs[self.drawn.features[cut.feature]]))

    def _bounded(self, children: Nodes, sign: int) -> Nodes:
        """Keep everything left of a monotone cut on one side of what is right of it."""
        if sign == 0:
            return children
        middle = self.values(children).reshape(-1, 2).mean(axis=1)
        bounds = children.bounds.copy()
        lower, upper = (0, 1) if sign > 0 else (1, 0)  # which child has the lower values
        bounds[lower::2, 1] = middle
        bounds[upper::2, 0] = middle
        return replace(children, bounds=bounds)

    def look(self, children: Nodes, before: frozenset[int], *, together: bool) -> list[Cut | None]:
        """Count the children's histograms and find the best cut, of all together or of each.

        ``before`` are the features cut so far.
        """
        fills = self._place(children)
        sets = [children] if together else [children[[i]] for i in range(children.start.size)]

        def count(first: int, last: int) -> None:
            drawn = self.drawn
            fill_children(
                drawn.blocks, self.rows, self._packed, drawn.first_bin, fills, first, last,
                self._pool,
            )  # fmt: skip
            if self.shape.counts_rows:
                fill_children(
                    drawn.blocks, self.rows, self._ones, drawn.first_bin, fills, first, last,
                    self._counts,
                )  # fmt: skip

        n_rows = int((fills[:, 1] - fills[:, 0]).sum())
        return self._find(sets, self._allowed(before), count, n_rows)

    def may_join(self, feature: int, before: frozenset[int]) -> bool:
        """Return whether a tree that has cut some features may cut this one."""
        return bool(self._allowed(before)[feature])

    def _allowed(self, before: frozenset[int]) -> Flags:
        """Return which features may be cut in a tree that has cut these."""
        partners, features = self.shape.partners, self.drawn.features
        if partners is None or not before:
            return np.ones(features.size, dtype=np.bool_)
        if len(before) == 1:
            allowed: Flags = partners[features[next(iter(before))], features]
            return allowed
        return np.isin(np.arange(features.size), list(before))

    def cut_order(self, feature: int) -> Ints:
        """Return the bins of a feature in the order in which they are cut."""
        return self._orders[feature, : self._n_places[feature]]

    def look_at_root(self) -> Cut | None:
        """Find the best cut of the root."""
        everything = self._allowed(frozenset())
        return self._find([self.root], everything, lambda first, last: None, 0)[0]

    def _find(
        self, sets: Sequence[Nodes], allowed: Flags, count: Any, n_rows: int
    ) -> list[Cut | None]:
        searches = [self._search(nodes[nodes.n_rows > 1], allowed) for nodes in sets]
        n_features = self.drawn.features.size

        def work(first: int, last: int) -> Table:
            count(first, last)
            best = np.zeros(len(searches), dtype=CUT)
            for i, search in enumerate(searches):
                find_cut(
                    self._pool, self._counts, search, self.shape.l2 + TINY,
                    self.shape.min_rows if self.shape.counts_rows else 1, self._units,
                    BLOCK * first, min(BLOCK * last, n_features), best[i : i + 1],
                )  # fmt: skip
            return best

        n_searched = sum(search.slots.size for search in searches)
        costs = np.full(self.drawn.n_blocks, BLOCK * (n_rows + n_searched * BINS))
        found = np.stack(self._team.run(work, costs))
        return [self._cut(of_set[np.argmax(of_set["gain"])]) for of_set in found.T]

    def _search(self, nodes: Nodes, allowed: Flags) -> CutSearch:
        drawn = self.drawn
        return CutSearch(
            drawn.first_bin, self._orders, self._n_places, drawn.missing,
            self.shape.signs[drawn.features], allowed, nodes.slot, nodes.total, nodes.bounds,
        )  # fmt: skip

    def _cut(self, found: Any) -> Cut | None:
        feature, place = int(found["feature"]), int(found["place"])
        if feature < 0:
            return None
        goes_left = np.zeros(BINS, dtype=np.bool_)
        goes_left[self._orders[feature, : place + 1]] = True
        missing_left = bool(found["missing_left"])
        if self.drawn.missing[feature] >= 0:
            goes_left[self.drawn.missing[feature]] = missing_left
        return Cut(feature, place, goes_left, missing_left, float(found["gain"]))

    def _place(self, children: Nodes) -> Ints:
        """Give the smaller of two children a slot of its own; return what is to be counted."""
        n_rows = children.n_rows.reshape(-1, 2)
        pairs = np.flatnonzero(n_rows.sum(axis=1) > 1)
        small = 2 * pairs + (n_rows[pairs, 1] < n_rows[pairs, 0])
        parents = children.slot[small]
        children.slot[small] = self._n_slots + np.arange(small.size)
        self._n_slots += small.size
        fills = np.empty((small.size, 4), dtype=np.int64)
        fills[:, 0], fills[:, 1] = children.start[small], children.stop[small]
        fills[:, 2], fills[:, 3] = children.slot[small], parents
        return fills

    def _count_root(self) -> None:
        drawn = self.drawn

        def count(first: int, last: int) -> None:
            fill_root(
                drawn.blocks, self.rows, self._packed, drawn.first_bin, first, last, self._pool[0]
            )
            if self.shape.counts_rows:
                fill_root(
                    drawn.blocks, self.rows, self._ones, drawn.first_bin, first, last,
                    self._counts[0],
                )  # fmt: skip

        self._team.run(count, np.full(drawn.n_blocks, BLOCK * self.rows.size))

    def _order_bins(self) -> tuple[Ints, Ints]:
        """Return in which order each feature's bins are cut, and how many take part."""
        drawn = self.drawn
        n_places = drawn.n_bins.copy()
        orders = np.broadcast_to(np.arange(BINS), (drawn.features.size, BINS))
        if drawn.categorical.any():
            orders = orders.copy()
            for j in np.flatnonzero(drawn.categorical):
                histogram = self._pool[0, drawn.first_bin[j] : drawn.first_bin[j + 1]]
                n_places[j] = order_categories(
                    histogram, int(drawn.n_bins[j]), self._units, CATEGORY_SMOOTHING, orders[j]
                )
        else:
            orders = np.ascontiguousarray(orders)
        return orders, n_places
