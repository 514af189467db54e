"""What a solve returns."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

__all__ = ["NoAnswerError", "Solution", "Status"]


class NoAnswerError(RuntimeError):
    """The solver gave up: numerical trouble, in which nothing is known."""


class Status(StrEnum):
    """Why a solve ended."""

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"
    CUTOFF = "cutoff"
    TIME_LIMIT = "time_limit"
    WORK_LIMIT = "work_limit"
    INTERRUPTED = "interrupted"
    NO_ANSWER = "no answer"


@dataclass(frozen=True)
class Solution:
    """A solve's best point and what is proved about it.

    Attributes
    ----------
    status : Status
        ``OPTIMAL`` within the gap asked for; ``CUTOFF``: nothing better than the cutoff exists;
        ``WORK_LIMIT``: the node or step limit; ``INTERRUPTED``: the caller's ``stop`` event;
        ``NO_ANSWER``: rounding errors kept HiGHS from any, so nothing is known.
    x : ndarray or None
        The best feasible point, None when none was found.
    objective : float
        Its value, ``inf`` when there is none.
    bound : float
        No feasible point has a smaller value, whatever the status.
    duals, reduced_costs : ndarray or None
        By rows and by columns, of an optimal linear program; None otherwise.
    row_sides, column_sides : ndarray or None
        Where an optimal linear program's basis holds rows and columns: -1 at the lower bound, 1 at
        the upper one, 0 at neither.
    steps : int
        Steps of the simplex method that the solve took.
    """

    status: Status
    x: NDArray[np.float64] | None
    objective: float
    bound: float
    duals: NDArray[np.float64] | None = None
    reduced_costs: NDArray[np.float64] | None = None
    row_sides: NDArray[np.int64] | None = None
    column_sides: NDArray[np.int64] | None = None
    steps: int = 0

    @property
    def gap(self) -> float:
        """Return how far the value can at most be from the optimum."""
        return max(0.0, self.objective - self.bound) if self.x is not None else np.inf
