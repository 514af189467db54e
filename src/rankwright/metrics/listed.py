"""A list by descending score; tied scores count the mean over all orders of the tied items."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwright.metrics.inputs import Floats

__all__ = ["Listed", "listed", "places_counted"]


@dataclass(frozen=True)
class Listed:
    """Values listed by descending score, with the block of tied scores of every place.

    `before` and `size` are the number of items above a place's block and inside it.
    """

    values: Floats
    starts: NDArray[np.int64]
    before: NDArray[np.int64]
    size: NDArray[np.int64]

    def means(self) -> Floats:
        """Return at every place the mean value of its block."""
        sums = np.add.reduceat(self.values, self.starts)
        return np.repeat(sums, self.size[self.starts]) / self.size

    def blocks(self) -> list[Floats]:
        """Return the values of each block of tied scores, the best block first."""
        return np.split(self.values, self.starts[1:])


def listed(values: Floats, scores: Floats) -> Listed:
    """List `values` by descending score."""
    order = np.argsort(-scores)
    descending = scores[order]
    starts = np.flatnonzero(np.r_[True, descending[1:] != descending[:-1]])
    sizes = np.diff(np.r_[starts, len(scores)])
    return Listed(values[order], starts, np.repeat(starts, sizes), np.repeat(sizes, sizes))


def places_counted(k: int | None, n: int) -> int:
    """Return how many places of a list of n count."""
    if k is not None and (k < 1 or k != int(k)):
        raise ValueError(f"k={k!r}; choose at least 1 place, or None for all")
    return n if k is None else min(int(k), n)
