"""The growth of a tree on binned features, from the root's rows to the table of nodes.

A node is a range of the rows; a split reorders the range so that each child is a range again. The
histograms of the smaller child are counted, those of the larger are the parent's less the
smaller's.
"""

import numpy as np

from rankwright.kernels.compile import kernel
from rankwright.kernels.draws import draw_below
from rankwright.kernels.histograms import cut_categories, cut_numbers, fill_histogram
from rankwright.kernels.nodes import (
    add_children,
    choose_sides,
    close,
    describe,
    may_split,
    next_node,
    reorder,
)
from rankwright.kernels.random_cuts import cut_at_random

__all__ = ["SMALLEST_KEPT", "grow"]

# A node with fewer rows counts its histograms in passing: keeping them costs more than it saves.
SMALLEST_KEPT = 256


@kernel
def _count(table, node, features, bins, n_bins, first_bin, rows, labels, weights):
    """Count the histograms of the features of a node."""
    for j in features:
        fill_histogram(
            table, first_bin[j], n_bins[j], bins, j, rows, labels, weights, node.start, node.stop
        )


@kernel
def _subtract(table, part):
    """Take a part's histograms from the whole's."""
    for code in range(table.shape[0]):
        for column in range(table.shape[1]):
            table[code, column] -= part[code, column]


@kernel
def _find_split(
    node, limits, table, is_kept, bins, bounds, n_bins, categorical, first_bin, rows, labels,
    weights, values, gaps, totals, left, features, natural, tally, ordered, drawn, categories,
    state,
):  # fmt: skip
    """Find the split that decreases a node's cost most.

    The histograms are in ``table`` if they are kept, else counted into it one by one. The search
    goes beyond ``max_features`` features until one of them offers a split.
    """
    for visited in range(features.size):
        if visited >= limits.max_features and node.feature >= 0:
            break
        if limits.max_features < features.size or limits.random:
            other = visited + draw_below(state, features.size - visited)
            features[visited], features[other] = features[other], features[visited]
        j = features[visited]
        if limits.random:
            cut_at_random(
                bins, bounds, n_bins[j], j, categorical[j], rows, labels, weights, state,
                node, limits, totals, gaps, left, drawn, categories,
            )  # fmt: skip
            continue
        begin = first_bin[j]
        if not is_kept:
            fill_histogram(
                table, begin, n_bins[j], bins, j, rows, labels, weights, node.start, node.stop
            )
        if categorical[j]:
            cut_categories(
                table, begin, n_bins[j], j, values, node, limits, totals, gaps, left, tally,
                ordered, categories,
            )  # fmt: skip
        else:
            cut_numbers(table, begin, n_bins[j], j, natural, node, limits, totals, gaps, left)


@kernel
def _take_slot(slots, free, n_free, pending, n_pending):
    """Return a slot that is free, or else that of the node to be split last."""
    if n_free > 0:
        return free[n_free - 1]
    i = 0
    while slots[pending[i]] < 0:
        i += 1
    slot = slots[pending[i]]
    slots[pending[i]] = -1
    return slot


@kernel
def grow(
    nodes, category_sets, limits, bins, bounds, n_bins, categorical, first_bin, values, gaps,
    rows, labels, weights, features, pool, state,
):  # fmt: skip
    """Grow a tree and return the number of its nodes.

    Parameters
    ----------
    nodes : array of NODE
        Written.
    category_sets : (nodes, bins) bool
        Written, in the rows of the nodes that split categories; one row without such features.
    limits : LIMITS record
    bins : (d, n) uint8
        Bin of each value, ``n_bins[j]`` where it is missing.
    bounds : (d, .) float64
        Bin b of feature j holds values from ``bounds[j, b]`` to ``bounds[j, b + 1]``.
    n_bins, categorical, first_bin : (d,) int64, bool, int64
        ``first_bin`` says where a feature's bins begin in the histograms.
    values, gaps : (k,), (k - 1,) float64
        The labels' values, increasing, and their differences.
    rows, labels, weights : (m,) int32, int32, float64
        The rows to grow on, their labels and their weights (empty: all one); reordered.
    features : (f,) int64
        The features to split by; reordered.
    pool : (slots, bins of all features, labels) float64
        Histograms: the first slot is for counting in passing, the others, if any, are kept.
    state : (1,) uint64
        Of the random numbers.
    """
    left = np.empty(values.size)
    totals = np.empty(values.size)
    sides = np.empty(bins.shape[1], dtype=np.bool_)
    buffer = np.empty(rows.size, dtype=np.int32)
    spare = np.empty(weights.size)
    natural = np.arange(category_sets.shape[1])
    ordered = np.empty(category_sets.shape[1], dtype=np.int64)
    tally = np.empty((category_sets.shape[1], 2))
    drawn = np.empty(category_sets.shape[1], dtype=np.bool_)
    slots = np.empty(nodes.size, dtype=np.int64)
    pending = np.empty(nodes.size, dtype=np.int64)
    free = np.arange(1, pool.shape[0])
    n_free = free.size
    keeps = free.size > 0

    nodes[0].start = 0
    nodes[0].stop = rows.size
    nodes[0].depth = 0
    slots[0] = -1
    if keeps and rows.size >= SMALLEST_KEPT:
        n_free -= 1
        slots[0] = free[n_free]
        _count(pool[slots[0]], nodes[0], features, bins, n_bins, first_bin, rows, labels, weights)
    n_nodes = np.int64(1)
    n_examined = np.int64(0)
    n_pending = np.int64(0)
    while True:
        for this in range(n_nodes - 1, n_examined - 1, -1):
            node = nodes[this]
            describe(node, limits, labels, weights, gaps, totals)
            if may_split(node, limits):
                _find_split(
                    node, limits, pool[max(slots[this], 0)], slots[this] >= 0, bins, bounds, n_bins,
                    categorical, first_bin, rows, labels, weights, values, gaps, totals, left,
                    features, natural, tally, ordered, drawn,
                    category_sets[this if category_sets.shape[0] > 1 else 0], state,
                )  # fmt: skip
            if node.feature >= 0:
                pending[n_pending] = this
                n_pending += 1
            if slots[this] >= 0 and (node.feature < 0 or node.stop - node.start < SMALLEST_KEPT):
                free[n_free] = slots[this]
                n_free += 1
                slots[this] = -1
        n_examined = n_nodes
        if n_pending == 0 or n_nodes == nodes.size:
            break

        this = next_node(nodes, pending, n_pending, limits)
        n_pending -= 1
        node = nodes[this]
        n_left = choose_sides(
            node, bins, n_bins[node.feature], categorical[node.feature],
            category_sets[this if category_sets.shape[0] > 1 else 0], rows, sides,
        )  # fmt: skip
        reorder(labels, rows, sides, node.start, node.stop, buffer)
        if weights.size > 0:
            reorder(weights, rows, sides, node.start, node.stop, spare)
        reorder(rows, rows, sides, node.start, node.stop, buffer)
        add_children(nodes, this, n_left, n_nodes)
        n_right = node.stop - node.start - n_left
        small, large = n_nodes, n_nodes + 1
        if n_left > n_right:
            small, large = large, small
        n_nodes += 2
        slots[small] = -1
        slots[large] = slots[this]
        if slots[this] >= 0 and (
            max(n_left, n_right) < SMALLEST_KEPT or node.depth + 1 >= limits.max_depth
        ):
            free[n_free] = slots[this]
            n_free += 1
            slots[large] = -1
        elif slots[this] >= 0:
            slots[small] = _take_slot(slots, free, n_free, pending, n_pending)
            n_free = max(n_free - 1, 0)
            part = pool[slots[small]]
            _count(part, nodes[small], features, bins, n_bins, first_bin, rows, labels, weights)
            _subtract(pool[slots[large]], part)
    close(nodes, pending, n_pending)
    return n_nodes
