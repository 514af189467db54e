"""Whole grades from any target, for models that take nothing else."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

__all__ = ["Grading"]

MOST_GRADES = 31  # LightGBM and XGBoost give grade g the gain 2^g - 1, and stop at 30


@dataclass(frozen=True)
class Grading:
    """Grades from 0 to 30 in the order of a target.

    Attributes
    ----------
    edges : (n_grades - 1,) float64 or None
        Grade g begins at ``edges[g - 1]``. None where the target has grades already.
    """

    edges: NDArray[np.float64] | None

    @classmethod
    def of(cls, y: NDArray[np.float64]) -> Self:
        """Keep whole numbers from 0 to 30; make grades of other values.

        Up to 31 different values become a grade each, more of them 31 grades with about as many
        rows each.
        """
        if (y == np.floor(y)).all() and y.min() >= 0 and y.max() < MOST_GRADES:
            return cls(None)
        levels = np.unique(y)
        if len(levels) <= MOST_GRADES:
            return cls(levels[1:])
        return cls(np.unique(np.quantile(y, np.arange(1, MOST_GRADES) / MOST_GRADES)))

    def __call__(self, y: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the grades of values."""
        if self.edges is None:
            return y.astype(np.int64)
        return np.searchsorted(self.edges, y, side="right").astype(np.int64)

    @property
    def linear_gains(self) -> list[int] | None:
        """The gain of each grade that was made: with 2^30 only the top would count."""
        return None if self.edges is None else list(range(MOST_GRADES))
