"""The mixed-integer program (13) of Chang et al. (2012) in HiGHS: the independent check.

Scaled and strengthened: factors span [0, 1], weights sum to one, each pair has its own constant
in (9), two products can't both be above each other, and a group has only so many top places.
HiGHS works in floating point and with a least margin, so its bound is a claim, not a proof.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rankwright.programs import Program, Solution
from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.problem.planes import count_pairs
from rankwright.reverse.progress import Progress
from rankwright.reverse.search import climb_from
from rankwright.reverse.whole_numbers import Weights, as_floats, as_whole

__all__ = ["RatingProgram", "check_milp", "solve_milp"]

MOST_PAIRS = 10_000  # with more, HiGHS hardly begins in the minutes that people wait
MARGIN = 1e-5  # ε of (5): a smaller difference of scores counts as a tie
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RatingProgram:
    """Formulation (13): columns are w, then z for each ordered pair, t for each product, and u.

    Ordered pairs are every pair both ways; u exists for those that are published.
    """

    problem: RatingProblem

    def solve(self, weights: Weights | None, clock: Clock, gap: float) -> Solution:
        """Solve the program in the time left, warm-started with a formula."""
        program = self.build()
        if weights is not None:
            program.start_from(self.point_of(weights))
        return program.solve(
            time_limit=clock.left, gap=max(gap, 0.5), stop=clock.over, optional=True
        )

    @property
    def factors(self) -> Floats:
        """Return the factors, scaled to [0, 1]."""
        oriented = self.problem.oriented
        return np.asarray((oriented - oriented.min(axis=0)) / self.problem.spans)

    @property
    def pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the ordered pairs (i, k): each pair of products, then each the other way."""
        planes = self.problem.planes
        return np.r_[planes.better, planes.worse], np.r_[planes.worse, planes.better]

    def build(self) -> Program:
        """Return the program (13), as a minimisation."""
        problem, aims, planes = self.problem, self.problem.aims, self.problem.planes
        upper, lower = self.pairs
        n, d = problem.oriented.shape
        n_pairs, strict = len(planes.better), np.flatnonzero(planes.strict)
        z, t, u = d, d + 2 * n_pairs, d + 2 * n_pairs + n
        columns = u + len(strict)
        gains = np.zeros(columns)
        gains[z + strict] = aims.unit[planes.better[strict]]
        gains[u:] = aims.bonus[planes.better[strict]]
        integer = np.zeros(columns, dtype=bool)
        integer[z:u] = True
        program = Program(-gains, upper=1.0, integer=integer)
        matrix = _Matrix(columns)

        every = np.arange(2 * n_pairs)
        differences = self.factors[upper] - self.factors[lower]
        slack = MARGIN + np.maximum(-differences.min(axis=1), 0.0)
        weights_sum_to_one = matrix.rows(1, (np.zeros(d), np.arange(d), np.ones(d)))
        program.add_rows(weights_sum_to_one, lower=1.0, upper=1.0)
        # (9): z = 1 needs a margin; z = 0 allows the largest difference that any weights give.
        row, column = np.nonzero(differences)
        above = matrix.rows(
            2 * n_pairs, (row, column, differences[row, column]), (every, z + every, -slack)
        )
        program.add_rows(above, lower=MARGIN - slack)
        one = np.arange(n_pairs)
        one_way = matrix.rows(n_pairs, (one, z + one, 1.0), (one, z + n_pairs + one, 1.0))
        program.add_rows(one_way, upper=1.0)
        # (10): a product at the top is above at least T others of its group.
        products = np.arange(n)
        at_top = matrix.rows(n, (upper, z + every, 1.0), (products, t + products, -aims.threshold))
        program.add_rows(at_top, lower=0.0)
        places = matrix.rows(len(aims.slots), (problem.group_of_row, t + products, 1.0))
        program.add_rows(places, upper=aims.slots)
        # (11), (12): the bonus needs both the pair and the top.
        bonus = np.arange(len(strict))
        program.add_rows(
            matrix.rows(len(strict), (bonus, u + bonus, 1.0), (bonus, z + strict, -1.0)), upper=0.0
        )
        winners = t + planes.better[strict]
        program.add_rows(
            matrix.rows(len(strict), (bonus, u + bonus, 1.0), (bonus, winners, -1.0)), upper=0.0
        )
        return program

    def point_of(self, weights: Weights) -> Floats:
        """Return the point of the program that a formula stands for."""
        problem = self.problem
        upper, lower = self.pairs
        scaled = as_floats(weights) * problem.spans
        scaled = scaled / scaled.sum()
        differences = (self.factors[upper] - self.factors[lower]) @ scaled
        z = (differences >= 1.5 * MARGIN).astype(np.float64)
        t = np.bincount(upper, z, len(problem.levels)) >= problem.aims.threshold
        strict = problem.planes.strict > 0
        u = z[: len(strict)][strict] * t[problem.planes.better[strict]]
        return np.concatenate([scaled, z, t, u])


def check_milp(problem: RatingProblem) -> None:
    """Refuse a problem that the program can't state, or is too large to solve."""
    if problem.objective.by_position or problem.free.any():
        raise ValueError(
            "solver='milp' needs objective='top_auc' and decided signs; use solver='certified'"
        )
    if problem.cone is not None:
        raise ValueError("solver='milp' can't handle constraints; use solver='certified'")
    n_pairs = count_pairs(problem.offsets)
    if n_pairs > MOST_PAIRS:
        raise ValueError(
            f"solver='milp' takes at most {MOST_PAIRS:,} pairs of products (one group of 140), and "
            f"there are {n_pairs:,}; use solver='auto'"
        )


def solve_milp(progress: Progress, gap: float) -> str:
    """Solve the program for the time that is left, and say what HiGHS claims."""
    problem, clock = progress.problem, progress.clock
    solution = RatingProgram(problem).solve(
        progress.weights, clock, gap * float(problem.rates.scale)
    )
    if solution.x is not None:
        weights = solution.x[: len(problem.spans)] / problem.spans
        if np.any(weights > 0):
            progress.offer(as_whole(weights))
            progress.offer(as_whole(climb_from(problem, weights, 0, clock.stop)))
    claim = problem.normalised(round(-solution.bound)) if np.isfinite(solution.bound) else np.inf
    return (
        f"pairs that no formula can win; HiGHS claims, in floating point and for margins of "
        f"{MARGIN:g}, that none exceeds {claim:.6g}"
    )


class _Matrix:
    """Rows of a program, from triplets of row, column and value."""

    def __init__(self, columns: int) -> None:
        self.columns = columns

    def rows(self, n_rows: int, *parts: tuple[Any, Any, Any]) -> sparse.csr_array:
        rows, columns, values = (
            np.concatenate([np.broadcast_to(part[axis], np.shape(part[0])) for part in parts])
            for axis in range(3)
        )
        shape = n_rows, self.columns
        return sparse.csr_array(
            (values.astype(np.float64), (rows.astype(np.int64), columns.astype(np.int64))), shape
        )
