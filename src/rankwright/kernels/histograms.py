"""Label histograms of a node's rows over the bins of one feature, and the best cut in them.

A histogram is (bins, labels): the weight of each label in each bin. When rows have weights, one more
column counts the rows, so that the smallest leaf is a matter of rows in both cases.
"""

from rankwright.kernels.compile import kernel
from rankwright.kernels.impurity import node_cost, side_statistics

__all__ = ["best_cut", "bin_rows", "fill_histogram", "order_categories"]


@kernel
def fill_histogram(histogram, bins, rows, labels, weights):
    """Add ``rows`` to the histogram; ``labels`` (and ``weights`` unless empty) are in their order."""
    if weights.size == 0:
        for i in range(rows.size):
            histogram[bins[rows[i]], labels[i]] += 1.0
    else:
        count = histogram.shape[1] - 1
        for i in range(rows.size):
            code = bins[rows[i]]
            histogram[code, labels[i]] += weights[i]
            histogram[code, count] += 1.0


@kernel
def bin_rows(counts, n_labels):
    """Return the number of rows in a bin."""
    if counts.size > n_labels:
        return counts[n_labels]
    n_rows = 0.0
    for label in range(n_labels):
        n_rows += counts[label]
    return n_rows


@kernel
def best_cut(histogram, sequence, first, node, limits, gaps, left, best):
    """Cut a sequence of bins in two where the cost decreases most.

    The left side gets ``sequence[:position + 1]``, and bin ``first`` from the start unless negative.
    Return the decrease and the position, or ``best`` and -1 where no cut decreases the cost by more.
    """
    n_labels = node.totals.size
    n_left = 0.0
    weight_left = 0.0
    left[:] = 0.0
    if first >= 0:
        n_left = bin_rows(histogram[first], n_labels)
        for label in range(n_labels):
            left[label] = histogram[first, label]
            weight_left += left[label]
    where = -1
    for position in range(sequence.size):
        code = sequence[position]
        n_rows = bin_rows(histogram[code], n_labels)
        if n_rows == 0.0:
            continue
        n_left += n_rows
        for label in range(n_labels):
            left[label] += histogram[code, label]
            weight_left += histogram[code, label]
        if n_left < limits.min_samples_leaf:
            continue
        if node.n_rows - n_left < limits.min_samples_leaf:
            break
        weight_right = node.weight - weight_left
        statistic_left, statistic_right = side_statistics(
            limits.criterion, left, node.totals, gaps, weight_left, weight_right
        )
        decrease = (
            node.cost
            - node_cost(limits.criterion, statistic_left, weight_left)
            - node_cost(limits.criterion, statistic_right, weight_right)
        )
        if decrease > best + node.tolerance:
            best = decrease
            where = position
    return best, where


@kernel
def order_categories(histogram, values, means, sequence):
    """Fill ``sequence`` with the categories present, ordered by mean label; return their number."""
    n_labels = values.size
    n_present = 0
    for category in range(histogram.shape[0]):
        if bin_rows(histogram[category], n_labels) == 0.0:
            continue
        weight = 0.0
        total = 0.0
        for label in range(n_labels):
            weight += histogram[category, label]
            total += histogram[category, label] * values[label]
        means[category] = total / weight
        slot = n_present
        while slot > 0 and means[sequence[slot - 1]] > means[category]:
            sequence[slot] = sequence[slot - 1]
            slot -= 1
        sequence[slot] = category
        n_present += 1
    return n_present
