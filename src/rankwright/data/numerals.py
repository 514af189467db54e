"""Numbers as spreadsheets write them: 1,234.5 and 1.234,5 and 12 % and 1 299,00 €."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "DefaultMark",
    "Mark",
    "Numbers",
    "POINT",
    "decimal_mark",
    "default_mark",
    "parse_numbers",
]

Mark = Literal[".", ","]

MISSING = frozenset(
    {"", "-", "–", "—", ".", "?", "na", "n/a", "nan", "null", "none"}
    | {"#n/a", "#div/0!", "#value!", "#ref!", "#name?", "#num!", "#null!"}
)
WORDS = {"true": 1.0, "false": 0.0, "inf": math.inf, "+inf": math.inf, "-inf": -math.inf}
WORDS |= {"infinity": math.inf, "-infinity": -math.inf, "∞": math.inf, "-∞": -math.inf}

SPACES = " \u00a0\u202f"  # the common one, the no-break one and the narrow one
# What pages and spreadsheets leave around a number, seen or unseen.
BLANK = f"{SPACES}\t\r\n\u2007\u2009\u200b\u200e\u200f\u2060\ufeff"
CURRENCY = "$€£¥"
DRESSED = re.compile(  # sign, currency, digits with marks, exponent, currency or percent
    rf"(?P<sign>[+-]?)[{CURRENCY}]?[{SPACES}]?(?P<late_sign>[+-]?)"
    rf"(?P<digits>[\d.,'’{SPACES}]*\d[.,]?)(?P<exponent>[eE][+-]?\d+)?"
    rf"[{SPACES}]?(?P<unit>[%{CURRENCY}]?)"
)
# A whole column at once, one cell per line, so that fifty thousand rows take no time. Possessive:
# a cell that does not fit must not make the lines before it be tried again.
PLAIN = re.compile(r"(?:(?:[+-]?+(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][+-]?+\d++)?+)?+\n)*+")


def _digits(mark: Mark) -> re.Pattern[str]:
    """Match digits with an optional fraction after `mark` and an optional grouping in threes."""
    grouping = f"[{SPACES}'’{'.' if mark == ',' else ','}]"
    return re.compile(
        rf"(?P<whole>\d+|\d{{1,3}}(?P<group>{grouping})\d{{3}}(?:(?P=group)\d{{3}})*|)"
        rf"(?:{re.escape(mark)}(?P<fraction>\d*))?"
    )


DIGITS: dict[Mark, re.Pattern[str]] = {".": _digits("."), ",": _digits(",")}


@dataclass(frozen=True)
class DefaultMark:
    """The decimal mark of columns that show none of their own, and whether the table settles it."""

    mark: Mark = "."
    settled: bool = False


POINT = DefaultMark()
NOWHERE = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column of numbers, and what had to be understood to read it; cells by their positions."""

    values: NDArray[np.float64]  # NaN where missing or not a number
    wrong: NDArray[np.int64] = field(default_factory=NOWHERE.copy)  # neither a number nor missing
    percent: bool = False  # some cells have a percent sign
    bare: NDArray[np.int64] = field(default_factory=NOWHERE.copy)  # cells beside them without it
    doubtful: int | None = None  # the first that reads otherwise with the other decimal mark


def parse_numbers(cells: Sequence[str], default: DefaultMark = POINT) -> Numbers:
    """Read a column of cells; `default` tells the decimal mark where the column shows none."""
    own = decimal_mark(cells)
    mark = own or default.mark
    doubtful = None if own or default.settled else _doubtful(cells)
    if (values := _plain(cells, mark)) is not None:
        return Numbers(values, doubtful=doubtful)
    parsed = {cell: _number(cell, mark) for cell in set(cells)}
    values = np.array([parsed[cell] for cell in cells], dtype=np.float64)
    wrong = [i for i, cell in enumerate(cells) if parsed[cell] is None]
    percent = any(cell.endswith("%") for cell, value in parsed.items() if value is not None)
    # 0 is the same with a percent sign and without.
    bare = [i for i, cell in enumerate(cells) if parsed[cell] and not cell.endswith("%")]
    bare = [i for i in bare if not math.isnan(values[i])] if percent else []
    return Numbers(
        values, np.array(wrong, np.int64), percent, np.array(bare, np.int64), doubtful=doubtful
    )


def default_mark(columns: Iterable[Sequence[str]], *, semicolons: bool = False) -> DefaultMark:
    """Settle what 1,234 means where a column leaves it open: by the other columns.

    Where none of them tells, a comma groups thousands, unless semicolons separate the columns:
    then the comma is likely a decimal mark.
    """
    columns = list(columns)
    votes = Counter(mark for cells in columns if (mark := decimal_mark(cells)))
    if votes:
        return DefaultMark(votes.most_common(1)[0][0], settled=len(votes) == 1)
    firsts = (cells[i] for cells in columns if (i := _doubtful(cells)) is not None)
    return DefaultMark("," if semicolons and any("," in cell for cell in firsts) else ".")


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
    return np.array([float(line or "nan") for line in lines])


def decimal_mark(cells: Iterable[str]) -> Mark | None:
    """Tell the decimal mark from the first cell without doubt: 1,23 or 1,234,567, not 1,234."""
    for cell in cells:
        if ("." in cell or "," in cell) and (mark := _certain_mark(cell)):
            return mark
    return None


def _doubtful(cells: Sequence[str]) -> int | None:
    """Return the position of the first cell that is a number with either decimal mark: 1,234."""
    for i, cell in enumerate(cells):
        if ("." in cell or "," in cell) and len(_fitting_marks(cell)[0]) == 2:
            return i
    return None


def _fitting_marks(cell: str) -> tuple[list[Mark], re.Match[str] | None]:
    """Return the decimal marks with which a cell is a number."""
    match = DRESSED.fullmatch(_bare(cell))
    if match is None:
        return [], None
    return [mark for mark, digits in DIGITS.items() if digits.fullmatch(match["digits"])], match


def _certain_mark(cell: str) -> Mark | None:
    fits, match = _fitting_marks(cell)
    if match is not None and len(fits) == 1:
        return fits[0]
    # Nobody groups 0,250 or 1.234e5 in thousands.
    if match is not None and fits and (match["digits"].startswith("0") or match["exponent"]):
        return "." if "." in match["digits"] else ","
    return None


def _bare(cell: str) -> str:
    return cell.strip(BLANK).replace("\N{MINUS SIGN}", "-")


def _number(cell: str, mark: Mark) -> float | None:
    """Read one cell: NaN when missing, None when it is not a number."""
    cell = _bare(cell)
    if (word := cell.casefold()) in MISSING:
        return math.nan
    if word in WORDS:
        return WORDS[word]
    match = DRESSED.fullmatch(cell)
    parts = match and DIGITS[mark].fullmatch(match["digits"])
    if match is None or parts is None or (match["sign"] and match["late_sign"]):
        return None
    whole = parts["whole"].replace(parts["group"], "") if parts["group"] else parts["whole"]
    digits = f"{match['sign']}{match['late_sign']}{whole}.{parts['fraction'] or '0'}"
    if match["unit"] != "%":
        return float(digits + (match["exponent"] or ""))
    # 12.3% is the number nearest to 0.123, which 12.3 / 100 need not be.
    return float(digits + match["exponent"]) / 100 if match["exponent"] else float(f"{digits}e-2")
