"""Least squares from rows that lie in several parts, without bringing them together.

The triangle R of a QR decomposition of [1, X, t] holds all that least squares sees of the rows: the
triangle of two stacked triangles is that of all their rows (tall-skinny QR, Demmel et al. 2012).
Unlike sums of products it does not square the condition number.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.linear.targets import fit_in_units

__all__ = ["merge_triangles", "regress_triangle", "triangle_of"]

Floats = NDArray[np.float64]

# Rows decomposed at once: a decomposition takes three times the memory of what it is given.
BLOCK_ROWS = 65_536


def triangle_of(X: Any, target: Floats, weights: Floats | None) -> Floats:
    """Return the triangle of the rows [1, x, t], each times the root of its weight."""
    found = np.zeros((0, X.shape[1] + 2))
    for start in range(0, target.size, BLOCK_ROWS):
        own = slice(start, start + BLOCK_ROWS)
        features = X[own] if isinstance(X, np.ndarray) else X[own].toarray()
        block = np.column_stack([np.ones(len(features)), features, target[own]])
        if weights is not None:
            block *= np.sqrt(weights[own])[:, None]
        found = merge_triangles(found, block)
    return found


def merge_triangles(first: Floats, second: Floats) -> Floats:
    """Return the triangle of the rows of both."""
    return np.asarray(np.linalg.qr(np.vstack([first, second]), mode="r"))


def regress_triangle(regressor: Any, triangle: Floats) -> Any:
    """Fit a scikit-learn ``LinearRegression`` to the rows of which this is the triangle.

    Below the first row, which belongs to the intercept, the triangle is that of the centred rows.
    """
    first, rest = triangle[0], triangle[1:]
    fit_in_units(regressor.set_params(fit_intercept=False), rest[:, 1:-1], rest[:, -1])
    regressor.set_params(fit_intercept=True)
    regressor.intercept_ = float((first[-1] - first[1:-1] @ regressor.coef_) / first[0])
    return regressor
