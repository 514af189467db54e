"""The formulas that are still possible, and the worst they can do to a product."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankwright.programs import Program, Status

__all__ = ["WeightPolytope", "WorstPosition"]

Array = NDArray[np.float64]


class WorstPosition(NamedTuple):
    """The worst position a product can have, a tie counted as lost, and weights that give it."""

    position: int
    weights: Array


@dataclass(frozen=True, eq=False)
class WeightPolytope:
    """All weights with ``matrix @ weights <= limits``: bounded and not empty."""

    matrix: Array
    limits: Array

    @cached_property
    def box(self) -> tuple[Array, Array]:
        """Return the smallest and the largest weight of each factor."""
        directions = np.eye(self.matrix.shape[1])
        smallest = [self.least(direction) for direction in directions]
        largest = [-self.least(-direction) for direction in directions]
        return np.array(smallest), np.array(largest)

    def least(self, moves: Array) -> float:
        """Return the smallest ``moves @ weights``."""
        program = Program(moves, lower=-np.inf)
        program.add_rows(self.matrix, upper=self.limits)
        solution = program.solve()
        if solution.status is not Status.OPTIMAL:
            raise ValueError(
                f"a linear program over the possible weights is {solution.status.value}; "
                "their polytope has to be bounded and not empty"
            )
        return solution.objective

    def worst_position(self, leads: Array, margin: float) -> WorstPosition:
        """Return the worst position of a product.

        Parameters
        ----------
        leads : (n_competitors, d) array
            By how much each factor of the product exceeds that of each competitor.
        margin : float
            By how much a score must exceed a competitor's to beat it.
        """
        lower, upper = self.box
        n, d = leads.shape
        largest = np.maximum(leads * lower, leads * upper).sum(axis=1)
        beaten_by = np.maximum(largest - margin, 0)
        program = Program(
            np.r_[np.zeros(d), -np.ones(n)],
            lower=np.r_[lower, np.zeros(n)],
            upper=np.r_[upper, np.ones(n)],
            integer=np.repeat([False, True], [d, n]),
        )
        possible = np.hstack([self.matrix, np.zeros((len(self.limits), n))])
        unbeaten = np.hstack([leads, np.diag(beaten_by)])  # a lead of at most the margin, if 1
        program.add_rows(possible, upper=self.limits)
        program.add_rows(unbeaten, upper=margin + beaten_by)
        solution = program.solve(presolve=False)
        if solution.x is None:
            raise RuntimeError(f"the search for the worst formula ended {solution.status.value}")
        return WorstPosition(1 + round(-solution.objective), solution.x[:d])
