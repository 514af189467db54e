"""The growth of a tree, from the root's rows to the table of nodes, without a step outside.

A node is a range of the rows; a split reorders the range so that each child is a range again. The
histograms of the smaller child are counted, those of the larger are the parent's less the smaller's.
"""

import numpy as np

from rankwright.kernels.compile import kernel
from rankwright.kernels.growth import HISTOGRAM, SWEEP, Node
from rankwright.kernels.histograms import fill_histogram
from rankwright.kernels.impurity import node_cost, side_statistics
from rankwright.kernels.splitting import choose_split, goes_left
from rankwright.kernels.sweeping import clear_sweep, measure_distances

__all__ = ["SMALLEST_KEPT", "grow"]

# A node with fewer rows counts its histograms in passing: keeping them costs more than it saves.
SMALLEST_KEPT = 256
# Costs this close to each other, relative to the node's, are equal: of such cuts the first is taken,
# however the sums were rounded.
TOLERANCE = 1e-11


@kernel
def _describe(nodes, this, sample, limits, work):
    """Sum up a node's rows."""
    start = nodes[this].start
    stop = nodes[this].stop
    totals = np.zeros(sample.values.size)
    for i in range(start, stop):
        totals[work.labels[i]] += 1.0 if work.weights.size == 0 else work.weights[i]
    weight = totals.sum()
    statistic, _ = side_statistics(limits.criterion, totals, totals, work.gaps, weight, 0.0)
    if limits.splitter == SWEEP:
        pairs = measure_distances(work.rows[start:stop], sample, work)
        if limits.grouped:
            statistic = pairs
    cost = node_cost(limits.criterion, statistic, weight)
    nodes[this].weight = weight
    nodes[this].cost = cost
    return Node(start, stop, float(stop - start), weight, statistic, cost, TOLERANCE * cost, totals)


@kernel
def _examine(nodes, this, slot, sample, limits, work, category_sets):
    """Find a node's best split; return whether there is one."""
    node = _describe(nodes, this, sample, limits, work)
    nodes[this].feature = -1
    nodes[this].left = -1
    nodes[this].decrease = 0.0
    found = False
    if (
        nodes[this].depth < limits.max_depth
        and node.n_rows >= 2 * limits.min_samples_leaf
        and node.cost > TOLERANCE * node.weight
    ):
        split = choose_split(node, slot, sample, limits, work)
        found = split.feature >= 0
        if found:
            nodes[this].feature = split.feature
            nodes[this].cut = split.cut
            nodes[this].default_left = split.default_left
            nodes[this].decrease = split.decrease
            if sample.categorical[split.feature]:
                category_sets[this] = work.categories
    if limits.splitter == SWEEP:
        clear_sweep(work.rows[node.start : node.stop], sample, work)
    return found


@kernel
def _reorder(values, rows, sides, buffer):
    """Move the values of rows that go left to the front, keeping the order on both sides."""
    n_left = 0
    n_right = 0
    for i in range(values.size):
        if sides[rows[i]]:
            values[n_left] = values[i]
            n_left += 1
        else:
            buffer[n_right] = values[i]
            n_right += 1
    values[n_left:] = buffer[:n_right]
    return n_left


@kernel
def _divide(nodes, this, sample, limits, work, category_sets):
    """Reorder a node's rows by its split; return where the right child begins."""
    start, stop = nodes[this].start, nodes[this].stop
    feature, cut, default_left = nodes[this].feature, nodes[this].cut, nodes[this].default_left
    n_bins = sample.n_bins[feature]
    categorical = sample.categorical[feature]
    categories = category_sets[this if categorical else 0]
    rows = work.rows[start:stop]
    for row in rows:
        if limits.splitter == SWEEP:
            code = np.int64(sample.ranks[feature, row])
        else:
            code = np.int64(sample.bins[feature, row])
        work.sides[row] = goes_left(code, n_bins, categorical, categories, cut, default_left)
    for j in range(work.orders.shape[0]):
        order = work.orders[j, start:stop]
        _reorder(order, order, work.sides, work.buffer)
    _reorder(work.labels[start:stop], rows, work.sides, work.buffer)
    if work.weights.size > 0:
        _reorder(work.weights[start:stop], rows, work.sides, work.spare)
    n_left = _reorder(rows, rows, work.sides, work.buffer)
    if default_left < 0:
        nodes[this].default_left = 1 if 2 * n_left >= stop - start else 0
    return start + n_left


@kernel
def _count(slot, start, stop, sample, work):
    """Count all histograms of a range of rows into a slot of the pool."""
    work.pool[slot] = 0.0
    for feature in range(sample.n_bins.size):
        begin = work.first_bin[feature]
        fill_histogram(
            work.pool[slot, begin : begin + sample.n_bins[feature] + 1],
            sample.bins[feature],
            work.rows[start:stop],
            work.labels[start:stop],
            work.weights[start:stop],
        )


@kernel
def _take_slot(free, n_free, slots, pending, n_pending):
    """Return a slot of the pool that is free, or that of the node to be split last; and what is free."""
    if n_free > 0:
        return free[n_free - 1], n_free - 1
    for i in range(n_pending):
        slot = slots[pending[i]]
        if slot >= 0:
            slots[pending[i]] = -1
            return slot, n_free
    return -1, n_free


@kernel
def _next_node(nodes, pending, n_pending, best_first):
    """Move the node to be split next to the end of the pending ones."""
    if best_first:
        best = 0
        for i in range(1, n_pending):
            if nodes[pending[i]].decrease > nodes[pending[best]].decrease:
                best = i
        this = pending[best]
        pending[best : n_pending - 1] = pending[best + 1 : n_pending]
        pending[n_pending - 1] = this
    return pending[n_pending - 1]


@kernel
def grow(sample, limits, work, nodes, category_sets):
    """Grow a tree on ``work.rows``, write its nodes, return their number.

    The right child of a node follows its left child, and children follow their parents.
    """
    n_slots = work.pool.shape[0]
    keeps = limits.splitter == HISTOGRAM and limits.max_features == sample.n_bins.size
    free = np.arange(n_slots)
    n_free = n_slots
    slots = np.full(nodes.size, -1)
    pending = np.empty(nodes.size, dtype=np.int64)
    n_pending = 0
    nodes[0].start = 0
    nodes[0].stop = work.rows.size
    nodes[0].depth = 0
    if keeps and work.rows.size >= SMALLEST_KEPT and limits.max_depth > 0:
        slots[0], n_free = _take_slot(free, n_free, slots, pending, 0)
        _count(slots[0], 0, work.rows.size, sample, work)
    if _examine(nodes, 0, slots[0], sample, limits, work, category_sets):
        pending[0] = 0
        n_pending = 1
    n_nodes = 1
    best_first = limits.max_leaf_nodes > 0
    while n_pending > 0 and (not best_first or n_nodes < 2 * limits.max_leaf_nodes - 1):
        this = _next_node(nodes, pending, n_pending, best_first)
        n_pending -= 1
        middle = _divide(nodes, this, sample, limits, work, category_sets)
        left, right = n_nodes, n_nodes + 1
        n_nodes += 2
        nodes[this].left = left
        nodes[left].start, nodes[left].stop = nodes[this].start, middle
        nodes[right].start, nodes[right].stop = middle, nodes[this].stop
        nodes[left].depth = nodes[right].depth = nodes[this].depth + 1
        n_left, n_right = middle - nodes[this].start, nodes[this].stop - middle
        small, large = (left, right) if n_left <= n_right else (right, left)
        slot = slots[this]
        if keeps and max(n_left, n_right) >= SMALLEST_KEPT and nodes[left].depth < limits.max_depth:
            slots[small], n_free = _take_slot(free, n_free, slots, pending, n_pending)
            _count(slots[small], nodes[small].start, nodes[small].stop, sample, work)
            if slot >= 0:
                slots[large] = slot
                work.pool[slot] -= work.pool[slots[small]]
            else:
                slots[large], n_free = _take_slot(free, n_free, slots, pending, n_pending)
                _count(slots[large], nodes[large].start, nodes[large].stop, sample, work)
        elif slot >= 0:
            free[n_free] = slot
            n_free += 1
        for child in (right, left):
            found = _examine(nodes, child, slots[child], sample, limits, work, category_sets)
            if found:
                pending[n_pending] = child
                n_pending += 1
            kept = found and nodes[child].stop - nodes[child].start >= SMALLEST_KEPT
            if slots[child] >= 0 and not kept:
                free[n_free] = slots[child]
                n_free += 1
                slots[child] = -1
    for this in pending[:n_pending]:
        nodes[this].feature = -1
        nodes[this].decrease = 0.0
    return n_nodes
