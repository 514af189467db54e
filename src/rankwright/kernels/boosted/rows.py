"""Rows of a growing tree: a node is a range of them."""

import numpy as np

from rankwright.kernels.boosted.histograms import BLOCK
from rankwright.kernels.compile import kernel

__all__ = ["add_leaf_values", "add_values_outside", "split_nodes"]


@kernel
def split_nodes(blocks, feature, goes_left, nodes, first, last, rows, packed, spare, spare_packed):
    """Divide the rows of the nodes first:last by one cut, keeping their order.

    A row of ``nodes`` has start and stop, and gets where the right part begins and the packed sums
    of both parts. There are no branches: rows whose side nobody foresees would cost a wrong guess
    each.
    """
    block, k = blocks[feature // BLOCK], feature % BLOCK
    for z in range(first, last):
        start, stop = nodes[z, 0], nodes[z, 1]
        left, right = start, start
        left_total, total = np.int64(0), np.int64(0)
        for i in range(start, stop):
            r, v = rows[i], packed[i]
            goes = np.int64(goes_left[block[r, k]])
            spare[right] = r
            spare_packed[right] = v
            rows[left] = r
            packed[left] = v
            total += v
            left_total += v * goes
            left += goes
            right += 1 - goes
        for i in range(right - start):
            rows[left + i] = spare[start + i]
            packed[left + i] = spare_packed[start + i]
        nodes[z, 2], nodes[z, 3], nodes[z, 4] = left, left_total, total - left_total


@kernel
def add_leaf_values(leaves, values, rows, numbers, scores):
    """Add the value of each leaf, a range of ``rows``, to the scores of its rows' numbers."""
    for z in range(leaves.shape[0]):
        for i in range(leaves[z, 0], leaves[z, 1]):
            scores[numbers[rows[i]]] += values[z]


@kernel
def add_values_outside(codes, numbers, features, children, tests, goes_left, values, scores):
    """Send rows that the tree did not grow on down by their bins, and add the leaf's value.

    ``children[node]`` is the left child, -1 in a leaf; the right one follows it. A node looks the
    bin of its feature up in the row ``tests[node]`` of ``goes_left``.
    """
    for i in range(numbers.size):
        row = numbers[i]
        node = 0
        while children[node] >= 0:
            goes = goes_left[tests[node], codes[features[node], row]]
            node = children[node] + 1 - np.int64(goes)
        scores[row] += values[node]
