"""Which of the three placements of each pair (before, after, tied) are still open."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Placements"]

BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Placements:
    """The rankings that a search still considers.

    Attributes
    ----------
    before : (items, items) bool array
        ``before[i, j]``: i may be before j.
    tied : (items, items) bool array, symmetric
    """

    before: BoolArray
    tied: BoolArray

    @classmethod
    def all_of(cls, n: int, *, ties: bool) -> "Placements":
        """Leave everything open."""
        different = ~np.eye(n, dtype=bool)
        return cls(different, different & ties)

    def undecided(self) -> BoolArray:
        """Return which pairs have more than one open placement."""
        return self.before.astype(np.int8) + self.before.T + self.tied > 1

    def possible(self) -> bool:
        """Return whether each pair has an open placement."""
        return bool(
            (self.before | self.before.T | self.tied | np.eye(len(self.tied), dtype=bool)).all()
        )

    def value(self, costs: NDArray[np.float64]) -> float:
        """Return the least sum of the pairs' costs (a tie costs 0), each pair on its own."""
        return float(np.triu(self._cheapest(costs), 1).sum())

    def without(self, costs: NDArray[np.float64], slack: float) -> "Placements":
        """Close what costs its pair more than the slack above the cheapest placement."""
        limit = self._cheapest(costs) + slack
        return Placements(self.before & (costs <= limit), self.tied & (limit >= 0)).closed()

    def _cheapest(self, costs: NDArray[np.float64]) -> NDArray[np.float64]:
        ahead = np.where(self.before, costs, np.inf)
        return np.minimum(np.minimum(ahead, ahead.T), np.where(self.tied, 0.0, np.inf))

    def choices(self, i: int, j: int) -> list["Placements"]:
        """Return the placements with the pair decided, one for each way that is open."""
        ways = []
        for first, second, is_open in (
            (True, False, self.before[i, j]),
            (False, True, self.before[j, i]),
            (False, False, self.tied[i, j]),
        ):
            if is_open:
                before, tied = self.before.copy(), self.tied.copy()
                before[i, j], before[j, i] = first, second
                tied[i, j] = tied[j, i] = not (first or second)
                ways.append(Placements(before, tied).closed())
        return ways

    def closed(self) -> "Placements":
        """Draw the conclusions of transitivity from the pairs that are decided."""
        weak = (~self.before.T).astype(np.float32)  # i is known to be before or level with j
        strict = weak * ~self.tied
        np.fill_diagonal(strict, 0.0)
        known_strict = (strict @ weak + weak @ strict) > 0
        known_weak = (weak @ weak) > 0
        return Placements(self.before & ~known_weak.T, self.tied & ~known_strict & ~known_strict.T)
