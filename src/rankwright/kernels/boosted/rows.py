"""Rows of a growing tree: a node is a range of them."""

import numpy as np

from rankwright.kernels.compile import kernel
from rankwright.kernels.inner import inner

__all__ = ["add_leaf_values", "add_values_outside", "split_rows"]


@inner
def split_rows(column, goes_left, start, stop, rows, packed, spare, spare_packed):
    """Divide the rows start:stop by a cut, keeping their order.

    ``column`` has the bins of the feature. Return where the right part begins, and the packed sum
    of the left one. There are no branches: rows whose side nobody foresees would cost a wrong guess
    each.
    """
    left, right = start, start
    left_total = np.int64(0)
    for i in range(start, stop):
        r, v = rows[i], packed[i]
        goes = np.int64(goes_left[column[r]])
        spare[right] = r
        spare_packed[right] = v
        rows[left] = r
        packed[left] = v
        left_total += v * goes
        left += goes
        right += 1 - goes
    for i in range(right - start):
        rows[left + i] = spare[start + i]
        packed[left + i] = spare_packed[start + i]
    return left, left_total


@kernel
def add_leaf_values(nodes, rate, rows, numbers, scores):
    """Add the value of each leaf, whose rows are a range, to the scores of its rows' numbers."""
    for z in range(nodes.size):
        if nodes[z].left >= 0:
            continue
        value = rate * nodes[z].value
        for i in range(nodes[z].start, nodes[z].stop):
            scores[numbers[rows[i]]] += value


@kernel
def add_values_outside(codes, numbers, features, goes_left, nodes, rate, scores):
    """Send rows that the tree did not grow on down by their bins, and add the leaf's value.

    Cut number t tests the bin of ``features[t]`` in row t of ``goes_left``.
    """
    for i in range(numbers.size):
        row = numbers[i]
        node = 0
        while nodes[node].left >= 0:
            test = nodes[node].test
            goes = goes_left[test, codes[features[test], row]]
            node = nodes[node].left + 1 - np.int64(goes)
        scores[row] += rate * nodes[node].value
