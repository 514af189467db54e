"""Rows sorted by group and y: the order that every listwise and pairwise loss works in."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwright.data.rows import group_of_row

__all__ = ["Levels", "sort_levels"]

Ints = NDArray[np.int64]

MANY_ROWS = 50_000  # that are sorted by their bits faster than by comparisons


@dataclass(frozen=True)
class Levels:
    """Levels are the rows of one group with equal y, worst first within each group."""

    order: Ints  # sorted row i is row order[i] of the data
    offsets: Ints  # level l is the sorted rows offsets[l]:offsets[l + 1]
    groups: Ints  # group g is the levels groups[g]:groups[g + 1]
    of_row: Ints  # level of each sorted row


def sort_levels(y: NDArray[np.float64], groups: Ints) -> Levels:
    """Sort the rows of each group ``groups[g]:groups[g + 1]`` by y."""
    group = group_of_row(groups)
    order = _ascending(y) if groups.size == 2 else np.lexsort((y, group))
    ordered = y[order]
    begins = np.ones(y.size, dtype=bool)
    begins[1:] = (ordered[1:] != ordered[:-1]) | (group[1:] != group[:-1])
    offsets = np.append(np.flatnonzero(begins), y.size)
    return Levels(
        order=order.astype(np.int64, copy=False),
        offsets=offsets,
        groups=np.searchsorted(offsets, groups),
        of_row=np.cumsum(begins) - 1,
    )


def _ascending(y: NDArray[np.float64]) -> Ints:
    if y.size <= MANY_ROWS:
        return np.argsort(y, kind="stable")
    from rankwright.kernels.sorting import ascending

    return np.asarray(ascending(y))
