"""Values of factors that go up and down in steps: the terms of an additive score."""

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import Any

from rankwright.improve.decimals import exact

__all__ = ["Steps", "steps_of"]

# Values of steps are counted in billionths of a score: they are sums of many leaves, whose last
# digits mean nothing.
FINEST_VALUE = 10**9


@dataclass(frozen=True)
class Steps:
    """What a factor adds to the score: ``values[i]`` up to ``ends[i]`` itself, then the next one.

    There is one value more than there are ends.
    """

    ends: tuple[Fraction, ...]
    values: tuple[Fraction, ...]

    def __call__(self, value: Fraction) -> Fraction:
        """Return what a value of the factor adds."""
        return self.values[bisect_left(self.ends, value)]

    @property
    def spread(self) -> Fraction:
        """The difference of the largest and the smallest value."""
        return max(self.values) - min(self.values)


def steps_of(formula: Any) -> dict[str, Steps]:
    """Return the steps of each factor of an additive score that has any."""
    return dict(_read(function) for function in formula.shape_functions())


def _read(function: Any) -> tuple[str, Steps]:
    if len(function.features) != 1:
        raise ValueError(
            f"the formula has a function of the factors {list(function.features)} together; plans "
            "need functions of one factor each: fit with interactions=0"
        )
    (name,), (points,) = function.features, function.points
    if not all(isinstance(point, Real) for point in points):
        raise ValueError(
            f"the values of {name!r} are categories, which no change moves by an amount; "
            "fit without it, or with a number in its place"
        )
    ends = tuple(exact(point, f"a step of {name!r}") for point in points[:-1])
    whole = (round(exact(float(v), f"a value of {name!r}") * FINEST_VALUE) for v in function.values)
    return str(name), Steps(ends, tuple(Fraction(value, FINEST_VALUE) for value in whole))
