"""All formulas that reproduce published scores: a polytope, asked by exact linear programs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from threading import Event
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rankwright.programs import (
    ExactSolution,
    Program,
    Status,
    minimize_exactly,
    null_space,
    solve_by_rows,
)
from rankwright.reverse.scores.intervals import ScoreIntervals
from rankwright.reverse.whole_numbers import exact_sums

__all__ = ["ScorePolytope", "Tightest"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Numbers = NDArray[np.object_]


@dataclass(frozen=True)
class Tightest:
    """The formula whose largest excess over an interval is least.

    Attributes
    ----------
    excess : Fraction
        In half steps: at most 0 if all intervals hold, -1 if all scores are met exactly.
    x : list of Fraction
    products : list of int
        Products whose intervals no formula with a smaller excess has.
    """

    excess: Fraction
    x: list[Fraction]
    products: list[int]


@dataclass(frozen=True, eq=False)
class ScorePolytope:
    """Formulas x whose scores ``design @ x`` may lie in the intervals, with ``known @ x >= 0``.

    Attributes
    ----------
    design : (n, m) int64
        Whole factors and a column of ones, for the intercept.
    doubt : (m,) int64
        By how much a factor may differ from what is printed, times the sign of its weight: with
        that, a score goes ``doubt @ x`` further up and down.
    intervals : ScoreIntervals
    known : (k, m) int64
        What is known of the weights: signs and constraints.
    counted : (n,) bool
        The products that must be reproduced.
    stop : threading.Event or None
        Ends exact programs, which can take long where floating point leads astray.
    """

    design: Ints
    doubt: Ints
    intervals: ScoreIntervals
    known: Ints
    counted: NDArray[np.bool_]
    stop: Event | None = None

    @property
    def _is_over(self) -> bool:
        return self.stop is not None and self.stop.is_set()

    def until(self, stop: Event) -> Self:
        """Return the polytope that raises an ``InterruptedError`` once an event is set."""
        return replace(self, stop=stop)

    def without(self, products: Sequence[int]) -> Self:
        """Return the polytope that also allows other scores for some products."""
        counted = self.counted.copy()
        counted[list(products)] = False
        return replace(self, counted=counted)

    @cached_property
    def scale(self) -> Floats:
        """Return the largest entry of each column, by which floating point is scaled."""
        return np.asarray(np.maximum(np.abs(self.design).max(axis=0), 1), dtype=np.float64)

    @cached_property
    def above(self) -> Ints:
        """Return the products with a lower limit."""
        return np.flatnonzero(self.counted & self.intervals.has_low)

    @cached_property
    def below(self) -> Ints:
        """Return the products with an upper limit."""
        return np.flatnonzero(self.counted & self.intervals.has_high)

    @cached_property
    def _rows(self) -> Ints:
        parts = (
            self.design[self.above] + self.doubt,
            self.doubt - self.design[self.below],
            self.known,
        )
        return np.concatenate(parts)

    @cached_property
    def rows(self) -> Numbers:
        """Return the limits as rows of ``rows @ x >= lower``: lower, upper, known."""
        return self._rows.astype(object)

    @cached_property
    def lower(self) -> list[int]:
        """Return the right sides of the rows."""
        low, high = self.intervals.low[self.above], -self.intervals.high[self.below]
        return [*low.tolist(), *high.tolist(), *[0] * len(self.known)]

    @cached_property
    def _lower(self) -> Numbers:
        return np.array(self.lower, dtype=object)

    @cached_property
    def products(self) -> list[int | None]:
        """Return the product of each row, None for what is known."""
        return [*self.above.tolist(), *self.below.tolist(), *[None] * len(self.known)]

    @property
    def n_limits(self) -> int:
        """Return how many rows are limits of products; they come first."""
        return len(self.above) + len(self.below)

    @cached_property
    def loose(self) -> list[list[Fraction]]:
        """Return directions in which a formula may move without any limit: dependent factors.

        Each has a column of its own, in which it is 1 and the others are 0.
        """
        scaled = self._rows / self.scale
        has_corner = np.linalg.matrix_rank(scaled) == len(self.scale)
        return [] if has_corner else null_space(self.rows)

    @cached_property
    def _kept(self) -> Ints:
        """Return the columns that are left once loose ones are fixed at zero."""
        dropped = {max(c for c, v in enumerate(vector) if v == 1) for vector in self.loose}
        return np.array([c for c in range(len(self.scale)) if c not in dropped], dtype=np.int64)

    @cached_property
    def kept_rows(self) -> Numbers:
        """Return the rows without the columns that are fixed at zero."""
        return self.rows[:, self._kept]

    @cached_property
    def scaled(self) -> Floats:
        """Return the rows that are left in floating point, scaled by column."""
        return np.asarray((self._rows / self.scale)[:, self._kept])

    @cached_property
    def origin(self) -> list[Fraction]:
        """Return a formula near the published scores, from which floating point counts.

        Scores printed with ten digits would leave it none for their intervals.
        """
        units = np.eye(len(self.scale), dtype=np.int64).astype(object)[self._kept]
        return self.least_squares(np.flatnonzero(self.counted), units.tolist())

    def least_squares(
        self, products: Ints, directions: Sequence[Sequence[Fraction | int]]
    ) -> list[Fraction]:
        """Return the sum of some directions that is nearest to the scores of some products."""
        x = [Fraction(0)] * len(self.scale)
        floats = np.array(directions, dtype=np.float64).reshape(-1, len(x)) * self.scale
        # Powers of two, so that sums of fractions have small denominators.
        sizes = 2.0 ** np.ceil(np.log2(np.maximum(np.abs(floats).max(axis=1, initial=0.0), 1e-300)))
        scaled = (self.design / self.scale)[products] @ (floats / sizes[:, None]).T
        for _ in range(2):  # the second time for what the first lost to rounding
            step = np.linalg.lstsq(scaled, self.misses(x, products), rcond=None)[0]
            moves = step.tolist()
            for direction, size, move in zip(directions, sizes.tolist(), moves, strict=True):
                share = Fraction(move) / Fraction(size)
                x = [v + share * w if w else v for v, w in zip(x, direction, strict=True)]
        return x

    def misses(self, x: Sequence[Fraction], products: Ints) -> Floats:
        """Return by how many half steps the published scores of some products exceed a formula's.

        The sums are exact, and then rounded.
        """
        whole, common = _whole(x)
        published = 2 * self.intervals.printed[products].astype(object)
        return _quotients(common * published - exact_sums(self.design[products], whole), common)

    @cached_property
    def sides(self) -> Floats:
        """Return the right sides for formulas that count from the origin, as floats of size one."""
        sides = -_quotients(*self.whole_excess(self.origin))
        return sides / max(1.0, float(np.abs(sides).max(initial=0.0)))

    def least(self, costs: Sequence[Fraction]) -> ExactSolution:
        """Return the least ``costs @ x``, in rational arithmetic."""
        if any(_dot(costs, vector) for vector in self.loose):
            return ExactSolution(Status.UNBOUNDED, None, None, [], [])
        kept = [costs[c] for c in self._kept]
        guess: list[int] = []
        if any(kept):
            # Weights in shares of their column's scale.
            scaled = np.array([float(c) for c in kept]) / self.scale[self._kept]
            guess = self._guess(scaled / np.abs(scaled).max(), self.scaled)
        found = minimize_exactly(kept, self.kept_rows, self.lower, guess, self.stop)
        return replace(found, x=None if found.x is None else self.widen(found.x))

    def tightest(self) -> Tightest:
        """Return the formula that exceeds intervals least, and what keeps it from less."""
        if not self.n_limits:
            return Tightest(Fraction(-1), [Fraction(0)] * len(self.scale), [])
        if self._is_over:
            raise InterruptedError
        m = len(self._kept)
        stretch = (np.arange(len(self.rows)) < self.n_limits).astype(np.int64)
        guess = self._guess(np.r_[np.zeros(m), 1.0], np.column_stack([self.scaled, stretch]))
        rows = np.column_stack([self.kept_rows, stretch.astype(object)])
        costs = [0] * m + [1]
        found = minimize_exactly(costs, rows, self.lower, guess, self.stop)
        if found.status is Status.INTERRUPTED:
            raise InterruptedError
        assert found.x is not None
        tight = {self.products[r] for r in found.rows}
        x = self.widen(found.x[:-1])
        return Tightest(found.x[-1], x, sorted(p for p in tight if p is not None))

    def _guess(self, costs: Floats, rows: Floats) -> list[int]:
        """Return the rows that hold with equality at the least, as far as floating point tells."""
        if self._is_over:
            return []
        program = Program(costs, lower=-np.inf)
        solution = solve_by_rows(program, rows, self.sides, presolve=False, stop=self.stop)
        return [] if solution.row_sides is None else np.flatnonzero(solution.row_sides).tolist()

    def widen(self, x: Sequence[Fraction]) -> list[Fraction]:
        """Return a formula with zeros for the columns that were left out."""
        wide = [Fraction(0)] * len(self.scale)
        for column, value in zip(self._kept.tolist(), x, strict=True):
            wide[column] = value
        return wide

    def excess(self, x: Sequence[Fraction]) -> list[Fraction]:
        """Return by how much a formula exceeds the limit of each row, exactly."""
        values, common = self.whole_excess(x)
        return [Fraction(value, common) for value in values]

    def scores(self, x: Sequence[Fraction]) -> Numbers:
        """Return the score of each product by a formula, exactly, times a common denominator."""
        return exact_sums(self.design, _whole(x)[0])

    def whole_excess(self, x: Sequence[Fraction]) -> tuple[Numbers, int]:
        """Return the same in whole numbers, which are quicker, times a common denominator."""
        whole, common = _whole(x)
        return exact_sums(self._rows, whole) - common * self._lower, common


def _whole(x: Sequence[Fraction]) -> tuple[Numbers, int]:
    """Return numbers times their common denominator, and this."""
    common = lcm(*(v.denominator for v in x))
    return np.array([int(v * common) for v in x], dtype=object), common


def _quotients(values: Numbers, divisor: int) -> Floats:
    return np.array([value / divisor for value in values], dtype=np.float64)


def _dot(one: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(one, other, strict=True)), Fraction(0))
