"""The best cut of a set of nodes: one node of a leaf-wise tree, a whole level of a symmetric one.

The gain of a node with gradient G and curvature H that gets the value w is -w (2 G + (H + l2) w),
which is G² / (H + l2) at the best w = -G / (H + l2). A cut's gain is that of the two parts less
that of the whole, summed over the nodes.
"""

from typing import NamedTuple

import numpy as np

from rankwright.kernels.boosted.packing import unpack
from rankwright.kernels.compile import kernel, part, summing_kernel
from rankwright.kernels.sorting import insert

__all__ = ["CUT", "CutSearch", "TINY", "find_cut", "order_categories"]

TINY = 1e-12  # keeps 0 / 0 out where neither l2 nor curvature is positive
LEAST_GAIN = 1e-10
BINS = 256

CUT = np.dtype(
    [
        ("gain", np.float64),
        ("feature", np.int64),  # -1: none
        ("place", np.int64),  # the last place, in the order of the feature's bins, that goes left
        ("missing_left", np.bool_),
    ]
)


class CutSearch(NamedTuple):
    """What the search for cuts sees of features and nodes beside histograms.

    ``orders`` (d, 256) are the bins of each feature in the order in which they are cut: natural, or
    that of categories by their derivatives. ``n_places`` (d,) counts them, ``missing`` (d,) is the
    bin of missing values or -1, ``signs`` (d,) the monotone directions. Nodes have ``slots`` in the
    pools, packed ``totals`` and ``bounds`` (nodes, 2) of their values.
    """

    first_bin: np.ndarray
    orders: np.ndarray
    n_places: np.ndarray
    missing: np.ndarray
    signs: np.ndarray
    allowed: np.ndarray
    slots: np.ndarray
    totals: np.ndarray
    bounds: np.ndarray


@part
def _clip(value, low, high):
    return min(max(value, low), high)


@part
def _gain(gradient, curvature, low, high):
    """Return the gain of the best value between two bounds; l2 is in the curvature."""
    value = min(max(-gradient / curvature, low), high)
    return -value * (2.0 * gradient + curvature * value)


@summing_kernel
def _add_gains(slopes, bends, n, slope, bend, l2, gains):
    """Add the gain of a node's cuts, given what lies to the left of each."""
    whole = slope * slope / (bend + l2)
    for c in range(n):
        right, rest = slope - slopes[c], bend - bends[c]
        gains[c] += slopes[c] * slopes[c] / (bends[c] + l2) + right * right / (rest + l2) - whole


@kernel
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


@kernel
def _sum_up(histogram, order, n, start, unit, bend_unit, slopes, bends):
    """Write what lies to the left of each cut, beginning with the sum ``start``."""
    left = start
    for c in range(n):
        left += histogram[order[c]]
        slopes[c], bends[c] = unpack(left, unit, bend_unit)


@kernel
def _forbid_few(counts, order, n, start, total, least, gains):
    """Rule out cuts of a single node that leave fewer than ``least`` rows on a side."""
    left = start
    for c in range(n):
        left += counts[order[c]]
        if left < least or total - left < least:
            gains[c] = -1.0


@kernel
def find_cut(pool, counts, search, l2, least_rows, units, first, last, best):
    """Write the best cut of the nodes on the features first:last into ``best`` (1,), a CUT.

    ``counts`` has the rows of each bin where ``least_rows`` is more than one, for single nodes.
    """
    first_bin, orders, totals, bounds = (
        search.first_bin, search.orders, search.totals, search.bounds,
    )  # fmt: skip
    unit, bend_unit = units
    bounded = False
    for z in range(totals.size):
        bounded |= bounds[z, 0] > -np.inf or bounds[z, 1] < np.inf
    gains, slopes, bends = np.empty(BINS), np.empty(BINS), np.empty(BINS)
    best[0].gain, best[0].feature = LEAST_GAIN, -1
    for j in range(first, last):
        n, gap = search.n_places[j], search.missing[j]
        if not search.allowed[j] or n + (gap >= 0) < 2:
            continue
        for side in range(1 if gap < 0 else 2):  # missing values to the right, to the left
            n_cuts = n if gap >= 0 and side == 0 else n - 1
            for c in range(n_cuts):
                gains[c] = 0.0
            for z in range(totals.size):
                histogram = pool[search.slots[z], first_bin[j] : first_bin[j + 1]]
                start = histogram[gap] if side == 1 else np.int64(0)
                _sum_up(histogram, orders[j], n_cuts, start, unit, bend_unit, slopes, bends)
                slope, bend = unpack(totals[z], unit, bend_unit)
                if bounded or search.signs[j] != 0:
                    _add_bounded_gains(
                        slopes, bends, n_cuts, slope, bend, l2, search.signs[j], bounds[z, 0],
                        bounds[z, 1], gains,
                    )  # fmt: skip
                else:
                    _add_gains(slopes, bends, n_cuts, slope, bend, l2, gains)
            if least_rows > 1:
                own = counts[search.slots[0], first_bin[j] : first_bin[j + 1]]
                start = own[gap] if side == 1 else np.int64(0)
                _forbid_few(own, orders[j], n_cuts, start, own.sum(), least_rows, gains)
            for c in range(n_cuts):
                if gains[c] > best[0].gain:
                    best[0].gain, best[0].feature, best[0].place = gains[c], j, c
                    best[0].missing_left = side == 1


@kernel
def order_categories(histogram, n_bins, units, smoothing, order):
    """Order the categories with rows by their smoothed Newton values; return how many there are."""
    unit, bend_unit = units
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
