"""Linear programs with many rows and few columns, of which few rows bind."""

import time
from dataclasses import replace
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.programs.program import Program
from rankwright.programs.solution import Solution, Status

__all__ = ["solve_by_rows"]

FEW = 400  # rows to begin with, and to add at once
TOLERANCE = 1e-7  # HiGHS takes a row for satisfied that is missed by no more


def solve_by_rows(
    program: Program,
    rows: NDArray[np.float64],
    lower: ArrayLike = -np.inf,
    upper: ArrayLike = np.inf,
    *,
    presolve: bool = True,
    time_limit: float = np.inf,
    stop: Event | None = None,
) -> Solution:
    """Solve a program under rows that are added only once a solution misses them.

    A program that some of the rows make infeasible is infeasible, and a solution that misses none
    of the others is optimal; where HiGHS has no answer, the status says so. Duals and sides are
    those of all rows, in their order: 0 of rows never added.

    Examples
    --------
    >>> import numpy as np
    >>> from rankwright.programs import Program, solve_by_rows
    >>> slopes = np.linspace(0, 1, 1000)
    >>> program = Program([-1, -1], upper=10)
    >>> solution = solve_by_rows(program, np.column_stack([slopes, 1 - slopes]), upper=1.0)
    >>> solution.x.round(6).tolist()
    [1.0, 1.0]
    """
    deadline = time.monotonic() + time_limit
    n, first = len(rows), program.n_rows
    low, high = (np.broadcast_to(np.asarray(b, dtype=np.float64), n) for b in (lower, upper))
    is_added = np.zeros(n, dtype=bool)
    is_added[:: max(1, -(-n // FEW))] = True
    is_added |= low == high
    order = np.flatnonzero(is_added)
    more = order
    while True:
        program.add_rows(rows[more], low[more], high[more])
        left = max(deadline - time.monotonic(), 0.0)
        solution = program.solve(presolve=presolve, time_limit=left, stop=stop, optional=True)
        if solution.status is not Status.OPTIMAL or solution.x is None:
            return solution
        values = rows @ solution.x
        missed = np.where(is_added, 0.0, np.maximum(low - values, values - high))
        more = np.flatnonzero(missed > TOLERANCE)
        if not len(more):
            return replace(
                solution,
                duals=_of_all_rows(solution.duals, first, order, n),
                row_sides=_of_all_rows(solution.row_sides, first, order, n),
            )
        more = more[np.argsort(-missed[more], kind="stable")[:FEW]]
        is_added[more] = True
        order = np.r_[order, more]


def _of_all_rows(
    of_added: NDArray[Any] | None, first: int, order: NDArray[np.int64], n: int
) -> NDArray[Any] | None:
    if of_added is None:
        return None
    of_all = np.zeros(first + n, dtype=of_added.dtype)
    of_all[:first], of_all[first + order] = of_added[:first], of_added[first:]
    return of_all
