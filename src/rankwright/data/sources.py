"""One kind of sheet from a path to a text or Parquet file, a pandas frame or a polars frame."""

from collections.abc import Callable, Collection
from difflib import get_close_matches
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from rankwright.data.numerals import Numbers, default_mark, parse_numbers
from rankwright.data.spreadsheet import Sheet, read_sheet
from rankwright.data.textfile import read_bytes

__all__ = ["as_sheet", "cells", "numbers", "require_columns"]

WORKBOOKS = {".xlsx", ".xlsm", ".xls", ".ods", ".numbers"}


def as_sheet(source: Any, wanted: Collection[str]) -> Sheet:
    """Read a file by its ending, or take a frame, or a sheet that was read before, as it is."""
    if isinstance(source, Sheet):
        return source
    if isinstance(source, pd.DataFrame):
        return _sheet_of(source, "the frame")
    if hasattr(source, "get_column"):  # polars, which need not be installed
        return _sheet_of(
            pd.DataFrame({c: _of_polars(source[c]) for c in source.columns}), "the frame"
        )
    if not isinstance(source, str | PathLike):
        raise ValueError(
            f"can't read a table from {type(source).__name__}; "
            "give a path, a pandas DataFrame or a polars DataFrame"
        )
    ending = Path(fspath(source)).suffix.lower()
    if ending in WORKBOOKS:
        raise ValueError(f"{Path(fspath(source)).name} is a workbook; save its sheet as CSV")
    reader: Callable[..., Sheet] = _read_parquet if ending in {".parquet", ".pq"} else read_sheet
    return reader(source, wanted)


def _of_polars(column: Any) -> Any:
    if type(column.dtype).__name__ != "Enum":
        return column.to_numpy()
    return pd.Categorical(column.to_list(), column.dtype.categories.to_list(), ordered=True)


def _sheet_of(frame: pd.DataFrame, name: str) -> Sheet:
    if frame.columns.nlevels > 1:
        raise ValueError(
            f"{name} has column names of {frame.columns.nlevels} levels, such as "
            f"{frame.columns[0]!r}; join them: frame.columns = frame.columns.map('_'.join)"
        )
    columns = (frame.iloc[:, j] for j in range(frame.shape[1]))
    texts = [cells(column) for column in columns if not _holds_numbers(column)]
    return Sheet(name, frame, default_mark(texts))


def _holds_numbers(column: "pd.Series[Any]") -> bool:
    return pd.api.types.is_numeric_dtype(column.dtype) and column.dtype.kind != "c"


def _read_parquet(path: str | PathLike[str], wanted: Collection[str]) -> Sheet:
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
    return _sheet_of(frame, name)


def require_columns(sheet: Sheet, columns: Collection[str]) -> None:
    """Check that the columns are there, once each, and that there are rows."""
    there = sheet.frame.columns.tolist()
    for column in columns:
        if column not in there:
            names = {str(name).casefold(): name for name in reversed(there)}
            close = get_close_matches(str(column).casefold(), list(names), n=1)
            raise ValueError(
                f"{sheet.source} has no column {column!r}"
                + (f" (did you mean {names[close[0]]!r}?)" if close else "")
                + f"; its columns are {', '.join(map(repr, there)) or 'none'}"
            )
    written = [str(name) for name in there]
    if repeated := [name for name in dict.fromkeys(written) if written.count(name) > 1]:
        raise ValueError(
            f"{sheet.source} has several columns named {repeated[0]!r}; rename all but one"
        )
    if sheet.frame.empty:
        raise ValueError(f"{sheet.source} has no rows")


def cells(column: "pd.Series[Any]") -> list[str]:
    """Write each value of a column as text, the missing ones as nothing."""
    values = column.tolist()
    if set(map(type, values)) <= {str}:
        return [value.strip() for value in values]
    missing = column.isna().tolist()
    return ["" if gone else str(v).strip() for v, gone in zip(values, missing, strict=True)]


def numbers(sheet: Sheet, column: str) -> Numbers:
    """Read a column as numbers, from numbers or from text."""
    found = sheet.frame[column]
    if _holds_numbers(found):
        return Numbers(found.to_numpy(dtype=np.float64, na_value=np.nan))
    return parse_numbers(cells(found), sheet.mark)
