"""The best split of a node by sweeps over its rows in the order of each feature.

Histograms of labels can't express pairs inside groups, and grow with the number of labels. A sweep
moves one row after the other to the left side and keeps each criterion's statistics up to date in
O(log k): weights and label values of the rows seen lie in Fenwick trees over the labels, one for
each group.
"""

import math
from typing import NamedTuple

import numpy as np

from rankwright.kernels.compile import kernel, part
from rankwright.kernels.trees.histograms import note_categories, order_categories
from rankwright.kernels.trees.impurity import ABSOLUTE, ENTROPY, GINI, TOLERANCE, TRACE, node_cost

__all__ = ["Sweeps", "enter", "leave", "sweep_categories", "sweep_numbers"]

# The sums in a Fenwick tree: over the whole node, and over its left side.
WHOLE, LEFT = range(2)


class Sweeps(NamedTuple):
    """What sweeps need beside the rows of the tree.

    ``orders`` (d, m) are the rows sorted by the bins of each feature; a split reorders them.
    ``labels``, ``weights`` and ``places`` are by row number. ``places`` (n, 3) says where the
    Fenwick tree of the row's group begins, how large it is (a power of two, so that its last entry
    is its total), and which label of its group the row has. ``fenwick`` (2, slots, 2) holds weights
    and weighted label values, of the whole node and of its left side; all zero between nodes.
    ``distances`` (n,) and ``sequence`` (m,) are memory for one node.
    """

    orders: np.ndarray
    labels: np.ndarray
    weights: np.ndarray
    places: np.ndarray
    fenwick: np.ndarray
    distances: np.ndarray
    sequence: np.ndarray


@kernel
def _add(fenwick, which, places, row, weight, value):
    """Add a weight and a label value to the Fenwick tree of a row's group."""
    base = places[row, 0] - 1
    i = places[row, 2] + 1
    while i <= places[row, 1]:
        fenwick[which, base + i, 0] += weight
        fenwick[which, base + i, 1] += weight * value
        i += i & -i


@kernel
def _clear(fenwick, which, places, row):
    """Set to zero whatever ``_add`` has touched."""
    base = places[row, 0] - 1
    i = places[row, 2] + 1
    while i <= places[row, 1]:
        fenwick[which, base + i, 0] = 0.0
        fenwick[which, base + i, 1] = 0.0
        i += i & -i


@kernel
def _distance(fenwick, which, places, row, value):
    """Return the weighted sum of the distances from a row's label to those in its group's tree."""
    base = places[row, 0] - 1
    count = 0.0
    total = 0.0
    i = places[row, 2] + 1
    while i > 0:
        count += fenwick[which, base + i, 0]
        total += fenwick[which, base + i, 1]
        i -= i & -i
    last = base + places[row, 1]
    return value * (2.0 * count - fenwick[which, last, 0]) + fenwick[which, last, 1] - 2.0 * total


@kernel
def _absolute_error(fenwick, share, sign, size, values):
    """Return the distance to its median of ``share`` times the node plus ``sign`` the left side."""
    weight = share * fenwick[WHOLE, size - 1, 0] + sign * fenwick[LEFT, size - 1, 0]
    total = share * fenwick[WHOLE, size - 1, 1] + sign * fenwick[LEFT, size - 1, 1]
    below = 0
    count = 0.0
    partial = 0.0
    step = size
    while step > 0:
        if below + step <= size:
            i = below + step - 1
            more = count + share * fenwick[WHOLE, i, 0] + sign * fenwick[LEFT, i, 0]
            if 2.0 * more < weight:
                count = more
                partial += share * fenwick[WHOLE, i, 1] + sign * fenwick[LEFT, i, 1]
                below += step
        step >>= 1
    median = values[min(below, values.size - 1)]
    return median * (2.0 * count - weight) + total - 2.0 * partial


@kernel
def _xlogx(x):
    return x * math.log(x) if x > 0.0 else 0.0


@part
def enter(node, limits, numbers, sweeps, values):
    """Note each row's distance to the node's rows of its group; return the sum over pairs.

    Where only pairs inside groups count, that sum is the node's statistic.
    """
    labels, weights, places = sweeps.labels, sweeps.weights, sweeps.places
    fenwick, distances = sweeps.fenwick, sweeps.distances
    pairs = 0.0
    for i in range(node.start, node.stop):
        row = numbers[i]
        _add(fenwick, WHOLE, places, row, weights[row], values[labels[row]])
    for i in range(node.start, node.stop):
        row = numbers[i]
        distances[row] = _distance(fenwick, WHOLE, places, row, values[labels[row]])
        pairs += distances[row] * weights[row]
    pairs /= 2.0
    if limits.grouped:
        node.statistic = pairs
        node.cost = node_cost(limits.criterion, pairs, node.weight)
    return pairs


@part
def leave(node, numbers, sweeps):
    """Clear what ``enter`` has summed up."""
    for i in range(node.start, node.stop):
        _clear(sweeps.fenwick, WHOLE, sweeps.places, numbers[i])


@kernel
def _sweep(bins, skip, sweeps, pairs, node, search):
    """Cut the node's rows in ``sequence``, not before ``skip``, where the cost decreases most.

    Note the decrease and return the last row on the left, or -1 where no cut is better.
    """
    labels, weights, places = sweeps.labels, sweeps.weights, sweeps.places
    fenwick, distances, sequence = sweeps.fenwick, sweeps.distances, sweeps.sequence
    limits, scratch, values = search.limits, search.scratch, search.labels.values
    totals, left = scratch.totals, scratch.left
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
            distance = _distance(fenwick, LEFT, places, row, values[label])
            statistic_left += weight * distance
            crossing += weight * (distances[row] - 2.0 * distance)
            statistic_right = pairs - statistic_left - crossing
            _add(fenwick, LEFT, places, row, weight, values[label])
        left[label] += weight
        weight_left += weight
        if (
            i < skip
            or min(i + 1, n_rows - 1 - i) < limits.min_samples_leaf
            or bins[sequence[i + 1]] == bins[row]
            or node.weight <= weight_left  # what is left vanishes beside it
        ):
            continue
        at_left, at_right = statistic_left, statistic_right
        if criterion == ABSOLUTE:
            at_left = TRACE * at_left / weight_left
            at_left += _absolute_error(fenwick, 0.0, 1.0, places[row, 1], values)
            at_right = TRACE * at_right / (node.weight - weight_left)
            at_right += _absolute_error(fenwick, 1.0, -1.0, places[row, 1], values)
        decrease = (
            node.cost
            - node_cost(criterion, at_left, weight_left)
            - node_cost(criterion, at_right, node.weight - weight_left)
        )
        if decrease > node.decrease + TOLERANCE * node.cost:
            node.decrease = decrease
            where = i
    for i in range(n_rows):
        _clear(fenwick, LEFT, places, sequence[i])
    return where


@part
def _by_mean_label(search, feature, sweeps, node):
    """Fill ``sequence`` with the node's rows by the mean label of their category.

    Return the number of categories. In ``orders``, a category's rows stand side by side.
    """
    scratch, values = search.scratch, search.labels.values
    bins, n_bins = search.features.bins[feature], search.features.n_bins[feature]
    order, sequence = sweeps.orders[feature], sweeps.sequence
    labels, weights = sweeps.labels, sweeps.weights
    tally, begins, ordered = scratch.tally, scratch.begins, scratch.ordered
    for category in range(n_bins):
        tally[category, 0] = 0.0
        tally[category, 1] = 0.0
    for i in range(node.stop - 1, node.start - 1, -1):
        row = order[i]
        category = bins[row]
        tally[category, 0] += weights[row]
        tally[category, 1] += weights[row] * values[labels[row]]
        begins[category] = i
    n_present = order_categories(tally, n_bins, ordered)
    filled = 0
    for position in range(n_present):
        i = begins[ordered[position]]
        while i < node.stop and bins[order[i]] == ordered[position]:
            sequence[filled] = order[i]
            filled += 1
            i += 1
    return n_present


@kernel
def sweep_categories(search, feature, sweeps, pairs, node, categories):
    """Try all cuts of the categories ordered by mean label."""
    features, scratch = search.features, search.scratch
    bins, n_bins = features.bins[feature], features.n_bins[feature]
    n_present = _by_mean_label(search, feature, sweeps, node)
    where = _sweep(bins, 0, sweeps, pairs, node, search)
    if where >= 0:
        last = np.int64(0)
        while scratch.ordered[last] != bins[sweeps.sequence[where]]:
            last += 1
        note_categories(node, feature, n_bins, n_present, last, scratch, categories)


@kernel
def sweep_numbers(search, feature, sweeps, pairs, node):
    """Try all cuts of a numeric feature, with missing values on the right, then on the left."""
    features = search.features
    bins, n_bins = features.bins[feature], features.n_bins[feature]
    order, sequence = sweeps.orders[feature], sweeps.sequence
    n_rows = node.stop - node.start
    n_present = n_rows
    while n_present > 0 and bins[order[node.start + n_present - 1]] == n_bins:
        n_present -= 1
    n_missing = n_rows - n_present
    for missing_left in range(2 if n_missing > 0 else 1):
        skip = missing_left * n_missing
        for i in range(n_rows):
            # Missing values come last in the order; to have them first, turn it round.
            sequence[(i + skip) % n_rows] = order[node.start + i]
        where = _sweep(bins, skip, sweeps, pairs, node, search)
        if where >= 0:
            below = bins[sequence[where]]
            above = bins[sequence[where + 1]]
            node.feature = feature
            # Midway between the node's own values on either side.
            node.cut = n_bins - 1 if above == n_bins else (below + above - 1) // 2
            node.default_left = missing_left if n_missing > 0 else -1
