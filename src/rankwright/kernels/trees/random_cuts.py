"""One random cut of a feature, as extremely randomised trees try."""

import numpy as np

from rankwright.kernels.compile import kernel
from rankwright.kernels.draws import draw_below
from rankwright.kernels.trees.impurity import TOLERANCE, cost_decrease
from rankwright.kernels.trees.nodes import goes_left

__all__ = ["cut_at_random"]

UNIT = 1 << 32


@kernel
def _draw_cut(bins, bounds, n_bins, numbers, start, stop, state):
    """Draw a cut evenly from the node's values; return it and the side of missing values."""
    low = n_bins
    high = n_bins - n_bins
    has_missing = False
    for i in range(start, stop):
        code = bins[numbers[i]]
        if code == n_bins:
            has_missing = True
        else:
            low = min(low, code)
            high = max(high, code)
    if low >= high:  # nothing to cut but values from missing ones
        return n_bins - 1, 0
    share = draw_below(state, UNIT) / UNIT
    value = (1.0 - share) * bounds[low] + share * bounds[high + 1]
    cut, last = np.int64(low), np.int64(high) - 1
    while cut < last:
        middle = (cut + last) >> 1
        if bounds[middle + 1] < value:
            cut = middle + 1
        else:
            last = middle
    return cut, draw_below(state, np.int64(2)) if has_missing else -1


@kernel
def cut_at_random(search, feature, node, categories):
    """Try one random cut, or a random half of the categories."""
    limits, features, rows, state = search.limits, search.features, search.rows, search.state
    scratch, gaps = search.scratch, search.labels.gaps
    bins, n_bins = features.bins[feature], features.n_bins[feature]
    categorical = features.categorical[feature]
    numbers, labels, weights = rows.numbers, rows.labels, rows.weights
    left, drawn = scratch.left, scratch.drawn
    cut, default_left = -1, -1
    if categorical:
        for category in range(n_bins):
            drawn[category] = draw_below(state, np.int64(2)) == 1
    else:
        cut, default_left = _draw_cut(
            bins, features.bounds[feature], n_bins, numbers, node.start, node.stop, state
        )
    for label in range(left.size):
        left[label] = 0.0
    n_left = 0
    weight_left = 0.0
    for i in range(node.start, node.stop):
        if goes_left(bins[numbers[i]], n_bins, categorical, drawn, cut, default_left):
            weight = 1.0 if weights.size == 0 else weights[i]
            n_left += 1
            weight_left += weight
            left[labels[i]] += weight
    if min(n_left, node.stop - node.start - n_left) < limits.min_samples_leaf:
        return
    decrease = cost_decrease(node, limits.criterion, left, scratch.totals, gaps, weight_left)
    if decrease > node.decrease + TOLERANCE * node.cost:
        node.decrease = decrease
        node.feature = feature
        node.cut = cut
        node.default_left = default_left
        if categorical:
            for category in range(n_bins):
                categories[category] = drawn[category]
