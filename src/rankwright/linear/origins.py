"""Features counted from a row of their group, where they are far from zero."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["near_zero"]

SAMPLED = 1000  # rows that tell which features may be far from zero
FAR = 2.0**20  # times how much a feature differs inside groups: rounding leaves nine digits of it
FAR_WITHOUT_DIFFERENCE = 2.0**10


def near_zero(X: Any, offsets: NDArray[np.int64]) -> Any:
    """Return the rows with features that are far from zero counted from the first of each group.

    Only differences inside groups tell a ranker anything. Those of seconds since 1970 would be
    lost in rounding errors of the numbers themselves, and a feature that never differs in a group
    would get a coefficient from them. A sparse matrix is returned as it is.

    Examples
    --------
    >>> import numpy as np
    >>> near_zero(np.array([[1e15, 1.0], [1e15 + 2, 3.0], [2e15, 2.0]]), np.array([0, 2, 3]))
    array([[0., 1.],
           [2., 3.],
           [0., 2.]])
    """
    if not isinstance(X, np.ndarray):
        return X
    with np.errstate(over="ignore"):  # numbers of such sizes are refused by name afterwards
        return _near_zero(X, offsets)


def _near_zero(X: NDArray[np.float64], offsets: NDArray[np.int64]) -> NDArray[np.float64]:
    first = np.repeat(offsets[:-1], np.diff(offsets))
    rows = np.linspace(0, len(X) - 1, min(len(X), SAMPLED)).astype(np.int64)
    doubtful = np.flatnonzero(_are_far(X[rows], X[rows] - X[first[rows]]))
    if not len(doubtful):
        return X
    moved = X[:, doubtful] - X[first[:, None], doubtful]
    far = _are_far(X[:, doubtful], moved)
    if not far.any():
        return X
    near = X.copy()
    near[:, doubtful[far]] = moved[:, far]
    return near


def _are_far(X: NDArray[np.float64], moved: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which features are far from zero beside what is left of them."""
    sizes, differ = np.abs(X).max(axis=0), np.abs(moved).max(axis=0)
    far: NDArray[np.bool_] = sizes > np.where(differ > 0, FAR * differ, FAR_WITHOUT_DIFFERENCE)
    return far
