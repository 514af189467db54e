"""The best cut of a feature by a sweep over the node's rows in the feature's order.

Histograms of labels can't express pairs inside groups, and grow with the number of labels. The sweep
moves one row after the other to the left side and keeps each criterion's statistics up to date in
O(log k): weights and label values of the rows seen lie in Fenwick trees over the labels, one for each
group. A tree's size is a power of two, so that its last entry is its total.
"""

import math

from rankwright.kernels.compile import kernel
from rankwright.kernels.growth import Split
from rankwright.kernels.impurity import ABSOLUTE, ENTROPY, GINI, node_cost

__all__ = ["clear_sweep", "measure_distances", "sweep_feature"]

NODE, LEFT = range(2)


@kernel
def _add(work, tree, slot, size, code, weight, value):
    """Add a weight and a label value to a Fenwick tree."""
    i = code + 1
    while i <= size:
        work.counts[tree, slot + i - 1] += weight
        work.sums[tree, slot + i - 1] += weight * value
        i += i & -i


@kernel
def _clear(work, tree, slot, size, code):
    """Set to zero whatever ``_add`` has touched."""
    i = code + 1
    while i <= size:
        work.counts[tree, slot + i - 1] = 0.0
        work.sums[tree, slot + i - 1] = 0.0
        i += i & -i


@kernel
def _distance(work, tree, slot, size, code, value):
    """Return the weighted sum of the distances from a label to the labels in a Fenwick tree."""
    count = 0.0
    total = 0.0
    i = code + 1
    while i > 0:
        count += work.counts[tree, slot + i - 1]
        total += work.sums[tree, slot + i - 1]
        i -= i & -i
    last = slot + size - 1
    return value * (2.0 * count - work.counts[tree, last]) + work.sums[tree, last] - 2.0 * total


@kernel
def _absolute_error(work, values, size, rest):
    """Return the summed distance to the median label of the left side, or of the rest of the node."""
    sign = -1.0 if rest else 1.0
    base = 1.0 if rest else 0.0
    last = size - 1
    weight = base * work.counts[NODE, last] + sign * work.counts[LEFT, last]
    total = base * work.sums[NODE, last] + sign * work.sums[LEFT, last]
    below = 0
    count = 0.0
    partial = 0.0
    step = size
    while step > 0:
        i = below + step - 1
        if below + step <= size:
            here = base * work.counts[NODE, i] + sign * work.counts[LEFT, i]
            if 2.0 * (count + here) < weight:
                count += here
                partial += base * work.sums[NODE, i] + sign * work.sums[LEFT, i]
                below += step
        step >>= 1
    median = values[min(below, values.size - 1)]
    return median * (2.0 * count - weight) + total - 2.0 * partial


@kernel
def measure_distances(rows, sample, work):
    """Note each row's distance to the node's rows of its group; return the sum over pairs."""
    for row in rows:
        weight = 1.0 if sample.weights.size == 0 else sample.weights[row]
        value = sample.values[sample.labels[row]]
        _add(work, NODE, sample.slots[row], sample.sizes[row], sample.codes[row], weight, value)
    pairs = 0.0
    for row in rows:
        value = sample.values[sample.labels[row]]
        distance = _distance(
            work, NODE, sample.slots[row], sample.sizes[row], sample.codes[row], value
        )
        work.distances[row] = distance
        pairs += distance if sample.weights.size == 0 else distance * sample.weights[row]
    return pairs / 2.0


@kernel
def clear_sweep(rows, sample, work):
    """Forget a node."""
    for row in rows:
        _clear(work, NODE, sample.slots[row], sample.sizes[row], sample.codes[row])


@kernel
def _xlogx(x):
    return x * math.log(x) if x > 0.0 else 0.0


@kernel
def _sweep(sequence, ranks, skip, node, limits, sample, work, best):
    """Cut a sequence of rows, not before ``skip``, where the cost decreases most."""
    criterion = limits.criterion
    work.left[:] = 0.0
    weight_left = 0.0
    statistic_left = 0.0
    statistic_right = 0.0
    crossing = 0.0
    if criterion == GINI:
        for total in node.totals:
            statistic_right += total * total
    elif criterion == ENTROPY:
        for total in node.totals:
            statistic_right += _xlogx(total)
    where = -1
    for i in range(sequence.size):
        row = sequence[i]
        label = sample.labels[row]
        weight = 1.0 if sample.weights.size == 0 else sample.weights[row]
        slot, size, code = sample.slots[row], sample.sizes[row], sample.codes[row]
        before = work.left[label]
        rest = node.totals[label] - before
        if criterion == GINI:
            statistic_left += weight * (2.0 * before + weight)
            statistic_right -= weight * (2.0 * rest - weight)
        elif criterion == ENTROPY:
            statistic_left += _xlogx(before + weight) - _xlogx(before)
            statistic_right += _xlogx(rest - weight) - _xlogx(rest)
        else:
            value = sample.values[label]
            if criterion != ABSOLUTE:
                # Pairs inside the left side, and pairs across the cut (those of the row with the
                # rest of the node begin to cross, those with the left side cease to).
                distance = _distance(work, LEFT, slot, size, code, value)
                statistic_left += weight * distance
                crossing += weight * (work.distances[row] - 2.0 * distance)
            _add(work, LEFT, slot, size, code, weight, value)
        work.left[label] += weight
        weight_left += weight
        n_left = i + 1
        if (
            n_left < max(limits.min_samples_leaf, skip + 1)
            or sequence.size - n_left < limits.min_samples_leaf
            or ranks[sequence[i + 1]] == ranks[row]
        ):
            continue
        if criterion == ABSOLUTE:
            statistic_left = _absolute_error(work, sample.values, size, False)
            statistic_right = _absolute_error(work, sample.values, size, True)
        elif criterion != GINI and criterion != ENTROPY:
            statistic_right = node.statistic - statistic_left - crossing
        decrease = (
            node.cost
            - node_cost(criterion, statistic_left, weight_left)
            - node_cost(criterion, statistic_right, node.weight - weight_left)
        )
        if decrease > best + node.tolerance:
            best = decrease
            where = i
    for row in sequence:
        _clear(work, LEFT, sample.slots[row], sample.sizes[row], sample.codes[row])
    return best, where


@kernel
def _by_mean_label(order, ranks, sample, work, sequence):
    """Reorder the rows of a categorical feature by the mean label of their category.

    ``order`` has the rows of a category side by side. Return the number of categories.
    """
    n_present = 0
    begin = 0
    while begin < order.size:
        category = ranks[order[begin]]
        work.begins[category] = begin
        weight = 0.0
        total = 0.0
        while begin < order.size and ranks[order[begin]] == category:
            row = order[begin]
            one = 1.0 if sample.weights.size == 0 else sample.weights[row]
            weight += one
            total += one * sample.values[sample.labels[row]]
            begin += 1
        work.means[category] = total / weight
        slot = n_present
        while slot > 0 and work.means[work.sequence[slot - 1]] > work.means[category]:
            work.sequence[slot] = work.sequence[slot - 1]
            slot -= 1
        work.sequence[slot] = category
        n_present += 1
    filled = 0
    for category in work.sequence[:n_present]:
        begin = work.begins[category]
        while begin < order.size and ranks[order[begin]] == category:
            sequence[filled] = order[begin]
            filled += 1
            begin += 1
    return n_present


@kernel
def _sweep_categories(feature, order, ranks, node, limits, sample, work, split):
    """Try all cuts of the categories ordered by mean label; categories not here join the larger side."""
    sequence = work.buffer[: order.size]
    n_present = _by_mean_label(order, ranks, sample, work, sequence)
    decrease, where = _sweep(sequence, ranks, 0, node, limits, sample, work, split.decrease)
    if where >= 0:
        default_left = 1 if 2 * (where + 1) >= order.size else 0
        work.categories[:] = default_left == 1
        left = True
        for category in work.sequence[:n_present]:
            work.categories[category] = left
            left = left and category != ranks[sequence[where]]
        split = Split(decrease, feature, 0, default_left)
    return split


@kernel
def sweep_feature(feature, node, limits, n_bins, sample, work, split):
    """Improve the split by the best cut of one feature."""
    ranks = sample.ranks[feature]
    order = work.orders[feature, node.start : node.stop]
    if sample.categorical[feature]:
        return _sweep_categories(feature, order, ranks, node, limits, sample, work, split)
    n_missing = 0
    while n_missing < order.size and ranks[order[order.size - 1 - n_missing]] == n_bins:
        n_missing += 1
    sequence = order
    for missing_left in range(2 if n_missing > 0 else 1):
        if missing_left:
            sequence = work.buffer[: order.size]
            sequence[:n_missing] = order[order.size - n_missing :]
            sequence[n_missing:] = order[: order.size - n_missing]
        skip = n_missing if missing_left else 0
        decrease, where = _sweep(sequence, ranks, skip, node, limits, sample, work, split.decrease)
        if where >= 0:
            below = ranks[sequence[where]]
            above = ranks[sequence[where + 1]]
            # Midway between the node's own values on either side.
            cut = n_bins - 1 if above == n_bins else (below + above - 1) // 2
            split = Split(decrease, feature, cut, missing_left if n_missing > 0 else -1)
    return split
