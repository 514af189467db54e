"""A formula as it is written down: exact weights on the factors' own scale."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.problem.own_scale import from_own_scale
from rankwright.reverse.whole_numbers import Weights

__all__ = ["WrittenFormula"]


@dataclass(frozen=True, eq=False)
class WrittenFormula:
    """Weights on the factors' own scale, as texts of fractions."""

    exact_weights: list[str]

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
