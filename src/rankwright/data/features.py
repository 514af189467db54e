"""Tables of features: columns that would become numbers without being any."""

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data.vectors import DATES, SPANS, refuse_times

__all__ = ["as_frame", "check_columns", "check_objects", "refuse_lazy"]

# The first word of the type of a column, in NumPy, pandas, polars and Arrow.
TIMES = {
    "date": DATES,
    "datetime": DATES,
    "duration": SPANS,
    "period": DATES,
    "time": SPANS,
    "timedelta": SPANS,
    "timestamp": DATES,
}


def as_frame(X: Any) -> Any:
    """Return a frame of polars or an Arrow table as one of pandas, anything else as it is.

    Neither package need be installed. Categories stay categories; an enumeration keeps its order.
    """
    if hasattr(X, "column_names"):  # an Arrow table
        return X.to_pandas()
    if hasattr(X, "get_column"):  # a frame of polars
        return pd.DataFrame({name: _of_polars(X[name]) for name in X.columns}, copy=False)
    return X


def _of_polars(column: Any) -> Any:
    kind = type(column.dtype).__name__
    if kind == "Enum":
        return pd.Categorical(column.to_list(), column.dtype.categories.to_list(), ordered=True)
    return pd.Categorical(column.to_list()) if kind == "Categorical" else column.to_numpy()


def refuse_lazy(X: Any) -> None:
    """Refuse a table of polars that is not read yet."""
    if type(X).__name__ == "LazyFrame":
        raise ValueError("X is a LazyFrame, whose rows are not there yet; give X.collect()")


def check_columns(X: Any) -> None:
    """Refuse a table that is not read yet, and columns of times, which become whole numbers."""
    refuse_lazy(X)
    for name, kind in _column_types(X):
        word = re.split("[^a-z]", str(kind).lower())[0]
        if word in TIMES:
            what = "X" if name is None else f"column {name!r} of X"
            raise ValueError(f"{what} has type {kind}; {TIMES[word]}")


def _column_types(X: Any) -> Iterable[tuple[Any, Any]]:
    """Return names and types of the columns of a frame, or the one type of an array."""
    if hasattr(X, "iloc"):
        return X.dtypes.items() if hasattr(X, "columns") else [(X.name, X.dtype)]
    if hasattr(X, "column_names"):  # an Arrow table
        return zip(X.column_names, X.schema.types, strict=True)
    if hasattr(X, "schema"):
        return X.schema.items()  # type: ignore[no-any-return]
    return [(None, X.dtype)] if hasattr(X, "dtype") else []


def check_objects(X: Any) -> None:
    """Name the first date or span of time among the objects of a table, and its column."""
    table: NDArray[Any] = np.asarray(X, dtype=object)
    if table.ndim != 2:
        return
    names = getattr(X, "columns", range(table.shape[1]))
    for name, column in zip(names, table.T, strict=True):
        refuse_times(f"column {name!r} of X", column)
