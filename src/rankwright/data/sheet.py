"""A table as found in a file or a frame: cells by column, and the row numbers its source shows."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data.cell_numbers import parse_cells
from rankwright.data.cells import Cells, Distinct, distinct_texts
from rankwright.data.numbers import Numbers, parse_numbers
from rankwright.data.numerals import POINT, DefaultMark
from rankwright.data.printed_ranks import PrintedRanks

__all__ = [
    "Sheet",
    "are_empty",
    "cell",
    "cells",
    "distinct",
    "holds_numbers",
    "listed_columns",
    "may_begin_with",
    "numbers",
    "require_columns",
    "texts_of",
]


SHOWN = 40  # columns in a message


@dataclass(frozen=True, eq=False)
class Sheet:
    """A table as found: columns, the row numbers its source shows, and what was noticed."""

    source: str
    frame: pd.DataFrame  # index: the row numbers of the source, the header being row 1
    mark: DefaultMark = POINT
    notes: tuple[str, ...] = ()
    memory: dict[str, Numbers] = field(default_factory=dict)  # columns read already
    ranks: dict[str, PrintedRanks] = field(default_factory=dict)  # those read as ranks
    title: str = ""  # which sheet of a workbook it is, of those with cells
    titles: tuple[str, ...] = ()

    def keep(self, rows: NDArray[np.bool_], *notes: str) -> "Sheet":
        """Return the sheet with some of its rows, and what is to be said about it."""
        return replace(
            self, frame=self.frame[rows], notes=(*self.notes, *notes), memory={}, ranks={}
        )

    def noting(self, *notes: str, first: bool = False) -> "Sheet":
        """Return the sheet with more to be said about it, behind what is said or before it."""
        said = (*notes, *self.notes) if first else (*self.notes, *notes)
        return replace(self, notes=said) if notes else self

    def in_texts(self) -> "Sheet":
        """Return the sheet with every cell of a large file as a text of its own."""
        texts = {
            str(name): column.array.texts()
            for name, column in self.frame.items()
            if isinstance(column.array, Cells)
        }
        return replace(self, frame=self.frame.assign(**texts)) if texts else self


def listed_columns(names: Sequence[Any]) -> str:
    """List the columns of a table, and of very many the first ones."""
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(map(repr, names[:SHOWN])) + more


def require_columns(sheet: Sheet, columns: Collection[str]) -> None:
    """Check that the columns are there, and that there are rows."""
    there = sheet.frame.columns.tolist()
    for column in columns:
        if column not in there:
            names = {str(name).casefold(): name for name in reversed(there)}
            close = get_close_matches(str(column).casefold(), list(names))
            raise ValueError(
                f"{sheet.source} has no column {column!r}"
                + (f" (did you mean {names[close[0]]!r}?)" if close else "")
                + f"; its columns are {listed_columns(there) or 'none'}"
            )
    if sheet.frame.empty:
        raise ValueError(f"{sheet.source} has no rows")


def holds_numbers(column: "pd.Series[Any]") -> bool:
    """Tell whether a column of a frame holds numbers rather than texts of them."""
    return pd.api.types.is_numeric_dtype(column.dtype) and column.dtype.kind != "c"


def cells(column: "pd.Series[Any]") -> list[str]:
    """Write each value of a column as text, the missing ones as nothing."""
    if isinstance(column.array, Cells):
        return list(column.array.texts())
    values = column.tolist()
    if set(map(type, values)) <= {str}:
        return [value.strip() for value in values]
    missing = column.isna().tolist()
    return ["" if gone else _written(v) for v, gone in zip(values, missing, strict=True)]


def texts_of(column: "pd.Series[Any]") -> NDArray[np.object_]:
    """Return the same texts as an array."""
    found = column.array
    return found.texts() if isinstance(found, Cells) else np.array(cells(column), dtype=object)


def are_empty(column: "pd.Series[Any]") -> NDArray[np.bool_]:
    """Tell which cells hold nothing."""
    found = column.array
    empty = found.starts == found.ends if isinstance(found, Cells) else texts_of(column) == ""
    return np.asarray(empty, dtype=bool)


def may_begin_with(column: "pd.Series[Any]", beginnings: Collection[str]) -> NDArray[np.int64]:
    """Return which cells may begin with one of some pairs of letters: all of a small file."""
    found = column.array
    return found.may_begin_with(beginnings) if isinstance(found, Cells) else np.arange(len(column))


def distinct(column: "pd.Series[Any]") -> Distinct:
    """Return the different texts of a column, as ``cells`` writes them."""
    if isinstance(column.array, Cells):
        return column.array.distinct()
    return distinct_texts(cells(column))


def cell(sheet: Sheet, column: str, position: int) -> tuple[str, Any]:
    """Return the text of a cell and the row that the source shows for it."""
    (text,) = cells(sheet.frame[column].iloc[[position]])
    return text, sheet.frame.index[position]


def numbers(sheet: Sheet, column: str) -> Numbers:
    """Read a column as numbers, from numbers or from text."""
    if column not in sheet.memory:
        found = sheet.frame[column]
        sheet.memory[column] = _read(found, sheet.mark)
    return sheet.memory[column]


def _read(column: "pd.Series[Any]", mark: DefaultMark) -> Numbers:
    if holds_numbers(column):
        return Numbers(column.to_numpy(dtype=np.float64, na_value=np.nan))
    if isinstance(column.array, Cells):
        return parse_cells(column.array, mark)
    return parse_numbers(cells(column), mark)


def _written(value: Any) -> str:
    """Write a value as people do: a rank that a frame holds as 1.0 is 1."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value).strip()
