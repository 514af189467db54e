"""Limits as text: rounded to the side on which they still hold."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

__all__ = ["at_least", "at_least_digits", "at_most", "at_most_digits"]

Number = float | Fraction
MANY = 60  # digits, more than any limit is written with


def at_most(value: Number, places: int) -> str:
    """Write an upper limit with so many decimal places.

    Examples
    --------
    >>> at_most(0.99571, 4), at_most(0.25, 2), at_most(Fraction(1, 3), 3)
    ('0.9958', '0.25', '0.334')
    """
    return _written(value, places, ROUND_CEILING)


def at_least(value: Number, places: int) -> str:
    """Write a lower limit with so many decimal places.

    Examples
    --------
    >>> at_least(8.29, 1), at_least(-0.01, 1), at_least(0.04, 1)
    ('8.2', '-0.1', '0.0')
    """
    return _written(value, places, ROUND_FLOOR)


def at_most_digits(value: Number, digits: int) -> str:
    """Write an upper limit with so many digits that count.

    Examples
    --------
    >>> at_most_digits(3.2e-5, 1), at_most_digits(0.125, 2), at_most_digits(0.05, 2)
    ('4e-05', '0.13', '0.05')
    """
    return _with_digits(value, digits, ROUND_CEILING)


def at_least_digits(value: Number, digits: int) -> str:
    """Write a lower limit with so many digits that count.

    Examples
    --------
    >>> at_least_digits(0.2567, 2), at_least_digits(-0.2567, 2), at_least_digits(0.5, 2)
    ('0.25', '-0.26', '0.5')
    """
    return _with_digits(value, digits, ROUND_FLOOR)


def _with_digits(value: Number, digits: int, rounding: str) -> str:
    rounded = Context(prec=digits, rounding=rounding).plus(_decimal(value, rounding))
    return f"{float(rounded) + 0.0:.{digits}g}"  # never -0


def _written(value: Number, places: int, rounding: str) -> str:
    exact = _decimal(value, rounding)
    rounded = exact.quantize(Decimal(1).scaleb(-places), rounding, Context(prec=MANY))
    return f"{rounded + 0:f}" if rounded else f"{0:.{places}f}"  # never -0.0


def _decimal(value: Number, rounding: str) -> Decimal:
    """Return a number as it is printed; a fraction to many digits, on the side of the rounding."""
    if isinstance(value, Fraction):
        context = Context(prec=MANY, rounding=rounding)
        return context.divide(Decimal(value.numerator), Decimal(value.denominator))
    return Decimal(repr(float(value)))
