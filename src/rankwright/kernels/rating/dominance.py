"""Which products few others dominate: are at least as good in every factor."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["find_band"]


@kernel
def find_band(factors, order, most):
    """Mark the rows that fewer than ``most`` rows before them in ``order`` dominate.

    Whoever dominates a row before it dominates the row too. So of the rows that dominate a row,
    the first ``most`` are marked themselves, and only marked ones need to be looked at.

    Parameters
    ----------
    factors : (n, d) int64
    order : (n,) int64
    most : int

    Returns
    -------
    (n,) bool
    """
    n, d = factors.shape
    kept, n_kept = np.empty_like(factors), 0
    is_kept = np.zeros(n, np.bool_)
    for i in order:
        count = 0
        for k in range(n_kept):
            dominates = True
            for j in range(d):
                if kept[k, j] < factors[i, j]:
                    dominates = False
                    break
            count += dominates
            if count == most:
                break
        if count < most:
            is_kept[i] = True
            kept[n_kept] = factors[i]
            n_kept += 1
    return is_kept
