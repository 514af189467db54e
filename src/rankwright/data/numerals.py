"""Numbers as people write them: 1,234.5 and 1.234,5 and 12 % and 1 299,00 € and 1.2 million."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

__all__ = [
    "DefaultMark",
    "MISSING",
    "Mark",
    "Numeral",
    "POINT",
    "WORDS",
    "default_mark",
    "first_doubtful",
    "first_settled",
    "is_missing",
    "is_number",
    "mark_by_vote",
    "mark_of_shapes",
    "read_numeral",
    "shapes",
    "without_remark",
]

Mark = Literal[".", ","]

MISSING = frozenset(
    {"", "-", "--", "---", "–", "—", "‒", "―", ".", "..", "...", "…", "?", "na", "n/a", "n.a."}
    | {"nan", "null", "none", "nr", "n.r.", "n/r", "nd", "n.d.", "n/d", "not ranked", "unranked"}
    | {"not available", "not rated", "#n/a", "#div/0!", "#value!", "#ref!", "#name?", "#num!"}
    | {"#null!", "(none)", "missing"}
)
WORDS = {"true": 1.0, "false": 0.0, "inf": math.inf, "+inf": math.inf, "-inf": -math.inf}
WORDS |= {"infinity": math.inf, "-infinity": -math.inf, "∞": math.inf, "-∞": -math.inf}

SPACES = " \u00a0\u2009\u202f"  # the common one, the no-break one and the thin ones
# What pages and spreadsheets leave around a number, seen or unseen.
BLANK = f"{SPACES}\t\r\n\u2007\u200b\u200e\u200f\u2060\ufeff"
GROUPING = f"{SPACES}'’"
SYMBOLS = "$€£¥₹₩₽₺₪"
CURRENCY = r"(?:(?:US|AU|NZ|HK|CA|[ACS])?\$|[€£¥₹₩₽₺₪]|CHF|EUR|USD|GBP|JPY)"
CURRENCIES = {"$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}  # of one, two names
CURRENCIES |= {"AU$": "A$", "CA$": "C$"}
MAGNITUDES = {"": 0, "k": 3, "thousand": 3, "tsd": 3, "million": 6, "mio": 6, "mn": 6, "M": 6}
MAGNITUDES |= {"billion": 9, "bn": 9, "mrd": 9, "B": 9, "T": 3}
# German balances are in T€; a T before another currency may be a trillion.
MAGNITUDE = (
    rf"[kK]|M|B|T(?=[{SPACES}]?(?:€|EUR|CHF))|"
    r"(?i:thousand|tsd|millions?|mio|mn|billions?|bn|mrd)\.?"
)
GROUPED = frozenset({"t", "tsd"})  # 1.234 T€ may well be a million
REMARKS = "*†‡§¶⁰¹²³⁴⁵⁶⁷⁸⁹"
REMARK = re.compile(r"(?:\[[0-9a-z]{1,2}\]|\([a-z]{1,2}\))$")
ABOUT = "~≈"  # before a number that is not exact
EN_MINUS = re.compile(rf"[–‒](?={CURRENCY}?\.?\d)")  # at the beginning of a cell
DRESSED = re.compile(  # sign, currency, digits with marks, exponent, magnitude, currency or percent
    rf"(?P<sign>[+-]?)(?P<currency>{CURRENCY})?[{SPACES}]?(?P<late_sign>[+-]?)"
    rf"(?P<digits>[\d.,'’{SPACES}]*\d[.,]?)(?P<exponent>[eE][+-]?\d+)?"
    rf"(?:[{SPACES}]?(?P<magnitude>{MAGNITUDE}))?[{SPACES}]?(?P<unit>%|{CURRENCY})?"
)


def _digits(mark: Mark) -> re.Pattern[str]:
    """Match digits with an optional fraction after `mark` and an optional grouping in threes.

    Or as in India: 12,34,567.
    """
    grouping = f"[{SPACES}'’{'.' if mark == ',' else ','}]"
    lakhs = r"\d{1,2},\d{2}(?:,\d{2})*,\d{3}|" if mark == "." else ""
    return re.compile(
        rf"(?P<whole>\d+|\d{{1,3}}(?P<group>{grouping})\d{{3}}(?:(?P=group)\d{{3}})*|"
        rf"{lakhs})"
        rf"(?:{re.escape(mark)}(?P<fraction>\d*))?"
    )


NO_DIGIT = re.compile(r"\D")
ONES = str.maketrans("23456789", "11111111")
DIGITS: dict[Mark, re.Pattern[str]] = {".": _digits("."), ",": _digits(",")}


@dataclass(frozen=True)
class DefaultMark:
    """The decimal mark of columns that show none of their own, and whether the table settles it."""

    mark: Mark
    settled: bool = False


POINT = DefaultMark(".")


@dataclass(frozen=True)
class Numeral:
    """One cell read as a number, NaN where it says that there is none."""

    value: float
    percent: bool = False
    magnitude: bool = False  # thousands or millions are written as a letter or a word
    remark: bool = False  # a footnote's mark stands behind it
    currency: str = ""


def read_numeral(cell: str, mark: Mark) -> Numeral | None:
    """Read one cell; None when it is neither a number nor a word for a missing one."""
    cell = _bare(cell)
    if (word := cell.casefold()) in MISSING:
        return Numeral(math.nan)
    if word in WORDS:
        return Numeral(WORDS[word])
    match = DRESSED.fullmatch(cell)
    if match is None:
        bare = without_remark(cell)
        found = read_numeral(bare, mark) if bare != cell else None
        # A mark alone, or behind a word for nothing, is no number.
        return None if found is None or math.isnan(found.value) else replace(found, remark=True)
    parts = DIGITS[mark].fullmatch(match["digits"])
    if parts is None or (match["sign"] and match["late_sign"]):
        return None
    whole = NO_DIGIT.sub("", parts["whole"])
    digits = f"{match['sign']}{match['late_sign']}{whole}.{parts['fraction'] or '0'}"
    percent, shift = match["unit"] == "%", _magnitude(match["magnitude"])
    shift -= 2 if percent else 0
    written = match["currency"] or ("" if percent else match["unit"]) or ""
    said = percent, match["magnitude"] is not None, False, CURRENCIES.get(written, written)
    if match["exponent"]:
        value = float(digits + match["exponent"]) * 10.0**shift
        return Numeral(value, *said)
    # 12.3% is the number nearest to 0.123, which 12.3 / 100 need not be.
    return Numeral(float(f"{digits}e{shift}"), *said)


def without_remark(cell: str) -> str:
    """Return a cell without its footnote mark at its end, or a mark before it that says about."""
    cell = cell.lstrip(ABOUT).lstrip(BLANK).rstrip(REMARKS)
    return (cell[:-4] + REMARK.sub("", cell[-4:])).rstrip(BLANK)


def is_number(cell: str) -> bool:
    """Tell whether a cell is a number with either decimal mark."""
    found = (read_numeral(cell, mark) for mark in DIGITS)
    return any(numeral is not None and not math.isnan(numeral.value) for numeral in found)


def is_missing(cell: str) -> bool:
    """Tell whether a cell is empty or says that there is no number."""
    return _bare(cell).casefold() in MISSING


def default_mark(columns: Iterable[Sequence[str]], *, semicolons: bool = False) -> DefaultMark:
    """Settle what 1,234 means where a column leaves it open: by the other columns.

    Where none of them tells, a comma groups thousands, unless semicolons separate the columns:
    then the comma is likely a decimal mark.
    """
    written = [list(dict.fromkeys(shapes(cells))) for cells in columns]
    firsts = (column[i] for column in written if (i := first_doubtful(column)) is not None)
    return mark_by_vote(map(mark_of_shapes, written), firsts, semicolons=semicolons)


def mark_by_vote(
    marks: Iterable[Mark | None], doubtful: Iterable[str], *, semicolons: bool
) -> DefaultMark:
    """Settle the mark by those of the columns, or by their first cells that leave it open."""
    votes = Counter(mark for mark in marks if mark)
    if votes:
        [(mark, _)] = votes.most_common(1)
        return DefaultMark(mark, settled=len(votes) == 1)
    return DefaultMark("," if semicolons and any("," in cell for cell in doubtful) else ".")


def mark_of_shapes(written: Sequence[str]) -> Mark | None:
    """Tell the decimal mark by the first shape without doubt: 1,23 or 1,234,567, not 1,234."""
    found = first_settled(written)
    return None if found is None else found[1]


def first_settled(written: Sequence[str]) -> tuple[int, Mark] | None:
    """Return the position of the first shape that leaves no doubt about the mark, and this mark."""
    for shape in dict.fromkeys(written):
        if ("." in shape or "," in shape) and (mark := _certain_mark(shape)):
            return written.index(shape), mark
    return None


def first_doubtful(written: Sequence[str]) -> int | None:
    """Return the position of the first shape that is a number with either decimal mark: 1,234."""
    for shape in dict.fromkeys(written):
        if ("." in shape or "," in shape) and len(_fitting_marks(shape)[0]) == 2:
            return written.index(shape)
    return None


def shapes(cells: Sequence[str]) -> list[str]:
    """Write 1 for every digit but 0: a column of many numbers has few shapes.

    Whether a cell is a number, and of which form, is the same for all cells of a shape.
    """
    written = "\n".join(cells).translate(ONES).split("\n")
    if len(written) == len(cells):  # no cell has several lines
        return written
    return [cell.translate(ONES) for cell in cells]


def _fitting_marks(cell: str) -> tuple[list[Mark], re.Match[str] | None]:
    """Return the decimal marks with which a cell is a number."""
    match = DRESSED.fullmatch(_bare(cell))
    if match is None:
        return [], None
    return [mark for mark, digits in DIGITS.items() if digits.fullmatch(match["digits"])], match


def _certain_mark(cell: str) -> Mark | None:
    fits, match = _fitting_marks(cell)
    if match is None or not fits or match["digits"][-1] in ".,":
        return None  # 1. is a place rather than a fraction
    if len(fits) == 1:
        return fits[0]
    # Nobody groups 0,250 or 1.234e5 or 1.234 million in thousands.
    certain = (
        match["digits"].startswith("0")
        or match["exponent"]
        or (match["magnitude"] and match["magnitude"].casefold().rstrip(".") not in GROUPED)
    )
    if not certain:
        return None
    return "." if "." in match["digits"] else ","


def _bare(cell: str) -> str:
    bare = cell.strip(BLANK).replace("\N{MINUS SIGN}", "-")
    return f"-{bare[1:]}" if EN_MINUS.match(bare) else bare


def _magnitude(written: str | None) -> int:
    """Return the power of ten of a letter or word for thousands, millions or billions."""
    word = written or ""
    if word in MAGNITUDES:  # M and B, which small letters are not
        return MAGNITUDES[word]
    return MAGNITUDES[word.casefold().rstrip(".").removesuffix("s")]
