"""Exact numbers: what a decimal says, and whole multiples of a common unit."""

import math
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Any

__all__ = ["Number", "common_unit", "exact"]

Number = int | float | Decimal | Fraction

# Products of two numbers stay within what a float can hold, and units within what memory can.
LARGEST, FINEST = 10**100, 400


def exact(value: Any, what: str) -> Fraction:
    """Return the number that the decimal notation of ``value`` says: 0.1 is one tenth."""
    if isinstance(value, bool) or not isinstance(value, Rational | Real | Decimal):
        raise ValueError(f"{what} is {value!r}; give a number")
    if not _is_finite(value):
        raise ValueError(f"{what} is {value}; give a finite number")
    if isinstance(value, Decimal) and value.as_tuple().exponent < -FINEST:  # type: ignore[operator]
        raise ValueError(f"{what} is {value}; give at most {FINEST} decimal places")
    if not -LARGEST <= value <= LARGEST:
        raise ValueError(f"{what} is {_shortened(value)}; give a number within ±1e100")
    if isinstance(value, Rational):
        return Fraction(value)
    return Fraction(value if isinstance(value, Decimal) else repr(float(value)))


def common_unit(values: Iterable[Fraction]) -> Fraction:
    """Return the largest number 1/m of which all values are whole multiples."""
    return Fraction(1, math.lcm(*(value.denominator for value in values)))


def _is_finite(value: Any) -> bool:
    if isinstance(value, Decimal):
        return value.is_finite()
    return isinstance(value, Rational) or math.isfinite(value)


def _shortened(value: Any) -> str:
    """Write a number that may have very many digits."""
    return f"{Decimal(int(value)):.6g}" if isinstance(value, Rational) else str(value)
