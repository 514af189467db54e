"""Large text tables, split byte by byte: their cells stay bytes until somebody asks for texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data.cells import WORD_BYTES, Cells, Scan
from rankwright.data.layout import Layout, first_footnote
from rankwright.data.numerals import Mark, default_mark
from rankwright.data.remarks import TAIL, reading_notes, row_name
from rankwright.data.textfile import HARMLESS

__all__ = ["Head", "LARGE", "split_large"]

MARGIN = 1.5  # lines may be shorter below the first ones
LARGE = 2_000_000  # bytes from which on a row at a time takes too long
FITS_INT32 = 2**31


@dataclass(frozen=True)
class Head:
    """The first records of a file, and how many bytes they take at least."""

    records: Sequence[Sequence[str]]
    n_bytes: int


@dataclass(frozen=True, eq=False)
class _Split:
    """Where the cells of a file are: the file's rows that hold anything, and how many it has."""

    data: NDArray[np.uint8]
    starts: NDArray[Any]  # columns by rows
    ends: NDArray[Any]
    values: NDArray[np.float64]
    forms: NDArray[np.int8]
    notes: NDArray[np.int64]  # by columns
    rows: NDArray[Any]
    widths: NDArray[Any]
    n_records: int
    mark: Mark

    def record(self, place: int) -> list[str]:
        """Return the texts of a row."""
        return [
            bytes(self.data[begin:end]).decode()
            for begin, end in zip(self.starts[:, place], self.ends[:, place], strict=True)
        ]

    def below(self, record: int) -> list[list[str]]:
        """Return the records from one on, blank ones included."""
        first = int(np.searchsorted(self.rows, record + 1))
        found = {int(self.rows[i]): self.record(i) for i in range(first, len(self.rows))}
        return [found.get(number + 1, []) for number in range(record, self.n_records)]

    def columns(self, names: Sequence[str], record: int) -> dict[str, Cells]:
        """Return the cells above a record by column."""
        from rankwright.kernels.cell_numbers import CERTAIN, DOUBTFUL

        n = int(np.searchsorted(self.rows, record + 1))
        found = {}
        for j, name in enumerate(names):
            # What remarks below the table tell of decimal marks is not told by the table.
            of_table = self.notes[j, [CERTAIN, DOUBTFUL]].max() < n
            scan = Scan(self.mark, self.values[j, :n], self.forms[j, :n], self.notes[j])
            places = self.starts[j, :n], self.ends[j, :n]
            found[name] = Cells(self.data, *places, scan if of_table else None)
        return found


def split_large(
    data: bytes, separator: str, layout: Layout, head: Head
) -> tuple[pd.DataFrame, list[str]] | None:
    """Return the cells below the header, and what is to be said; None if a row needs a closer look.

    That is: stray quotation marks, and more cells than names. The index counts the rows of the file
    from 1.
    """
    if not separator.isascii():
        return None
    names = list(layout.names)
    filled = [record for record in head.records[layout.body :] if any(record)]
    # R writes the names of rows without a name above them.
    has_row_names = bool(filled) and all(len(record) == len(names) + 1 for record in filled)
    columns = zip_longest(*filled, fillvalue="")
    mark = default_mark(columns, semicolons=separator == ";").mark
    n_lines = int(MARGIN * len(data) * len(head.records) / head.n_bytes) + 1
    found = _split(data, (len(names) + has_row_names, n_lines), separator, layout.body, mark)
    if found is None or not len(found.rows):
        return None
    tail = max(layout.body, found.n_records - TAIL)
    end = tail + first_footnote(found.below(tail), len(layout.names))
    n = int(np.searchsorted(found.rows, end + 1))
    rows, widths = found.rows[:n], found.widths[:n]
    if n == 0:
        return None
    if has_row_names:
        full = (widths == len(names) + 1) & (found.ends[-1, :n] > found.starts[-1, :n])
        if not full.all() or n < 2:
            return None
        names = [row_name(names), *names]
    frame = pd.DataFrame(found.columns(names, end), index=_index(rows), copy=False)
    notes = reading_notes(
        end - layout.body - n, rows[widths < len(names)].tolist(), found.below(end), end
    )
    return frame, notes


def _split(
    data: bytes, shape: tuple[int, int], separator: str, body: int, mark: Mark
) -> _Split | None:
    """Find the cells of so many columns and lines."""
    from rankwright.kernels.separated import ENDS, FULL, NO_TEXT, SPLIT, split_records

    n_columns, n_lines = shape
    found = np.frombuffer(data, dtype=np.uint8).copy()  # doubled quotation marks are made single
    kind = np.int32 if len(data) < FITS_INT32 else np.int64
    starts, ends = np.empty((2, n_columns, n_lines), dtype=kind)
    values, forms = np.empty((n_columns, n_lines)), np.empty((n_columns, n_lines), dtype=np.int8)
    rows, widths = np.empty((2, n_lines), dtype=kind)
    special = np.full(256, NO_TEXT, dtype=np.uint8)
    special[np.frombuffer(HARMLESS, dtype=np.uint8)] = 0
    special[[ord("\n"), ord("\r"), ord(separator)]] = ENDS
    notes = np.full((n_columns, 3), -1, dtype=np.int64)
    state, n, n_records = split_records(
        found, ord(separator), body, ord(mark), WORD_BYTES, special,
        starts, ends, values, forms, notes, rows, widths,
    )  # fmt: skip
    if state == FULL:
        n_lines = data.count(b"\n") + data.count(b"\r") + 1
        return _split(data, (n_columns, n_lines), separator, body, mark)
    if state != SPLIT:
        return None
    return _Split(
        found, starts[:, :n], ends[:, :n], values[:, :n], forms[:, :n], notes,
        rows[:n], widths[:n], n_records, mark,
    )  # fmt: skip


def _index(rows: NDArray[Any]) -> "pd.Index[Any]":
    """Make an index of the rows; without gaps, at no cost."""
    first, last = int(rows[0]), int(rows[-1])
    if last - first + 1 == len(rows):
        return pd.RangeIndex(first, last + 1)
    return pd.Index(rows.astype(np.int64))
