"""Strengths that are made of the items' features."""

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd

from rankwright.leaderboards.outcomes import FloatArray

__all__ = ["feature_basis", "read_features"]


def read_features(table: Any, items: list[Hashable]) -> tuple[FloatArray, list[str]]:
    """Return the features of the items, each with mean 0, and their names."""
    frame = table if isinstance(table, pd.DataFrame) else pd.DataFrame(table)
    if missing := [item for item in items if item not in frame.index]:
        raise ValueError(
            f"item_features has no row for {missing[0]!r}; its index (the first column of "
            "--features) names the items, one row each"
        )
    if frame.index.has_duplicates:
        twice = frame.index[frame.index.duplicated()][0]
        raise ValueError(f"item_features has several rows for {twice!r}; keep one")
    try:
        values = frame.loc[items].to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise ValueError("item_features holds texts; turn categories into 0 and 1") from error
    if not np.isfinite(values).all():
        place = int(np.argmax(~np.isfinite(values).all(axis=1)))
        raise ValueError(f"item_features has a gap at {items[place]!r}; fill it or leave it out")
    values = values - values.mean(axis=0)
    if np.linalg.matrix_rank(values) < values.shape[1]:
        raise ValueError(
            "item_features has a constant column, or one that follows from the others; leave it out"
        )
    return values, [str(name) for name in frame.columns]


def feature_basis(features: FloatArray, n_extra: int) -> FloatArray:
    """Return what coordinates mean for parameters: strengths are features times coefficients."""
    n_items, n_features = features.shape
    basis = np.zeros((n_items + n_extra, n_features + n_extra))
    basis[:n_items, :n_features] = features
    basis[n_items:, n_features:] = np.eye(n_extra)
    return basis
