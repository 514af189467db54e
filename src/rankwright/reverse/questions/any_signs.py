"""How far weights go among formulas that are as good, whatever the signs that were left open."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.programs import Program, Status, minimize_exactly, solve_by_rows
from rankwright.reverse.bound import cells_within
from rankwright.reverse.bound.cells import Cell
from rankwright.reverse.clock import Clock, threads
from rankwright.reverse.problem import Rating, RatingProblem
from rankwright.reverse.questions.good_formulas import (
    SEARCHING,
    GoodFormulas,
    check_planes,
    check_ranges,
    ray_directions,
    ray_shares,
    share_ends,
    united,
    wins_everything,
)
from rankwright.reverse.refusal import QuestionRefusedError
from rankwright.reverse.search.directions import MOST_FREE, leave_open
from rankwright.reverse.search.margin import neighbour_rows
from rankwright.reverse.solution import RatingSolution
from rankwright.reverse.whole_numbers import as_floats

__all__ = ["AnySignRanges", "find_any_signs"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
MARGIN = 1e-6  # of a row's largest entry: with less, floating point may be wrong
NOISE = 1e-9  # of multipliers that are none


@dataclass(frozen=True)
class AnySignRanges:
    """Signed shares of formulas with any signs, in parts that together hold every good formula.

    Attributes
    ----------
    rating : Rating
    own : (d,) array
        The shares of the formula itself; negative where a factor counts against a product.
    low, high : (m, d) arrays
        The smallest and largest share of each factor in each part.
    is_good : (m,) array of bool
        Parts that consist of good formulas; of the others the time did not tell.
    """

    rating: Rating
    own: Floats
    low: Floats
    high: Floats
    is_good: NDArray[np.bool_]

    def weights(self) -> pd.DataFrame:
        """Return how far each share goes."""
        good_low, good_high = self.low[self.is_good], self.high[self.is_good]
        columns = {
            "share": self.own,
            "inner_low": np.min([self.own, *good_low], axis=0),
            "inner_high": np.max([self.own, *good_high], axis=0),
            "outer_low": np.min([self.own, *self.low], axis=0),
            "outer_high": np.max([self.own, *self.high], axis=0),
            "intervals": [united(*ends) for ends in zip(self.low.T, self.high.T, strict=True)],
        }
        return pd.DataFrame(columns, index=pd.Index(self.rating.factor_names, name="factor"))


def find_any_signs(
    rating: Rating,
    solution: RatingSolution,
    *,
    slack: float,
    clock: Clock,
    n_jobs: int,
    sizes: Floats | None = None,
) -> AnySignRanges:
    """Explore formulas within a slack of the solution's objective, with open signs free.

    A share is a weight times the factor's range or, where ``sizes`` are given, times its size.
    """
    if rating.is_limited:
        raise QuestionRefusedError(
            "constraints and pieces need known directions, so ranges over any signs are not "
            "known; give any_signs=False, or fit without them"
        )
    opened = leave_open(rating.problem, rating.asked)
    if (n_open := int(opened.free.sum())) > MOST_FREE:
        raise QuestionRefusedError(
            f"{n_open} signs are open, and ranges over any signs look at all 2^{n_open} orthants; "
            f"fit with signs= that gives all but {MOST_FREE} of them"
        )
    check_ranges(opened, solution.whole_weights(opened), slack)
    search = _Search(opened, solution, clock, n_jobs, sizes)
    is_whole = slack == 0 and wins_everything(opened, solution.value)
    if not is_whole:
        check_planes(opened)
    low, high, is_good = search.regions() if is_whole else search.cells(slack)
    low, high = np.sort([opened.directions * low, opened.directions * high], axis=0)
    return AnySignRanges(rating, opened.directions * search.own, low, high, is_good)


@dataclass(frozen=True)
class _Search:
    """A problem with open signs, and what is known of its good formulas."""

    problem: RatingProblem
    solution: RatingSolution
    clock: Clock
    n_jobs: int
    sizes: Floats | None

    @cached_property
    def whole_sizes(self) -> Floats:
        """Return what weights of whole factors are multiplied by, 0 for a constant factor."""
        ranges = np.ptp(self.problem.oriented, axis=0)
        if self.sizes is None:
            return np.asarray(ranges)
        steps = np.array([float(step) for step in self.problem.factors.steps])
        return np.where(ranges > 0, self.sizes / steps, 0.0)

    @property
    def own(self) -> Floats:
        """Return the signed shares of the formula itself."""
        weights = as_floats(self.solution.whole_weights(self.problem))
        return np.asarray(self._shares(weights[None, :])[0])

    def _shares(self, weights: Floats) -> Floats:
        return ray_shares(weights * self.whole_sizes)

    def _nothing_known(self) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        varies = np.where(self.whole_sizes > 0, 100.0, 0.0)[None, :]
        return np.where(self.problem.free, -varies, 0.0), varies, np.zeros(1, dtype=np.bool_)

    def cells(self, slack: float) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Return the shares of cells: each lies in one orthant, so rays are its extremes."""
        least = self.solution.value - self.problem.whole_gap(slack)
        seconds = max(SEARCHING * self.clock.left, 1e-3)
        with Clock(seconds) as searching, threads(self.n_jobs, searching) as pool:
            decided, waiting = cells_within(self.problem, least, searching, pool)
        good, unknown = ([*map(self._cell_shares, cells)] for cells in (decided, waiting))
        low, high = share_ends(good + unknown, self.own)
        n_good = sum(len(shares) > 0 for shares in good)
        return low, high, np.arange(len(low)) < n_good

    def _cell_shares(self, cell: Cell) -> Floats:
        return self._shares(ray_directions(cell))

    def regions(self) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Return the shares of formulas that reproduce every order, for each orthant with some."""
        rows, ends = neighbour_rows(self.problem), []
        for signs in _meeting_orthants(rows, self.problem.free, self.clock):
            directed = self.problem.turned(self.problem.directions * signs)
            region = GoodFormulas(
                problem=directed.with_free(np.zeros_like(self.problem.free)),
                decided=[],
                waiting=[],
                above=rows * signs,
                level=rows[:0],
                is_whole=True,
                own_shares=np.abs(self.own),
                clock=self.clock,
                least=self.solution.value,
                sizes=self.sizes,
            )
            ends.append(np.sort(signs * region.outer_shares(), axis=0))
        if self.clock.is_late:
            return self._nothing_known()
        low, high = np.array(ends).transpose(1, 0, 2)
        return low, high, np.ones(len(ends), dtype=np.bool_)


def _meeting_orthants(rows: Floats, free: NDArray[np.bool_], clock: Clock) -> list[Ints]:
    """Return the signs with which some weights have ``rows @ weights > 0``, sign after sign.

    Signs are left out only where rational arithmetic shows that no weights have them.
    """
    found: list[Ints] = [np.where(free, 0, 1).astype(np.int64)]
    for j in np.flatnonzero(free):
        further = []
        for signs in found:
            for sign in (1, -1):
                tried = signs.copy()
                tried[j] = sign
                if clock.is_late:
                    return []
                if not _is_refuted(rows, tried, clock):
                    further.append(tried)
        found = further
    return found


def _is_refuted(rows: Floats, signs: Ints, clock: Clock) -> bool:
    """Tell whether it is proved that no weights of some signs have ``rows @ weights > 0``.

    Floating point looks for weights, from -1 to 1, that win by the largest margin. Where that is
    none, the few rows that keep it from more prove it, or not, in rational arithmetic.
    """
    d = rows.shape[1]
    size = np.maximum(np.abs(rows).max(axis=1, keepdims=True, initial=0.0), 1e-300)
    program = Program(
        np.r_[np.zeros(d), -1.0],
        lower=np.r_[np.where(signs == 1, 0.0, -1.0), 0.0],
        upper=np.r_[np.where(signs == -1, 0.0, 1.0), np.inf],
    )
    with_margin = np.column_stack([rows / size, np.full(len(rows), -1.0)])
    solution = solve_by_rows(
        program, with_margin, 0.0, presolve=False, time_limit=clock.left, stop=clock.over
    )
    if solution.duals is None or -solution.objective > MARGIN:
        return False
    telling = np.flatnonzero(np.abs(solution.duals) > NOISE)
    return len(telling) > 0 and _has_no_margin(rows[telling], signs)


def _has_no_margin(rows: Floats, signs: Ints) -> bool:
    """Tell whether no weights of some signs win all of a few rows, in rational arithmetic."""
    d = rows.shape[1]
    unit, column = np.eye(d, dtype=np.int64), np.zeros((d, 1), dtype=np.int64)
    signed = np.diag(signs)[signs != 0]
    limits = np.vstack(
        [
            np.column_stack([rows.astype(np.int64), np.full(len(rows), -1)]),
            np.column_stack([signed, column[: len(signed)]]),
            np.column_stack([unit, column]),
            np.column_stack([-unit, column]),
        ]
    )
    lower = [0] * (len(rows) + len(signed)) + [-1] * (2 * d)
    found = minimize_exactly([0] * d + [-1], limits.astype(object), lower)
    return found.status is Status.OPTIMAL and found.objective == 0
