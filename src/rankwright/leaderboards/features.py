"""Strengths that are made of the items' features."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from rankwright.data import as_frame
from rankwright.leaderboards.outcomes import FloatArray
from rankwright.leaderboards.units import units_of

__all__ = ["Features", "feature_basis", "read_features"]

CONSTANT = 1e-13  # share of the largest entry: smaller differences are rounding errors


@dataclass(frozen=True, eq=False)
class Features:
    """What is known of items.

    Attributes
    ----------
    values : (items, features) array
        Differences from the feature's mean, as multiples of its unit.
    names : list of str
    units : (features,) array
    """

    values: FloatArray
    names: list[str]
    units: FloatArray


def read_features(table: Any, items: list[Hashable]) -> Features:
    """Read the features of the items, each in a unit in which it is of the others' size."""
    frame = pd.DataFrame(as_frame(table))
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
    names = [str(name) for name in frame.columns]
    scaled = values / (scales := units_of(values))
    centred = scaled - scaled.mean(axis=0)
    constant = np.abs(centred).max(axis=0) <= CONSTANT
    if constant.any():
        name = names[int(constant.argmax())]
        raise ValueError(f"item_features has the same number for all items in {name!r}; remove it")
    units = units_of(centred)
    if np.linalg.matrix_rank(centred / units) < len(names):
        raise ValueError("an item feature follows from the others; leave it out of item_features")
    return Features(centred / units, names, units * scales)


def feature_basis(features: FloatArray, n_extra: int) -> FloatArray:
    """Return what coordinates mean for parameters: strengths are features times coefficients."""
    n_items, n_features = features.shape
    basis = np.zeros((n_items + n_extra, n_features + n_extra))
    basis[:n_items, :n_features] = features
    basis[n_items:, n_features:] = np.eye(n_extra)
    return basis
