"""The linear relaxation of a consensus ranking, with triangle inequalities as they are needed.

x[i, j] = 1 when i is before j. A matrix of zeros and ones is a ranking with ties if and only if
x[i, j] + x[j, i] <= 1 and x[i, k] <= x[i, j] + x[j, k]: "before" is asymmetric, and an item between
two others can't be level with both. Without ties, x[j, i] = 1 - x[i, j] and half the columns do.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rankwright.aggregation.budget import NO_LIMIT, Budget
from rankwright.aggregation.placements import Placements
from rankwright.kernels.triangles import violated_triangles
from rankwright.programs import Program, Status

__all__ = ["TriangleProgram"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

TOLERANCE = 1e-6
SIZE_PER_STEP = 50  # rows and columns that take as long, round after round, as a simplex step


@dataclass(frozen=True, eq=False)
class Relaxed:
    """A relaxed ranking, and the costs reduced by the multipliers of the triangle inequalities.

    Whatever the multipliers, each pair's least reduced cost summed over the pairs is a lower bound
    of every ranking (Lagrange): the bound needs no trust in the solver's tolerances.
    """

    status: Status
    x: FloatArray
    reduced: FloatArray


class TriangleProgram:
    """Minimise the sum of ``costs * x`` over relaxed rankings.

    Parameters
    ----------
    costs : (items, items) array
        Cost of placing i before j, less that of tying them.
    ties : bool
        Whether x[i, j] + x[j, i] may be less than 1.
    """

    def __init__(self, costs: FloatArray, *, ties: bool) -> None:
        n = len(costs)
        self.costs = costs
        self.ties = ties
        self.first, self.second = (
            np.nonzero(~np.eye(n, dtype=bool)) if ties else np.triu_indices(n, 1)
        )
        n_columns = len(self.first)
        self.column = np.zeros((n, n), dtype=np.intp)
        self.column[self.first, self.second] = np.arange(n_columns)
        self.reversed = np.zeros((n, n), dtype=bool)
        column_costs = costs[self.first, self.second]
        offset = 0.0
        if not ties:
            self.column[self.second, self.first] = np.arange(n_columns)
            self.reversed[self.second, self.first] = True
            backward = costs[self.second, self.first]
            column_costs, offset = column_costs - backward, float(backward.sum())
        self.program = Program(column_costs, 0, 1, offset=offset)
        self.triangles = np.empty((0, 3), dtype=np.intp)

    def solve(self, placements: Placements, budget: Budget) -> Relaxed:
        """Minimise over the placements that are open; what that takes comes off the budget."""
        i, j = self.first, self.second
        upper = placements.before
        lower = upper & ~(placements.tied | upper.T)
        self.program.set_bounds(np.arange(len(i)), lower[i, j], upper[i, j])
        step_limit = None if np.isinf(budget.steps) else int(budget.steps)
        solution = self.program.solve(time_limit=budget.seconds, step_limit=step_limit)
        size = self.program.n_rows + self.program.n_columns
        budget.spend(solution.steps + size // SIZE_PER_STEP)
        x, reduced = np.zeros_like(self.costs), self.costs.copy()
        if solution.x is not None and solution.duals is not None:
            x[i, j] = solution.x
            if not self.ties:
                x[j, i] = 1 - solution.x
            i, j, k = self.triangles.T
            multiplier = np.where(k >= 0, np.maximum(solution.duals, 0.0), 0.0)
            np.subtract.at(reduced, (i, j), multiplier)
            np.subtract.at(reduced, (j, k), multiplier)
            np.add.at(reduced, (i, k), multiplier)
        return Relaxed(solution.status, x, reduced)

    def violations(self, x: FloatArray, limit: int, budget: Budget = NO_LIMIT) -> IntArray:
        """Return the most violated inequalities as rows i, j, k; k = -1 for those of pairs."""
        n = len(x)
        rows = [violated_triangles(x, TOLERANCE, *ends) for ends in budget.pieces(n, n * n)]
        middle, excess = (np.vstack(found) for found in zip(*rows, strict=True))
        i, k = np.nonzero(middle >= 0)
        worst = np.argsort(-excess[i, k], kind="stable")[:limit]
        i, k = i[worst], k[worst]
        triangles = np.column_stack([i, middle[i, k], k])
        i, j = np.nonzero(np.triu(x + x.T > 1 + TOLERANCE))
        return np.vstack([triangles, np.column_stack([i, j, np.full_like(i, -1)])])

    def add(self, triangles: IntArray) -> None:
        """Add inequalities: x[i, j] + x[j, k] - x[i, k] >= 0, and -x[i, j] - x[j, i] >= -1."""
        i, j, k = triangles.T
        pair = k < 0
        heads = np.column_stack([i, j, i])
        tails = np.column_stack([j, np.where(pair, i, k), np.where(pair, j, k)])
        factors = np.where(pair[:, None], [-1.0, -1.0, 0.0], [1.0, 1.0, -1.0])
        flipped = self.reversed[heads, tails]  # x = 1 - its column
        lower = np.where(pair, -1.0, 0.0) - (factors * flipped).sum(axis=1)
        entries = np.where(flipped, -factors, factors).ravel()
        starts = np.arange(0, len(entries) + 1, 3)
        shape = (len(triangles), len(self.first))
        rows = sparse.csr_array((entries, self.column[heads, tails].ravel(), starts), shape=shape)
        rows.sum_duplicates()
        rows.eliminate_zeros()
        self.program.add_rows(rows, lower)
        self.triangles = np.vstack([self.triangles, triangles])

    def remove_slack(self, x: FloatArray) -> None:
        """Remove the inequalities that x satisfies with room to spare."""
        i, j, k = self.triangles.T
        room = np.where(k >= 0, x[i, j] + x[j, k] - x[i, k], 1 - x[i, j] - x[j, i])
        slack = room > TOLERANCE
        self.program.remove_rows(np.flatnonzero(slack))
        self.triangles = self.triangles[~slack]
