"""Large text tables, split byte by byte: their cells stay bytes until somebody asks for texts."""

from collections.abc import Collection, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data.cells import Cells, Scan
from rankwright.data.layout import Layout, first_footnote
from rankwright.data.numerals import default_mark
from rankwright.data.pieces import Dialect, Split, split_pieces
from rankwright.data.remarks import TAIL, reading_notes
from rankwright.data.row_names import has_one_cell_more, with_row_names

__all__ = ["LARGE", "split_large"]

LARGE = 2_000_000  # bytes from which on a row at a time takes too long


def _record(found: Split, place: int) -> list[str]:
    """Return the texts of a row."""
    cells = zip(found.places.starts[:, place], found.places.ends[:, place], strict=True)
    return [bytes(found.data[begin:end]).decode() for begin, end in cells]


def _below(found: Split, record: int) -> list[list[str]]:
    """Return the records from one on, blank ones included."""
    rows = found.places.rows
    first = _place_of(rows, record + 1)
    texts = {int(rows[i]): _record(found, i) for i in range(first, len(rows))}
    return [texts.get(number + 1, []) for number in range(record, found.n_records)]


def _place_of(rows: NDArray[Any], record: int) -> int:
    """Return where a record is among rows, or would be."""
    return int(np.searchsorted(rows, rows.dtype.type(record)))  # of another type, rows are copied


def _columns(found: Split, names: Sequence[str], n: int) -> dict[str, Cells]:
    """Return the cells of the first rows by column."""
    from rankwright.kernels.cell_numbers import CERTAIN, DOUBTFUL

    columns, places = {}, found.places[:n]
    for j, name in enumerate(names):
        # What remarks below the table tell of decimal marks is not told by the table.
        of_table = found.notes[j, [CERTAIN, DOUBTFUL]].max() < n
        scan = Scan(found.mark, places.values[j], places.forms[j], found.notes[j])
        at = places.starts[j], places.ends[j]
        columns[name] = Cells(found.data, *at, scan if of_table else None)
    return columns


def split_large(
    data: NDArray[np.uint8],
    separator: str,
    layout: Layout,
    head: Sequence[Sequence[str]],
    source: str,
    wanted: Collection[str],
) -> tuple[pd.DataFrame, list[str]] | None:
    """Return the cells below the header, and what is to be said; None if a row needs a closer look.

    That is: stray quotation marks, and more cells than names. The index counts the rows of the file
    from 1.
    """
    if not separator.isascii():
        return None
    names = list(layout.names)
    filled = [record for record in head[layout.body :] if any(record)]
    has_row_names = has_one_cell_more(filled, layout)
    columns = zip_longest(*filled, fillvalue="")
    mark = default_mark(columns, semicolons=separator == ";").mark
    dialect = Dialect(separator, layout.body, len(names) + has_row_names, mark)
    found = split_pieces(data, dialect)
    if found is None:
        return None
    tail = max(layout.body, found.n_records - TAIL)
    end = tail + first_footnote(_below(found, tail), len(layout.names))
    n = _place_of(found.places.rows, end + 1)
    table = found.places[:n]
    rows, widths = table.rows, table.widths
    if n == 0:
        return None
    notes = []
    if has_row_names:
        full = (widths == len(names) + 1) & (table.ends[-1] > table.starts[-1])
        firsts_of_all = Cells(found.data, table.starts[0], table.ends[0])
        if not full.all() or n < 2 or not firsts_of_all.are_different():
            return None
        firsts = [record[0] for record in filled]
        names, note = with_row_names(layout, firsts, wanted, source, are_different=True)
        notes = [note]
    frame = pd.DataFrame(_columns(found, names, n), index=_index(rows))
    notes += reading_notes(
        end - layout.body - n, rows[widths < len(names)].tolist(), _below(found, end), end
    )
    return frame, notes


def _index(rows: NDArray[Any]) -> "pd.Index[Any]":
    """Make an index of the rows; without gaps, at no cost."""
    first, last = int(rows[0]), int(rows[-1])
    if last - first + 1 == len(rows):
        return pd.RangeIndex(first, last + 1)
    return pd.Index(rows.astype(np.int64))
