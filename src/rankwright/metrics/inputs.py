"""Check what a metric is given, before it computes anything."""

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.data import as_array, as_numbers, without_categories
from rankwright.data.float_range import check_weight_sizes

__all__ = [
    "UndefinedMetricError",
    "binary",
    "check_length",
    "choice",
    "paired",
    "vector",
    "weights_or_ones",
]

Floats = NDArray[np.float64]
Value = TypeVar("Value")


class UndefinedMetricError(ValueError):
    """Say that valid input has no value of this metric, as one class has no AUC.

    A mean over groups skips and counts the groups that raise it.

    Examples
    --------
    >>> import rankwright as rw
    >>> try:
    ...     rw.metrics.auc([1, 1], [0.3, 0.7])
    ... except rw.metrics.UndefinedMetricError as error:
    ...     print(error)
    y_true has one class only (1.0); this metric needs two: add the other, or skip this group
    """


def vector(name: str, values: ArrayLike) -> Floats:
    """Return `values` as a finite, contiguous, non-empty float vector."""
    array = as_array(name, without_categories(values))
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}; pass one value per item (a vector)")
    if array.size == 0:
        raise ValueError(f"{name} is empty; pass at least one item")
    array = np.ascontiguousarray(as_numbers(name, array, "pass numbers, larger is better"))
    if not np.isfinite(array).all():
        row = int(np.flatnonzero(~np.isfinite(array))[0])
        raise ValueError(f"{name}[{row}] is {array[row]}; drop or fill rows that are not finite")
    return array


def choice(name: str, chosen: str, known: Mapping[str, Value]) -> Value:
    """Return what a parameter's value stands for."""
    if chosen not in known:
        raise ValueError(f"{name}={chosen!r}; choose from {sorted(known)}")
    return known[chosen]


def check_length(name: str, values: NDArray[Any], n: int) -> None:
    """Raise unless `values` has one entry for each of the `n` items of y_true."""
    if len(values) != n:
        raise ValueError(f"{name} has {len(values)} values and y_true {n}; pass one per item")


def paired(y_true: ArrayLike, scores: ArrayLike, name: str = "scores") -> tuple[Floats, Floats]:
    """Return both vectors checked, and of one length."""
    first, second = vector("y_true", y_true), vector(name, scores)
    check_length(name, second, len(first))
    return first, second


def weights_or_ones(sample_weight: ArrayLike | None, n: int) -> Floats:
    """Return the items' weights: non-negative, not all zero, ones when there are none."""
    if sample_weight is None:
        return np.ones(n)
    weights = vector("sample_weight", sample_weight)
    check_length("sample_weight", weights, n)
    if weights.min() < 0 or weights.max() == 0:
        raise ValueError(
            f"sample_weight runs from {weights.min()} to {weights.max()}; "
            "weights are non-negative and not all zero"
        )
    check_weight_sizes("sample_weight", weights, "row")
    return weights


def binary(y_true: Floats) -> NDArray[np.bool_]:
    """Return which items are positive: those with the larger of exactly two labels."""
    low, high = y_true.min(), y_true.max()
    if low == high:
        raise UndefinedMetricError(
            f"y_true has one class only ({low}); this metric needs two: "
            "add the other, or skip this group"
        )
    positive: NDArray[np.bool_] = y_true == high
    if not (positive | (y_true == low)).all():
        raise ValueError(
            f"y_true has {len(np.unique(y_true))} different values; this metric takes two classes: "
            "compare with a threshold first, or use kendall_tau or ndcg"
        )
    return positive
