"""Two items as rows that a model takes, and the hybrids of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from rankwright.data import as_frame

__all__ = ["Pair", "read_pair"]


@dataclass(frozen=True)
class Pair:
    """Two items in the form that a model was fitted with: a frame, or an array without names.

    Attributes
    ----------
    names : pair of str
        What the items are called.
    rows : (2, d) frame or array
        The item and the other.
    """

    names: tuple[str, str]
    rows: Any

    @property
    def features(self) -> NDArray[np.object_]:
        """Names of the features."""
        named = getattr(self.rows, "columns", None)
        names = [f"x{j}" for j in range(self.rows.shape[1])] if named is None else named
        return np.array([str(name) for name in names], dtype=object)

    @property
    def values(self) -> NDArray[Any]:
        """What the items' features are, (2, d): numbers, or objects where not all are numbers."""
        if not isinstance(self.rows, pd.DataFrame):
            return np.asarray(self.rows)
        dtypes = self.rows.dtypes
        numeric = all(is_numeric_dtype(kind) and not is_bool_dtype(kind) for kind in dtypes)
        return self.rows.to_numpy(dtype=np.float64 if numeric else object, na_value=np.nan)

    def differing(self) -> NDArray[np.int64]:
        """Return the features in which the items differ; two missing values do not."""
        values = self.values
        absent = pd.isna(values)
        alike = absent[0] & absent[1]
        here = np.flatnonzero(~absent.any(axis=0))
        alike[here] = [bool(a == b) for a, b in values[:, here].T]
        return np.flatnonzero(~alike)

    def hybrids(self, features: NDArray[np.int64], from_item: NDArray[np.bool_]) -> Any:
        """Return rows of the other whose ``features`` are the item's where ``from_item`` says so.

        ``from_item`` has a row for each hybrid and a column for each of the features.
        """
        source = np.ones((len(from_item), self.rows.shape[1]), dtype=np.int64)
        source[:, features] = np.where(from_item, 0, 1)
        if not isinstance(self.rows, pd.DataFrame):
            return np.take_along_axis(self.rows, source, axis=0)
        # Column by column, so that each keeps its type.
        columns = [self.rows.iloc[:, j].array.take(source[:, j]) for j in range(source.shape[1])]
        hybrids = pd.DataFrame(dict(enumerate(columns)))
        hybrids.columns = self.rows.columns
        return hybrids


def read_pair(model: Any, item: Any, other: Any) -> Pair:
    """Read two items as rows with the features that a model was fitted with.

    A model that knows the names of its features gets a frame with these; one that knows their
    number alone gets an array; one that knows nothing gets what the items are.
    """
    names = getattr(model, "feature_names_in_", None)
    rows = [_as_row(item), _as_row(other)]
    called = (_name_of(item, "the item"), _name_of(other, "the other"))
    if names is not None:
        frames = [_with_features(row, list(names)) for row in rows]
        return Pair(called, _stack_frames(*frames))
    n_features = getattr(model, "n_features_in_", None)
    if n_features is None and all(isinstance(row, pd.DataFrame) for row in rows):
        return Pair(called, _stack_frames(rows[0], _with_features(rows[1], list(rows[0].columns))))
    values = [_values_of(row) for row in rows]
    for row in values:
        _check_number(row, len(values[0]) if n_features is None else n_features)
    return Pair(called, _as_numbers(np.stack(values)))


def _name_of(item: Any, unnamed: str) -> str:
    if isinstance(item, pd.DataFrame):
        return str(item.index[0])
    name = getattr(item, "name", None) if isinstance(item, pd.Series) else None
    return unnamed if name is None else str(name)


def _as_row(item: Any) -> Any:
    """Return a frame of one row if the item's values have names, else the values."""
    item = as_frame(item)
    if isinstance(item, pd.DataFrame):
        if len(item) != 1:
            raise ValueError(f"the item is a frame of {len(item)} rows; give one row")
        return item
    if isinstance(item, pd.Series) and all(isinstance(name, str) for name in item.index):
        return item.to_frame().T.infer_objects()
    if isinstance(item, Mapping):
        return pd.DataFrame([dict(item)])
    values = item.toarray() if hasattr(item, "toarray") else item
    array = np.asarray(values if hasattr(values, "dtype") else np.array(values, dtype=object))
    if array.ndim == 0 or array.size != array.shape[-1]:
        raise ValueError(
            f"the item has shape {array.shape}; give one row of features, or a row of a frame"
        )
    return array.ravel()


def _with_features(row: Any, names: list[Any]) -> pd.DataFrame:
    if not isinstance(row, pd.DataFrame):
        _check_number(row, len(names))
        return pd.DataFrame([row.tolist()], columns=names)
    missing = [name for name in names if name not in row.columns]
    if missing:
        raise ValueError(
            f"the item has no {', '.join(map(repr, missing[:5]))}; "
            f"the model was fitted with {', '.join(map(repr, names))}"
        )
    return row[names]


def _check_number(row: NDArray[Any], n_features: int) -> None:
    if len(row) != n_features:
        raise ValueError(
            f"the item has {len(row)} features, but the model was fitted with {n_features}; "
            "give one row of features"
        )


def _stack_frames(one: pd.DataFrame, two: pd.DataFrame) -> pd.DataFrame:
    """Put two rows into one frame; columns keep their type where both have the same."""
    if one.dtypes.tolist() == two.dtypes.tolist():
        return pd.concat([one, two], ignore_index=True)
    columns = [
        pd.concat([high, low]) if high.dtype == low.dtype else pd.Series([*high, *low])
        for (_, high), (_, low) in zip(one.items(), two.items(), strict=True)
    ]
    rows = pd.DataFrame({j: column.array for j, column in enumerate(columns)})
    rows.columns = one.columns
    return rows


def _values_of(row: Any) -> NDArray[Any]:
    return row.to_numpy(dtype=object).ravel() if isinstance(row, pd.DataFrame) else row


def _as_numbers(rows: NDArray[Any]) -> NDArray[Any]:
    try:
        return rows.astype(np.float64)
    except (TypeError, ValueError):
        return rows
