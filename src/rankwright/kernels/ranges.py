"""Sums over ranges of rows."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["range_sums"]


@kernel
def range_sums(values, starts, ends):
    """Sum values[starts[i]:ends[i]] for each i, by adding alone: no small sum beside a large one.

    A range that begins where the one before it does ends no earlier.
    """
    sums = np.empty(len(starts))
    start, end, total = 0, 0, 0.0
    for i in range(len(starts)):
        if starts[i] != start:
            start = end = starts[i]
            total = 0.0
        while end < ends[i]:
            total += values[end]
            end += 1
        sums[i] = total
    return sums
