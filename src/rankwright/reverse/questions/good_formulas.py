"""All formulas as good as the best, or nearly: how far their weights and ranks go."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.data import group_rows
from rankwright.programs import Program, Status
from rankwright.reverse.bound import cells_within, whole_space
from rankwright.reverse.bound.cells import Cell
from rankwright.reverse.problem import Rating, RatingProblem
from rankwright.reverse.problem.whole_numbers import as_floats
from rankwright.reverse.search.margin import keeping_rows, neighbour_rows
from rankwright.reverse.solution import RatingSolution

__all__ = ["GoodFormulas", "find_good_formulas"]

Floats = NDArray[np.float64]
TOLERANCE = 1e-9  # of linear programs, in percent: outer ranges are widened by it


@dataclass(frozen=True)
class GoodFormulas:
    """Formulas within a slack of the best: cells that may hold some, and a region that does.

    Attributes
    ----------
    problem : RatingProblem
    cells : list of Cell
        Together they contain every good formula.
    above, level : arrays of shape (m, d)
        Formulas with ``above @ w > 0`` and ``level @ w == 0`` are good.
    is_whole : bool
        The region contains every good formula, and cells are not needed.
    """

    problem: RatingProblem
    cells: list[Cell]
    above: Floats
    level: Floats
    is_whole: bool

    def inner_shares(self) -> Floats:
        """Return the smallest and largest share of each factor in the region of good formulas."""
        program = self._region()
        d = self.problem.oriented.shape[1]
        return np.array([[_extreme(program, j, sign) for j in range(d)] for sign in (1, -1)])

    def outer_shares(self) -> Floats:
        """Return shares that no good formula exceeds."""
        if self.is_whole:
            low, high = self.inner_shares()
            return np.array([np.maximum(low - TOLERANCE, 0), np.minimum(high + TOLERANCE, 100)])
        # Over a cone, weight times range over their sum is extreme at a ray.
        rays = np.concatenate([_directions(cell) for cell in self.cells]) * self._ranges
        shares = 100.0 * rays / np.maximum(rays.sum(axis=1, keepdims=True), 1e-300)
        return np.array([shares.min(axis=0), shares.max(axis=0)])

    def position_ranges(self, X: Floats, groups: ArrayLike | None) -> tuple[Floats, Floats]:
        """Return the best and worst position that each row takes with any good formula."""
        grouping = group_rows(groups, len(X))
        factors = grouping.sort(X) * self.problem.directions
        best, worst = np.empty(len(X)), np.empty(len(X))
        for begin, end in zip(grouping.offsets[:-1], grouping.offsets[1:], strict=True):
            part = factors[begin:end]
            spans = self._region_spans(part) if self.is_whole else self._cell_spans(part)
            best[begin:end], worst[begin:end] = spans
        return grouping.unsort(best), grouping.unsort(worst)

    @cached_property
    def _ranges(self) -> Floats:
        return np.asarray(np.ptp(self.problem.oriented, axis=0))

    @cached_property
    def _steps(self) -> Floats:
        return np.array([float(step) for step in self.problem.factors.steps])

    def _cell_spans(self, factors: Floats) -> tuple[Floats, Floats]:
        best, worst = np.full(len(factors), np.inf), np.zeros(len(factors))
        for cell in self.cells:
            scores = (factors / self._steps) @ _directions(cell).T
            noise = 1e-9 * np.abs(scores).max()
            gaps = scores[:, None, :] - scores[None, :, :]
            surely_below = (gaps <= noise).all(axis=2) & (gaps < -noise).any(axis=2)
            maybe_below = (gaps < -noise).any(axis=2)
            best = np.minimum(best, 1 + surely_below.sum(axis=1))
            worst = np.maximum(worst, 1 + maybe_below.sum(axis=1))
        return best, worst

    def _region_spans(self, factors: Floats) -> tuple[Floats, Floats]:
        program = self._region()
        n = len(factors)
        surely, maybe = np.zeros(n), np.zeros(n)
        for i in range(n):
            for k in range(i):
                difference = (factors[i] - factors[k]) / self._steps / self.problem.spans
                low, high = (_linear_extreme(program, difference, s) for s in (1, -1))
                noise = 1e-9 * max(1.0, abs(low), abs(high))
                for row, smallest, largest in ((i, low, high), (k, -high, -low)):
                    surely[row] += largest <= noise and smallest < -noise
                    maybe[row] += smallest < -noise
        return 1 + surely, 1 + maybe

    def _region(self) -> Program:
        """Return a program over shares whose feasible set is the closure of the region."""
        spans = self.problem.spans
        d = len(spans)
        program = Program(np.zeros(d), upper=np.where(self._ranges, 1.0, 0.0))
        program.add_rows(np.ones((1, d)), lower=1.0, upper=1.0)
        size = np.maximum(
            np.abs(self.above / spans).max(axis=1, keepdims=True, initial=0.0), 1e-300
        )
        if len(self.above):
            program.add_rows(self.above / spans / size, lower=0.0)
        if len(self.level):
            program.add_rows(self.level / spans, lower=0.0, upper=0.0)
        return program


def find_good_formulas(
    rating: Rating, solution: RatingSolution, *, slack: float, time_limit: float, n_jobs: int
) -> GoodFormulas:
    """Explore the cells that may hold a formula within ``slack`` of the solution's objective."""
    problem, weights = rating.problem, solution.whole_weights(rating.problem)
    if not slack >= 0:
        raise ValueError(f"slack={slack!r}; choose 0 or more")
    if problem.free.any():
        raise ValueError("ranges need decided directions; fit with signs='auto' or a mapping")
    if slack == 0 and _wins_everything(problem, weights, solution.value):
        neighbours = neighbour_rows(problem)
        return GoodFormulas(problem, [], neighbours, neighbours[:0], is_whole=True)
    with ThreadPoolExecutor(n_jobs) as pool:
        cells = cells_within(problem, solution.value - problem.whole_gap(slack), time_limit, pool)
    return GoodFormulas(problem, cells, *keeping_rows(problem, weights), is_whole=False)


def _wins_everything(problem: RatingProblem, weights: NDArray[Any], value: int) -> bool:
    """Tell whether all published pairs are won, and all bonus: then every good formula does so."""
    if problem.objective.by_position or len(problem.twins):
        return False
    places = problem.exact_places(weights)
    planes = problem.planes
    won = (places[planes.better] > places[planes.worse]) | (planes.strict == 0)
    return bool(won.all()) and value == whole_space(problem)


def _extreme(program: Program, column: int, sign: int) -> float:
    unit = np.zeros(program.n_columns)
    unit[column] = 1.0
    return 100.0 * _linear_extreme(program, unit, sign)


def _linear_extreme(program: Program, costs: Floats, sign: int) -> float:
    """Return the smallest (sign 1) or largest (-1) value of a linear function of the shares."""
    program.set_costs(np.arange(program.n_columns), sign * costs)
    solution = program.solve()
    if solution.status is not Status.OPTIMAL:
        raise RuntimeError(f"a range could not be computed: HiGHS ended with {solution.status}")
    return sign * solution.objective


def _directions(cell: Cell) -> Floats:
    """Return the rays of a cell, each with largest entry one."""
    return np.array([as_floats(ray) for ray in cell.rays])
