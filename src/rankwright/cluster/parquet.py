"""Training rows from a Parquet data set: a file, or a folder of files."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import pandas as pd
import pyarrow

__all__ = ["ParquetRows", "read_rows"]


@dataclass(frozen=True)
class ParquetRows:
    """The columns of a data set by their use, none of them read yet."""

    X: Any  # Dask DataFrame
    y: Any  # Dask Series, larger is better
    groups: Any  # Dask Series or None
    factors: list[str]


def read_rows(
    path: str | Path,
    *,
    target: str,
    is_rank: bool,
    group: str | None = None,
    factors: Sequence[str] = (),
    left_out: Sequence[str] = (),
) -> ParquetRows:
    """Describe a Parquet data set; by default every other column of numbers is a factor."""
    try:
        rows = dd.read_parquet(path)
    except (OSError, pyarrow.ArrowInvalid) as error:
        raise ValueError(
            f"{path} is no Parquet data set ({error}); a cluster reads a .parquet file, or a "
            "folder of them"
        ) from error
    named = [target, *([] if group is None else [group]), *factors]
    if absent := [name for name in named if name not in rows.columns]:
        raise ValueError(f"{path} has no column {absent[0]!r}; it has {', '.join(rows.columns)}")
    taken = {target, group, *left_out}
    chosen = list(factors) or [
        str(name)
        for name, dtype in rows.dtypes.items()
        if name not in taken and pd.api.types.is_numeric_dtype(dtype)
    ]
    if not chosen:
        raise ValueError(f"{path} has no column of numbers beside the target; name some factors")
    y = rows[target]
    return ParquetRows(
        rows[chosen], -y if is_rank else y, None if group is None else rows[group], chosen
    )
