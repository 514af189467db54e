"""Where a table lies among the rows of a file: titles, header, units, rows, footnotes."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from rankwright.data.numerals import is_missing, is_number

__all__ = ["HEAD", "Layout", "distinct_names", "find_layout", "first_footnote", "names_as_wanted"]

Record = Sequence[str]

HEAD = 200  # rows that tell where the header is
HEADER_WITHIN = 20
NARROW = 3  # a table of fewer columns may well have rows of one cell
LONG = 40  # characters of a sentence rather than of a name
FOOTNOTE = re.compile(
    r"\s*([*†‡§©¹²³]|\[\w\]|\(\w\)\s|(source|note|notes|footnote|copyright|quelle|anmerkung|fuente)"
    r"\b|(data|last updated|downloaded|retrieved)\b.*[\d:])",
    re.IGNORECASE,
)
BREAK = re.compile(r"[\r\n]")
DIGIT, FRACTION = re.compile(r"\d"), re.compile(r"^[-−]?\d+[.,]\d+$")
PLAIN = re.compile(r"-?\d+(?:[.,]\d+)?")
SCALE = re.compile(  # 0-100, (1 to 5), [0–10], out of 100, max. 20
    r"[(\[]?\s*(?:\d+(?:[.,]\d+)?\s*(?:-|–|—|to|bis|à|a)\s*\d+(?:[.,]\d+)?"
    r"|(?:out of|of|von|sur|de|max\.?|/)\s*\d+)\s*%?\s*[)\]]?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Layout:
    """The header of a table, and where its rows begin."""

    names: tuple[str, ...]
    header: int  # the row of the header, or its last one, counted from 0
    body: int  # the first row below the header and its units
    notes: tuple[str, ...]
    may_lack_a_name: bool = False  # the header is one row, and each cell of it a name


def find_layout(head: Sequence[Record], wanted: Collection[str], skipped: int = 0) -> Layout:
    """Find the header among the first rows, by the columns `wanted` or by the rows' shapes."""
    top = skipped + HEADER_WITHIN + 1
    head = [*(names_as_wanted(record, wanted) for record in head[:top]), *head[top:]]
    first, last = _header_rows(head, wanted, skipped)
    notes = []
    cells = _joined(head[first], head[last])
    if not set(wanted) & set(cells) and _holds_values(cells, head[last + 1 :]):
        return _headless(cells, first, head[skipped:first])
    if (
        first == last
        and _repeats(cells)
        and first > skipped
        and sum(map(bool, head[first - 1])) > 1
    ):
        # The names of merged cells stand above the repeated ones: 2015, 2016 above Rank, Score.
        first -= 1
        cells = _joined(head[first], cells)
    if first < last:
        notes.append(f"Rows {first + 1} and {last + 1} are the header, read as {_shown(cells)}.")
    notes += _titles(f"Row {last + 1} is the header", head[skipped:first])
    body = last + 1
    if body < len(head) and _holds_units(head[body], head[body + 1 :]):
        notes.append(
            f"Row {body + 1} is left out: it says what the columns hold, "
            f"such as {_first_text(head[body])!r}."
        )
        body += 1
    names, renamed = distinct_names(cells)
    is_one_row = first == last and body == last + 1 and bool(cells) and all(cells)
    return Layout(tuple(names), last, body, (*notes, *renamed), is_one_row)


def _headless(row: Record, place: int, above: Sequence[Record]) -> Layout:
    """Name the columns of a table that has no header by their numbers, and say so."""
    names = [f"column {i}" for i in range(1, len(row) + 1)]
    note = (
        f"The table has no header: row {place + 1} holds values as the rows below it do, such as "
        f"{next(filter(FRACTION.search, row))!r}; its columns are called {_shown(names)}."
    )
    titles = _titles(f"Row {place + 1} is the first", above)
    return Layout(tuple(names), place, place, (note, *titles))


def _titles(what: str, above: Sequence[Record]) -> list[str]:
    titles = [repr(_first_cell(record)) for record in above if any(record)]
    return [f"{what}; above it: {', '.join(titles)}."] if titles else []


def names_as_wanted(names: Record, wanted: Collection[str]) -> list[str]:
    """Call columns as they are asked for where only white space differs, others on one line.

    Those that would then have the same name stay as they are.
    """
    asked = {_on_one_line(name): name for name in wanted if name not in names}
    lines = [_on_one_line(name) for name in names]
    alike = Counter(_on_one_line(name) for name in set(names))
    return [
        name
        if name in wanted or alike[line] > 1
        else asked.get(line, line if BREAK.search(name) else name)
        for name, line in zip(names, lines, strict=True)
    ]


def _on_one_line(name: str) -> str:
    return " ".join(str(name).split())


def distinct_names(cells: Sequence[str]) -> tuple[list[str], list[str]]:
    """Name every column once: nameless ones by their number, repeated ones with a counter."""
    while cells and not cells[-1]:
        cells = cells[:-1]
    names = [cell or f"column {i}" for i, cell in enumerate(cells, start=1)]
    taken, seen, notes = set(names), Counter[str](), []
    for place, name in enumerate(names):
        seen[name] += 1
        if seen[name] > 1:
            number = seen[name]
            while (new := f"{name} ({number})") in taken:
                number += 1
            taken.add(new)
            names[place] = new
            notes.append(
                f"Several columns are named {name!r}; column {place + 1} is called {new!r}."
            )
    return names, notes


def first_footnote(tail: Sequence[Record], width: int) -> int:
    """Return where the remarks below a table begin among its last rows: at their end if none."""
    end = last = len(tail)
    for place in range(len(tail) - 1, -1, -1):
        record = tail[place]
        if not any(record):
            end = last  # a blank row stands between the table and what follows
            continue
        remark = FOOTNOTE.match(record[0]) is not None
        alone = sum(map(bool, record)) == 1 and bool(record[0]) and width >= NARROW
        if not (alone or remark):
            break
        last = place
        if alone and (remark or len(record[0]) > LONG):
            end = place
    return end


def _header_rows(head: Sequence[Record], wanted: Collection[str], skipped: int) -> tuple[int, int]:
    """Return the first and the last row of the header."""
    candidates = range(skipped, min(len(head), skipped + HEADER_WITHIN))
    if wanted:
        for i in candidates:
            if set(wanted) <= set(head[i]):
                goes_on = _goes_on(head, i) and set(wanted) <= set(_joined(head[i], head[i + 1]))
                return i, i + goes_on
        for i in candidates[:-1]:
            if set(wanted) <= set(_joined(head[i], head[i + 1])):
                return i, i + 1
    filled = [sum(map(bool, record)) for record in head]
    several = [i for i in candidates if filled[i] > 1]
    if not several:
        return skipped, skipped
    typical = float(np.median([number for number in filled[skipped:] if number]))
    wide = [i for i in several if 2 * filled[i] > typical]
    first = next(iter(wide + several))
    return first, first + _goes_on(head, first)


def _goes_on(head: Sequence[Record], first: int) -> bool:
    """Tell whether the row below the first one of a header belongs to it."""
    if first + 1 == len(head):
        return False
    header, row, *below = head[first:]
    return _continues(header, row, below) or (_repeats(header) and _holds_units(row, below))


def _continues(header: Record, row: Record, below: Sequence[Record]) -> bool:
    """Tell whether a row names the columns that the header above it leaves nameless."""
    added = [j for j, cell in enumerate(row) if cell and (j >= len(header) or not header[j])]
    return (
        not any(map(is_number, row))
        and any(
            is_number(record[j])
            for record in below[:HEADER_WITHIN]
            for j in added
            if j < len(record)
        )
        and len(row) <= max(map(len, below))
    )


def _joined(above: Record, below: Record) -> list[str]:
    """Write the names of merged cells before those of the columns they stand above."""
    names, over = [], ""
    for name, cell in zip_longest(above, below, fillvalue=""):
        over = name or (over if cell else "")
        names.append(cell if cell == over else f"{over} {cell}".strip())
    return names


def _holds_units(row: Record, below: Sequence[Record]) -> bool:
    """Tell whether a row under the header has units where the rows below it have numbers."""
    rows = [record for record in below[:HEADER_WITHIN] if any(record)]
    columns = {
        j: sum(map(is_number, cells)) / len(cells)
        for j in range(len(row))
        if (cells := [one[j] for one in rows if j < len(one) and not is_missing(one[j])])
    }
    numeric = [j for j, share in columns.items() if share > 0.5]
    units = [row[j] for j in numeric if not is_missing(row[j])]
    # A cell with digits may be a rank such as T1 or a number with a remark: no unit.
    words = [unit for unit in units if not DIGIT.search(unit)]
    scales = [unit for unit in units if SCALE.fullmatch(unit)]
    texts = [j for j, share in columns.items() if share <= 0.5]
    # A lone 201-250 may be the rank of a row, and a row with a name is one whatever it holds.
    if texts and not any(row[j] for j in texts) and len(words) + len(scales) > 1:
        words += scales
    return (
        len(rows) > 1
        and bool(words)
        and 2 * len(words) >= len(numeric)
        and not any(is_number(row[j]) for j in numeric)
    )


def _holds_values(row: Record, below: Sequence[Record]) -> bool:
    """Tell whether a row is one of values rather than of names: numbers like those below it.

    One of them has to be a fraction: whole numbers may be names, of years or questions.
    """
    rows = [record for record in below[:HEADER_WITHIN] if any(record)]
    columns = ((_value(cell), _numbers_of(rows, j)) for j, cell in enumerate(row))
    compared = [(value, known) for value, known in columns if known]
    like = [
        value is not None and min(known) - np.ptp(known) <= value <= max(known) + np.ptp(known)
        for value, known in compared
    ]
    return (
        len(rows) > 1
        and all(value is not None for value, _ in compared)
        and 2 * sum(like) > len(like)
        and any(map(FRACTION.search, row))
    )


def _numbers_of(rows: Sequence[Record], column: int) -> list[float]:
    """Return the plain numbers of a column, if most of what it holds is."""
    cells = [row[column] for row in rows if column < len(row) and not is_missing(row[column])]
    known = [value for value in map(_value, cells) if value is not None]
    return known if 2 * len(known) > len(cells) else []


def _value(cell: str) -> float | None:
    """Return a plain number, whichever its decimal mark."""
    return float(cell.replace(",", ".")) if PLAIN.fullmatch(cell) else None


def _repeats(cells: Record) -> bool:
    named = [cell for cell in cells if cell]
    return len(set(named)) < len(named)


def _first_cell(record: Record) -> str:
    return next(cell for cell in record if cell)


def _first_text(record: Record) -> str:
    return next(cell for cell in record if cell and not is_number(cell))


def _shown(cells: Record) -> str:
    named = [repr(cell) for cell in cells if cell]
    return ", ".join(named[:3]) + (", ..." if len(named) > 3 else "")
