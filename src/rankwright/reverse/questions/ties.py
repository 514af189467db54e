"""How many places others put a row down in a cell, where rows may tie on its boundary."""

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.bound.cells import Cell
from rankwright.reverse.problem import RatingProblem

__all__ = ["Ties"]

Floats = NDArray[np.float64]


class Ties:
    """Rows that tie on the boundary of a cell and not inside: whether formulas there are good.

    Good formulas reach ``least``; without it nothing is known, and all of them may be good.
    """

    def __init__(self, problem: RatingProblem, cell: Cell, least: int | None) -> None:
        self._problem, self._cell, self._least = problem, cell, least
        self._known: dict[bytes, bool] = {}

    def places_below(self, gaps: Floats, noise: float) -> tuple[Floats, Floats]:
        """Return how many places each second row puts each first one down, at least and at most.

        One if it scores more, half a place if the two tie. ``gaps`` are what the first row scores
        more than the second, on each ray.
        """
        is_above, is_below = (gaps > noise).any(axis=2), (gaps < -noise).any(axis=2)
        least = np.where(is_above, 0.0, np.where(is_below, 1.0, 0.5))
        most = np.where(is_below, 1.0, np.where(is_above, 0.0, 0.5))
        is_level = np.abs(gaps) <= noise
        for i, k in zip(*np.nonzero((is_above ^ is_below) & is_level.any(axis=2)), strict=True):
            if self._may_be_good(is_level[i, k]):
                least[i, k], most[i, k] = min(least[i, k], 0.5), max(most[i, k], 0.5)
        return least, most

    def _may_be_good(self, is_level: NDArray[np.bool_]) -> bool:
        """Tell it of the face of the rays on which two rows tie; more ties win nothing more."""
        if self._least is None or self._problem.objective.by_position:
            return True
        key = is_level.tobytes()
        if key not in self._known:
            face = self._cell.weights[is_level].astype(object).sum(axis=0)
            self._known[key] = self._problem.value(face) >= self._least
        return self._known[key]
