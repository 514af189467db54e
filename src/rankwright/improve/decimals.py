"""Exact numbers: what a decimal says, and whole multiples of a common unit."""

import math
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Any

__all__ = ["Number", "common_unit", "exact", "weighted_sum"]

Number = int | float | Decimal | Fraction

# Products of two numbers stay within what a float can hold, and units within what memory can.
LARGEST, FINEST = 10**100, 400


def exact(value: Any, what: str) -> Fraction:
    """Return the number that the decimal notation of ``value`` says: 0.1 is one tenth."""
    if isinstance(value, bool) or not isinstance(value, Real | Decimal):
        raise ValueError(f"{what} is {value!r}; give a number")
    number: Any = value if isinstance(value, Rational | Decimal) else float(value)
    if not (number.is_finite() if isinstance(number, Decimal) else number < math.inf > -number):
        raise ValueError(f"{what} is {value}; give a finite number")
    if isinstance(number, Decimal) and number.as_tuple().exponent < -FINEST:  # type: ignore[operator]
        raise ValueError(f"{what} is {value}; give at most {FINEST} decimal places")
    if not -LARGEST <= number <= LARGEST:
        shown = f"{Decimal(int(Fraction(number))):.6g}" if isinstance(number, Rational) else number
        raise ValueError(f"{what} is {shown}; give a number within ±1e100")
    return Fraction(repr(number) if isinstance(number, float) else number)


def weighted_sum(weights: Mapping[str, Fraction], values: Mapping[str, Fraction]) -> Fraction:
    """Return the score of a product, or the gain of its moves: the sum of weight times value."""
    return sum((weights[name] * value for name, value in values.items()), Fraction(0))


def common_unit(values: Iterable[Fraction]) -> Fraction:
    """Return the largest number 1/m of which all values are whole multiples."""
    return Fraction(1, math.lcm(*(value.denominator for value in values)))
