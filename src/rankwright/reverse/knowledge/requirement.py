"""One thing that is known of the weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from rankwright.reverse.whole_numbers import WholeFactors

__all__ = ["AtMost", "Requirement"]


@dataclass(frozen=True)
class Requirement:
    """A linear constraint on the sizes of weights, homogeneous since formulas have no scale.

    It says that ``coefficients @ sizes - percent / 100 * sizes.sum()`` is at least zero, or zero.

    Attributes
    ----------
    text : str
        As it was given.
    coefficients : tuple of (str, Fraction)
        By factor.
    percent : Fraction
        Of the sum of all weights.
    is_equation : bool
    in_shares : bool
        Whether sizes are shares, weight times range, instead of weights.
    """

    text: str
    coefficients: tuple[tuple[str, Fraction], ...]
    percent: Fraction
    is_equation: bool
    in_shares: bool

    def row(self, names: Sequence[str], factors: WholeFactors) -> list[int]:
        """Return whole numbers whose sum with the whole factors' weights must not be negative."""
        given = dict(self.coefficients)
        units = [1 / step for step in factors.steps]
        if self.in_shares:
            units = [unit * span for unit, span in zip(units, factors.ranges, strict=True)]
        entries = [
            (given.get(name, Fraction(0)) - self.percent / 100) * unit
            for name, unit in zip(names, units, strict=True)
        ]
        common = lcm(*(entry.denominator for entry in entries))
        return [int(entry * common) for entry in entries]


@dataclass(frozen=True)
class AtMost:
    """So many factors may have a weight, no more."""

    text: str
    most: int
