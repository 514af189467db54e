"""Exact numbers: what a decimal says, and whole multiples of a common unit."""

import math
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Any

__all__ = ["Number", "common_unit", "exact"]

Number = int | float | Decimal | Fraction


def exact(value: Any, what: str) -> Fraction:
    """Return the number that the decimal notation of ``value`` says: 0.1 is one tenth."""
    if isinstance(value, Rational):
        return Fraction(value)
    if isinstance(value, Real | Decimal) and math.isfinite(value):
        return Fraction(value if isinstance(value, Decimal) else repr(float(value)))
    raise ValueError(f"{what} is {value!r}; give a finite number")


def common_unit(values: Iterable[Fraction]) -> Fraction:
    """Return the largest number 1/m of which all values are whole multiples."""
    return Fraction(1, math.lcm(*(value.denominator for value in values)))
