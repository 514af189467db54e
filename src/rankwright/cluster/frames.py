"""Dask frames and series as partitions of one table: features, target, groups, weights."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
from sklearn.utils.validation import validate_data

__all__ = [
    "GROUP",
    "NO_ROWS",
    "ROW",
    "Rows",
    "TARGET",
    "Table",
    "WEIGHT",
    "in_columns",
    "row_bytes",
]

TARGET, GROUP, WEIGHT, ROW = "target", "group", "weight", "row"
# Beside its features, a row takes a target, a weight, a label and the order of the pairs.
BESIDE = 10
NO_ROWS = "there are no rows; give at least one, of a weight above zero"


def row_bytes(n_features: int) -> int:
    """Return what a row takes while a ranker learns from it, about."""
    return 8 * (n_features + BESIDE)


@dataclass(frozen=True)
class Rows:
    """The rows of one partition, as a ranker's ``fit`` takes them."""

    X: pd.DataFrame
    y: pd.Series
    groups: pd.Series | None
    weights: pd.Series | None


@dataclass(frozen=True)
class Table:
    """A table in partitions, those of ``X``: x0, x1, ... and the columns above.

    The features' own names are kept beside it, since a shuffle wants names that are text.
    """

    frame: Any  # dask.dataframe.DataFrame
    names: list[Any]
    shuffled: bool = False

    @classmethod
    def of(cls, X: Any, y: Any = None, groups: Any = None, weights: Any = None) -> "Table":
        """Put collections side by side, partition by partition; no index is looked up."""
        check_frame(X)
        if not len(X.columns):
            raise ValueError("X has no columns; give at least one feature")
        given = {TARGET: y, GROUP: groups, WEIGHT: weights}
        beside = {
            column: aligned(X, values, NAMES[column])
            for column, values in given.items()
            if values is not None
        }
        if TARGET in beside:
            _check_categories(beside[TARGET])
        columns = list(beside)
        names = list(X.columns)
        meta = _side_by_side(
            X._meta, *(series._meta for series in beside.values()), names=names, columns=columns
        )
        parts = [pinned(one) for one in (X, *beside.values())]
        frame = dd.map_partitions(
            _side_by_side,
            *parts,
            names=names,
            columns=columns,
            meta=meta,
            align_dataframes=False,
            enforce_metadata=False,
        )
        return cls(frame, names)

    def describe(self, ranker: Any) -> None:
        """Give a ranker the names and the number of its features."""
        validate_data(ranker, pd.DataFrame(columns=self.names), skip_check_array=True)

    @property
    def has_groups(self) -> bool:
        """Whether rows have groups."""
        return GROUP in self.frame.columns

    @contextmanager
    def told(self, place: int) -> Iterator[None]:
        """Say in which partition an error was found."""
        try:
            yield
        except ValueError as error:
            among = " (of the rows shuffled by group)" if self.shuffled else ""
            raise ValueError(f"in partition {place}{among}: {error}") from error

    @staticmethod
    def counts(partition: pd.DataFrame) -> bool:
        """Return whether a partition has a row that weighs something."""
        return bool(len(partition)) and not (WEIGHT in partition and (partition[WEIGHT] == 0).all())

    def rows(self, partition: pd.DataFrame) -> Rows:
        """Return a partition with the features under their own names."""
        X = partition[[f"x{place}" for place in range(len(self.names))]]
        return Rows(
            X.set_axis(self.names, axis=1),
            partition[TARGET],
            partition.get(GROUP),
            partition.get(WEIGHT),
        )


NAMES = {TARGET: "y", GROUP: "groups", WEIGHT: "sample_weight"}


def pinned(collection: Any) -> Any:
    """Return a frame or series whose partitions stay what they are.

    Dask's optimizer joins small partitions of Parquet files, and differently for each set of
    columns: what was found of a partition would not hold for the one that is computed.
    """
    parts = collection.simplify().to_delayed(optimize_graph=False)
    return dd.from_delayed(
        parts, meta=collection._meta, divisions=collection.divisions, verify_meta=False
    )


def check_frame(X: Any) -> None:
    """Refuse what is no Dask DataFrame, with the way to make one of it."""
    if isinstance(X, dd.DataFrame):
        return
    kind = type(X).__name__
    if isinstance(X, pd.DataFrame | np.ndarray | list):
        remedy = (
            "it is here already: call ranker.fit(X, y, groups), or spread it with "
            "dask.dataframe.from_pandas(X, npartitions=...)"
        )
    else:
        remedy = "make one with dask.dataframe (read_parquet, from_pandas, from_dask_array)"
    raise ValueError(f"X is a {kind}, not a Dask DataFrame; {remedy}")


def aligned(X: Any, values: Any, name: str) -> Any:
    """Return a series whose partitions hold the rows of those of ``X``."""
    if not isinstance(values, dd.Series):
        raise ValueError(
            f"{name} is a {type(values).__name__}, not a Dask Series; take it from the frame that "
            f"X comes from, as frame['{name}'] does"
        )
    if values.npartitions == X.npartitions:
        return values
    if X.known_divisions and values.known_divisions:
        return values.repartition(divisions=X.divisions, force=True)
    raise ValueError(
        f"X has {X.npartitions} partitions and {name} {values.npartitions}; take both from one "
        "frame, so that their rows stand side by side"
    )


def _check_categories(y: Any) -> None:
    """Refuse categories that may differ from partition to partition, and so their order."""
    if isinstance(y.dtype, pd.CategoricalDtype) and not y.cat.known:
        raise ValueError(
            "the categories of y are not known before they are read, nor their order; say them: "
            "y.cat.set_categories([worst, ..., best], ordered=True)"
        )


def in_columns(X: pd.DataFrame, names: list[Any]) -> pd.DataFrame:
    """Return a partition with the columns of the whole: files may order them differently."""
    if list(X.columns) == names:
        return X
    if missing := [name for name in names if name not in X.columns]:
        raise ValueError(
            f"a partition of X has no column {missing[0]!r}, only {list(X.columns)}; give all "
            "partitions the same columns"
        )
    return X[names]


def _side_by_side(
    X: pd.DataFrame, *beside: pd.Series, names: list[Any], columns: list[str]
) -> pd.DataFrame:
    own = in_columns(X, names)
    frame = own.set_axis([f"x{place}" for place in range(own.shape[1])], axis=1)
    for column, values in zip(columns, beside, strict=True):
        name = NAMES[column]
        if len(values) != len(X):
            raise ValueError(
                f"a partition of X has {len(X)} rows and that of {name} {len(values)}; take both "
                "from one frame, so that their rows stand side by side"
            )
        if not values.index.equals(X.index):
            raise ValueError(
                f"the rows of X and {name} have different indexes, such as "
                f"{X.index[0]!r} and {values.index[0]!r}; take both from one frame"
            )
        frame[column] = values.array
    return frame.reset_index(drop=True)
