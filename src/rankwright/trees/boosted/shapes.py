"""The two shapes of trees: symmetric ones, with one cut for a whole level, and leaf-wise ones."""

from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.boosted.rows import add_leaf_values, add_values_outside
from rankwright.trees.binning import Bins
from rankwright.trees.boosted.growing import BINS, Cut, Floats, Growth, Ints, Nodes
from rankwright.trees.boosted.nodes import NODE, BoostedTree

__all__ = ["GrownTree", "grow_leafwise", "grow_symmetric"]


@dataclass(frozen=True)
class GrownTree:
    """A tree in terms of bins: node i tests ``cuts[test[i]]``, its left child is ``left[i]``."""

    growth: Growth
    cuts: list[Cut]
    left_is_larger: list[bool]  # of each cut: where what was never seen goes
    left: NDArray[np.int32]
    test: NDArray[np.int32]
    decrease: Floats
    values: Floats  # of the leaves, by node
    leaves: Ints  # nodes
    ranges: Ints  # (n_leaves, 2): their rows

    def add_values(self, rate: float, scores: Floats) -> None:
        """Add the leaves' values to the scores of the rows that the tree grew on."""
        growth = self.growth
        values = rate * self.values[self.leaves]
        add_leaf_values(self.ranges, values, growth.rows, growth.drawn.numbers, scores)

    def add_values_outside(
        self, rate: float, bins: Bins, numbers: NDArray[np.int32], scores: Floats
    ) -> None:
        """Add the values to the scores of other rows of the matrix."""
        tables = np.zeros((max(len(self.cuts), 1), BINS), dtype=np.bool_)
        features = np.zeros(len(tables), dtype=np.int64)
        for i, cut in enumerate(self.cuts):
            tables[i] = self._table(i)
            features[i] = self.growth.drawn.features[cut.feature]
        add_values_outside(
            bins.codes, numbers, features[self.test], self.left, self.test, tables,
            rate * self.values, scores,
        )  # fmt: skip

    def finish(self, rate: float, bins: Bins) -> BoostedTree:
        """Return the tree in terms of values."""
        nodes = np.empty(self.left.size, dtype=NODE)
        nodes["left"], nodes["value"] = self.left, rate * self.values
        nodes["decrease"] = self.decrease
        is_inner = self.left >= 0
        nodes["feature"], nodes["category_set"], nodes["default_left"] = -1, -1, -1
        nodes["threshold"] = np.nan
        sets: list[NDArray[np.bool_]] = []
        for i, cut in enumerate(self.cuts):
            here = is_inner & (self.test == i)
            feature = self.growth.drawn.features[cut.feature]
            has_missing = self.growth.drawn.missing[cut.feature] >= 0
            nodes["feature"][here] = feature
            nodes["default_left"][here] = (
                cut.missing_left if has_missing else self.left_is_larger[i]
            )
            if bins.categorical[feature]:
                nodes["category_set"][here] = len(sets)
                sets.append(self._table(i))
            else:
                nodes["threshold"][here] = bins.edges[feature, cut.place]
        return BoostedTree(nodes, np.array(sets, dtype=np.bool_).reshape(-1, BINS))

    def _table(self, i: int) -> NDArray[np.bool_]:
        """Return which bins go left; categories that no row of the tree has go with the larger."""
        cut, growth = self.cuts[i], self.growth
        if not growth.drawn.categorical[cut.feature]:
            return cut.goes_left
        table = np.full(BINS, self.left_is_larger[i])
        seen = growth.cut_order(cut.feature)
        table[seen] = cut.goes_left[seen]
        return table


def _features(cuts: list[Cut]) -> frozenset[int]:
    return frozenset(cut.feature for cut in cuts)


def _left_is_larger(children: Nodes) -> bool:
    return bool(children.n_rows[::2].sum() >= children.n_rows[1::2].sum())


def grow_symmetric(growth: Growth) -> GrownTree:
    """Cut all nodes of a level alike, while that helps."""
    levels, cuts, larger = [growth.root], [], []
    cut = growth.look_at_root()
    while cut is not None:
        children = growth.split(levels[-1], cut)
        cuts.append(cut)
        larger.append(_left_is_larger(children))
        levels.append(children)
        more = len(cuts) < growth.shape.max_depth
        cut = growth.look(children, _features(cuts), together=True)[0] if more else None
    values = growth.values(growth.root)
    for level in levels[1:]:
        own = np.repeat(values, 2)
        enough = level.n_rows >= growth.shape.min_rows
        values = np.where(enough, growth.values(level), np.clip(own, *level.bounds.T))
    depth, last = len(cuts), levels[-1]
    n_inner = 2**depth - 1
    level_of = np.repeat(np.arange(depth), 2 ** np.arange(depth))
    gains = np.array([cut.gain for cut in cuts])
    ranges = np.column_stack([last.start, last.stop])
    return GrownTree(
        growth,
        cuts,
        larger,
        np.append(2 * np.arange(n_inner) + 1, np.full(n_inner + 1, -1)).astype(np.int32),
        np.append(level_of, np.zeros(n_inner + 1)).astype(np.int32),
        np.append((gains / 2.0 ** np.arange(depth))[level_of], np.zeros(n_inner + 1)),
        np.append(np.zeros(n_inner), values),
        n_inner + np.arange(n_inner + 1),
        ranges,
    )


def grow_leafwise(growth: Growth) -> GrownTree:
    """Cut the leaf with the largest gain until there are enough leaves."""
    left, depths, gains = [-1], [0], [0.0]
    cuts: list[Cut] = []
    larger: list[bool] = []
    held, test = {0: growth.root}, [0]
    waiting: list[tuple[float, int, Cut]] = []
    if (cut := growth.look_at_root()) is not None:
        heappush(waiting, (-cut.gain, 0, cut))
    while waiting and len(held) < growth.shape.max_leaves:
        _, this, cut = heappop(waiting)
        if not growth.may_join(cut.feature, _features(cuts)):
            continue
        children = growth.split(held.pop(this), cut)
        left[this], test[this], gains[this] = len(left), len(cuts), cut.gain
        cuts.append(cut)
        larger.append(_left_is_larger(children))
        pair = [len(left), len(left) + 1]
        depths += 2 * [depths[this] + 1]
        left += [-1, -1]
        test += [0, 0]
        gains += [0.0, 0.0]
        more = len(held) + 2 < growth.shape.max_leaves and depths[-1] < growth.shape.max_depth
        found = growth.look(children, _features(cuts), together=False) if more else [None, None]
        for i, (node, next_cut) in enumerate(zip(pair, found, strict=True)):
            held[node] = children[[i]]
            if next_cut is not None:
                heappush(waiting, (-next_cut.gain, node, next_cut))
    values = np.zeros(len(left))
    for node, leaf in held.items():
        values[node] = growth.values(leaf)[0]
    ranges = [(leaf.start[0], leaf.stop[0]) for leaf in held.values()]
    return GrownTree(
        growth,
        cuts,
        larger,
        np.array(left, dtype=np.int32),
        np.array(test, dtype=np.int32),
        np.array(gains),
        values,
        np.array(list(held), dtype=np.int64),
        np.array(ranges, dtype=np.int64),
    )
