"""A formula for a spreadsheet."""

import re
from collections.abc import Mapping
from fractions import Fraction

__all__ = ["decimal", "excel_formula"]


def decimal(value: Fraction) -> str:
    """Return a fraction as a decimal number, exactly where it has one of up to twenty places."""
    text = f"{value.numerator}"
    for places in range(21):
        scaled = value * 10**places
        if scaled.denominator == 1 and places:
            digits = f"{abs(scaled.numerator):0{places + 1}d}"
            sign = "-" if value < 0 else ""
            return f"{sign}{digits[:-places]}.{digits[-places:]}"
        if scaled.denominator == 1:
            return text
    return repr(float(value))


def excel_formula(
    weights: list[Fraction], names: list[str], columns: Mapping[str, str] | None, row: int
) -> str:
    """Return the weighted sum with cell references."""
    letters = {name: _column(j + 1) for j, name in enumerate(names)} if columns is None else columns
    absent = [name for name, w in zip(names, weights, strict=True) if w and name not in letters]
    if absent:
        raise ValueError(f"columns has no letters for {absent}; map each factor to its column")
    wrong = [str(c) for c in letters.values() if not re.fullmatch(r"\$?[A-Za-z]{1,3}", str(c))]
    if wrong:
        raise ValueError(f"columns has {wrong}; give letters such as 'B' or '$AC'")
    terms = [
        f"{decimal(w)}*{letters[name]}{row}" for name, w in zip(names, weights, strict=True) if w
    ]
    return "=" + ("+".join(terms).replace("+-", "-") or "0")


def _column(number: int) -> str:
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
