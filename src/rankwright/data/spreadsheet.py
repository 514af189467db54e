"""Cells of a table from a text file, whatever spreadsheet wrote it."""

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import TextIO

import pandas as pd

from rankwright.data.numerals import POINT, DefaultMark, default_mark
from rankwright.data.textfile import read_text

__all__ = ["Sheet", "read_sheet"]

SEPARATORS = {";": "semicolon", "\t": "tab", "|": "bar", ",": "comma"}
UNICODE = {"utf-8", "utf-8-sig"}
MARKUP = re.compile(r"\s*<(!doctype|html|head|body|table|\?xml|div|svg)\b", re.IGNORECASE)
DIRECTIVE = re.compile(r'\s*"?sep=(.)"?\s*?(?:\r\n|\r|\n)', re.IGNORECASE)
SAMPLE, HEADER_WITHIN = 200, 20


@dataclass(frozen=True, eq=False)
class Sheet:
    """A table as found: columns, the row numbers its source shows, and what was noticed."""

    source: str
    frame: pd.DataFrame  # index: the row numbers of the source, the header being row 1
    mark: DefaultMark = POINT
    notes: tuple[str, ...] = ()


def read_sheet(path: str | PathLike[str], wanted: Collection[str] = ()) -> Sheet:
    """Read a separated text file; the columns `wanted` help to find its header."""
    name = Path(path).name
    text, encoding = read_text(path)
    notes = [] if encoding in UNICODE else [f"The file is not in UTF-8; it was read as {encoding}."]
    if MARKUP.match(text):
        raise ValueError(f"{name} is not a table but a web page or XML; export the table as CSV")
    directive = DIRECTIVE.match(text)
    lines = io.StringIO(text, newline="")
    separator = directive[1] if directive else _find_separator(lines, name, wanted)
    records = _split(lines, separator, name)
    skipped = 1 if directive else 0
    if len(records) == skipped:
        raise ValueError(f"{name} has no rows below its line 'sep={separator}'")
    head = skipped + _find_header(records[skipped:], wanted)
    titles = [_first_cell(record) for record in records[skipped:head] if any(record)]
    if titles:
        notes.append(f"Row {head + 1} is the header; above it: {', '.join(map(repr, titles))}.")
    frame, body_notes = _body(records, head, name)
    columns = (frame.iloc[:, j].tolist() for j in range(frame.shape[1]))
    mark = default_mark(columns, semicolons=separator == ";")
    return Sheet(name, frame, mark, (*notes, *body_notes))


def _split(lines: TextIO, separator: str, name: str, limit: int | None = None) -> list[list[str]]:
    """Split lines into records; record i is row i + 1 of the spreadsheet, blank rows included."""
    records: list[list[str]] = []
    lines.seek(0)
    # strict: a quotation mark that is never closed must not swallow the rest of the file
    reader = csv.reader(lines, delimiter=separator, strict=True)
    try:
        records.extend(list(map(str.strip, record)) for record in islice(reader, limit))
    except csv.Error as error:
        raise ValueError(
            f"{name}, row {len(records) + 1}: {error}; look for a stray quotation mark there"
        ) from None
    return records


def _find_separator(lines: TextIO, name: str, wanted: Collection[str]) -> str:
    """Choose the separator that gives the wanted header, then the most rows of equal width."""
    best, best_key, failure = "", (False, 0.0, 1), None
    for separator in SEPARATORS:
        try:
            sample = [record for record in _split(lines, separator, name, SAMPLE) if any(record)]
        except ValueError as error:
            failure = error
            continue
        width, count = Counter(map(len, sample)).most_common(1)[0] if sample else (1, 0)
        found = any(set(wanted) <= set(record) for record in sample[:HEADER_WITHIN])
        key = (bool(wanted) and found, count / max(len(sample), 1), width)
        if width > 1 and key > best_key:
            best, best_key = separator, key
    if best:
        return best
    if failure:
        raise failure
    raise ValueError(
        f"{name} is not a table: it has a single column; "
        f"columns are separated by {', '.join(SEPARATORS.values())}"
    )


def _find_header(records: Sequence[Sequence[str]], wanted: Collection[str]) -> int:
    head = records[:HEADER_WITHIN]
    with_wanted = [i for i, record in enumerate(head) if wanted and set(wanted) <= set(record)]
    with_names = [i for i, record in enumerate(head) if sum(map(bool, record)) > 1]
    return next(iter(with_wanted + with_names), 0)


def _first_cell(record: Sequence[str]) -> str:
    return next(cell for cell in record if cell)


def _body(records: list[list[str]], head: int, name: str) -> tuple[pd.DataFrame, list[str]]:
    """Make a frame of the records below the header; short rows are filled up, long ones refused."""
    header = records[head]
    while header and not header[-1]:
        header = header[:-1]
    width, notes, rows, numbers, short = len(header), [], [], [], []
    for number, record in enumerate(records[head + 1 :], start=head + 2):
        if any(record[width:]):
            raise ValueError(
                f"{name}, row {number}: {len(record)} values under {width} column names; "
                "put quotation marks around a value that contains the separator"
            )
        if not any(record):
            continue
        if len(record) < width:
            short.append(number)
        numbers.append(number)
        rows.append(record[:width] + [""] * (width - len(record)))
    if not rows:
        raise ValueError(f"{name} has a header in row {head + 1} but no rows below it")
    if blank := len(records) - head - 1 - len(rows):
        notes.append(f"Blank rows skipped: {blank}.")
    if short:
        notes.append(
            f"Rows with fewer values than the header: {len(short)} (first: row {short[0]}); "
            "what they lack counts as missing."
        )
    names = [cell or f"column {i}" for i, cell in enumerate(header, start=1)]
    return pd.DataFrame(rows, index=numbers, columns=names, dtype=object), notes
