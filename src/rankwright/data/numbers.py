"""Columns of numbers: each cell read, and what had to be understood to read it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rankwright.data.cells import distinct_texts
from rankwright.data.notations import is_notation, read_notations
from rankwright.data.numerals import (
    GROUPING,
    POINT,
    SYMBOLS,
    DefaultMark,
    Mark,
    Numeral,
    first_doubtful,
    mark_of_shapes,
    read_numeral,
    shapes,
)

__all__ = ["Numbers", "parse_marked", "parse_numbers", "undressed", "with_percents"]

# A whole column at once, one cell per line, so that fifty thousand rows take no time. Possessive:
# a cell that does not fit must not make the lines before it be tried again.
PLAIN = re.compile(r"(?:(?:[+-]?+(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][+-]?+\d++)?+)?+\n)*+")
# Signs, currencies, digits and marks, but no letters, words or line breaks.
SIMPLE = re.compile(rf"[+\-−{SYMBOLS}{GROUPING}\d.,%]*\d[{SYMBOLS}{GROUPING}.,%]*")
UNDRESS = str.maketrans("", "", f"{SYMBOLS}{GROUPING}")
DRESSED, ODD, TEXT = 0, 1, 2
WIDER = 2.0  # than the range of percents: where cells without a sign may lie
FEWEST_PERCENTS = 3  # that tell what cells without a percent sign are
SCALES = (1.0, 0.01)  # of cells without a sign: fractions, or percents
NOWHERE = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column of numbers, and what had to be understood to read it; cells by their positions."""

    values: NDArray[np.float64]  # NaN where missing or not a number
    wrong: NDArray[np.int64] = field(default_factory=NOWHERE.copy)  # neither a number nor missing
    percent: bool = False  # some cells have a percent sign
    bare: NDArray[np.int64] = field(default_factory=NOWHERE.copy)  # cells beside them without it
    doubtful: int | None = None  # the first that reads otherwise with the other decimal mark
    notations: dict[str, int] = field(default_factory=dict)  # the first cell of each odd notation
    currencies: dict[str, int] = field(default_factory=dict)  # the first cell of each

    @cached_property
    def n_filled(self) -> int:
        """How many cells hold a number."""
        return int((~np.isnan(self.values)).sum())

    @property
    def is_mostly_read(self) -> bool:
        """Whether at most one cell in five that is filled is no number."""
        return 0 < self.n_filled >= 4 * len(self.wrong)


def parse_numbers(cells: Sequence[str], default: DefaultMark = POINT) -> Numbers:
    """Read a column of cells; `default` tells the decimal mark where the column shows none."""
    written = shapes(cells)
    own = mark_of_shapes(written)
    mark = own or default.mark
    doubtful = None if own or default.settled else first_doubtful(written)
    if (values := _plain(cells, mark)) is not None:
        return Numbers(values, doubtful=doubtful)
    found = with_percents(parse_marked(cells, written, mark), ["%" in shape for shape in written])
    return replace(found, doubtful=doubtful)


def parse_marked(cells: Sequence[str], written: Sequence[str], mark: Mark) -> Numbers:
    """Read cells of these shapes, in whichever form each is, with a decimal mark that is known.

    Percents are read as fractions; what cells without the sign are beside them is not asked.
    """
    numerals = {shape: read_numeral(shape, mark) for shape in dict.fromkeys(written)}
    form_of = {shape: _form(shape, numeral) for shape, numeral in numerals.items()}
    forms = np.array([form_of[shape] for shape in written], dtype=np.int8)
    at, simple = np.flatnonzero(forms == ODD), np.flatnonzero(forms == DRESSED)
    found = _read_each([cells[i] for i in at.tolist()], mark)
    values = np.full(len(cells), np.nan)
    values[at] = found.values
    values[simple] = undressed([cells[i] for i in simple.tolist()], mark)
    wrong = np.sort(np.append(at[found.wrong], np.flatnonzero(forms == TEXT)))
    notations = {notation: int(at[first]) for notation, first in found.notations.items()}
    in_currency = [(shape, one.currency) for shape, one in numerals.items() if one and one.currency]
    currencies = {of: written.index(shape) for shape, of in reversed(in_currency)}
    return Numbers(values, wrong, notations=notations, currencies=currencies)


def with_percents(found: Numbers, has_sign: Sequence[bool] | NDArray[np.bool_]) -> Numbers:
    """Return numbers some of which have a percent sign, and what those without it are.

    Fractions or percents, if only one of them lies near those with a sign; 0 is the same as both.
    """
    values = found.values
    percent = np.asarray(has_sign, dtype=bool) & ~np.isnan(values)
    bare = np.flatnonzero(~percent & (values != 0) & ~np.isnan(values) & percent.any())
    if not len(bare):
        return replace(found, percent=bool(percent.any()))
    low, high = values[percent].min() / WIDER, values[percent].max() * WIDER
    middle, largest = np.median(values[bare]), values[bare].max()
    inside = [one for one in SCALES if low <= one * middle and one * largest <= high]
    # What only the other scale puts among them leaves both open: 0.62 beside 73.
    is_among = {one: (low <= one * values[bare]) & (one * values[bare] <= high) for one in SCALES}
    is_open = any((is_among[other] & ~is_among[one]).any() for one in inside for other in SCALES)
    if len(inside) != 1 or is_open or percent.sum() < FEWEST_PERCENTS:
        return replace(found, percent=True, bare=bare)
    values = values.copy()
    if inside[0] < 1:
        values[bare] = [_of_percent(value) for value in values[bare].tolist()]
    notations = found.notations | {"bare": int(bare[0])}
    return replace(found, values=values, percent=True, notations=notations)


def _of_percent(value: float) -> float:
    """Divide by 100 to the nearest number, so that 12.3 is the same as 12.3%."""
    return float(Decimal(repr(value)).scaleb(-2))


def _form(shape: str, numeral: Numeral | None) -> int:
    """Tell whether cells of a shape need nothing but their signs taken away, or are text."""
    if numeral is not None and SIMPLE.fullmatch(shape):
        return DRESSED
    return ODD if numeral is not None or is_notation(shape) else TEXT


def undressed(cells: Sequence[str], mark: Mark) -> NDArray[np.float64]:
    """Read simple cells at once, one per line."""
    point, grouping = mark, "." if mark == "," else ","
    bare = "\n".join(cells).replace("\N{MINUS SIGN}", "-").translate(UNDRESS)
    # 12.3% is the number nearest to 0.123, which 12.3 / 100 need not be.
    bare = bare.replace(grouping, "").replace(point, ".").replace("%", "e-2")
    return np.array([float(line) for line in bare.split("\n")] if cells else [])


def _read_each(cells: Sequence[str], mark: Mark) -> Numbers:
    """Read cells in whichever notation each is written, different ones once."""
    different = distinct_texts(cells)
    numerals = {cell: read_numeral(cell, mark) for cell in different.texts}
    unread = [cell for cell, numeral in numerals.items() if numeral is None]
    readings = read_notations(unread, mark)
    values, kinds, is_wrong = [], [], []
    for cell, numeral in numerals.items():
        value, kind = readings.get(cell, (np.nan, ""))
        if numeral is not None:
            value = numeral.value
            kind = "magnitude" if numeral.magnitude else "remark" if numeral.remark else ""
        values.append(value)
        kinds.append(kind)
        is_wrong.append(numeral is None and cell not in readings)
    firsts = {kind: i for i, kind in reversed(list(enumerate(kinds))) if kind}
    return Numbers(
        np.array(values, dtype=np.float64)[different.codes],
        np.flatnonzero(np.array(is_wrong, dtype=bool)[different.codes]),
        notations={kind: int(different.firsts[i]) for kind, i in firsts.items()},
    )


def _plain(cells: Sequence[str], mark: Mark) -> NDArray[np.float64] | None:
    """Read a column that holds nothing but bare numbers and empty cells."""
    text = "\n".join(cells) + "\n"
    if mark == ",":
        if "." in text:
            return None
        text = text.replace(",", ".")
    lines = text[:-1].split("\n")
    if len(lines) != len(cells) or PLAIN.fullmatch(text) is None:
        return None
    try:
        return np.array([float(line or "nan") for line in lines])
    except ValueError:  # before Python 3.11.5 the pattern takes a sign alone for a number
        return None
