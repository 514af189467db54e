"""Sums of hinges over all pairs of a group, exactly, in O(n log n).

The pairs are organised as in `logistic_pairs`. A pair (better i, worse k) is active when its
shortfall m = margin - (s_i - s_k) is positive. Inside a block both nodes are sorted by score, so
the partners of a row form a range that only grows along a sweep; then the two are merged, as in a
merge sort, and are ready for the parent's block. A long tree of few leaves (y has few levels) is
sorted as a whole instead: one sweep up and one down keep the sums of each leaf apart.
"""

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.compile import kernel, summing_kernel

__all__ = ["margin_blocks", "margin_direct"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RUN = 16  # rows sorted by insertion before merging begins
LONG = 2048  # rows beyond which NumPy sorts faster
FEW_LEAVES = 16  # whose sums are added up for every row faster than the leaves are merged


@summing_kernel
def margin_direct(scores, charges, direct_start, direct_end, margin, squared, sign, out):
    """Add the direct pairs to `out` and return their value.

    With h = m if `squared` else 1 on active pairs: out[i] gains sign * the sum of charges[k] * h
    over the worse k, out[k] gains the sum of charges[i] * h over the better i. The value is the sum
    of charges[i] * charges[k] times m**2 if `squared`, else m.
    """
    value = 0.0
    for i in range(scores.size):
        c_i = charges[i]
        reach = margin - scores[i]
        total, energy = 0.0, 0.0
        for k in range(direct_start[i], direct_end[i]):
            m = max(reach + scores[k], 0.0)
            h = m if squared else (1.0 if m > 0.0 else 0.0)
            total += charges[k] * h
            energy += charges[k] * h * m
            out[k] += c_i * h
        out[i] += sign * total
        value += c_i * energy
    return value


@kernel
def _sweep(scores, charges, forces, start, cut, end, margin, squared, sign):
    """Compare the sorted worse rows start:cut with the sorted better rows cut:end."""
    value = 0.0
    k = cut - 1
    mass, moment, square = 0.0, 0.0, 0.0
    for i in range(end - 1, cut - 1, -1):
        reach = margin - scores[i]
        while k >= start and reach + scores[k] > 0.0:
            mass += charges[k]
            moment += charges[k] * scores[k]
            square += charges[k] * scores[k] * scores[k]
            k -= 1
        shortfall = mass * reach + moment
        if squared:
            forces[i] += sign * shortfall
            value += charges[i] * (reach * (shortfall + moment) + square)
        else:
            forces[i] += sign * mass
            value += charges[i] * shortfall
    i = cut
    mass, moment = 0.0, 0.0
    for k in range(start, cut):
        reach = margin + scores[k]
        while i < end and reach - scores[i] > 0.0:
            mass += charges[i]
            moment += charges[i] * scores[i]
            i += 1
        forces[k] += mass * reach - moment if squared else mass
    return value


@kernel
def _sweep_leaves(scores, charges, leaf, order, n_leaves, margin, squared, sign, out):
    """Compare the rows of each leaf with those of all lower ones; `order` sorts them by score."""
    n = order.size
    table = np.empty((3, n))  # scores, charges and forces from the lowest score on
    leaves = np.empty(n, np.uint8)
    for place in range(n):
        row = order[place]
        table[0, place], table[1, place], leaves[place] = scores[row], charges[row], leaf[row]
    met = np.zeros((n_leaves, 3))  # of each leaf's rows within reach: mass, moment and square
    value, k = 0.0, n - 1
    for i in range(n - 1, -1, -1):
        reach = margin - table[0, i]
        while k >= 0 and reach + table[0, k] > 0.0:
            score, charge, own = table[0, k], table[1, k], leaves[k]
            met[own, 0] += charge
            met[own, 1] += charge * score
            met[own, 2] += charge * score * score
            k -= 1
        mass, moment, square = 0.0, 0.0, 0.0
        for lower in range(leaves[i]):
            mass += met[lower, 0]
            moment += met[lower, 1]
            square += met[lower, 2]
        shortfall = mass * reach + moment
        table[2, i] = sign * (shortfall if squared else mass)
        energy = reach * (shortfall + moment) + square if squared else shortfall
        value += table[1, i] * energy
    met[:] = 0.0
    i = 0
    for k in range(n):
        reach = margin + table[0, k]
        while i < n and reach - table[0, i] > 0.0:
            met[leaves[i], 0] += table[1, i]
            met[leaves[i], 1] += table[1, i] * table[0, i]
            i += 1
        mass, moment = 0.0, 0.0
        for higher in range(leaves[k] + 1, n_leaves):
            mass += met[higher, 0]
            moment += met[higher, 1]
        table[2, k] += mass * reach - moment if squared else mass
    for place in range(n):
        out[order[place]] += table[2, place]
    return value


@kernel
def _merge(table, rows, spare, spare_rows, start, cut, end):
    """Merge the sorted rows start:cut and cut:end by the first line of the table, in place."""
    if table[0, cut - 1] <= table[0, cut]:
        return
    for low in range(start, cut):
        spare[0, low] = table[0, low]
        spare[1, low] = table[1, low]
        spare[2, low] = table[2, low]
        spare_rows[low] = rows[low]
    low, high, place = start, cut, start
    while low < cut:
        if high < end and table[0, high] < spare[0, low]:
            table[0, place] = table[0, high]
            table[1, place] = table[1, high]
            table[2, place] = table[2, high]
            rows[place] = rows[high]
            high += 1
        else:
            table[0, place] = spare[0, low]
            table[1, place] = spare[1, low]
            table[2, place] = spare[2, low]
            rows[place] = spare_rows[low]
            low += 1
        place += 1


@kernel
def _sort(table, rows, spare, spare_rows, start, end):
    """Sort the rows start:end by their score: insertion into short runs, then merges."""
    for first in range(start, end, RUN):
        for place in range(first + 1, min(first + RUN, end)):
            key, row, hole = table[0, place], rows[place], place
            while hole > first and table[0, hole - 1] > key:
                table[0, hole] = table[0, hole - 1]
                rows[hole] = rows[hole - 1]
                hole -= 1
            table[0, hole] = key
            rows[hole] = row
    width = RUN
    while width < end - start:
        for first in range(start, end - width, 2 * width):
            stop = min(first + 2 * width, end)
            _merge(table, rows, spare, spare_rows, first, first + width, stop)
        width *= 2


@kernel
def _blocks(scores, charges, trees, nodes, blocks, order, margin, squared, sign, out):
    """Add the pairs of all blocks to `out`, return their value; `order` sorts the long leaves."""
    value = 0.0
    for g in range(trees.shape[0]):
        offset = trees[g, 0]
        n_rows = trees[g, 1] - offset
        table = np.empty((3, n_rows))  # scores, charges and forces in the current order
        rows = np.empty(n_rows, np.int64)
        spare = np.empty((3, n_rows))
        spare_rows = np.empty(n_rows, np.int64)
        for i in range(n_rows):
            rows[i] = order[offset + i]
            table[0, i] = scores[offset + rows[i]]
            table[2, i] = 0.0
        for u in range(trees[g, 2], trees[g, 3]):
            if nodes[u, 3]:
                _sort(table, rows, spare, spare_rows, nodes[u, 0] - offset, nodes[u, 1] - offset)
        for i in range(n_rows):
            table[1, i] = charges[offset + rows[i]]
        for z in range(trees[g, 4], trees[g, 5]):
            start, cut = nodes[blocks[z, 0], 0] - offset, nodes[blocks[z, 1], 0] - offset
            end = nodes[blocks[z, 1], 1] - offset
            value += _sweep(table[0], table[1], table[2], start, cut, end, margin, squared, sign)
            if nodes[blocks[z, 0], 2] >= 0:
                _merge(table, rows, spare, spare_rows, start, cut, end)
        for i in range(n_rows):
            out[offset + rows[i]] += table[2, i]
    return value


def margin_blocks(
    scores: Floats,
    charges: Floats,
    trees: Ints,
    nodes: Ints,
    blocks: Ints,
    margin: float,
    squared: bool,
    sign: float,
    out: Floats,
) -> float:
    """Add the pairs of all blocks to `out` and return their value; see `margin_direct`.

    Leaves are short or hold a single level, which may be long: those NumPy sorts faster.
    """
    value, merged = 0.0, np.ones(len(trees), dtype=bool)
    order = np.zeros(scores.size, dtype=np.int64)
    for g, (row_start, row_end, first, last) in enumerate(trees[:, :4]):
        here = nodes[first:last]
        leaves = here[here[:, 3] == 1, :2]
        # A chain has no node that is not a leaf, and compares neighbours only.
        if row_end - row_start > LONG and len(leaves) <= FEW_LEAVES and not here[-1, 3]:
            merged[g] = False
            rows = slice(row_start, row_end)
            leaf = np.repeat(np.arange(len(leaves), dtype=np.uint8), np.diff(leaves).ravel())
            value += _sweep_leaves(
                scores[rows], charges[rows], leaf, np.argsort(scores[rows]), len(leaves), margin,
                squared, sign, out[rows],
            )  # fmt: skip
            continue
        order[row_start:row_end] = np.arange(row_end - row_start)
        for start, end in leaves[np.diff(leaves).ravel() > LONG]:
            order[start:end] = start - row_start + np.argsort(scores[start:end])
    trees = trees[merged]
    if trees.size:
        value += _blocks(scores, charges, trees, nodes, blocks, order, margin, squared, sign, out)
    return value
