"""The growth of a tree on binned features, from the root's rows to the table of nodes.

A node is a range of the rows; a split reorders the range so that each child is a range again. The
loop is the same for both ways to find a split, by histograms and by sweeps: of ``pool`` and
``sweeps`` one is None, and numba compiles only the branches of the other.
"""

import numpy as np

from rankwright.kernels.compile import kernel, part
from rankwright.kernels.draws import draw_below
from rankwright.kernels.trees.growth import Scratch, Search
from rankwright.kernels.trees.histograms import cut_categories, cut_numbers, fill_histogram
from rankwright.kernels.trees.kept_histograms import (
    SMALLEST_KEPT,
    KeptHistograms,
    hand_down,
    keep_root,
    release,
)
from rankwright.kernels.trees.nodes import (
    add_children,
    choose_sides,
    close,
    describe,
    may_split,
    next_node,
    plant_root,
    reorder,
)
from rankwright.kernels.trees.random_cuts import cut_at_random
from rankwright.kernels.trees.sweeping import enter, leave, sweep_categories, sweep_numbers

__all__ = ["grow"]


@kernel
def _visit(visited, order, limits, state):
    """Return the feature to be tried next: drawn at random, unless all are tried anyway."""
    if limits.max_features < order.size or limits.random:
        other = visited + draw_below(state, order.size - visited)
        order[visited], order[other] = order[other], order[visited]
    return order[visited]


@part
def _split_by_histograms(this, node, kept, search, categories):
    """Find the cut that decreases a node's cost most.

    Histograms that are not kept are counted one by one. The search goes beyond ``max_features``
    features until one of them offers a split; so does that by sweeps.
    """
    limits, features, labels, rows, order, scratch, state = search
    slot = kept.slots[this]
    for visited in range(order.size if may_split(node, limits) else 0):
        if visited >= limits.max_features and node.feature >= 0:
            break
        j = _visit(visited, order, limits, state)
        if limits.random:
            cut_at_random(search, j, node, categories)
            continue
        begin = features.first_bin[j]
        histogram = kept.pool[max(slot, 0), begin : begin + features.n_bins[j] + 1]
        if slot < 0:
            fill_histogram(histogram, features.bins[j], rows, node.start, node.stop)
        if features.categorical[j]:
            cut_categories(histogram, j, node, limits, labels, scratch, categories)
        else:
            cut_numbers(histogram, j, node, limits, labels.gaps, scratch)
    if slot >= 0 and (node.feature < 0 or node.stop - node.start < SMALLEST_KEPT):
        release(kept, this)


@part
def _split_by_sweeps(node, sweeps, search, categories):
    """Find the cut that decreases a node's cost most."""
    limits, features, labels, rows, order, _, state = search
    pairs = enter(node, limits, rows.numbers, sweeps, labels.values)
    for visited in range(order.size if may_split(node, limits) else 0):
        if visited >= limits.max_features and node.feature >= 0:
            break
        j = _visit(visited, order, limits, state)
        if features.categorical[j]:
            sweep_categories(search, j, sweeps, pairs, node, categories)
        else:
            sweep_numbers(search, j, sweeps, pairs, node)
    leave(node, rows.numbers, sweeps)


@part
def _make_scratch(features, labels, rows, n_bins):
    n_labels = labels.values.size
    return Scratch(
        totals=np.empty(n_labels),
        left=np.empty(n_labels),
        natural=np.arange(n_bins),
        ordered=np.empty(n_bins, dtype=np.int64),
        begins=np.empty(n_bins, dtype=np.int64),
        tally=np.empty((n_bins, 2)),
        drawn=np.empty(n_bins, dtype=np.bool_),
        sides=np.empty(features.bins.shape[1], dtype=np.bool_),
        numbers=np.empty(rows.numbers.size, dtype=np.int32),
        weights=np.empty(rows.weights.size),
    )


@part
def _keep_histograms(pool, n_nodes):
    free = np.arange(1, pool.shape[0])
    return KeptHistograms(pool, np.empty(n_nodes, dtype=np.int64), free, np.array([free.size]))


@part
def _divide(node, rows, scratch):
    """Reorder a node's rows so that each child's are a range."""
    numbers, sides = rows.numbers, scratch.sides
    reorder(rows.labels, numbers, sides, node.start, node.stop, scratch.numbers)
    if rows.weights.size > 0:
        reorder(rows.weights, numbers, sides, node.start, node.stop, scratch.weights)
    reorder(numbers, numbers, sides, node.start, node.stop, scratch.numbers)


@part
def _divide_orders(node, orders, scratch):
    """Reorder a node's rows in the order of each feature alike."""
    for j in range(orders.shape[0]):
        order = orders[j]
        reorder(order, order, scratch.sides, node.start, node.stop, scratch.numbers)


@kernel
def grow(grown, limits, features, labels, rows, order, pool, sweeps, state):
    """Grow a tree and return the number of its nodes.

    Parameters
    ----------
    grown : Grown
        Written.
    limits : LIMITS record
    features : Features
    labels : LabelValues
    rows : Rows
        Reordered; sweeps need weights.
    order : (f,) int64
        The features to split by; reordered.
    pool : (slots, bins of all features, labels) float64, or None
        Histograms, as in ``KeptHistograms``.
    sweeps : Sweeps or None
    state : (1,) uint64
        Of the random numbers.
    """
    nodes, category_sets = grown.nodes, grown.category_sets
    scratch = _make_scratch(features, labels, rows, category_sets.shape[1])
    search = Search(limits, features, labels, rows, order, scratch, state)
    pending = np.empty(nodes.size, dtype=np.int64)
    plant_root(nodes, rows.numbers.size)
    if pool is not None:
        kept = _keep_histograms(pool, nodes.size)
        keep_root(kept, nodes[0], features, order, rows)
    n_nodes = np.int64(1)
    n_examined = np.int64(0)
    n_pending = np.int64(0)
    while True:
        for this in range(n_nodes - 1, n_examined - 1, -1):
            node = nodes[this]
            categories = category_sets[this if category_sets.shape[0] > 1 else 0]
            describe(node, limits, rows, labels.gaps, scratch.totals)
            if pool is not None:
                _split_by_histograms(this, node, kept, search, categories)
            if sweeps is not None:
                _split_by_sweeps(node, sweeps, search, categories)
            if node.feature >= 0:
                pending[n_pending] = this
                n_pending += 1
        n_examined = n_nodes
        if n_pending == 0 or n_nodes == nodes.size:
            break

        this = next_node(nodes, pending, n_pending, limits)
        n_pending -= 1
        node = nodes[this]
        categories = category_sets[this if category_sets.shape[0] > 1 else 0]
        n_left = choose_sides(node, features, categories, rows.numbers, scratch.sides)
        if sweeps is not None:
            _divide_orders(node, sweeps.orders, scratch)
        _divide(node, rows, scratch)
        add_children(nodes, this, n_left, n_nodes)
        n_nodes += 2
        if pool is not None:
            hand_down(kept, this, nodes, limits, features, order, rows, pending[:n_pending])
    close(nodes, pending, n_pending)
    return n_nodes
