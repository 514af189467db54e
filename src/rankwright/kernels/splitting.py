"""The best split of one node over the features it may look at."""

import numpy as np

from rankwright.kernels.compile import kernel
from rankwright.kernels.draws import draw_below
from rankwright.kernels.growth import RANDOM, SWEEP, Split
from rankwright.kernels.histograms import best_cut, bin_rows, fill_histogram, order_categories
from rankwright.kernels.impurity import node_cost, side_statistics
from rankwright.kernels.sweeping import sweep_feature

__all__ = ["choose_split", "goes_left"]


@kernel
def goes_left(code, n_bins, categorical, categories, cut, default_left):
    """Return on which side of a split a bin lies."""
    if code == n_bins:
        return default_left == 1
    if categorical:
        return categories[code]
    return code <= cut


@kernel
def _next_feature(visited, limits, work):
    """Return the feature to try next: all in order, or without replacement at random."""
    features = work.features
    if limits.max_features < features.size or limits.splitter == RANDOM:
        other = visited + draw_below(work.state, features.size - visited)
        features[visited], features[other] = features[other], features[visited]
    return features[visited]


@kernel
def _split_numbers(feature, histogram, node, limits, n_bins, work, split):
    """Try all cuts of a numeric feature, with missing values on the right, then on the left."""
    n_labels = node.totals.size
    natural = work.natural[:n_bins]
    has_missing = bin_rows(histogram[n_bins], n_labels) > 0.0
    for missing_left in range(2 if has_missing else 1):
        first = n_bins if missing_left else -1
        decrease, cut = best_cut(
            histogram, natural, first, node, limits, work.gaps, work.left, split.decrease
        )
        if cut >= 0:
            following = cut + 1
            while following < n_bins and bin_rows(histogram[following], n_labels) == 0.0:
                following += 1
            # Midway between the node's own values on either side.
            cut = n_bins - 1 if following == n_bins else (cut + following - 1) // 2
            split = Split(decrease, feature, cut, missing_left if has_missing else -1)
    return split


@kernel
def _split_categories(feature, histogram, node, limits, n_bins, sample, work, split):
    """Try all cuts of the categories ordered by mean label; categories not here join the larger side."""
    n_labels = node.totals.size
    n_present = order_categories(histogram[:n_bins], sample.values, work.means, work.sequence)
    sequence = work.sequence[:n_present]
    decrease, where = best_cut(
        histogram, sequence, -1, node, limits, work.gaps, work.left, split.decrease
    )
    if where >= 0:
        n_left = 0.0
        for category in sequence[: where + 1]:
            n_left += bin_rows(histogram[category], n_labels)
        default_left = 1 if 2 * n_left >= node.n_rows else 0
        work.categories[:] = default_left == 1
        for position in range(n_present):
            work.categories[sequence[position]] = position <= where
        split = Split(decrease, feature, 0, default_left)
    return split


@kernel
def _draw_cut(bins, rows, n_bins, work):
    """Draw a cut between the node's extreme bins; return it and the side of missing values."""
    low = n_bins
    high = -1
    has_missing = False
    for row in rows:
        code = np.int64(bins[row])
        if code == n_bins:
            has_missing = True
        else:
            low = min(low, code)
            high = max(high, code)
    if low >= high:  # nothing to cut but values from missing ones
        return n_bins - 1, 0
    cut = low + draw_below(work.state, high - low)
    return cut, draw_below(work.state, 2) if has_missing else -1


@kernel
def _split_at_random(feature, node, limits, n_bins, sample, work, split):
    """Try one random cut, or a random half of the categories."""
    bins = sample.bins[feature]
    rows = work.rows[node.start : node.stop]
    categorical = sample.categorical[feature]
    cut, default_left = 0, -1
    if categorical:
        for category in range(n_bins):
            work.drawn[category] = draw_below(work.state, 2) == 1
    else:
        cut, default_left = _draw_cut(bins, rows, n_bins, work)
    work.left[:] = 0.0
    n_left = 0
    for i in range(rows.size):
        if goes_left(np.int64(bins[rows[i]]), n_bins, categorical, work.drawn, cut, default_left):
            n_left += 1
            weight = 1.0 if work.weights.size == 0 else work.weights[node.start + i]
            work.left[work.labels[node.start + i]] += weight
    if min(n_left, rows.size - n_left) < limits.min_samples_leaf:
        return split
    weight_left = work.left.sum()
    weight_right = node.weight - weight_left
    statistic_left, statistic_right = side_statistics(
        limits.criterion, work.left, node.totals, work.gaps, weight_left, weight_right
    )
    decrease = (
        node.cost
        - node_cost(limits.criterion, statistic_left, weight_left)
        - node_cost(limits.criterion, statistic_right, weight_right)
    )
    if decrease > split.decrease + node.tolerance:
        if categorical:
            work.categories[:n_bins] = work.drawn[:n_bins]
        split = Split(decrease, feature, cut, default_left)
    return split


@kernel
def choose_split(node, slot, sample, limits, work):
    """Return the split of a node that decreases its cost most.

    The histograms are in ``slot`` of the pool, or counted in passing when it is negative. The search
    goes beyond ``max_features`` features until one of them offers a split.
    """
    split = Split(limits.min_decrease, -1, 0, -1)
    rows = work.rows[node.start : node.stop]
    labels = work.labels[node.start : node.stop]
    weights = work.weights[node.start : node.stop]
    for visited in range(work.features.size):
        if visited >= limits.max_features and split.feature >= 0:
            break
        feature = _next_feature(visited, limits, work)
        n_bins = sample.n_bins[feature]
        if limits.splitter == RANDOM:
            split = _split_at_random(feature, node, limits, n_bins, sample, work, split)
            continue
        if limits.splitter == SWEEP:
            split = sweep_feature(feature, node, limits, n_bins, sample, work, split)
            continue
        if slot >= 0:
            begin = work.first_bin[feature]
            histogram = work.pool[slot, begin : begin + n_bins + 1]
        else:
            histogram = work.histogram[: n_bins + 1]
            histogram[:] = 0.0
            fill_histogram(histogram, sample.bins[feature], rows, labels, weights)
        if sample.categorical[feature]:
            split = _split_categories(
                feature, histogram, node, limits, n_bins, sample, work, split
            )
        else:
            split = _split_numbers(feature, histogram, node, limits, n_bins, work, split)
    return split
