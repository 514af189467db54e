"""Categories: sets of groups that share one formula, each with a weight (Chang et al. 2012)."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.data import Rows
from rankwright.data.float_range import LARGEST

__all__ = ["CategoryWeights", "category_of_group", "category_weights"]

CategoryWeights = Mapping[Hashable, float]
Floats = NDArray[np.float64]


def category_of_group(categories: ArrayLike | None, rows: Rows) -> tuple[NDArray[Any], Any]:
    """Return the categories' labels, and for each group the number of its category.

    ``categories`` has one label for each row of the caller's data; None is a single category.
    """
    n_groups = rows.offsets.size - 1
    if categories is None:
        return np.array(["all"], dtype=object), np.zeros(n_groups, dtype=np.int64)
    labels = np.asarray(categories)
    if labels.shape != (rows.n_given,):
        raise ValueError(
            f"categories has shape {labels.shape} but there are {rows.n_given} rows; "
            "give the category of each row"
        )
    names, codes = np.unique(labels, return_inverse=True)
    codes = codes if rows.order is None else codes[rows.order]
    of_group = codes[rows.offsets[:-1]]
    mixed = codes != of_group[rows.group_of_row]
    if mixed.any():
        group = rows.group_of_row[np.argmax(mixed)]
        raise ValueError(
            f"group {rows.labels[group]!r} has rows of several categories; a group has one category"
        )
    return names, of_group


def category_weights(names: NDArray[Any], weights: CategoryWeights | None) -> Floats:
    """Return the weight C of each category: 1 where none is given."""
    given = dict(weights or {})
    unknown = [label for label in given if label not in names.tolist()]
    if unknown:
        raise ValueError(
            f"category_weights names {unknown[0]!r}; the categories are {names.tolist()}"
        )
    values = np.array([float(given.get(name, 1.0)) for name in names.tolist()])
    if not np.all((values >= 0) & (values <= LARGEST)) or not np.any(values > 0):
        raise ValueError(
            f"category_weights={weights!r}; give weights from 0 to {LARGEST:.0e}, "
            "at least one above 0"
        )
    return values
