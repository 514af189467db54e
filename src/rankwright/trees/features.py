"""The features of new rows, and how many of them a split tries."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from rankwright.trees.categories import encode_categories

__all__ = ["check_features", "count_features"]


def check_features(ranker: BaseEstimator, X: Any) -> NDArray[np.float64]:
    """Check rows for a fitted ranker, and turn their categories into numbers."""
    check_is_fitted(ranker)
    if np.ndim(X) == 2 and np.shape(X)[1] == ranker.n_features_in_:
        X = encode_categories(X, ranker.categories_)
    checked: NDArray[np.float64] = validate_data(
        ranker, X, dtype=np.float64, order="C", reset=False, ensure_all_finite="allow-nan"
    )
    return checked


def count_features(name: str, asked: float | str | None, n_features: int) -> int | None:
    """Return the number of features that the parameter ``name`` asks for, None for all."""
    if asked is None:
        return None
    if asked == "sqrt":
        return max(1, int(np.sqrt(n_features)))
    if isinstance(asked, str) or asked <= 0:
        raise ValueError(
            f"{name}={asked!r}; give None, 'sqrt', a number of features or a share below 1"
        )
    return max(1, int(asked * n_features)) if asked < 1 else min(int(asked), n_features)
