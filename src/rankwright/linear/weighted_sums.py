"""Scores of rows that do not depend on the rows beside them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import gen_batches

__all__ = ["weighted_sums"]

Floats = NDArray[np.float64]
ROWS = 4096  # copied at once, where rows do not lie together in memory


def weighted_sums(X: Any, weights: Floats) -> Floats:
    """Return ``X @ weights``, with the same digits for a row wherever it stands.

    A product of BLAS adds up the last rows of a batch in another order than the others, so that
    equal rows may not tie. Here each row is summed alone.

    Examples
    --------
    >>> import numpy as np
    >>> from rankwright.linear.weighted_sums import weighted_sums
    >>> weighted_sums(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([10.0, 1.0]))
    array([12., 34.])
    """
    if not isinstance(X, np.ndarray):  # products of sparse matrices go row by row
        return np.asarray(X @ weights)
    sums = np.empty(len(X))
    for rows in gen_batches(len(X), ROWS):
        np.einsum("ij,j->i", np.ascontiguousarray(X[rows]), weights, out=sums[rows])
    return sums
