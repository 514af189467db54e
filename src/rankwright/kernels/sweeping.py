"""The growth of a tree by sweeps over a node's rows in the order of each feature.

Histograms of labels can't express pairs inside groups, and grow with the number of labels. A sweep
moves one row after the other to the left side and keeps each criterion's statistics up to date in
O(log k): weights and label values of the rows seen lie in Fenwick trees over the labels, one for
each group. ``places`` (n, 3) holds for each row where its group's tree begins, how large it is (a
power of two, so that its last entry is its total), and the row's label among the labels of its
group. ``trees`` (2, slots, 2) holds weights and weighted label values, of the whole node and of its
left side.
"""

import math

import numpy as np

from rankwright.kernels.compile import kernel
from rankwright.kernels.draws import draw_below
from rankwright.kernels.histograms import note_categories, order_categories
from rankwright.kernels.impurity import ABSOLUTE, ENTROPY, GINI, TOLERANCE, TRACE, node_cost
from rankwright.kernels.nodes import (
    add_children,
    choose_sides,
    close,
    describe,
    may_split,
    next_node,
    reorder,
)

__all__ = ["grow_by_sweeps"]

NODE, LEFT = range(2)


@kernel
def _add(trees, which, places, row, weight, value):
    """Add a weight and a label value to the Fenwick tree of a row's group."""
    base = places[row, 0] - 1
    i = places[row, 2] + 1
    while i <= places[row, 1]:
        trees[which, base + i, 0] += weight
        trees[which, base + i, 1] += weight * value
        i += i & -i


@kernel
def _clear(trees, which, places, row):
    """Set to zero whatever ``_add`` has touched."""
    base = places[row, 0] - 1
    i = places[row, 2] + 1
    while i <= places[row, 1]:
        trees[which, base + i, 0] = 0.0
        trees[which, base + i, 1] = 0.0
        i += i & -i


@kernel
def _distance(trees, which, places, row, value):
    """Return the weighted sum of the distances from a row's label to those in its group's tree."""
    base = places[row, 0] - 1
    count = 0.0
    total = 0.0
    i = places[row, 2] + 1
    while i > 0:
        count += trees[which, base + i, 0]
        total += trees[which, base + i, 1]
        i -= i & -i
    last = base + places[row, 1]
    return value * (2.0 * count - trees[which, last, 0]) + trees[which, last, 1] - 2.0 * total


@kernel
def _absolute_error(trees, share, sign, size, values):
    """Return the distance to its median of ``share`` times the node plus ``sign`` the left side."""
    weight = share * trees[NODE, size - 1, 0] + sign * trees[LEFT, size - 1, 0]
    total = share * trees[NODE, size - 1, 1] + sign * trees[LEFT, size - 1, 1]
    below = 0
    count = 0.0
    partial = 0.0
    step = size
    while step > 0:
        if below + step <= size:
            i = below + step - 1
            more = count + share * trees[NODE, i, 0] + sign * trees[LEFT, i, 0]
            if 2.0 * more < weight:
                count = more
                partial += share * trees[NODE, i, 1] + sign * trees[LEFT, i, 1]
                below += step
        step >>= 1
    median = values[min(below, values.size - 1)]
    return median * (2.0 * count - weight) + total - 2.0 * partial


@kernel
def _xlogx(x):
    return x * math.log(x) if x > 0.0 else 0.0


@kernel
def _enter(node, rows, labels, weights, values, places, trees, distances):
    """Note each row's distance to the node's rows of its group; return the sum over pairs."""
    pairs = 0.0
    for i in range(node.start, node.stop):
        row = rows[i]
        _add(trees, NODE, places, row, weights[row], values[labels[row]])
    for i in range(node.start, node.stop):
        row = rows[i]
        distances[row] = _distance(trees, NODE, places, row, values[labels[row]])
        pairs += distances[row] * weights[row]
    return pairs / 2.0


@kernel
def _sweep(
    sequence, ranks, feature, skip, labels, weights, values, places, trees, distances, pairs,
    node, limits, totals, left,
):  # fmt: skip
    """Cut the node's rows in ``sequence``, not before ``skip``, where the cost decreases most.

    Note the decrease and return the last row on the left, or -1 where no cut is better.
    """
    criterion = limits.criterion
    weight_left = 0.0
    statistic_left = 0.0
    statistic_right = 0.0
    crossing = 0.0
    for label in range(totals.size):
        left[label] = 0.0
        if criterion == GINI:
            statistic_right += totals[label] * totals[label]
        elif criterion == ENTROPY:
            statistic_right += _xlogx(totals[label])
    where = -1
    n_rows = node.stop - node.start
    for i in range(n_rows):
        row = sequence[i]
        label = labels[row]
        weight = weights[row]
        before = left[label]
        rest = totals[label] - before
        if criterion == GINI:
            statistic_left += weight * (2.0 * before + weight)
            statistic_right -= weight * (2.0 * rest - weight)
        elif criterion == ENTROPY:
            statistic_left += _xlogx(before + weight) - _xlogx(before)
            statistic_right += _xlogx(rest - weight) - _xlogx(rest)
        else:
            # Pairs inside the left side, and pairs across the cut: those of the row with the rest
            # of the node begin to cross it, those with the left side cease to.
            distance = _distance(trees, LEFT, places, row, values[label])
            statistic_left += weight * distance
            crossing += weight * (distances[row] - 2.0 * distance)
            statistic_right = pairs - statistic_left - crossing
            _add(trees, LEFT, places, row, weight, values[label])
        left[label] += weight
        weight_left += weight
        if (
            i < skip
            or min(i + 1, n_rows - 1 - i) < limits.min_samples_leaf
            or ranks[feature, sequence[i + 1]] == ranks[feature, row]
        ):
            continue
        at_left, at_right = statistic_left, statistic_right
        if criterion == ABSOLUTE:
            at_left = TRACE * at_left / weight_left
            at_left += _absolute_error(trees, 0.0, 1.0, places[row, 1], values)
            at_right = TRACE * at_right / (node.weight - weight_left)
            at_right += _absolute_error(trees, 1.0, -1.0, places[row, 1], values)
        decrease = (
            node.cost
            - node_cost(criterion, at_left, weight_left)
            - node_cost(criterion, at_right, node.weight - weight_left)
        )
        if decrease > node.decrease + TOLERANCE * node.cost:
            node.decrease = decrease
            where = i
    for i in range(n_rows):
        _clear(trees, LEFT, places, sequence[i])
    return where


@kernel
def _by_mean_label(
    order, ranks, feature, n_bins, labels, weights, values, node, tally, begins, ordered, sequence
):
    """Fill ``sequence`` with the node's rows by the mean label of their category.

    Return the number of categories. In ``order``, a category's rows stand side by side.
    """
    for category in range(n_bins):
        tally[category, 0] = 0.0
        tally[category, 1] = 0.0
    for i in range(node.stop - 1, node.start - 1, -1):
        row = order[i]
        category = ranks[feature, row]
        tally[category, 0] += weights[row]
        tally[category, 1] += weights[row] * values[labels[row]]
        begins[category] = i
    n_present = order_categories(tally, n_bins, ordered)
    filled = 0
    for position in range(n_present):
        i = begins[ordered[position]]
        while i < node.stop and ranks[feature, order[i]] == ordered[position]:
            sequence[filled] = order[i]
            filled += 1
            i += 1
    return n_present


@kernel
def _sweep_categories(
    order, ranks, feature, n_bins, labels, weights, values, places, trees, distances, pairs,
    node, limits, totals, left, tally, begins, ordered, categories, sequence,
):  # fmt: skip
    """Try all cuts of the categories ordered by mean label."""
    n_present = _by_mean_label(
        order,
        ranks,
        feature,
        n_bins,
        labels,
        weights,
        values,
        node,
        tally,
        begins,
        ordered,
        sequence,
    )
    where = _sweep(
        sequence, ranks, feature, 0, labels, weights, values, places, trees, distances, pairs,
        node, limits, totals, left,
    )  # fmt: skip
    if where >= 0:
        last = np.int64(0)
        while ordered[last] != ranks[feature, sequence[where]]:
            last += 1
        note_categories(node, feature, n_bins, tally, ordered, n_present, last, categories)


@kernel
def _sweep_numbers(
    order, ranks, feature, n_bins, labels, weights, values, places, trees, distances, pairs,
    node, limits, totals, left, sequence,
):  # fmt: skip
    """Try all cuts of a numeric feature, with missing values on the right, then on the left."""
    n_rows = node.stop - node.start
    n_present = n_rows
    while n_present > 0 and ranks[feature, order[node.start + n_present - 1]] == n_bins:
        n_present -= 1
    n_missing = n_rows - n_present
    for missing_left in range(2 if n_missing > 0 else 1):
        skip = missing_left * n_missing
        for i in range(n_rows):
            # Missing values come last in the order; to have them first, turn it round.
            sequence[(i + skip) % n_rows] = order[node.start + i]
        where = _sweep(
            sequence, ranks, feature, skip, labels, weights, values, places, trees, distances,
            pairs, node, limits, totals, left,
        )  # fmt: skip
        if where >= 0:
            below = ranks[feature, sequence[where]]
            above = ranks[feature, sequence[where + 1]]
            node.feature = feature
            # Midway between the node's own values on either side.
            node.cut = n_bins - 1 if above == n_bins else (below + above - 1) // 2
            node.default_left = missing_left if n_missing > 0 else -1


@kernel
def grow_by_sweeps(
    nodes, category_sets, limits, ranks, orders, n_bins, categorical, values, gaps,
    rows, labels, weights, row_labels, row_weights, places, n_places, state,
):  # fmt: skip
    """Grow a tree and return the number of its nodes.

    Parameters
    ----------
    nodes, category_sets, limits, n_bins, categorical, values, gaps, rows, labels, weights, state
        As in ``growing.grow``; there are always weights.
    ranks, orders : (d, n) int32, (d, m) int32
        Bin of each value, of any number of bins, and ``rows`` sorted by them.
    row_labels, row_weights : (n,) int32, float64
        By row number.
    places : (n, 3) int32
        Of the labels in the Fenwick trees.
    n_places : int
        Their size together.
    """
    left = np.empty(values.size)
    totals = np.empty(values.size)
    sides = np.empty(row_labels.size, dtype=np.bool_)
    sequence = np.empty(rows.size, dtype=np.int32)
    spare = np.empty(weights.size)
    features = np.arange(n_bins.size)
    ordered = np.empty(category_sets.shape[1], dtype=np.int64)
    begins = np.empty(category_sets.shape[1], dtype=np.int64)
    tally = np.empty((category_sets.shape[1], 2))
    pending = np.empty(nodes.size, dtype=np.int64)
    trees = np.zeros((2, n_places, 2))
    distances = np.empty(row_labels.size)

    nodes[0].start = 0
    nodes[0].stop = rows.size
    nodes[0].depth = 0
    n_nodes = np.int64(1)
    n_examined = np.int64(0)
    n_pending = np.int64(0)
    while True:
        for this in range(n_nodes - 1, n_examined - 1, -1):
            node = nodes[this]
            describe(node, limits, labels, weights, gaps, totals)
            pairs = _enter(node, rows, row_labels, row_weights, values, places, trees, distances)
            if limits.grouped:
                node.statistic = pairs
                node.cost = node_cost(limits.criterion, pairs, node.weight)
            if may_split(node, limits):
                for visited in range(n_bins.size):
                    if visited >= limits.max_features and node.feature >= 0:
                        break
                    if limits.max_features < n_bins.size:
                        other = visited + draw_below(state, n_bins.size - visited)
                        features[visited], features[other] = features[other], features[visited]
                    j = features[visited]
                    if categorical[j]:
                        _sweep_categories(
                            orders[j], ranks, j, n_bins[j], row_labels, row_weights, values, places,
                            trees, distances, pairs, node, limits, totals, left, tally, begins,
                            ordered, category_sets[this], sequence,
                        )  # fmt: skip
                    else:
                        _sweep_numbers(
                            orders[j], ranks, j, n_bins[j], row_labels, row_weights, values, places,
                            trees, distances, pairs, node, limits, totals, left, sequence,
                        )  # fmt: skip
            for i in range(node.start, node.stop):
                _clear(trees, NODE, places, rows[i])
            if node.feature >= 0:
                pending[n_pending] = this
                n_pending += 1
        n_examined = n_nodes
        if n_pending == 0 or n_nodes == nodes.size:
            break

        this = next_node(nodes, pending, n_pending, limits)
        n_pending -= 1
        node = nodes[this]
        n_left = choose_sides(
            node, ranks, n_bins[node.feature], categorical[node.feature],
            category_sets[this if category_sets.shape[0] > 1 else 0], rows, sides,
        )  # fmt: skip
        for j in range(n_bins.size):
            reorder(orders[j], orders[j], sides, node.start, node.stop, sequence)
        reorder(labels, rows, sides, node.start, node.stop, sequence)
        reorder(weights, rows, sides, node.start, node.stop, spare)
        reorder(rows, rows, sides, node.start, node.stop, sequence)
        add_children(nodes, this, n_left, n_nodes)
        n_nodes += 2
    close(nodes, pending, n_pending)
    return n_nodes
