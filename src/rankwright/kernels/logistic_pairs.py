"""Sums of smooth logistic kernels over all pairs of a group, in near-linear time.

Rows are sorted by group, then by y. A pair (better i, worse k) is met once: directly, when k is in
`direct_start[i] : direct_end[i]`, or through a block, which compares all rows of one node with all
rows of another. The sums between two nodes are one-dimensional kernel sums of the scores, so they
go through Chebyshev moments: scores are put into bins of width `BIN_WIDTH`, the kernel between two
bins is a polynomial of degree `TERMS` - 1 in both scores (its poles are at distance pi from the
real line, so the error is near 1e-13), and a row meets only the moments of the bins.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.compile import kernel, summing_kernel
from rankwright.kernels.sorting import extremes

__all__ = [
    "BIN_WIDTH",
    "EXPONENT_LIMIT",
    "REACH",
    "TERMS",
    "add_moments",
    "bin_scores",
    "collect",
    "logistic_blocks",
    "logistic_direct",
    "spread",
    "tabulate",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TERMS = 16
BIN_WIDTH = 2.0
REACH = 21  # bins further apart than this: the kernel equals its limit to 1e-17
EXPONENT_LIMIT = 600.0


@summing_kernel
def logistic_direct(
    scores, charges, direct_start, direct_end, groups, linear, mixed, sign, uniform, out
):
    """Add the direct pairs to `out` and return their value.

    With p = sigmoid(s_k - s_i) and h = p * (linear + mixed * (1 - p)): out[i] gains sign * the sum
    of charges[k] * h over the worse k, out[k] that of charges[i] * h over the better i. The value
    is the sum of charges[i] * charges[k] * softplus(s_k - s_i); `uniform` says that the charges are
    constant within every group, which saves a logarithm per pair.
    """
    value = 0.0
    exponentials = np.empty(scores.size)
    for g in range(groups.size - 1):
        start, end = groups[g], groups[g + 1]
        if start == end:
            continue
        least, largest = extremes(scores, start, end)
        spread = largest - least
        if not spread < EXPONENT_LIMIT:
            value += _wide_direct(
                scores, charges, direct_start, direct_end, start, end, linear, mixed, sign, out
            )
            continue
        middle = 0.5 * (least + largest)
        for i in range(start, end):
            exponentials[i] = np.exp(scores[i] - middle)
        # As many factors 1 - p, each above exp(-spread - 1), as a product takes before underflow.
        chunk = max(1, min(64, int(EXPONENT_LIMIT / (spread + 1.0))))
        for i in range(start, end):
            e_i, c_i = exponentials[i], charges[i]
            total, logs = 0.0, 0.0
            k = direct_start[i]
            while k < direct_end[i]:
                stop = min(k + chunk, direct_end[i])
                product = 1.0
                for j in range(k, stop):
                    r = 1.0 / (e_i + exponentials[j])
                    q = e_i * r
                    h = exponentials[j] * r * (linear + mixed * q)
                    total += charges[j] * h
                    out[j] += c_i * h
                    product *= q
                if uniform:
                    logs -= np.log(product) * c_i
                else:
                    for j in range(k, stop):
                        logs += charges[j] * np.log1p(exponentials[j] / e_i)
                k = stop
            out[i] += sign * total
            value += c_i * logs
    return value


@kernel
def _wide_direct(scores, charges, direct_start, direct_end, start, end, linear, mixed, sign, out):
    """Do the same for a group whose scores are too far apart for one exponential per row."""
    value = 0.0
    for i in range(start, end):
        for k in range(direct_start[i], direct_end[i]):
            d = scores[k] - scores[i]
            t = np.exp(-abs(d))
            p = 1.0 / (1.0 + t) if d > 0.0 else t / (1.0 + t)
            q = t / (1.0 + t) if d > 0.0 else 1.0 / (1.0 + t)
            h = p * (linear + mixed * q)
            out[i] += sign * charges[k] * h
            out[k] += charges[i] * h
            value += charges[i] * charges[k] * (max(d, 0.0) + np.log1p(t))
    return value


@kernel
def _bin_densely(scores, start, end, limit, bins):
    """Write each row's bin; return the lowest bin's place and the number of bins, or 0.

    Zero says that there would be more than `limit` of them.
    """
    least, largest = extremes(scores, start, end)
    lowest = np.floor(least / BIN_WIDTH)
    count = np.floor(largest / BIN_WIDTH) - lowest + 1.0
    if not count <= limit:
        return lowest, 0
    for i in range(start, end):
        bins[i] = int(np.floor(scores[i] / BIN_WIDTH) - lowest)
    return lowest, int(count)


def bin_scores(scores: Floats, trees: Ints) -> tuple[Ints, Floats, Ints]:
    """Return each row's bin and, concatenated over the trees with offsets, the bins' places.

    The bin at place b holds the scores from b to b + 1 bin widths. Bins without rows are left out
    when there are many of them, so a few far outliers cost nothing.
    """
    bins = np.zeros(scores.size, dtype=np.int64)
    places = []
    for start, end in trees[:, :2]:
        lowest, count = _bin_densely(scores, start, end, 64 + (end - start) // TERMS, bins)
        if count:
            places.append(lowest + np.arange(count))
        else:
            place = np.floor(scores[start:end] / BIN_WIDTH)
            occupied, bins[start:end] = np.unique(place, return_inverse=True)
            places.append(occupied)
    offsets = np.cumsum([0] + [part.size for part in places])
    return bins, np.concatenate(places), offsets


@summing_kernel
def spread(scores, charges, start, end, bins, places, moments, occupied):
    """Add each row's Chebyshev polynomials, times its charge, to the moments of its bin."""
    for i in range(start, end):
        b = bins[i]
        x = 2.0 * (scores[i] / BIN_WIDTH - places[b]) - 1.0
        occupied[b] = 1
        before, now = 1.0, x
        c = charges[i]
        moments[b, 0] += c
        moments[b, 1] += c * x
        for t in range(2, TERMS):
            before, now = now, 2.0 * x * now - before
            moments[b, t] += c * now


@summing_kernel
def _cross(
    worse, better, any_worse, any_better, places, tables, far, sign, field_worse, field_better
):
    """Add to the fields of two nodes what the other's moments say; return their pairs' value."""
    slope, softplus = tables[0], tables[1]
    value = 0.0
    n_bins = places.size
    first = 0
    below_mass, below_moment, below = 0.0, 0.0, 0  # better rows too far below to need a polynomial
    for b in range(n_bins):  # bins of worse rows
        if any_worse[b] == 0:
            continue
        while places[b] - places[first] > REACH:
            first += 1
        while below < first:
            centre = BIN_WIDTH * places[below]
            below_mass += better[below, 0]
            below_moment += better[below, 0] * centre + 0.5 * BIN_WIDTH * better[below, 1]
            below += 1
        centre = BIN_WIDTH * places[b]
        moment = worse[b, 0] * centre + 0.5 * BIN_WIDTH * worse[b, 1]
        field_worse[b, 0] += far * below_mass
        value += moment * below_mass - worse[b, 0] * below_moment
        for a in range(first, n_bins):  # bins of better rows
            if places[a] - places[b] > REACH:
                break
            if any_better[a] == 0:
                continue
            table = int(places[b] - places[a]) + REACH
            for j in range(TERMS):
                m = better[a, j]
                field, energy = 0.0, 0.0
                for t in range(TERMS):
                    field += slope[table, j, t] * worse[b, t]
                    energy += softplus[table, j, t] * worse[b, t]
                    field_worse[b, t] += slope[table, j, t] * m
                field_better[a, j] += sign * field
                value += energy * m
    # Worse rows too far above a better row: the pair is lost by far, the kernel is at its limit.
    above_mass, last = 0.0, n_bins - 1
    for a in range(n_bins - 1, -1, -1):
        while last >= 0 and places[last] - places[a] > REACH:
            above_mass += worse[last, 0]
            last -= 1
        if any_better[a] > 0:
            field_better[a, 0] += sign * far * above_mass
    return value


@summing_kernel
def collect(scores, start, end, bins, places, field, out):
    """Add to each row the polynomial of its bin (Clenshaw's recurrence)."""
    for i in range(start, end):
        b = bins[i]
        x = 2.0 * (scores[i] / BIN_WIDTH - places[b]) - 1.0
        later, now = 0.0, 0.0
        for t in range(TERMS - 1, 0, -1):
            later, now = now, 2.0 * x * now - later + field[b, t]
        out[i] += x * now - later + field[b, 0]


@summing_kernel
def add_moments(source, target):
    """Add the moments, or the fields, of one node to those of another."""
    for b in range(source.shape[0]):
        for t in range(TERMS):
            target[b, t] += source[b, t]


@kernel
def logistic_blocks(
    scores, charges, trees, nodes, blocks, bins, places, offsets, tables, far, sign, out
):
    """Add the pairs of all blocks to `out` and return their value; see `logistic_direct`.

    Moments are additive, so they are formed once per row at the leaves and summed upwards; fields
    are added downwards and evaluated once per row. A tree costs its rows plus, per block, the
    square of the number of bins, whatever its depth.
    """
    value = 0.0
    for g in range(trees.shape[0]):
        first, last = trees[g, 2], trees[g, 3]
        here = places[offsets[g] : offsets[g + 1]]
        moments = np.zeros((last - first, here.size, TERMS))
        fields = np.zeros((last - first, here.size, TERMS))
        occupied = np.zeros((last - first, here.size), np.int64)
        for u in range(last - first):
            start, end = nodes[first + u, 0], nodes[first + u, 1]
            parent, leaf = nodes[first + u, 2], nodes[first + u, 3]
            if leaf:
                spread(scores, charges, start, end, bins, here, moments[u], occupied[u])
            if parent >= 0:
                add_moments(moments[u], moments[parent - first])
                for b in range(here.size):
                    occupied[parent - first, b] |= occupied[u, b]
        for z in range(trees[g, 4], trees[g, 5]):
            low, high = blocks[z, 0] - first, blocks[z, 1] - first
            value += _cross(
                moments[low],
                moments[high],
                occupied[low],
                occupied[high],
                here,
                tables,
                far,
                sign,
                fields[low],
                fields[high],
            )
        for u in range(last - first - 1, -1, -1):
            start, end = nodes[first + u, 0], nodes[first + u, 1]
            parent, leaf = nodes[first + u, 2], nodes[first + u, 3]
            if parent >= 0:
                add_moments(fields[parent - first], fields[u])
            if leaf:
                collect(scores, start, end, bins, here, fields[u], out)
    return value


def tabulate(function: Callable[[Floats], Floats]) -> Floats:
    """Return the Chebyshev coefficients of function(s_k - s_i) for every distance of two bins.

    Entry [d + REACH, j, t] belongs to T_j of the better row's place in its bin and T_t of the worse
    row's, when the worse row's bin lies d bins above.
    """
    angles = (np.arange(TERMS) + 0.5) * np.pi / TERMS
    nodes = np.cos(angles)
    transform = np.cos(np.outer(np.arange(TERMS), angles)) * 2.0 / TERMS
    transform[0] /= 2.0
    distances = np.arange(-REACH, REACH + 1)
    differences = BIN_WIDTH * (
        distances[:, None, None] + 0.5 * (nodes[None, None, :] - nodes[None, :, None])
    )
    return transform @ function(differences) @ transform.T
