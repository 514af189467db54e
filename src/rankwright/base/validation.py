"""From what the caller gives to rows sorted by group."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import get_tags
from sklearn.utils.validation import _check_sample_weight, validate_data

from rankwright.data import (
    PreferencePairs,
    Rankings,
    Rows,
    check_columns,
    check_objects,
    check_target,
    sort_rows,
)
from rankwright.data.float_range import check_weight_sizes
from rankwright.data.vectors import as_array, refuse_times

__all__ = [
    "as_graded",
    "as_rows",
    "check_pairs",
    "check_weights",
    "finite_or_nan",
    "refuse_pairs",
    "validate_features",
]


def validate_features(ranker: BaseEstimator, X: Any, **check_params: Any) -> Any:
    """Validate features as scikit-learn does, and name a column that holds times."""
    if check_params.get("skip_check_array"):  # the model reads the frame by itself
        return validate_data(ranker, X, **check_params)
    check_columns(X)
    try:
        return validate_data(ranker, X, **check_params)
    except TypeError:
        check_objects(X)
        raise


def as_rows(
    ranker: BaseEstimator,
    X: Any,
    y: Any = None,
    groups: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    **check_params: Any,
) -> Rows:
    """Validate training data for a ranker and sort it by group.

    Parameters
    ----------
    ranker : estimator
        Gets ``n_features_in_`` and ``feature_names_in_``.
    X : (n, d) frame or array, or Rankings
        With ``Rankings``, ``y`` and ``groups`` come from the orders.
    y : (n,) array
        Larger is better; an ordered categorical counts by its order.
    groups : (n,) array, optional
    sample_weight : (n,) array, optional
        Finite and not negative; rows of weight zero are left out.
    **check_params
        Passed on to scikit-learn's ``validate_data`` (``accept_sparse``, ``ensure_all_finite``).

    Returns
    -------
    Rows
    """
    X, y, groups = as_graded(X, y, groups)
    name = type(ranker).__name__
    if y is None:
        raise ValueError(
            f"{name} requires y to be passed, but the target y is None; "
            "give y (larger is better) or a Rankings object"
        )
    refuse_pairs(ranker, y)
    X = validate_features(ranker, X, **{"dtype": np.float64, "order": "C"} | check_params)
    target = check_target(y, X.shape[0])
    weights = None if sample_weight is None else check_weights(sample_weight, X)
    return sort_rows(X, target, groups, weights)


def refuse_pairs(ranker: BaseEstimator, y: Any) -> None:
    """Refuse explicit pairs, and name the rankers that learn from them."""
    if isinstance(y, PreferencePairs):
        raise ValueError(
            f"{type(ranker).__name__} can't learn from PreferencePairs; PairwiseRanker, "
            "PreferenceRanker and BoostedRanker(loss='logistic') can"
        )


def as_graded(X: Any, y: Any, groups: ArrayLike | None) -> tuple[Any, Any, ArrayLike | None]:
    """Return rankings as rows with their own y and groups, and anything else as it is."""
    if not isinstance(X, Rankings):
        return X, y, groups
    if y is not None or groups is not None:
        raise ValueError("Rankings carry their own y and groups; give rankings alone")
    return X.to_rows()


def finite_or_nan(ranker: BaseEstimator) -> bool | str:
    """Return scikit-learn's ``ensure_all_finite`` for a ranker: NaN only where it takes them."""
    return "allow-nan" if get_tags(ranker).input_tags.allow_nan else True


def check_pairs(rows: Rows) -> None:
    """Refuse rows of which no two of a group have different targets."""
    starts = rows.offsets[:-1]
    low, high = np.minimum.reduceat(rows.y, starts), np.maximum.reduceat(rows.y, starts)
    if (low == high).all():
        raise ValueError(
            "there is no pair to learn from: within every group all y are equal, "
            f"in n_samples={rows.y.size}"
        )


def check_weights(sample_weight: ArrayLike, X: Any) -> NDArray[np.float64]:
    """Return one finite weight for each row of ``X``, none of them negative."""
    refuse_times("sample_weight", as_array("sample_weight", sample_weight))
    weights: NDArray[np.float64] = _check_sample_weight(
        sample_weight, X, dtype=np.float64, ensure_non_negative=True
    )
    check_weight_sizes("sample_weight", weights, "row")
    return weights
