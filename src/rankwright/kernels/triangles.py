"""Violated triangle inequalities of a fractional ranking."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["violated_triangles"]


@kernel
def violated_triangles(x, tolerance, first, last):
    """Return for each i, k the j that violates x[i, k] <= x[i, j] + x[j, k] most, and by how much.

    In rows, for i from first to last; j is -1 where no violation exceeds the tolerance.
    """
    n = len(x)
    middle = np.full((last - first, n), -1, dtype=np.int64)
    violation = np.full((last - first, n), tolerance)
    for i in range(first, last):
        for j in range(n):
            if i != j:
                for k in range(n):
                    excess = x[i, k] - x[i, j] - x[j, k]
                    if excess > violation[i - first, k] and k != i and k != j:
                        violation[i - first, k] = excess
                        middle[i - first, k] = j
    return middle, violation
