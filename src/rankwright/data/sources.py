"""One kind of sheet from a path to a text, workbook, JSON or Parquet file, or from a frame."""

from collections.abc import Collection
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import pandas as pd

from rankwright.data.features import as_frame
from rankwright.data.joined import with_joined, with_parts
from rankwright.data.json_files import read_json
from rankwright.data.layout import distinct_names, names_as_wanted
from rankwright.data.numerals import default_mark
from rankwright.data.sheet import Sheet, cells, holds_numbers
from rankwright.data.spreadsheet import read_sheet
from rankwright.data.textfile import begins_with, read_bytes
from rankwright.data.workbooks import STARTS, read_workbook

__all__ = ["as_sheet"]

WORKBOOKS = {".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"}
JSON = {".json": False, ".jsonl": True, ".ndjson": True}  # whether every line is a record


def as_sheet(source: Any, wanted: Collection[str], sheet: str | None = None) -> Sheet:
    """Read a file by its ending, or take a frame, or a sheet that was read before, as it is.

    ``sheet`` names or numbers the sheet of a workbook. A wanted name that joins those of columns
    by commas becomes a column of their joined texts.
    """
    return with_joined(_as_found(source, with_parts(wanted), sheet), wanted)


def _as_found(source: Any, wanted: Collection[str], sheet: str | None) -> Sheet:
    if isinstance(source, Sheet):
        return source
    source = as_frame(source)
    if isinstance(source, pd.DataFrame):
        return _sheet_of(source, "the frame")
    if not isinstance(source, str | PathLike):
        raise ValueError(
            f"can't read a table from {type(source).__name__}; "
            "give a path, a DataFrame of pandas or polars, or an Arrow table"
        )
    ending = Path(fspath(source)).suffix.lower()
    # Many a file called .xls is a text table or a web page; many a workbook is called otherwise.
    is_workbook = begins_with(source, STARTS)
    if is_workbook:
        return read_workbook(source, wanted, sheet)
    if sheet is not None:
        raise ValueError(
            f"{Path(fspath(source)).name} is not a workbook, so it has no sheet {sheet!r}"
        )
    if ending in {".parquet", ".pq"}:
        return _sheet_of_file(_read_parquet(source), source, wanted)
    if ending in JSON:
        frame, notes = read_json(source, in_lines=JSON[ending])
        return _sheet_of_file(frame, source, wanted).noting(*notes)
    found = read_sheet(source, wanted)
    if ending in WORKBOOKS:
        return found.noting("The file is called a workbook but holds text; it was read as text.")
    return found


def _sheet_of(frame: pd.DataFrame, name: str) -> Sheet:
    if frame.columns.nlevels > 1:
        raise ValueError(
            f"{name} has column names of {frame.columns.nlevels} levels, such as "
            f"{frame.columns[0]!r}; join them: frame.columns = frame.columns.map('_'.join)"
        )
    # As in a file, and in X: years above columns are texts, and every column has a name.
    written = [str(name) or f"column {i}" for i, name in enumerate(frame.columns, start=1)]
    names, notes = distinct_names(written)
    if names != frame.columns.tolist():
        frame = frame.set_axis(names, axis="columns")
    columns = (frame.iloc[:, j] for j in range(frame.shape[1]))
    texts = [cells(_distinct(column)) for column in columns if not holds_numbers(column)]
    return Sheet(name, frame, default_mark(texts), tuple(notes))


def _distinct(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Leave out repeated values, which tell nothing new about decimal marks."""
    try:
        return column.drop_duplicates()
    except NotImplementedError:  # lists and the like, as Arrow holds them
        return column


def _sheet_of_file(
    frame: pd.DataFrame, path: str | PathLike[str], wanted: Collection[str]
) -> Sheet:
    if frame.columns.nlevels == 1:
        frame = frame.set_axis(names_as_wanted([*map(str, frame.columns)], wanted), axis="columns")
    return _sheet_of(frame, Path(path).name)


def _read_parquet(path: str | PathLike[str]) -> pd.DataFrame:
    name = Path(path).name
    if not read_bytes(path).startswith(b"PAR1"):
        raise ValueError(f"{name} is not a Parquet file; give a text table the ending .csv or .tsv")
    try:
        frame = pd.read_parquet(path)
    except ImportError as error:
        raise ImportError(
            f"reading {name} needs pyarrow: pip install 'rankwright[parquet]'"
        ) from error
    except Exception as error:  # pyarrow's own errors, which may be of any kind
        raise ValueError(f"{name} is a damaged Parquet file: {error}") from error
    named = [level for level in frame.index.names if level is not None]
    return frame.reset_index(named, allow_duplicates=True) if named else frame
