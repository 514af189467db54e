"""A formula for a spreadsheet."""

import re
from collections.abc import Mapping
from fractions import Fraction

from rankwright.reverse.values import ValueFunctions

__all__ = ["decimal", "excel_formula"]


def decimal(value: Fraction) -> str:
    """Return a number exactly: as a decimal of up to twenty places, else as a fraction.

    Examples
    --------
    >>> decimal(Fraction(5, 4)), decimal(Fraction(150, 7))
    ('1.25', '150/7')
    """
    for places in range(21):
        scaled = value * 10**places
        if scaled.denominator == 1 and places:
            digits = f"{abs(scaled.numerator):0{places + 1}d}"
            sign = "-" if value < 0 else ""
            return f"{sign}{digits[:-places]}.{digits[-places:]}"
        if scaled.denominator == 1:
            return f"{value.numerator}"
    return str(value)


def excel_formula(
    weights: list[Fraction],
    intercept: Fraction,
    names: list[str],
    functions: ValueFunctions | None,
    columns: Mapping[str, str] | None,
    row: int,
    places: int | None,
) -> str:
    """Return the weighted sum with cell references, rounded to so many places if they are given.

    Spreadsheets compute in floating point, which breaks ties of exact scores. ``names`` are those
    of the factors; with ``functions`` the weights are those of their pieces.
    """
    letters = _column_letters(names) if columns is None else columns
    summed = names if functions is None else [names[j] for j in functions.factors]
    absent = [name for name, w in zip(summed, weights, strict=True) if w and name not in letters]
    if absent:
        raise ValueError(f"columns has no letters for {absent}; map each factor to its column")
    wrong = [str(c) for c in letters.values() if not re.fullmatch(r"\$?[A-Za-z]{1,3}", str(c))]
    if wrong:
        raise ValueError(f"columns has {wrong}; give letters such as 'B' or '$AC'")
    terms = []
    for k, (name, w) in enumerate(zip(summed, weights, strict=True)):
        if w:
            cell = f"{letters[name]}{row}"
            term = cell if functions is None else functions.excel_term(k, cell)
            terms.append(f"{decimal(w)}*{term}")
    if intercept:
        terms.append(decimal(intercept))
    total = "+".join(terms).replace("+-", "-") or "0"
    return f"={total}" if places is None else f"=ROUND({total}, {places})"


def _column_letters(names: list[str]) -> dict[str, str]:
    """Return the columns of factors beside a first one that names the products."""
    return {name: _column(j + 1) for j, name in enumerate(names)}


def _column(number: int) -> str:
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
