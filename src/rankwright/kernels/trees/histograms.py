"""Label histograms of a node's rows over the bins of one feature, and the best cut in them.

A histogram is (bins, labels): the weight of each label in each bin, the bin of missing values last.
When rows have weights, one more column counts the rows, so that the smallest leaf is a matter of
rows in both cases.
"""

import numpy as np

from rankwright.kernels.compile import kernel
from rankwright.kernels.trees.impurity import TOLERANCE, cost_decrease

__all__ = ["cut_categories", "cut_numbers", "fill_histogram", "note_categories", "order_categories"]


@kernel
def fill_histogram(histogram, bins, rows, start, stop):
    """Count rows ``start`` to ``stop``, whose bins are ``bins`` (n,)."""
    for code in range(histogram.shape[0]):
        for column in range(histogram.shape[1]):
            histogram[code, column] = 0.0
    numbers, labels, weights = rows.numbers, rows.labels, rows.weights
    if weights.size == 0:
        for i in range(start, stop):
            histogram[bins[numbers[i]], labels[i]] += 1.0
    else:
        count = histogram.shape[1] - 1
        for i in range(start, stop):
            code = bins[numbers[i]]
            histogram[code, labels[i]] += weights[i]
            histogram[code, count] += 1.0


@kernel
def _bin_rows(histogram, code, n_labels):
    """Return the number of rows in a bin."""
    if histogram.shape[1] > n_labels:
        return histogram[code, n_labels]
    n_rows = 0.0
    for label in range(n_labels):
        n_rows += histogram[code, label]
    return n_rows


@kernel
def _best_cut(histogram, sequence, n_bins, first, node, limits, gaps, totals, left):
    """Cut a sequence of bins where the cost decreases most, if by more than ``node.decrease``.

    The left side gets ``sequence[:position + 1]``, and bin ``first`` from the start unless
    negative. Note the decrease and return the position, or -1 where no cut is better.
    """
    n_labels = totals.size
    n_rows = node.stop - node.start
    n_left = 0.0
    weight_left = 0.0
    if first >= 0:
        n_left = _bin_rows(histogram, first, n_labels)
    for label in range(n_labels):
        left[label] = histogram[first, label] if first >= 0 else 0.0
        weight_left += left[label]
    where = -1
    for position in range(n_bins):
        code = sequence[position]
        n_here = _bin_rows(histogram, code, n_labels)
        if n_here == 0.0:
            continue
        n_left += n_here
        for label in range(n_labels):
            left[label] += histogram[code, label]
            weight_left += histogram[code, label]
        if n_left < limits.min_samples_leaf:
            continue
        if n_rows - n_left < limits.min_samples_leaf:
            break
        decrease = cost_decrease(node, limits.criterion, left, totals, gaps, weight_left)
        if decrease > node.decrease + TOLERANCE * node.cost:
            node.decrease = decrease
            where = position
    return where


@kernel
def cut_numbers(histogram, feature, node, limits, gaps, scratch):
    """Try all cuts of a numeric feature, with missing values on the right, then on the left."""
    n_bins = histogram.shape[0] - 1
    n_labels = scratch.totals.size
    has_missing = _bin_rows(histogram, n_bins, n_labels) > 0.0
    first = np.int64(-1)
    for missing_left in range(2 if has_missing else 1):
        if missing_left == 1:
            first = np.int64(n_bins)
        cut = _best_cut(
            histogram, scratch.natural, n_bins, first, node, limits, gaps, scratch.totals,
            scratch.left,
        )  # fmt: skip
        if cut >= 0:
            above = cut + 1
            while above < n_bins and _bin_rows(histogram, above, n_labels) == 0.0:
                above += 1
            node.feature = feature
            # Midway between the node's own values on either side.
            node.cut = n_bins - 1 if above == n_bins else (cut + above - 1) // 2
            node.default_left = missing_left if has_missing else -1


@kernel
def order_categories(tally, n_bins, ordered):
    """Fill ``ordered`` with the categories that have weight, by mean label; return their number.

    ``tally`` (bins, 2) holds the weight and the weighted sum of label values of each category.
    """
    n_present = 0
    for category in range(n_bins):
        if tally[category, 0] > 0.0:
            mean = tally[category, 1] / tally[category, 0]
            slot = n_present
            while slot > 0 and tally[ordered[slot - 1], 1] / tally[ordered[slot - 1], 0] > mean:
                ordered[slot] = ordered[slot - 1]
                slot -= 1
            ordered[slot] = category
            n_present += 1
    return n_present


@kernel
def note_categories(node, feature, n_bins, n_present, where, scratch, categories):
    """Note the split that sends ``ordered[:where + 1]`` left, absent ones to the larger side."""
    tally, ordered = scratch.tally, scratch.ordered
    weight_left = 0.0
    for position in range(where + 1):
        weight_left += tally[ordered[position], 0]
    node.feature = feature
    node.cut = 0
    node.default_left = 1 if 2.0 * weight_left >= node.weight else 0
    for category in range(n_bins):
        categories[category] = node.default_left == 1
    for position in range(n_present):
        categories[ordered[position]] = position <= where


@kernel
def cut_categories(histogram, feature, node, limits, labels, scratch, categories):
    """Try all cuts of the categories ordered by mean label."""
    n_bins = histogram.shape[0] - 1
    values, tally, totals = labels.values, scratch.tally, scratch.totals
    for category in range(n_bins):
        tally[category, 0] = 0.0
        tally[category, 1] = 0.0
        if _bin_rows(histogram, category, totals.size) > 0.0:
            for label in range(totals.size):
                tally[category, 0] += histogram[category, label]
                tally[category, 1] += histogram[category, label] * values[label]
    n_present = order_categories(tally, n_bins, scratch.ordered)
    where = _best_cut(
        histogram, scratch.ordered, n_present, np.int64(-1), node, limits, labels.gaps, totals,
        scratch.left,
    )  # fmt: skip
    if where >= 0:
        note_categories(node, feature, n_bins, n_present, where, scratch, categories)
