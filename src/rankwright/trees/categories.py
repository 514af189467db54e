"""Categorical features: their categories as numbers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import issparse

from rankwright.data import as_frame, refuse_lazy
from rankwright.kernels.trees.growth import MAX_BINS

__all__ = ["encode_categories", "find_categories", "merge_categories"]


def _column(X: Any, j: int) -> Any:
    return X.iloc[:, j] if hasattr(X, "iloc") else np.asarray(X)[:, j]


def _positions(X: Any, columns: Sequence[Any] | str | None) -> list[int]:
    """Return the numbers of the columns that are to be categorical."""
    names = list(getattr(X, "columns", []))
    if isinstance(columns, str):
        if columns != "from_dtype":
            raise ValueError(
                f"categorical_features={columns!r}; give 'from_dtype', None or a list of columns"
            )
        _refuse_text_of_array(X)
        return [j for j, name in enumerate(names) if _holds_categories(_column(X, j), name)]
    chosen = [] if columns is None else list(columns)
    if chosen and all(isinstance(column, bool | np.bool_) for column in chosen):
        chosen = np.flatnonzero(chosen).tolist()
    unknown = [c for c in chosen if isinstance(c, str) and c not in names]
    if unknown:
        raise ValueError(f"categorical_features has {unknown}; the columns are {names}")
    found = sorted({names.index(c) if isinstance(c, str) else int(c) for c in chosen})
    n_columns = len(names) if names else np.shape(X)[1] if np.ndim(X) == 2 else 0
    if found and issparse(X):
        raise ValueError(
            f"categorical_features={found} but X is sparse; give a frame or an array (X.toarray())"
        )
    if found and not 0 <= found[0] <= found[-1] < n_columns:
        raise ValueError(f"categorical_features={found}; X has {n_columns} columns")
    return found


def _holds_categories(column: Any, name: Any) -> bool:
    """Return whether a column is categorical by its type, or holds text that is not numbers."""
    kind = str(column.dtype).lower()
    if kind.startswith("category"):
        return True
    if not kind.startswith(("object", "str")):
        return False
    values = pd.Series(np.asarray(column, dtype=object)).dropna().unique()
    texts = [value for value in values if isinstance(value, str) and not _is_number(value)]
    if texts and len(texts) < len(values):
        number = next(value for value in values if value not in texts)
        raise ValueError(
            f"column {name!r} mixes numbers and text, as {number!r} and {texts[0]!r}; make it "
            "numbers with pd.to_numeric(..., errors='coerce'), or a category with "
            ".astype(str).astype('category')"
        )
    return bool(texts)


def _refuse_text_of_array(X: Any) -> None:
    """Refuse an array with text: its columns have no types that say which are categories."""
    if not (isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "OU"):
        return
    for j, column in enumerate(X.T):
        text = next((v for v in column if isinstance(v, str) and not _is_number(v)), None)
        if text is not None:
            raise ValueError(
                f"column {j} of the array holds text, as {str(text)!r}; list it in "
                f"categorical_features=[{j}], or give a frame, whose columns of text are categories"
            )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def find_categories(X: Any, columns: Sequence[Any] | str | None) -> dict[int, list[Any]]:
    """Return the categories of each categorical column, None last where values are missing."""
    refuse_lazy(X)
    X = as_frame(X)
    found = {}
    names = list(getattr(X, "columns", []))
    for j in _positions(X, columns):
        name = names[j] if names else j
        column = pd.Series(np.asarray(_column(X, j)))
        categories = sorted(column.dropna().unique().tolist(), key=_sort_key)
        if column.isna().any():
            categories.append(None)
        if len(categories) > MAX_BINS:
            raise ValueError(
                f"column {name!r} has {len(categories)} categories; at most {MAX_BINS} are "
                "possible: merge rare ones, or leave the column out"
            )
        found[j] = categories
    return found


def merge_categories(
    first: dict[int, list[Any]], second: dict[int, list[Any]]
) -> dict[int, list[Any]]:
    """Return the categories of the rows of both, as `find_categories` would find them."""
    merged = {}
    for j in sorted({*first, *second}):
        found = {*first.get(j, ()), *second.get(j, ())}
        if len(found) > MAX_BINS:
            raise ValueError(
                f"column {j} has {len(found)} categories or more; at most {MAX_BINS} are possible: "
                "merge rare ones, or leave the column out"
            )
        merged[j] = sorted(found - {None}, key=_sort_key) + [None] * (None in found)
    return merged


def _sort_key(category: Any) -> tuple[str, Any]:
    return (
        ("", category) if isinstance(category, int | float) else (type(category).__name__, category)
    )


def encode_categories(X: Any, categories: dict[int, list[Any]]) -> Any:
    """Replace the categories of ``X`` by their numbers; unknown ones become missing values."""
    if not categories:
        return X
    X = as_frame(X)
    if hasattr(X, "columns"):
        # Columns of pandas keep their types: scikit-learn knows the missing values of each.
        frame = X.copy(deep=False)
        for j, known in categories.items():
            frame.isetitem(j, _codes(_column(X, j), known))
        return frame
    encoded = np.array(X, dtype=object)
    for j, known in categories.items():
        encoded[:, j] = _codes(encoded[:, j], known)
    return encoded.astype(np.float64)


def _codes(column: Any, known: list[Any]) -> NDArray[np.float64]:
    values = pd.Series(np.asarray(column, dtype=object))
    number = {category: float(code) for code, category in enumerate(known)}
    codes = values.map(number).to_numpy(dtype=np.float64, copy=True)
    if None in number:
        codes[values.isna().to_numpy()] = number[None]
    return codes
