"""Factors and weights as whole numbers, so that the sign of every score difference is exact."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Weights",
    "WholeFactors",
    "as_floats",
    "as_whole",
    "exact_sums",
    "read_whole",
    "sums_in_digits",
]

Weights = NDArray[np.object_]  # whole numbers of any size

MAX_DIGITS = 15  # whole numbers of so many digits are exact in floating point
READ_DIGITS = 12
DIGIT_BITS = 61  # of a sum of factors times digits; whole numbers hold it and a carry


@dataclass(frozen=True)
class WholeFactors:
    """Factors counted in steps: ``X[:, j] = smallest[j] + steps[j] * whole[:, j]``.

    Attributes
    ----------
    whole : (n, d) int64
        Not negative, and without a common divisor in a column.
    steps, smallest : list of Fraction
    """

    whole: NDArray[np.int64]
    steps: list[Fraction]
    smallest: list[Fraction]

    @property
    def ranges(self) -> list[Fraction]:
        """Return largest minus smallest value of each factor."""
        tops = self.whole.max(axis=0).tolist()
        return [step * top for step, top in zip(self.steps, tops, strict=True)]


def read_whole(X: NDArray[np.float64], digits: int = READ_DIGITS) -> WholeFactors:
    """Read the decimal numbers that factors are printed as; with more, so many digits of them.

    Examples
    --------
    >>> import numpy as np
    >>> read_whole(np.array([[0.1, 3], [0.3, 5], [0.25, 9]])).whole.tolist()
    [[0, 0], [4, 1], [3, 3]]
    """
    columns, steps, smallest = [], [], []
    for column in np.asarray(X, dtype=np.float64).T:
        numbers, unit = _as_decimals(column, digits)
        low = int(numbers.min())
        numbers = numbers - low
        divisor = int(np.gcd.reduce(numbers)) or 1
        columns.append(numbers // divisor)
        steps.append(unit * divisor)
        smallest.append(unit * low)
    return WholeFactors(np.column_stack(columns), steps, smallest)


def as_whole(weights: NDArray[np.float64]) -> Weights:
    """Return whole numbers in exactly the proportion of floating-point weights.

    Examples
    --------
    >>> as_whole(np.array([0.5, 0.25, 0.0])).tolist()
    [2, 1, 0]
    """
    fractions = [Fraction(float(w)) for w in weights]
    common = lcm(*(fraction.denominator for fraction in fractions))
    whole = [int(fraction * common) for fraction in fractions]
    divisor = gcd(*whole) or 1
    return np.array([w // divisor for w in whole], dtype=object)


def as_floats(weights: NDArray[Any]) -> NDArray[np.float64]:
    """Return weights in proportion to whole numbers, the largest of size one."""
    largest = max(abs(int(w)) for w in weights)
    return np.array([float(Fraction(int(w), largest)) for w in weights])


def exact_sums(whole: NDArray[np.int64], weights: Weights) -> Weights:
    """Return ``whole @ weights`` in whole numbers of any size.

    Most of the work is done on digits, in which it is far quicker than on numbers of any size.

    Examples
    --------
    >>> exact_sums(np.array([[1, 2], [3, -4]]), np.array([10**30, 1], dtype=object)).tolist()
    [1000000000000000000000000000002, 2999999999999999999999999999996]
    """
    (*lower, highest), bits = sums_in_digits(whole, weights.tolist())
    total: Weights = highest.astype(object)
    for digit in reversed(lower):
        total = (total << bits) + digit
    return total


def sums_in_digits(
    whole: NDArray[np.int64], weights: Sequence[int]
) -> tuple[list[NDArray[np.int64]], int]:
    """Return ``whole @ weights`` as digits, the lowest first, and how many bits each has.

    Only the highest digit can be negative. Digits are small enough that sums of factors times
    digits don't wrap around.
    """
    largest = int(np.abs(whole).max(initial=1))
    bits = max(1, DIGIT_BITS - (largest * len(weights)).bit_length())
    digit, carry = (1 << bits) - 1, np.zeros(len(whole), dtype=np.int64)
    digits = []
    while max(map(abs, weights)) > digit:
        sums = whole @ np.array([w & digit for w in weights], dtype=np.int64) + carry
        digits.append(sums & digit)
        carry, weights = sums >> bits, [w >> bits for w in weights]
    return [*digits, whole @ np.array(weights, dtype=np.int64) + carry], bits


def _as_decimals(column: NDArray[np.float64], digits: int) -> tuple[NDArray[np.int64], Fraction]:
    size = max(float(np.abs(column).max()), 1e-300)
    digits_before = int(np.floor(np.log10(size))) + 1
    for places in range(min(0, 6 - digits_before), MAX_DIGITS - digits_before):
        numbers = np.rint(_shift(column, places))
        if np.array_equal(_shift(numbers, -places), column):
            return numbers.astype(np.int64), Fraction(10) ** -places
    places = digits - digits_before
    return np.rint(_shift(column, places)).astype(np.int64), Fraction(10) ** -places


def _shift(values: NDArray[np.float64], places: int) -> NDArray[np.float64]:
    """Move the decimal point to the right, by the correctly rounded operation."""
    return values * 10.0**places if places >= 0 else values / 10.0**-places
