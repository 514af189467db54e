"""One internal form of every ranking problem: rows sorted by group, with offsets."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from rankwright.data.vectors import as_array

__all__ = [
    "Grouping",
    "Rows",
    "as_labels",
    "group_of_row",
    "group_rows",
    "row_weights",
    "sort_rows",
    "take_rows",
]


def group_of_row(offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of the group of each row, where group g is ``offsets[g]:offsets[g + 1]``.

    Examples
    --------
    >>> from rankwright.data import group_of_row
    >>> group_of_row(np.array([0, 2, 5]))
    array([0, 0, 1, 1, 1])
    """
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def take_rows(values: Any, numbers: NDArray[np.int64]) -> Any:
    """Return the rows of these numbers, of an array, a sparse matrix or a pandas frame."""
    return values.iloc[numbers] if hasattr(values, "iloc") else values[numbers]


@dataclass(frozen=True)
class Grouping:
    """Where the rows of each group stand once the rows are sorted by group.

    Attributes
    ----------
    offsets : (n_groups + 1,) int64
        Group g is rows ``offsets[g]`` to ``offsets[g + 1]``.
    order : (n,) int64 or None
        Sorted row i is row ``order[i]`` of the input; None when every group is contiguous already.
    labels : (n_groups,)
        The groups' own labels.
    """

    offsets: NDArray[np.int64]
    order: NDArray[np.int64] | None
    labels: NDArray[Any]

    @property
    def group_of_row(self) -> NDArray[np.int64]:
        """The number of the group of each sorted row."""
        return group_of_row(self.offsets)

    def rows(self) -> list[NDArray[np.int64]]:
        """Return the input's row numbers of each group."""
        order = np.arange(self.offsets[-1]) if self.order is None else self.order
        return np.split(order, self.offsets[1:-1])

    def sort(self, values: Any) -> Any:
        """Return the rows of ``values`` in group order, uncopied when they are in it already."""
        return values if self.order is None else take_rows(values, self.order)

    def unsort(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values that are in group order in the order of the input."""
        if self.order is None:
            return values
        result = np.empty_like(values)
        result[self.order] = values
        return result


@dataclass(frozen=True)
class Rows:
    """Rows sorted by group; rows of different groups are never compared.

    Attributes
    ----------
    X : (n, d) array or CSR matrix
    y : (n,) float64
        Larger is better.
    weights : (n,) float64 or None
        Weights of the items.
    offsets, labels
        As in :class:`Grouping`.
    order : (n,) int64 or None
        Row i is row ``order[i]`` of the input; None when they are the rows of the input as given.
    n_given : int
        How many rows the input has; those of weight zero are not among the n.
    """

    X: Any
    y: NDArray[np.float64]
    offsets: NDArray[np.int64]
    weights: NDArray[np.float64] | None
    order: NDArray[np.int64] | None
    labels: NDArray[Any]
    n_given: int

    @property
    def given(self) -> NDArray[np.int64]:
        """The number of each row in the input."""
        return np.arange(self.n_given) if self.order is None else self.order

    @property
    def group_of_row(self) -> NDArray[np.int64]:
        """The number of the group of each row."""
        return group_of_row(self.offsets)


def group_rows(groups: ArrayLike | None, n_rows: int, name: str = "groups") -> Grouping:
    """Find the rows of each group in O(n log n); None puts all rows into one group.

    Groups stand in ascending order of their labels, or as they are when they are contiguous.
    Errors speak of ``name``.

    Examples
    --------
    >>> from rankwright.data import group_rows
    >>> grouping = group_rows(["b", "a", "b"], 3)
    >>> grouping.offsets, grouping.order, grouping.labels
    (array([0, 1, 3]), array([1, 0, 2]), array(['a', 'b'], dtype=object))
    """
    if groups is None:
        return Grouping(np.array([0, n_rows], dtype=np.int64), None, np.zeros(1, dtype=np.int64))
    labels = as_labels(groups, n_rows, name)
    names, codes = _encode(labels, name)
    starts = np.flatnonzero(np.r_[True, codes[1:] != codes[:-1]])
    if len(starts) == len(names):
        offsets = np.append(starts, n_rows).astype(np.int64)
        return Grouping(offsets, None, names[codes[starts]])
    order = np.argsort(codes, kind="stable").astype(np.int64, copy=False)
    counts = np.bincount(codes)
    return Grouping(np.r_[0, np.cumsum(counts)].astype(np.int64), order, names)


def sort_rows(
    X: Any,
    y: NDArray[np.float64],
    groups: ArrayLike | None = None,
    weights: NDArray[np.float64] | None = None,
) -> Rows:
    """Sort rows by group, without copying ``X`` when its groups are contiguous already.

    Rows of weight zero are left out: not even the sizes of their features may count.
    """
    n_given, kept = len(y), None
    if weights is not None and not (weights > 0).all():
        kept = np.flatnonzero(weights > 0)
        groups = None if groups is None else as_labels(groups, n_given)[kept]
        X, y, weights = take_rows(X, kept), y[kept], weights[kept]
    grouping = group_rows(groups, len(y))
    return Rows(
        X=grouping.sort(X),
        y=grouping.sort(y),
        offsets=grouping.offsets,
        weights=None if weights is None else grouping.sort(weights),
        order=grouping.order if kept is None else grouping.sort(kept),
        labels=grouping.labels,
        n_given=n_given,
    )


def row_weights(rows: Rows) -> NDArray[np.float64]:
    """Return the weight of each row: 1 where none were given."""
    return np.ones(len(rows.y)) if rows.weights is None else rows.weights


def _encode(labels: NDArray[Any], name: str) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the distinct labels, ascending, and the number of each row's."""
    if labels.dtype != object:
        return np.unique(labels, return_inverse=True)
    try:
        names, codes = _tell_apart(labels)
        order = np.argsort(names, kind="stable")
        names = names[order]
        in_order = all(one < other for one, other in pairwise(names))
    except TypeError as error:
        raise _without_order(labels, name) from error
    if not in_order:
        raise _without_order(labels, name)
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return names, places[codes]


def _tell_apart(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    # Sorted, labels of a partial order, such as sets, would not stand beside those they equal.
    numbers: dict[Any, int] = {}
    found = (numbers.setdefault(label, len(numbers)) for label in labels.tolist())
    codes = np.fromiter(found, dtype=np.int64)
    return np.fromiter(numbers, dtype=object), codes


def _without_order(labels: NDArray[Any], name: str) -> ValueError:
    kinds = sorted({type(label).__name__ for label in labels})
    what = f"mix {' and '.join(kinds)}" if len(kinds) > 1 else f"are of type {kinds[0]}"
    return ValueError(
        f"{name} {what}, which can't be told apart by sorting; "
        "convert them to one type that has an order: numbers, texts or tuples of these"
    )


def as_labels(groups: Any, n_rows: int, name: str = "groups") -> NDArray[Any]:
    """Return the label of each row, none of them missing, each as it was given."""
    labels = _as_given(groups, name)
    if labels.ndim != 1:
        raise ValueError(
            f"{name} has shape {labels.shape}; give one label for each row, not group sizes"
        )
    if len(labels) != n_rows:
        raise ValueError(
            f"{name} has {len(labels)} entries but there are {n_rows} rows; "
            "give one label for each row, not group sizes"
        )
    missing = pd.isna(labels)
    if np.any(missing):
        first = int(np.argmax(missing))
        raise ValueError(
            f"{name} has {int(np.sum(missing))} missing values, the first in row {first}; "
            "fill them or leave those rows out"
        )
    return labels


def _as_given(groups: Any, name: str) -> NDArray[Any]:
    if isinstance(groups, list | tuple) and groups and isinstance(groups[0], tuple):
        return np.fromiter(groups, dtype=object)  # NumPy makes a matrix of them
    labels = as_array(name, groups)
    # NumPy writes the NaN of a list with names out as the name "nan", and can't sort records.
    return np.asarray(groups, dtype=object) if labels.dtype.kind in "USV" else labels
