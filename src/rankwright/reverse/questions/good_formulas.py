"""All formulas with the signs of the best that are as good, or nearly: how far they go."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.data import group_rows
from rankwright.data.observations import count
from rankwright.reverse.bound import cells_within
from rankwright.reverse.bound.cells import Cell
from rankwright.reverse.clock import Clock, threads
from rankwright.reverse.problem import Rating, RatingProblem
from rankwright.reverse.problem.statistic import bound_without_pairs
from rankwright.reverse.questions.region import Region, region_places
from rankwright.reverse.questions.ties import Ties
from rankwright.reverse.refusal import QuestionRefusedError
from rankwright.reverse.search.margin import keeping_rows, neighbour_rows
from rankwright.reverse.solution import RatingSolution
from rankwright.reverse.whole_numbers import Weights, as_floats

__all__ = [
    "GoodFormulas",
    "SEARCHING",
    "check_planes",
    "check_ranges",
    "find_good_formulas",
    "ray_directions",
    "ray_shares",
    "share_ends",
    "united",
    "wins_everything",
]

Floats = NDArray[np.float64]
SEARCHING = 0.8  # of the time, for cells; the rest is for linear programs and positions
MOST_GAPS = 2**22  # differences of scores at a time
TOLERANCE = 1e-9  # of linear programs, in percent: outer ranges are widened by it


@dataclass(frozen=True)
class GoodFormulas:
    """Formulas within a slack of the best: cells that may hold some, and a region that does.

    Formulas have the directions of the problem; none with other signs is looked at.

    Attributes
    ----------
    problem : RatingProblem
    decided, waiting : list of Cell
        Together they contain every good formula; all formulas in decided ones are good.
    above, level : arrays of shape (m, d)
        Formulas with ``above @ w > 0`` and ``level @ w == 0`` are good.
    is_whole : bool
        The region contains every good formula, and cells are not needed.
    own_shares : (d,) array
        Of the formula itself.
    least : int
        What good formulas reach.
    clock : Clock
        When it is late, ranges are what is known without further work: inner ones smaller, outer
        ones larger than they need be.
    sizes : (d,) array or None
        What a factor's weight is multiplied by, on its own scale, to be its share: its range, where
        None.
    """

    problem: RatingProblem
    decided: list[Cell]
    waiting: list[Cell]
    above: Floats
    level: Floats
    is_whole: bool
    own_shares: Floats
    clock: Clock
    least: int
    sizes: Floats | None = None

    def measured_by(self, sizes: Floats) -> "GoodFormulas":
        """Return the same formulas with the shares that weights times other sizes are."""
        products = self.own_shares / np.maximum(self._ranges * self._steps, 1e-300) * sizes
        shares = 100.0 * products / max(float(products.sum()), 1e-300)
        return replace(self, own_shares=shares, sizes=sizes)

    def inner_shares(self) -> Floats:
        """Return the smallest and largest share of each factor that good formulas come up to."""
        if self._is_exhaustive:
            return self.outer_shares()
        known = np.where(np.isnan(self._extreme_shares), self.own_shares, self._extreme_shares)
        low, high = self._cell_shares(self.decided)
        return np.array([np.min([known[0], *low], axis=0), np.max([known[1], *high], axis=0)])

    def outer_shares(self) -> Floats:
        """Return shares that no good formula exceeds."""
        if self.is_whole:
            return self._proved_shares
        low, high = self._cell_shares(self.decided + self.waiting)
        return np.array([low.min(axis=0), high.max(axis=0)])

    def share_intervals(self) -> list[list[tuple[float, float]]]:
        """Return for each factor the intervals that hold its share in every good formula.

        More than one where formulas between them are worse.
        """
        if self.is_whole:
            return [[(float(low), float(high))] for low, high in self.outer_shares().T]
        lows, highs = self._cell_shares(self.decided + self.waiting)
        return [united(low, high) for low, high in zip(lows.T, highs.T, strict=True)]

    @property
    def _is_exhaustive(self) -> bool:
        return not self.is_whole and not self.waiting

    def _cell_shares(self, cells: list[Cell]) -> tuple[Floats, Floats]:
        """Return the smallest and largest share of each factor in each cell."""
        # Over a cone, weight times size over their sum is extreme at a ray.
        shares = [ray_shares(ray_directions(cell) * self._whole_sizes) for cell in cells]
        return share_ends(shares, self.own_shares)

    @cached_property
    def _ends(self) -> tuple[Floats, Floats]:
        """Return smallest and largest shares in the region, as found and as proved of all."""
        region, units = self._region(), np.diag(np.where(self._ranges, 1.0, 0.0))
        ends = [[self._end(region, unit, sign) for unit in units] for sign in (1, -1)]
        found, proved = np.array(ends).transpose(2, 0, 1)
        return 100.0 * found, np.clip(100.0 * proved, 0.0, 100.0)

    @property
    def _extreme_shares(self) -> Floats:
        """Return the smallest and largest share in the region, NaN where time was up."""
        return self._ends[0]

    @property
    def _proved_shares(self) -> Floats:
        """Return shares that none in the region exceeds, checked in rational arithmetic."""
        return self._ends[1]

    def _end(self, region: Region, costs: Floats, sign: int) -> tuple[float, float]:
        """Return the smallest (sign 1) or largest (-1) share, as found and as proved.

        NaN and nothing when the time is up, or HiGHS gives no answer.
        """
        solution = region.least(costs, sign, self.clock)
        if solution is None or solution.duals is None:
            return np.nan, {1: 0.0, -1: 1.0}[sign]
        return sign * solution.objective, sign * region.safe_minimum(sign * costs, solution.duals)

    def position_ranges(self, X: Floats, groups: ArrayLike | None) -> tuple[Floats, Floats]:
        """Return the best and worst position that each row takes with any good formula."""
        grouping = group_rows(groups, len(X))
        factors = grouping.sort(X) * self.problem.directions
        best, worst = np.empty(len(X)), np.empty(len(X))
        for begin, end in zip(grouping.offsets[:-1], grouping.offsets[1:], strict=True):
            part = factors[begin:end]
            best[begin:end], worst[begin:end] = self._places(part)
        return grouping.unsort(best), grouping.unsort(worst)

    def _places(self, factors: Floats) -> tuple[Floats, Floats]:
        if self.is_whole:
            steps = self.problem.factors.steps
            return region_places(self._region(), factors, steps, self.own_shares, self.clock)
        return self._cell_places(factors)

    @cached_property
    def _ranges(self) -> Floats:
        return np.asarray(np.ptp(self.problem.oriented, axis=0))

    @cached_property
    def _whole_sizes(self) -> Floats:
        """Return the sizes of whole factors, 0 for a constant one."""
        if self.sizes is None:
            return self._ranges
        return np.where(self._ranges > 0, self.sizes / self._steps, 0.0)

    @cached_property
    def _steps(self) -> Floats:
        return np.array([float(step) for step in self.problem.factors.steps])

    def _cell_places(self, factors: Floats) -> tuple[Floats, Floats]:
        n = len(factors)
        best, worst = np.full(n, np.inf), np.zeros(n)
        for number, cell in enumerate(self.decided + self.waiting):
            scores = (factors / self._steps) @ ray_directions(cell).T
            noise = 1e-9 * np.abs(scores).max()
            ties = Ties(self.problem, cell, self.least if number < len(self.decided) else None)
            step = max(MOST_GAPS // scores.size, 1)
            for begin in range(0, n, step):
                if self.clock.is_late:
                    return np.ones(n), np.full(n, float(n))
                rows = np.s_[begin : begin + step]
                gaps = scores[rows, None, :] - scores[None, :, :]
                least, most = ties.places_below(gaps, noise)
                # A product ties with itself.
                best[rows] = np.minimum(best[rows], 0.5 + least.sum(axis=1))
                worst[rows] = np.maximum(worst[rows], 0.5 + most.sum(axis=1))
        return best, worst

    @cached_property
    def _spans(self) -> Floats:
        """Return the sizes of whole factors, 1 for a constant one."""
        return np.where(self._whole_sizes > 0, self._whole_sizes, 1.0)

    def _region(self) -> Region:
        """Return the region with what constraints ask for."""
        # A constant factor has no share, but its weight may have to satisfy constraints, and other
        # products may have more of it.
        varies = self._ranges > 0
        above, level = [self.above], [self.level]
        unused = np.zeros(len(varies), dtype=bool)
        if (cone := self.problem.cone) is not None:
            rows = cone.rows.astype(np.float64)
            level.append(rows[: cone.n_equations])
            above.append(rows[cone.n_equations :])
            if cone.most < len(varies):  # where few factors may count, those of the formula itself
                unused = self.own_shares == 0
        rows = np.vstack([*above, *level])
        n_strict, n_equations = len(self.above), sum(map(len, level))
        return Region(varies & ~unused, unused, self._spans, rows, n_strict, n_equations)


def find_good_formulas(
    rating: Rating, solution: RatingSolution, *, slack: float, clock: Clock, n_jobs: int
) -> GoodFormulas:
    """Explore the cells that may hold a formula within ``slack`` of the solution's objective."""
    problem, weights = rating.problem, solution.whole_weights(rating.problem)
    if problem.free.any():
        raise QuestionRefusedError(
            "ranges are found among formulas with the same signs, but signs='free' leaves them "
            "open; ask for weight_ranges(any_signs=True), or fit with signs='auto' or a mapping"
        )
    is_whole = slack == 0 and problem.is_convex and wins_everything(problem, solution.value)
    check_ranges(problem, weights, slack)
    shares = problem.shares_of(weights)
    if is_whole:
        neighbours = neighbour_rows(problem)
        return GoodFormulas(
            problem, [], [], neighbours, neighbours[:0], True, shares, clock, solution.value
        )
    check_planes(problem)
    least = solution.value - problem.whole_gap(slack)
    with Clock(max(SEARCHING * clock.left, 1e-3)) as searching, threads(n_jobs, searching) as pool:
        cells = cells_within(problem, least, searching, pool)
    rows = keeping_rows(problem, weights)
    return GoodFormulas(problem, *cells, *rows, False, shares, clock, least)


def check_ranges(problem: RatingProblem, weights: Weights, slack: float) -> None:
    """Refuse a slack below zero, and a formula without shares."""
    if not slack >= 0:
        raise ValueError(f"slack={slack!r}; choose 0 or more")
    if not (np.ptp(problem.oriented, axis=0) * as_floats(weights)).any():
        raise QuestionRefusedError(
            "this formula ties all products, so its factors have no shares; leave out the "
            "factors that never differ"
        )


def check_planes(problem: RatingProblem) -> None:
    """Refuse a rating with too many pairs to explore its cells."""
    if not problem.has_planes:
        raise QuestionRefusedError(
            f"{len(problem.levels):,} products with {count(len(problem.directions), 'factor')} "
            "are too many to explore the formulas that are as good; fit a sample of the products, "
            "split them into groups, or leave out factors"
        )


def wins_everything(problem: RatingProblem, value: int) -> bool:
    """Tell whether to win all published pairs, and so all bonus, is what good formulas do."""
    if problem.objective.by_position or problem.n_twins or _has_twins_at_the_cut(problem):
        return False
    return value == bound_without_pairs(problem)


def _has_twins_at_the_cut(problem: RatingProblem) -> bool:
    """Tell whether equal products share the rank at the end of the top.

    Tied there, they take no place at the top: formulas that win all pairs differ in their bonus.
    """
    for (begin, end), top in zip(problem.bounds, problem.objective.top, strict=True):
        levels = problem.levels[begin:end]
        cut = np.sort(levels)[max(len(levels) - top, 0)]
        tied = problem.factors.whole[begin:end][levels == cut]
        if (levels >= cut).sum() > top and len(set(map(tuple, tied.tolist()))) < len(tied):
            return True
    return False


def united(low: Floats, high: Floats) -> list[tuple[float, float]]:
    """Merge intervals that touch.

    Examples
    --------
    >>> united(np.array([60.0, 0, 20]), np.array([100.0, 20, 40]))
    [(0.0, 40.0), (60.0, 100.0)]
    """
    order = np.argsort(low, kind="stable")
    reached = np.maximum.accumulate(high[order])
    begins = np.r_[True, low[order][1:] > reached[:-1] + TOLERANCE]
    ends = np.r_[begins[1:], True]
    return list(zip(low[order][begins].tolist(), reached[ends].tolist(), strict=True))


def ray_shares(products: Floats) -> Floats:
    """Return the shares of rays in percent, given weights times sizes.

    A ray of zeros, whose formula ties all products, has none.
    """
    total = np.abs(products).sum(axis=1, keepdims=True)
    has_shares = total[:, 0] > 0
    return np.asarray(100.0 * products[has_shares] / total[has_shares])


def share_ends(shares: list[Floats], own: Floats) -> tuple[Floats, Floats]:
    """Return the smallest and largest share of each factor in each cell with shares.

    Of the formula itself where no cell has any.
    """
    kept = [part for part in shares if len(part)] or [own[None, :]]
    return np.array([p.min(axis=0) for p in kept]), np.array([p.max(axis=0) for p in kept])


def ray_directions(cell: Cell) -> Floats:
    """Return the rays of a cell, each with largest entry one."""
    return np.array([as_floats(ray) for ray in cell.weights])
