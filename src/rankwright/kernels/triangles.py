"""Violated triangle inequalities of a fractional ranking."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["violated_triangles"]


@kernel
def violated_triangles(x, tolerance):
    """Return for each i, k the j that violates x[i, k] <= x[i, j] + x[j, k] most, and by how much.

    j is -1 where no violation exceeds the tolerance.
    """
    n = len(x)
    middle = np.full((n, n), -1, dtype=np.int64)
    violation = np.full((n, n), tolerance)
    for i in range(n):
        for j in range(n):
            if i != j:
                for k in range(n):
                    excess = x[i, k] - x[i, j] - x[j, k]
                    if excess > violation[i, k] and k != i and k != j:
                        violation[i, k] = excess
                        middle[i, k] = j
    return middle, violation
