"""Checks of the target: one finite number for each row, larger is better."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.data.vectors import as_array, as_numbers

__all__ = ["as_vector", "check_target", "ordered_categories", "without_categories"]

REMEDY = "encode the order as numbers, larger is better, or give an ordered categorical"


def check_target(y: ArrayLike, n_rows: int) -> NDArray[np.float64]:
    """Return ``y`` as finite float64, or raise an error that names what is wrong with it."""
    target = as_array("y", without_categories(y))
    if target.ndim != 1:
        raise ValueError(f"y has shape {target.shape}; give one value for each row")
    if len(target) != n_rows:
        raise ValueError(f"y has {len(target)} values but X has {n_rows} rows; they must be equal")
    if n_rows == 0:
        raise ValueError("there are no rows; give at least one")
    values = as_numbers("y", target, REMEDY)
    if values is target:  # what a ranker keeps is its own
        values = values.copy()
    finite = np.isfinite(values)
    if not finite.all():
        first = int(np.argmin(finite))
        raise ValueError(
            f"y has {int((~finite).sum())} values that are NaN or infinite, the first "
            f"({values[first]}) in row {first}; remove those rows or give them a value"
        )
    return values


def ordered_categories(y: Any) -> tuple[NDArray[np.float64], NDArray[Any]] | None:
    """Return the codes of an ordered categorical and its categories, worst first; else None.

    pandas' ordered categoricals and polars' enumerations are such; a missing value has code NaN.
    A categorical without an order is refused.

    Examples
    --------
    >>> import pandas as pd
    >>> from rankwright.data import ordered_categories
    >>> y = pd.Categorical(["good", "poor", "good"], ["poor", "good"], ordered=True)
    >>> ordered_categories(y)
    (array([1., 0., 1.]), array(['poor', 'good'], dtype=object))
    """
    kind = type(getattr(y, "dtype", None)).__name__
    if kind == "CategoricalDtype":
        values = getattr(y, "cat", y)  # a Series has its codes there
        if not values.ordered:
            raise ValueError(
                f"y is a categorical without an order ({_listed(values.categories)}); say which is "
                "better: y.cat.set_categories([worst, ..., best], ordered=True)"
            )
        codes = np.asarray(values.codes, dtype=np.float64)
        return np.where(codes < 0, np.nan, codes), np.asarray(values.categories)
    if kind == "Enum":
        codes = y.to_physical().cast(float).to_numpy()
        return codes, np.array(y.dtype.categories.to_list(), dtype=object)
    if kind == "Categorical":
        raise ValueError(
            f"y is a categorical without an order ({_listed(y.unique().to_list())}); say which is "
            "better: y.cast(polars.Enum([worst, ..., best]))"
        )
    return None


def without_categories(y: Any) -> Any:
    """Return the codes of an ordered categorical, and anything else as a vector if it is one."""
    vector = as_vector(y)
    found = ordered_categories(vector)
    return vector if found is None else found[0]


def as_vector(y: Any) -> Any:
    """Return the column of a table of one column, with scikit-learn's warning; else ``y``."""
    shape = getattr(y, "shape", None) or as_array("y", y).shape
    if len(shape) != 2 or shape[1] != 1:
        return y
    from sklearn.exceptions import DataConversionWarning

    warnings.warn(
        "A column-vector y was passed when a 1d array was expected; give its values as a vector, "
        "as y.ravel() does",
        DataConversionWarning,
        stacklevel=3,
    )
    table = getattr(y, "iloc", y if hasattr(y, "shape") else np.asarray(y))
    return table[:, 0]


def _listed(categories: Any) -> str:
    shown = ", ".join(repr(category) for category in list(categories)[:4])
    return shown + (", ..." if len(categories) > 4 else "")
