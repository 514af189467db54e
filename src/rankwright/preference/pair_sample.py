"""Pairs of graded rows, listed when they are few and drawn when they are many."""

import numpy as np
from numpy.typing import NDArray

from rankwright.base import check_pairs
from rankwright.data import Rows
from rankwright.data.levels import sort_levels

__all__ = ["pair_sample"]

Ints = NDArray[np.int64]


def pair_sample(rows: Rows, most: int, rng: np.random.RandomState) -> tuple[Ints, Ints]:
    """Return the better and worse rows of all pairs, or of ``most`` pairs drawn uniformly."""
    check_pairs(rows)
    levels = sort_levels(rows.y, rows.offsets)
    first_of_group = rows.offsets[rows.group_of_row]
    count = levels.offsets[levels.of_row] - first_of_group
    ends = np.cumsum(count)
    total = int(ends[-1])
    numbers = np.arange(total) if total <= most else np.sort(rng.randint(0, total, size=most))
    better = np.searchsorted(ends, numbers, side="right")
    worse = first_of_group[better] + numbers - (ends[better] - count[better])
    return levels.order[better], levels.order[worse]
