"""Numbers that are written as shares, stars or points out of a whole: 34 : 66, ★★★½, 4.5/5."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise

from rankwright.data.numerals import Mark, mark_of_shapes, read_numeral, shapes

__all__ = ["MEANINGS", "is_clock", "is_notation", "read_notations"]

MEANINGS = {
    "share": "the share of the first of two parts",
    "points": "the points before the slash",
    "stars": "a count of stars",
    "magnitude": "with its thousands or millions written out",
    "remark": "without the mark beside it",
    "fraction": "a number with a fraction",
    "unit": "without its unit, which is the same in all that have one",
    "grade": "the number in parentheses behind a word",
    "bare": "as the others of its column, which have a percent sign, suggest",
}

RATIO = re.compile(r"\s*(\d+(?:[.,]\d+)?)\s*[:∶]\s*(\d+(?:[.,]\d+)?)\s*")
OUT_OF = re.compile(r"\s*(\d+(?:[.,]\d+)?)\s*(?:/|out of|von|sur)\s*(\d+)\s*", re.IGNORECASE)
STARS = re.compile(
    r"\s*(?:(?P<full>[★⭐✭]*)\ufe0f?(?P<half>½?)[☆✩]*|(?P<n>[\d.,]+½?)\s*(?:★|⭐|stars?))\s*"
)
FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}
FRACTION = re.compile(rf"\s*(\d*)\s?([{''.join(FRACTIONS)}])\s*")
MEASURE = re.compile(r"\s*([+-]?\d[\d.,]*)\s*([^\W\d_](?:[^\d\s]{0,7}))\s*")
GRADE = re.compile(r"\s*([^\W\d_][^\d()]*?)\s*\((\d+(?:[.,]\d+)?)\)\s*")
UNCLEAR = frozenset({"m", "t", "st", "nd", "rd", "th", "o"})  # metres or millions, places, a zero
CLOCK = re.compile(r"\d+:[0-5]\d")
PERCENT_SUM = (99.0, 101.0)  # both parts are rounded
MOST = 0.8

MARKS = re.compile(
    r"[:∶/★⭐✭☆✩½¼¾⅓⅔]|out of|von|sur|stars?|^\s*[+-]?\d[\d.,]*\s*[^\W\d_]"
    r"|\d\)\s*$",
    re.I,
)

Parsed = dict[str, float]


def is_notation(cell: str) -> bool:
    """Tell whether a cell may be written in one of these ways."""
    return MARKS.search(cell) is not None


def is_clock(cell: str) -> bool:
    """Tell whether a ratio may be minutes and seconds, or hours and minutes: 1:05, 1:45."""
    return CLOCK.fullmatch(cell) is not None


def read_notations(cells: Iterable[str], mark: Mark) -> dict[str, tuple[float, str]]:
    """Read the different cells of a column that are no plain numbers; others are left out."""
    left = list(cells)
    found: dict[str, tuple[float, str]] = {}
    for notation, reader in READERS.items():
        found |= {cell: (value, notation) for cell, value in reader(left, mark).items()}
        left = [cell for cell in left if cell not in found]
    return found


def _read_shares(cells: list[str], mark: Mark) -> Parsed:
    """Read ratios as shares, if their parts sum to 100 or one of them is always 1.

    Others may be times of day, or minutes and seconds; so may 1:12 and 1:45, that begin with 1.
    """
    parts = _pairs(RATIO, cells, mark)
    if not parts:
        return {}
    low, high = PERCENT_SUM
    whole = {cell: (a, b) for cell, (a, b) in parts.items() if low <= a + b <= high}
    if len(whole) < MOST * len(parts):
        has_one = 1.0 in set.intersection(*({a, b} for a, b in parts.values()))
        whole = parts if has_one and not all(map(is_clock, parts)) else {}
    return {cell: a / (a + b) for cell, (a, b) in whole.items()}


def _read_points(cells: list[str], mark: Mark) -> Parsed:
    """Read points out of a whole that is the same everywhere; others may be dates or fractions."""
    parts = _pairs(OUT_OF, cells, mark)
    if not parts:
        return {}
    [(whole, count)] = Counter(b for _, b in parts.values()).most_common(1)
    if count < MOST * len(parts) or whole == 0:
        return {}
    return {cell: a for cell, (a, b) in parts.items() if b == whole and a <= b}


def _read_stars(cells: list[str], mark: Mark) -> Parsed:
    found: Parsed = {}
    for cell in cells:
        match = STARS.fullmatch(cell)
        if match is None:
            continue
        if match["n"] is None:
            found[cell] = len(match["full"]) + (0.5 if match["half"] else 0.0)
        elif numeral := read_numeral(match["n"].removesuffix("½"), mark):
            found[cell] = numeral.value + (0.5 if match["n"].endswith("½") else 0.0)
    return found


def _read_fractions(cells: list[str], mark: Mark) -> Parsed:
    matches = ((cell, FRACTION.fullmatch(cell)) for cell in cells)
    return {cell: float(m[1] or 0) + FRACTIONS[m[2]] for cell, m in matches if m is not None}


def _read_units(cells: list[str], mark: Mark) -> Parsed:
    """Read measures, if all of several have the same unit."""
    matches = {cell: match for cell in cells if (match := MEASURE.fullmatch(cell)) is not None}
    units = {_unit(match[2]) for match in matches.values()}
    if len(matches) < 2 or len(matches) < MOST * len(cells) or len(units) != 1 or units & UNCLEAR:
        return {}
    numerals = {cell: read_numeral(match[1], mark) for cell, match in matches.items()}
    return {cell: numeral.value for cell, numeral in numerals.items() if numeral is not None}


def _read_grades(cells: list[str], mark: Mark) -> Parsed:
    """Read gut (1,9) and gut (2,3) by their numbers, if each word has a range of its own.

    Others may be names: Up (2009).
    """
    matches = {cell: match for cell in cells if (match := GRADE.fullmatch(cell)) is not None}
    own = mark_of_shapes(shapes([match[2] for match in matches.values()])) or mark
    numerals = {cell: read_numeral(match[2], own) for cell, match in matches.items()}
    found = {cell: numeral.value for cell, numeral in numerals.items() if numeral is not None}
    ranges: dict[str, list[float]] = {}
    for cell, value in found.items():
        ranges.setdefault(matches[cell][1].casefold(), []).append(value)
    ends = sorted((min(values), max(values)) for values in ranges.values())
    are_apart = all(one[1] < other[0] for one, other in pairwise(ends))
    is_scale = 2 <= len(ranges) <= len(found) / 2 and len(found) == len(cells)
    return found if is_scale and are_apart else {}


def _unit(written: str) -> str:
    """Write a unit as all do who mean it: KG and Kg are kg, but mW is no MW."""
    first, rest = written[0], written[1:]
    is_word = len(rest) > 1 and rest.islower()
    return first + rest.casefold() if first == "M" and not is_word else written.casefold()


READERS: dict[str, Callable[[list[str], Mark], Parsed]] = {
    "share": _read_shares,
    "points": _read_points,
    "fraction": _read_fractions,
    "stars": _read_stars,
    "unit": _read_units,
    "grade": _read_grades,
}


def _pairs(
    pattern: re.Pattern[str], cells: list[str], mark: Mark
) -> dict[str, tuple[float, float]]:
    """Return the two numbers of each cell that has them."""
    found = {}
    for cell in cells:
        if match := pattern.fullmatch(cell):
            numerals = [read_numeral(part, mark) for part in match.groups()]
            values = [math.nan if one is None else one.value for one in numerals]
            if not any(map(math.isnan, values)):
                found[cell] = (values[0], values[1])
    return found
