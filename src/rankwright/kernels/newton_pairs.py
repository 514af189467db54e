"""First and second derivatives of the logistic loss over all pairs of a group, in one pass.

The pairs are met as in `logistic_pairs`: directly, or through blocks and Chebyshev moments. With
p = sigmoid(s_k - s_i) for a better row i and a worse row k, whose pair weighs above[i] * below[k]:
the gradient of i falls and that of k rises by p, the curvature of both rises by p (1 - p).
"""

import numpy as np

from rankwright.kernels.compile import kernel, summing_kernel
from rankwright.kernels.inner import inner_allocating, inner_apart, inner_summing
from rankwright.kernels.logistic_pairs import (
    EXPONENT_LIMIT,
    REACH,
    TERMS,
    add_moments,
    collect,
    spread,
)
from rankwright.kernels.sorting import extremes

__all__ = ["newton_blocks", "newton_direct"]


@summing_kernel
def newton_direct(
    scores, above, below, worse_start, worse_end, groups, active, gradient, curvature
):
    """Add the pairs of each row i of the active groups with rows worse_start[i] : worse_end[i]."""
    widest = 0
    for g in range(groups.size - 1):
        widest = max(widest, groups[g + 1] - groups[g])
    exponentials = np.empty(widest)
    rise, bends = np.empty(widest), np.empty(widest)  # of worse rows, before their own charge
    for g in range(groups.size - 1):
        start, end = groups[g], groups[g + 1]
        if start == end or not active[g]:
            continue
        least, largest = extremes(scores, start, end)
        if not largest - least < EXPONENT_LIMIT:
            _wide_direct(
                scores, above, below, worse_start, worse_end, start, end, gradient, curvature
            )
            continue
        middle = 0.5 * (least + largest)
        for i in range(start, end):
            exponentials[i - start] = np.exp(scores[i] - middle)
            rise[i - start] = 0.0
            bends[i - start] = 0.0
        for i in range(start, end):
            e_i, a_i = exponentials[i - start], above[i]
            slope, bend = 0.0, 0.0
            for k in range(worse_start[i] - start, worse_end[i] - start):
                e_k = exponentials[k]
                r = 1.0 / (e_i + e_k)
                p = e_k * r
                h = p * (e_i * r)
                slope += below[start + k] * p
                bend += below[start + k] * h
                rise[k] += a_i * p
                bends[k] += a_i * h
            gradient[i] -= a_i * slope
            curvature[i] += a_i * bend
        for k in range(start, end):
            gradient[k] += below[k] * rise[k - start]
            curvature[k] += below[k] * bends[k - start]


@inner_apart
def _wide_direct(scores, above, below, worse_start, worse_end, start, end, gradient, curvature):
    """Do the same for a group whose scores are too far apart for one exponential per row."""
    for i in range(start, end):
        for k in range(worse_start[i], worse_end[i]):
            d = scores[k] - scores[i]
            t = np.exp(-abs(d))
            weight = above[i] * below[k]
            p = weight / (1.0 + t) if d > 0.0 else weight * t / (1.0 + t)
            h = weight * t / ((1.0 + t) * (1.0 + t))
            gradient[i] -= p
            gradient[k] += p
            curvature[i] += h
            curvature[k] += h


@inner_summing
def _cross(worse, better, any_worse, any_better, places, tables, fields_worse, fields_better):
    """Add to the two fields (slope, bend) of two nodes what the other's moments say."""
    n_bins = places.size
    first, below, below_mass = 0, 0, 0.0  # better rows too far below to need a polynomial
    for b in range(n_bins):  # bins of worse rows
        if any_worse[b] == 0:
            continue
        while places[b] - places[first] > REACH:
            first += 1
        while below < first:
            below_mass += better[below, 0]
            below += 1
        fields_worse[0, b, 0] += below_mass
        for a in range(first, n_bins):  # bins of better rows
            if places[a] - places[b] > REACH:
                break
            if any_better[a] == 0:
                continue
            table = int(places[b] - places[a]) + REACH
            for j in range(TERMS):
                m = better[a, j]
                slope, bend = 0.0, 0.0
                for t in range(TERMS):
                    slope += tables[0, table, j, t] * worse[b, t]
                    bend += tables[1, table, j, t] * worse[b, t]
                    fields_worse[0, b, t] += tables[0, table, j, t] * m
                    fields_worse[1, b, t] += tables[1, table, j, t] * m
                fields_better[0, a, j] -= slope
                fields_better[1, a, j] += bend
    above_mass, last = 0.0, n_bins - 1  # worse rows too far above: p is 1, p (1 - p) is 0
    for a in range(n_bins - 1, -1, -1):
        while last >= 0 and places[last] - places[a] > REACH:
            above_mass += worse[last, 0]
            last -= 1
        if any_better[a] > 0:
            fields_better[0, a, 0] -= above_mass


@inner_allocating
def _pass_on(scores, charges, fields, node, bins, here, gradient, curvature):
    """Add a leaf's fields to the derivatives of its rows, each times the row's own charge."""
    start, end = node[0], node[1]
    slope, bend = np.zeros(end - start), np.zeros(end - start)
    own, own_bins = scores[start:end], bins[start:end]
    collect(own, 0, end - start, own_bins, here, fields[0], slope)
    collect(own, 0, end - start, own_bins, here, fields[1], bend)
    for i in range(end - start):
        gradient[start + i] += charges[start + i] * slope[i]
        curvature[start + i] += charges[start + i] * bend[i]


@kernel
def newton_blocks(
    scores, above, below, trees, nodes, blocks, bins, places, offsets, tables, gradient, curvature
):
    """Add the pairs of all blocks; see `logistic_blocks`. ``tables`` are those of p and p (1 - p).

    A row has moments as a better row and as a worse one: they differ where pairs are weighted by
    gains.
    """
    for g in range(trees.shape[0]):
        first, last = trees[g, 2], trees[g, 3]
        here = places[offsets[g] : offsets[g + 1]]
        moments = np.zeros((2, last - first, here.size, TERMS))  # as worse rows, as better ones
        fields = np.zeros((2, last - first, 2, here.size, TERMS))
        occupied = np.zeros((last - first, here.size), np.int64)
        for u in range(last - first):
            start, end = nodes[first + u, 0], nodes[first + u, 1]
            parent = nodes[first + u, 2]
            if nodes[first + u, 3]:
                spread(scores, below, start, end, bins, here, moments[0, u], occupied[u])
                spread(scores, above, start, end, bins, here, moments[1, u], occupied[u])
            if parent >= 0:
                add_moments(moments[0, u], moments[0, parent - first])
                add_moments(moments[1, u], moments[1, parent - first])
                for b in range(here.size):
                    occupied[parent - first, b] |= occupied[u, b]
        for z in range(trees[g, 4], trees[g, 5]):
            low, high = blocks[z, 0] - first, blocks[z, 1] - first
            _cross(
                moments[0, low], moments[1, high], occupied[low], occupied[high], here, tables,
                fields[0, low], fields[1, high],
            )  # fmt: skip
        for u in range(last - first - 1, -1, -1):
            parent = nodes[first + u, 2]
            for role in range(2):
                if parent >= 0:
                    add_moments(fields[role, parent - first, 0], fields[role, u, 0])
                    add_moments(fields[role, parent - first, 1], fields[role, u, 1])
                if nodes[first + u, 3]:
                    charges = below if role == 0 else above
                    _pass_on(
                        scores, charges, fields[role, u], nodes[first + u], bins, here, gradient,
                        curvature,
                    )  # fmt: skip
