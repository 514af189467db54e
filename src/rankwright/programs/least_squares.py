"""Least squares with weights that are not negative."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import lsq_linear, nnls

__all__ = ["nonnegative_least_squares"]

Floats = NDArray[np.float64]


def nonnegative_least_squares(rows: Floats, wanted: Floats) -> tuple[Floats, float]:
    """Return the weights, none negative, whose sums are nearest to those wanted, and how near.

    Where SciPy's active sets cycle for too long, the weights are those of another of its methods.

    Examples
    --------
    >>> weights, distance = nonnegative_least_squares(np.eye(2), np.array([3.0, -4.0]))
    >>> weights.tolist(), distance
    ([3.0, 0.0], 4.0)
    """
    try:
        weights, distance = nnls(rows, wanted)
    except RuntimeError:  # too many iterations
        weights = np.maximum(lsq_linear(rows, wanted, (0.0, np.inf)).x, 0.0)
        return weights, float(np.linalg.norm(rows @ weights - wanted))
    return weights, float(distance)
