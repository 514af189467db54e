"""Between the factors' own scale and the whole numbers that polytopes are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rankwright.reverse.whole_numbers import WholeFactors

__all__ = ["OwnScale"]


@dataclass(frozen=True)
class OwnScale:
    """Formulas in half steps of the score and steps of the factors, as people write them.

    Attributes
    ----------
    factors : WholeFactors
    half : Fraction
        Half a step of the published scores.
    """

    factors: WholeFactors
    half: Fraction

    def units(self) -> list[Fraction]:
        """Return what one unit of each weight of the polytope is on the factors' own scale."""
        return [self.half / step for step in self.factors.steps]

    def write(self, x: Sequence[Fraction]) -> tuple[list[Fraction], Fraction]:
        """Return weights and intercept on the factors' own scale."""
        weights = [v * unit for v, unit in zip(x[:-1], self.units(), strict=True)]
        return weights, self.half * x[-1] - self._at_smallest(weights)

    def read(self, weights: Sequence[Fraction], intercept: Fraction) -> list[Fraction]:
        """Return weights and intercept as the polytope counts them."""
        x = [w / unit for w, unit in zip(weights, self.units(), strict=True)]
        return [*x, (intercept + self._at_smallest(weights)) / self.half]

    def intercept_costs(self) -> list[Fraction]:
        """Return the costs of a polytope's formula that are its own intercept."""
        columns = zip(self.units(), self.factors.smallest, strict=True)
        return [*(-unit * low for unit, low in columns), self.half]

    def _at_smallest(self, weights: Sequence[Fraction]) -> Fraction:
        lows = self.factors.smallest
        return sum((w * low for w, low in zip(weights, lows, strict=True)), Fraction(0))
