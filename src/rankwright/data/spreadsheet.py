"""Cells of a table from a text file, whatever spreadsheet wrote it."""

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import islice
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data.cell_numbers import cell_marks
from rankwright.data.large_files import LARGE, split_large
from rankwright.data.layout import HEAD, Layout, find_layout, first_footnote
from rankwright.data.numerals import default_mark, mark_by_vote
from rankwright.data.observations import count
from rankwright.data.quotes import mend_quotes
from rankwright.data.remarks import TAIL, nameless_notes, reading_notes
from rankwright.data.row_names import has_one_cell_more, with_row_names
from rankwright.data.sheet import Sheet
from rankwright.data.textfile import check_text, encoding_notes, lines_of, read_utf8

__all__ = ["read_sheet", "sheet_of_records"]

SEPARATORS = {";": "semicolon", "\t": "tab", "|": "bar", ",": "comma"}
MARKUP = re.compile(r"\s*<(!doctype|html|head|body|table|\?xml|div|svg)\b", re.IGNORECASE)
DIRECTIVE = re.compile(r'\s*"?sep=(.)"?\s*?(?:\r\n|\r|\n)', re.IGNORECASE)
HEAD_BYTES = 2_000_000  # that tell the layout of a larger file
MOST_COLUMNS = 16_384  # as many as a worksheet has


def read_sheet(path: str | PathLike[str], wanted: Collection[str] = ()) -> Sheet:
    """Read a separated text file; the columns `wanted` help to find its header."""
    name = Path(path).name
    data, encoding = read_utf8(path)
    notes = encoding_notes(encoding)
    top = data[:HEAD_BYTES].tobytes().decode(errors="ignore")
    if MARKUP.match(top):
        check_text(data, name)
        raise ValueError(f"{name} is not a table but a web page or XML; export the table as CSV")
    _check_width(top, name)
    directive = DIRECTIVE.match(top)
    if len(data) > LARGE and not directive and (found := _large(data, name, wanted)) is not None:
        return found.noting(*notes, first=True)
    check_text(data, name)
    text = data.tobytes().decode()
    separator = directive[1] if directive else _find_separator(text, name, wanted)
    records, mended = _split(text, separator, name)
    if mended:
        notes.append(
            "Quotation marks inside a quoted cell taken as part of it in "
            f"{count(len(mended), 'line')}, such as {mended[0][:60]!r}."
        )
    skipped = 1 if directive else 0
    if len(records) == skipped:
        raise ValueError(f"{name} has no rows below its line 'sep={separator}'")
    found = sheet_of_records(records, name, wanted, skipped, semicolons=separator == ";")
    return found.noting(*notes, first=True)


def _check_width(top: str, name: str) -> None:
    """Refuse at once what has so many columns that to look at each would take very long."""
    if not _has_long_line(top):
        return
    long = [line for line in lines_of(top) if len(line) >= MOST_COLUMNS]
    widest = 1 + max(line.count(mark) for line in long for mark in SEPARATORS)
    if widest > MOST_COLUMNS:
        raise ValueError(
            f"{name} has a line of at least {widest:,} cells, and at most {MOST_COLUMNS:,} columns "
            "are read; products belong into rows, and columns that are no factors can be left out"
        )


def _has_long_line(text: str) -> bool:
    """Tell whether any line may hold too many columns, looking at the ends of few lines only."""
    at = 0
    while at + MOST_COLUMNS <= len(text):
        last = max(text.rfind(end, at, at + MOST_COLUMNS) for end in "\r\n")
        if last < 0:
            return True
        at = last + 1
    return False


def _large(data: NDArray[np.uint8], name: str, wanted: Collection[str]) -> Sheet | None:
    """Read a large table by its bytes; None if that is not enough."""
    head = _head(data)
    try:
        separator = _find_separator(head, name, wanted)
    except ValueError:
        check_text(data, name)
        raise
    try:
        records = _records(head, separator, name, HEAD)
    except ValueError:
        return None
    layout = find_layout(records, wanted)
    found = split_large(data, separator, layout, records, name, wanted)
    if found is None:
        return None
    frame, notes = found
    marks = [cell_marks(frame[column].array) for column in frame.columns]
    mark = mark_by_vote(
        (one.own for one in marks), (one.text for one in marks), semicolons=separator == ";"
    )
    return Sheet(name, frame, mark, (*layout.notes, *notes))


def sheet_of_records(
    records: Sequence[list[str]],
    name: str,
    wanted: Collection[str],
    skipped: int = 0,
    *,
    semicolons: bool = False,
) -> Sheet:
    """Find the table among the rows of a file; record i is its row i + 1."""
    layout = find_layout(records[: HEAD + skipped], wanted, skipped)
    tail = max(layout.body, len(records) - TAIL)
    end = tail + first_footnote(records[tail:], len(layout.names))
    rows = list(records[:end])
    nameless = _nameless(rows, layout)
    for place in nameless:
        rows[place] = []
    names, notes = _with_row_names(rows, layout, wanted, name)
    frame, n_blank, short = _body(rows, layout, names, name)
    notes += [
        *nameless_notes(nameless, records),
        *reading_notes(n_blank - len(nameless), short, records[end:], end),
    ]
    columns = (frame.iloc[:, j].tolist() for j in range(frame.shape[1]))
    mark = default_mark(columns, semicolons=semicolons)
    return Sheet(name, frame, mark, (*layout.notes, *notes))


def _split(
    text: str, separator: str, name: str, limit: int | None = None
) -> tuple[list[list[str]], list[str]]:
    """Split text into records, and return the lines whose quotation marks had to be mended."""
    try:
        return _records(text, separator, name, limit), []
    except ValueError:
        text, mended = mend_quotes(text, separator)
        return _records(text, separator, name, limit), mended


def _records(text: str, separator: str, name: str, limit: int | None) -> list[list[str]]:
    """Split text into records; record i is row i + 1 of the spreadsheet, blank rows included."""
    records: list[list[str]] = []
    # strict: a quotation mark that is never closed must not swallow the rest of the file
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        records.extend(list(map(str.strip, record)) for record in islice(reader, limit))
    except csv.Error as error:
        raise ValueError(
            f"{name}, row {len(records) + 1}: {error}; look for a stray quotation mark there"
        ) from None
    return records


def _head(data: NDArray[np.uint8]) -> str:
    """Return whole lines from the beginning of a file, as many as tell its layout."""
    top = data[:HEAD_BYTES].tobytes()
    if len(top) < len(data):
        end = max(top.rfind(b"\n"), top.rfind(b"\r"))
        top = top[: end + 1] if end >= 0 else data.tobytes()
    return top.decode()


def _find_separator(text: str, name: str, wanted: Collection[str]) -> str:
    """Choose the separator that gives the wanted header, then the most rows of equal width."""
    keys, failure = {}, None
    for separator in SEPARATORS:
        try:
            records, _ = _split(text, separator, name, HEAD)
        except ValueError as error:
            failure = error
            continue
        sample = [record for record in records if any(record)]
        for width, number in Counter(map(len, sample)).most_common(1):
            if width > 1:
                found = bool(wanted) and set(wanted) <= set(find_layout(sample, wanted).names)
                keys[separator] = (found, number / len(sample), width)
    if keys:
        return max(keys, key=keys.__getitem__)
    if failure:
        raise failure
    raise ValueError(
        f"{name} is not a table: it has a single column; "
        f"columns are separated by {', '.join(SEPARATORS.values())}"
    )


def _nameless(records: Sequence[list[str]], layout: Layout) -> list[int]:
    """Return the rows that hold values only under the empty cells at the end of the header."""
    width, full = len(layout.names), len(records[layout.header])
    return [
        place
        for place, record in enumerate(records[layout.body :], start=layout.body)
        if len(record) <= full and any(record) and not any(record[:width])
    ]


def _body(
    records: Sequence[list[str]], layout: Layout, names: list[str], name: str
) -> tuple[pd.DataFrame, int, list[int]]:
    """Make a frame of the records below the header; short rows are filled up, long ones refused.

    Also return how many rows are blank, and which are short.
    """
    width, rows, numbers, short = len(names), [], [], []
    for number, record in enumerate(records[layout.body :], start=layout.body + 1):
        if any(record[width:]):
            nameless = next(j for j in range(width, len(record)) if record[j]) + 1
            in_header = nameless <= len(records[layout.header])
            naming = f"give column {nameless} a name in row {layout.header + 1}, or "
            raise ValueError(
                f"{name}, row {number}: {len(record)} values under {width} column names; "
                f"{naming if in_header else ''}put quotation marks around a value that contains "
                "the separator"
            )
        if not any(record):
            continue
        if len(record) < width:
            short.append(number)
        numbers.append(number)
        rows.append(record[:width] + [""] * (width - len(record)))
    if not rows:
        raise ValueError(f"{name} has a header in row {layout.header + 1} but no rows below it")
    n_blank = len(records) - layout.body - len(rows)
    return pd.DataFrame(rows, index=numbers, columns=names, dtype=object), n_blank, short


def _with_row_names(
    records: Sequence[list[str]], layout: Layout, wanted: Collection[str], name: str
) -> tuple[list[str], list[str]]:
    """Return the names of all columns, and what is said of the one that the header lacks."""
    filled = [record for record in records[layout.body :] if any(record)]
    if not has_one_cell_more(filled, layout):
        return list(layout.names), []
    firsts = [record[0] for record in records[layout.body : HEAD] if any(record)]
    are_different = len({record[0] for record in filled}) == len(filled)
    names, note = with_row_names(layout, firsts, wanted, name, are_different=are_different)
    return names, [note]
