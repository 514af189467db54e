"""Numbers whose squares and products still are numbers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.data.float_range import SQUARED, find_extreme

__all__ = [
    "check_features",
    "check_grades",
    "check_scores",
    "check_sizes",
    "feature_sizes",
]

Floats = NDArray[np.float64]

LONG_LINE = 512  # numbers in a line from which NumPy compares lines at full speed


def check_features(ranker: Any, X: Any) -> None:
    """Refuse features that arithmetic with floats can't hold, by name."""
    check_sizes(ranker, feature_sizes(X))


def feature_sizes(X: Any) -> Floats:
    """Return the largest absolute value of each feature, of an array or a sparse matrix."""
    if not isinstance(X, np.ndarray):
        return np.asarray(abs(X).max(axis=0).toarray().ravel())
    n_rows, n_features = X.shape
    together = max(LONG_LINE // max(n_features, 1), 1)
    whole = n_rows - n_rows % together if X.flags.c_contiguous else 0
    lines = _sizes(X[:whole].reshape(-1, together * n_features))
    largest = lines.reshape(together, n_features).max(axis=0)
    return np.asarray(np.fmax(largest, _sizes(X[whole:])))


def _sizes(X: Floats) -> Floats:
    highest = np.fmax.reduce(X, axis=0, initial=0.0)
    return np.asarray(np.fmax(highest, -np.fmin.reduce(X, axis=0, initial=0.0)))


def check_sizes(ranker: Any, size: Floats) -> None:
    """Refuse features whose largest absolute values floats can't square."""
    column = find_extreme(size)
    if column is not None:
        raise ValueError(
            f"{_name(ranker, column)} is as large as {size[column]:.3g}, and {SQUARED}; change its "
            "unit"
        )


def check_scores(ranker: Any, scores: Floats, X: Any) -> Floats:
    """Return scores that are all finite, or name the feature that is too large to be scored."""
    finite = np.isfinite(scores)
    if finite.all():
        return scores
    row = int(np.argmin(finite))
    values = X[row] if isinstance(X, np.ndarray) else X[[row]].toarray().ravel()
    column = int(np.nanargmax(np.abs(values)))
    raise ValueError(
        f"the score of row {row} is not finite: {_name(ranker, column)} is {values[column]:.3g} "
        "in it; change its unit"
    )


def check_grades(y: Floats) -> None:
    """Refuse a target whose values, not only their order, are added up or squared."""
    largest = np.abs(y).max(initial=0.0)
    if find_extreme(np.atleast_1d(largest)) is not None:
        raise ValueError(f"y is as large as {largest:.3g}, and {SQUARED}; change its unit")


def _name(ranker: Any, column: int) -> str:
    names = getattr(ranker, "feature_names_in_", None)
    return f"feature {column}" if names is None else f"feature {names[column]!r}"
