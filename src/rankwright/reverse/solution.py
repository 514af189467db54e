"""The formula that was found for a rating, and what is proved about it."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.problem.own_scale import from_own_scale, round_weights, to_own_scale
from rankwright.reverse.progress import FitStatus, State
from rankwright.reverse.solve import Outcome
from rankwright.reverse.whole_numbers import Weights

__all__ = ["RatingSolution"]


@dataclass(frozen=True, eq=False)
class RatingSolution:
    """A formula on the factors' own scale, and what is proved about it.

    Attributes
    ----------
    exact_weights : list of str
        Fractions, with the fewest digits that keep the objective.
    value, bound, achievable : int
        The objective of these weights in the whole numbers of the problem, what no formula with
        the problem's directions can exceed, and what single pairs allow of these.
    bound_any_signs : int
        What no formula can exceed, whatever the signs that the data were to decide.
    status : FitStatus
    proof : str
        What the bound rests on.
    history : list of State
    """

    exact_weights: list[str]
    value: int
    bound: int
    achievable: int
    bound_any_signs: int
    status: FitStatus
    proof: str
    history: list[State]

    @classmethod
    def of(cls, outcome: Outcome) -> Self:
        """Return an outcome with weights that a person would write down."""
        problem = outcome.problem
        own = round_weights(problem, to_own_scale(problem, outcome.weights), outcome.value)
        return cls(
            exact_weights=[str(w) for w in own],
            # Computed again: rounding keeps the objective or, where no optimum is proved, may
            # raise it.
            value=problem.value(from_own_scale(problem, own)),
            bound=outcome.bound,
            achievable=outcome.achievable,
            bound_any_signs=outcome.bound_any_signs,
            status=outcome.status,
            proof=outcome.proof,
            history=outcome.history,
        )

    @property
    def own_weights(self) -> list[Fraction]:
        """Return the weights on the factors' own scale."""
        return [Fraction(w) for w in self.exact_weights]

    @property
    def weights(self) -> NDArray[np.float64]:
        """Return the weights on the factors' own scale, in floating point."""
        return np.array([float(w) for w in self.own_weights])

    def whole_weights(self, problem: RatingProblem) -> Weights:
        """Return the weights of the problem's whole, oriented factors."""
        return from_own_scale(problem, self.own_weights)

    def shares(
        self, problem: RatingProblem, sizes: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """Return weight times range of each factor, or times its size if given, in percent."""
        ranges = problem.factors.ranges if sizes is None else map(Fraction, sizes.tolist())
        spans: list[Any] = [abs(w) * r for w, r in zip(self.own_weights, ranges, strict=True)]
        total = sum(spans) or Fraction(1)
        return np.array([float(100 * span / total) for span in spans])

    def has_ties(self, problem: RatingProblem) -> bool:
        """Tell whether two products of a group have exactly the same score."""
        places = problem.exact_places(self.whole_weights(problem))
        return any(len(np.unique(places[b:e])) < e - b for b, e in problem.bounds)
