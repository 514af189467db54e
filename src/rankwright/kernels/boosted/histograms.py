"""Histograms of packed derivatives over the bins of features.

Bins of four features of a row lie together (a *block*), so that a row of a node is fetched once
for four histograms. The histograms of a node are one array: those of feature j begin at
``first_bin[j]``.
"""

from rankwright.kernels.compile import kernel
from rankwright.kernels.inner import inner

__all__ = ["BLOCK", "fill_children", "fill_root", "gather_blocks"]

BLOCK = 4


@kernel
def gather_blocks(codes, features, rows, first, last, blocks):
    """Copy the bins of some features and rows into blocks first:last; codes are (d, n)."""
    for b in range(first, last):
        size = min(BLOCK, features.size - b * BLOCK)
        block = blocks[b]
        for k in range(size):
            column = codes[features[b * BLOCK + k]]
            for i in range(rows.size):
                block[i, k] = column[rows[i]]
        for k in range(size, BLOCK):
            for i in range(rows.size):
                block[i, k] = 0


@inner
def _fill(block, rows, packed, start, stop, first_bin, b, histogram):
    """Count the rows start:stop of a node into the histograms of a block's four features."""
    h0 = histogram[first_bin[BLOCK * b] :]
    h1 = histogram[first_bin[BLOCK * b + 1] :]
    h2 = histogram[first_bin[BLOCK * b + 2] :]
    h3 = histogram[first_bin[BLOCK * b + 3] :]
    for c in range(first_bin[BLOCK * b], first_bin[BLOCK * b + BLOCK]):
        histogram[c] = 0
    for i in range(start, stop):
        v = packed[i]
        r = rows[i]
        h0[block[r, 0]] += v
        h1[block[r, 1]] += v
        h2[block[r, 2]] += v
        h3[block[r, 3]] += v


@kernel
def fill_root(blocks, rows, packed, first_bin, first, last, histogram):
    """Count all rows into the histograms of the blocks first:last."""
    for b in range(first, last):
        _fill(blocks[b], rows, packed, 0, rows.size, first_bin, b, histogram)


@inner
def fill_children(features, rows, packed, children, first, last, pool):
    """Make the histograms of the blocks first:last of children, two after two of the same parent.

    The smaller one is counted. The larger one has the slot of its parent, from whose histograms
    those of the smaller one are subtracted.
    """
    blocks, first_bin = features.blocks, features.first_bin
    for b in range(first, last):
        block = blocks[b]
        begin, end = first_bin[BLOCK * b], first_bin[BLOCK * b + BLOCK]
        for z in range(0, children.size, 2):
            left, right = children[z], children[z + 1]
            if right.stop - left.start < 2:
                continue
            right_is_small = right.stop - right.start < left.stop - left.start
            start, stop = (right.start, right.stop) if right_is_small else (left.start, left.stop)
            small = pool[right.slot if right_is_small else left.slot]
            large = pool[left.slot if right_is_small else right.slot]
            _fill(block, rows, packed, start, stop, first_bin, b, small)
            for c in range(begin, end):
                large[c] -= small[c]
