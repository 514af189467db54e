"""Looking up items: row numbers, or names in a frame's index."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["row_numbers"]


def row_numbers(table: Any, items: Sequence[Any] | NDArray[Any], what: str) -> NDArray[np.int64]:
    """Return the row number of each item: integers as they are, names from the table's index."""
    entries = _entries(items)
    n_rows = table.shape[0]
    if entries.dtype.kind in "iu":
        outside = (entries < 0) | (entries >= n_rows)
        if outside.any():
            raise ValueError(
                f"{what} names row {entries[np.argmax(outside)]}, "
                f"but there are only rows 0 to {n_rows - 1}"
            )
        return entries.astype(np.int64)
    names = entries.tolist()
    if not hasattr(table, "index"):
        raise ValueError(
            f"{what} holds names such as {names[0]!r}; "
            "give the items as a pandas frame whose index has these names, or use row numbers"
        )
    if not table.index.is_unique:
        twice = table.index[table.index.duplicated()][0]
        raise ValueError(f"the index of the items has {twice!r} twice; names must be unique")
    numbers = np.asarray(table.index.get_indexer(names), dtype=np.int64)
    if (numbers < 0).any():
        unknown = names[int(np.argmin(numbers))]
        raise ValueError(f"{what} names {unknown!r}, which the index of the items does not have")
    return numbers


def _entries(items: Sequence[Any] | NDArray[Any]) -> NDArray[Any]:
    """Return items as an array that keeps each as it is: 1 and "1" are two names."""
    if isinstance(items, np.ndarray):
        return items
    if all(
        issubclass(kind, int | np.integer) and kind is not bool for kind in set(map(type, items))
    ):
        return np.asarray(items)
    return np.fromiter(items, dtype=object)
