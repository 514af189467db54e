"""The region of formulas that reproduce every published order: shares and places, proved."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rankwright.programs import Program, Solution, Status, minimize_exactly, safe_minimum
from rankwright.reverse.clock import Clock
from rankwright.reverse.whole_numbers import read_whole

__all__ = ["Region", "region_places"]

Floats = NDArray[np.float64]
Exact = list[Fraction]
NEGATIVE = -1e-6  # far beyond the tolerance of HiGHS, on rows and costs of size one


class Sign(Enum):
    """What the score difference of two products is in a whole region."""

    OPEN = "positive and negative, or not proved to be either"
    POSITIVE = "positive"
    NOT_NEGATIVE = "positive or zero"


@dataclass(frozen=True)
class Region:
    """Weights w, not negative, with ``rows @ w >= 0``, and 0 for the last rows.

    Attributes
    ----------
    varies : (d,) array of bool
        The entries whose shares are added up; others have none.
    unused : (d,) array of bool
        Entries that must be 0.
    sizes : (d,) array
        What weights are multiplied by to be shares.
    rows : (m, d) array
        Whole numbers.
    n_strict : int
        So many of the first rows are positive for all formulas of the region.
    n_equations : int
    """

    varies: NDArray[np.bool_]
    unused: NDArray[np.bool_]
    sizes: Floats
    rows: Floats
    n_strict: int
    n_equations: int

    @cached_property
    def scale(self) -> Floats:
        """Return by what each row is divided for floating point."""
        largest = np.abs(self.rows / self.sizes).max(axis=1, initial=0.0)
        return np.asarray(np.maximum(largest, 1e-300))

    @cached_property
    def program(self) -> Program:
        """Return a program over shares that add up to one, its rows behind that sum."""
        upper = np.where(self.unused, 0.0, np.where(self.varies, 1.0, np.inf))
        program = Program(np.zeros(len(self.sizes)), upper=upper)
        program.add_rows(np.where(self.varies, 1.0, 0.0)[None, :], lower=1.0, upper=1.0)
        if len(self.rows):
            is_equation = np.arange(len(self.rows)) >= len(self.rows) - self.n_equations
            rows = self.rows / self.sizes / self.scale[:, None]
            program.add_rows(rows, lower=0.0, upper=np.where(is_equation, 0.0, np.inf))
        return program

    def least(self, costs: Floats, sign: int, clock: Clock) -> Solution | None:
        """Return the least of costs of shares, or of their opposite; None if time ends it."""
        if clock.is_late:
            return None
        self.program.set_costs(np.arange(self.program.n_columns), sign * costs)
        solution = self.program.solve(time_limit=clock.left, optional=True)
        return None if solution.status is Status.TIME_LIMIT else solution

    def safe_minimum(self, costs: Floats, duals: Floats) -> float:
        """Return what costs are at least, by the multipliers of the program's rows, exactly."""
        used = ~self.unused
        sizes = np.where(self.varies, self.sizes, 0.0)
        return safe_minimum(
            costs[used],
            sizes[used],
            self.rows[:, used],
            duals[1:] / self.scale,
            self.n_equations,
        )

    def sign_of(self, difference: Sequence[Fraction], clock: Clock) -> Sign:
        """Tell which sign ``difference @ w`` has for all formulas, in rational arithmetic."""
        costs = np.array([float(v) for v in difference]) / self.sizes
        size = float(np.abs(costs).max(initial=0.0))
        if size == 0:
            return Sign.NOT_NEGATIVE
        solution = self.least(costs / size, 1, clock)
        if solution is None or solution.status is not Status.OPTIMAL:
            return Sign.OPEN
        if solution.objective < NEGATIVE:
            return Sign.OPEN
        kept = [v for v, unused in zip(difference, self.unused, strict=True) if not unused]
        found = minimize_exactly(
            kept, self._limits, self._lower, self._tight(solution), stop=clock.over
        )
        if found.status is not Status.OPTIMAL or found.objective is None or found.objective < 0:
            return Sign.OPEN
        is_strict = found.objective > 0 or any(row < self.n_strict for row in found.rows)
        is_positive = is_strict or not self._may_be_zero(kept, clock)
        return Sign.POSITIVE if is_positive else Sign.NOT_NEGATIVE

    @cached_property
    def _limits(self) -> NDArray[np.object_]:
        """Return all rows, equations also turned round, each weight, and a sum from both sides."""
        used = ~self.unused
        rows = self.rows[:, used]
        equations = rows[len(rows) - self.n_equations :]
        total = np.where(self.varies, 1.0, 0.0)[used]
        units = np.eye(int(used.sum()))
        stacked = np.vstack([rows, -equations, units, total, -total])
        return np.array([[int(v) for v in row] for row in stacked.tolist()], dtype=object)

    @cached_property
    def _lower(self) -> list[int]:
        return [0] * (len(self._limits) - 2) + [1, -1]

    def _tight(self, solution: Solution) -> list[int]:
        """Return the limits that hold with equality where a program of floating point ended."""
        if solution.row_sides is None or solution.column_sides is None:
            return []
        first = len(self.rows) + self.n_equations
        rows = np.flatnonzero(solution.row_sides[1:])
        columns = first + np.flatnonzero(solution.column_sides[~self.unused] < 0)
        return [*rows.tolist(), *columns.tolist(), len(self._limits) - 2]

    def _may_be_zero(self, difference: Exact, clock: Clock) -> bool:
        """Tell whether formulas may give a difference of 0; True if nothing excludes it."""
        common = np.lcm.reduce([v.denominator for v in difference], dtype=object)
        whole = np.array([int(v * common) for v in difference], dtype=object)
        limits = np.vstack([self._limits[:-2], -whole])  # it is not negative anyway
        lower = [1] * self.n_strict + [0] * (len(limits) - self.n_strict)
        found = minimize_exactly([0] * len(whole), limits, lower, stop=clock.over)
        return found.status is not Status.INFEASIBLE


def region_places(
    region: Region, factors: Floats, steps: Sequence[Fraction], shares: Floats, clock: Clock
) -> tuple[Floats, Floats]:
    """Return the best and worst place of each product by any formula of the region.

    Weights count factors in ``steps``; a formula of the region has ``shares``, which tell what to
    look at first. Where time ends it, either of two may be above the other.
    """
    whole = read_whole(factors)
    units = [ours / theirs for ours, theirs in zip(whole.steps, steps, strict=True)]
    scores = (whole.whole * [float(unit) for unit in units] / region.sizes) @ shares
    n = len(factors)
    least, most = np.zeros(n), np.full(n, n - 1.0)
    for upper, lower in combinations(np.argsort(-scores, kind="stable").tolist(), 2):
        gaps = (whole.whole[upper] - whole.whole[lower]).tolist()
        difference = [gap * unit for gap, unit in zip(gaps, units, strict=True)]
        sign = region.sign_of(difference, clock)
        least[lower] += COUNTED[sign]
        most[upper] -= COUNTED[sign]
        if sign is not Sign.POSITIVE:
            turned = region.sign_of([-v for v in difference], clock)
            least[upper] += COUNTED[turned]
            most[lower] -= COUNTED[turned]
    return 1 + least, 1 + most


# Products that tie share the mean of their places.
COUNTED = {Sign.OPEN: 0.0, Sign.POSITIVE: 1.0, Sign.NOT_NEGATIVE: 0.5}
