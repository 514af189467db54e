"""Cells of a table from a text file, whatever spreadsheet wrote it."""

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import islice
from os import PathLike
from pathlib import Path

import pandas as pd

from rankwright.data.layout import HEAD, Layout, find_layout, first_footnote
from rankwright.data.numerals import DefaultMark, default_mark
from rankwright.data.observations import count
from rankwright.data.quotes import mend_quotes
from rankwright.data.rectangles import LARGE, split_rectangle
from rankwright.data.sheet import Sheet
from rankwright.data.textfile import read_text

__all__ = ["read_sheet", "sheet_of_records"]

SEPARATORS = {";": "semicolon", "\t": "tab", "|": "bar", ",": "comma"}
UNICODE = {"utf-8", "utf-8-sig"}
MARKUP = re.compile(r"\s*<(!doctype|html|head|body|table|\?xml|div|svg)\b", re.IGNORECASE)
DIRECTIVE = re.compile(r'\s*"?sep=(.)"?\s*?(?:\r\n|\r|\n)', re.IGNORECASE)
TAIL = 60  # rows among which remarks below the table are looked for


def read_sheet(path: str | PathLike[str], wanted: Collection[str] = ()) -> Sheet:
    """Read a separated text file; the columns `wanted` help to find its header."""
    name = Path(path).name
    text, encoding = read_text(path)
    notes = [] if encoding in UNICODE else [f"The file is not in UTF-8; it was read as {encoding}."]
    if MARKUP.match(text):
        raise ValueError(f"{name} is not a table but a web page or XML; export the table as CSV")
    directive = DIRECTIVE.match(text)
    separator = directive[1] if directive else _find_separator(text, name, wanted)
    semicolons = separator == ";"
    if len(text) > LARGE and not directive:
        head, _ = _split(text, separator, name, HEAD)
        layout = find_layout(head, wanted)
        tail, _ = _split(text[-LARGE // 10 :].partition("\n")[2], separator, name)
        whole = first_footnote(tail[-TAIL:], len(layout.names)) == len(tail[-TAIL:])
        frame = split_rectangle(text, separator, layout) if whole else None
        if frame is not None:
            return Sheet(name, frame, _mark(frame, semicolons), (*notes, *layout.notes))
    records, mended = _split(text, separator, name)
    if mended:
        notes.append(
            "Quotation marks inside a quoted cell taken as part of it in "
            f"{count(len(mended), 'line')}, such as {mended[0][:60]!r}."
        )
    skipped = 1 if directive else 0
    if len(records) == skipped:
        raise ValueError(f"{name} has no rows below its line 'sep={separator}'")
    sheet = sheet_of_records(records, name, wanted, skipped, semicolons=semicolons)
    return Sheet(name, sheet.frame, sheet.mark, (*notes, *sheet.notes))


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
    frame, notes = _body(records[:end], layout, name)
    if remarks := [" ".join(filter(None, record)) for record in records[end:] if any(record)]:
        shown = remarks[0] if len(remarks[0]) <= 60 else remarks[0][:60].rstrip() + "..."
        notes.append(
            f"Remarks below the table left out, from row {end + 1} on: {shown!r}"
            + (f" and {len(remarks) - 1} more." if len(remarks) > 1 else ".")
        )
    return Sheet(name, frame, _mark(frame, semicolons), (*layout.notes, *notes))


def _mark(frame: pd.DataFrame, semicolons: bool) -> DefaultMark:
    columns = (frame.iloc[:, j].tolist() for j in range(frame.shape[1]))
    return default_mark(columns, semicolons=semicolons)


def _split(
    text: str, separator: str, name: str, limit: int | None = None
) -> tuple[list[list[str]], list[str]]:
    """Split text into records, and return the lines whose quotation marks had to be mended."""
    try:
        return _records(text, separator, name, limit), []
    except ValueError:
        text, mended = mend_quotes(text, separator)
        if not mended:
            raise
        return _records(text, separator, name, limit), mended


def _records(text: str, separator: str, name: str, limit: int | None) -> list[list[str]]:
    """Split text into records; record i is row i + 1 of the spreadsheet, blank rows included."""
    records: list[list[str]] = []
    if limit is not None and len(text) > LARGE:
        text = text[: text.index("\n", LARGE - 1) + 1] if "\n" in text[LARGE - 1 :] else text
    # strict: a quotation mark that is never closed must not swallow the rest of the file
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        records.extend(list(map(str.strip, record)) for record in islice(reader, limit))
    except csv.Error as error:
        raise ValueError(
            f"{name}, row {len(records) + 1}: {error}; look for a stray quotation mark there"
        ) from None
    return records


def _find_separator(text: str, name: str, wanted: Collection[str]) -> str:
    """Choose the separator that gives the wanted header, then the most rows of equal width."""
    best, best_key, failure = "", (False, 0.0, 1), None
    for separator in SEPARATORS:
        try:
            records, _ = _split(text, separator, name, HEAD)
        except ValueError as error:
            failure = error
            continue
        sample = [record for record in records if any(record)]
        width, count = Counter(map(len, sample)).most_common(1)[0] if sample else (1, 0)
        found = bool(wanted) and set(wanted) <= set(find_layout(sample, wanted).names)
        key = (found, count / max(len(sample), 1), width)
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


def _body(
    records: Sequence[list[str]], layout: Layout, name: str
) -> tuple[pd.DataFrame, list[str]]:
    """Make a frame of the records below the header; short rows are filled up, long ones refused."""
    names = _with_row_names(records, layout)
    width, notes, rows, numbers, short = len(names), [], [], [], []
    for number, record in enumerate(records[layout.body :], start=layout.body + 1):
        if len(record) > width and any(record[width:]):
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
        raise ValueError(f"{name} has a header in row {layout.header + 1} but no rows below it")
    if blank := len(records) - layout.body - len(rows):
        notes.append(f"Blank rows skipped: {blank}.")
    if short:
        notes.append(
            f"Rows with fewer values than the header: {len(short)} (first: row {short[0]}); "
            "what they lack counts as missing."
        )
    return pd.DataFrame(rows, index=numbers, columns=names, dtype=object), notes


def _with_row_names(records: Sequence[list[str]], layout: Layout) -> list[str]:
    """Give the row names that R writes without a name above them a name of their own."""
    names = list(layout.names)
    filled = [record for record in records[layout.body :] if any(record)]
    if len(filled) > 1 and all(len(record) == len(names) + 1 and record[-1] for record in filled):
        return ["row name" if "row name" not in names else "row name (2)", *names]
    return names
