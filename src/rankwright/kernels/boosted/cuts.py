"""The best cut of a set of nodes: one node of a leaf-wise tree, a whole level of a symmetric one.

The gain of a node with gradient G and curvature H that gets the value w is -w (2 G + (H + l2) w),
which is G² / (H + l2) at the best w = -G / (H + l2). A cut's gain is that of the two parts less
that of the whole, summed over the nodes.
"""

import numpy as np

from rankwright.kernels.boosted.packing import unpack
from rankwright.kernels.compile import kernel, part
from rankwright.kernels.inner import inner, inner_allocating, inner_summing
from rankwright.kernels.sorting import insert

__all__ = ["TINY", "find_cut", "order_categories"]

TINY = 1e-12  # keeps 0 / 0 out where neither l2 nor curvature is positive
LEAST_GAIN = 1e-10
BINS = 256


@part
def _clip(value, low, high):
    return min(max(value, low), high)


@part
def _gain(gradient, curvature, low, high):
    """Return the gain of the best value between two bounds; l2 is in the curvature."""
    value = min(max(-gradient / curvature, low), high)
    return -value * (2.0 * gradient + curvature * value)


@inner_summing
def _add_gains(slopes, bends, n, slope, bend, l2, gains):
    """Add the gain of a node's cuts, given what lies to the left of each."""
    whole = slope * slope / (bend + l2)
    for c in range(n):
        right, rest = slope - slopes[c], bend - bends[c]
        gains[c] += slopes[c] * slopes[c] / (bends[c] + l2) + right * right / (rest + l2) - whole


@inner
def _add_bounded_gains(slopes, bends, n, slope, bend, l2, sign, low, high, gains):
    """Do the same where values are bounded, and ordered if the feature has a sign."""
    whole = _gain(slope, bend + l2, low, high)
    for c in range(n):
        right, rest = slope - slopes[c], bend - bends[c] + l2
        left_value = _clip(-slopes[c] / (bends[c] + l2), low, high)
        right_value = _clip(-right / rest, low, high)
        if sign * (right_value - left_value) < 0.0:
            continue
        gains[c] += (
            _gain(slopes[c], bends[c] + l2, low, high) + _gain(right, rest, low, high) - whole
        )


@inner
def _sum_up(histogram, order, n, start, unit, bend_unit, slopes, bends):
    """Write what lies to the left of each cut, beginning with the sum ``start``."""
    left = start
    for c in range(n):
        left += histogram[order[c]]
        slopes[c], bends[c] = unpack(left, unit, bend_unit)


@inner
def _forbid_few(counts, order, n, start, total, least, gains):
    """Rule out cuts of a single node that leave fewer than ``least`` rows on a side."""
    left = start
    for c in range(n):
        left += counts[order[c]]
        if left < least or total - left < least:
            gains[c] = -1.0


@inner
def _sum_gains(features, pool, nodes, j, side, n_cuts, limits, bounded, slopes, bends, gains):
    """Write the gains of the cuts of feature j, summed over nodes of more than one row."""
    begin, end, gap = features.first_bin[j], features.first_bin[j + 1], features.missing[j]
    order, sign, l2 = features.orders[j], features.signs[j], limits.l2 + TINY
    for c in range(n_cuts):
        gains[c] = 0.0
    for z in range(nodes.size):
        node = nodes[z]
        if node.stop - node.start < 2:
            continue
        histogram = pool[node.slot, begin:end]
        start = histogram[gap] if side == 1 else np.int64(0)
        _sum_up(histogram, order, n_cuts, start, limits.unit, limits.bend_unit, slopes, bends)
        slope, bend = unpack(node.total, limits.unit, limits.bend_unit)
        if bounded or sign != 0:
            _add_bounded_gains(
                slopes, bends, n_cuts, slope, bend, l2, sign, node.low, node.high, gains
            )
        else:
            _add_gains(slopes, bends, n_cuts, slope, bend, l2, gains)


@inner_allocating
def find_cut(features, rows, allowed, nodes, limits, first, last, best):
    """Write the best cut of all the nodes on the features first:last into ``best``, a CUT."""
    pool, counts, first_bin = rows.pool, rows.counts, features.first_bin
    bounded = False
    for z in range(nodes.size):
        bounded |= nodes[z].low > -np.inf or nodes[z].high < np.inf
    gains, slopes, bends = np.empty(BINS), np.empty(BINS), np.empty(BINS)
    best.gain, best.feature = LEAST_GAIN, -1
    for j in range(first, last):
        n, gap = features.n_places[j], features.missing[j]
        if not allowed[j] or n + (gap >= 0) < 2:
            continue
        for side in range(1 if gap < 0 else 2):  # missing values to the right, to the left
            n_cuts = n if gap >= 0 and side == 0 else n - 1
            _sum_gains(
                features, pool, nodes, j, side, n_cuts, limits, bounded, slopes, bends, gains
            )
            if limits.counts_rows:
                own = counts[nodes[0].slot, first_bin[j] : first_bin[j + 1]]
                start = own[gap] if side == 1 else np.int64(0)
                total = nodes[0].stop - nodes[0].start
                _forbid_few(own, features.orders[j], n_cuts, start, total, limits.min_rows, gains)
            for c in range(n_cuts):
                if gains[c] > best.gain:
                    best.gain, best.feature, best.place = gains[c], j, c
                    best.missing_left = side == 1


@kernel
def order_categories(histogram, n_bins, unit, bend_unit, smoothing, order):
    """Order the categories with rows by their smoothed Newton values; return how many there are."""
    values = np.empty(n_bins)
    n = 0
    for c in range(n_bins):
        if histogram[c] == 0:
            continue
        slope, bend = unpack(histogram[c], unit, bend_unit)
        value = -slope / (bend + smoothing)
        insert(values, order, n, value, c)
        n += 1
    return n
