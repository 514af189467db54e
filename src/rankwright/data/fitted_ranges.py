"""Factors that a model meets in another unit than it was fitted in, judged by their ranges."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

__all__ = ["other_units"]

MOST = 0.5  # the share of the rows: single odd ones have other reasons


def other_units(X: pd.DataFrame, ranges: NDArray[np.float64] | None) -> list[str]:
    """Name the factors most of whose values lie far outside what a model was fitted on.

    Far is by more than the fitted range, in differences or, where all is positive, in ratios: so
    are kilograms told from grams. ``ranges`` has the least and the largest value of each factor in
    rows, None where the model does not know.
    """
    if ranges is None:
        return []
    return [
        f"{name!r} runs from {known.min():.6g} to {known.max():.6g} here, from {low:.6g} to "
        f"{high:.6g} where the model was fitted: another unit?"
        for (name, column), (low, high) in zip(X.items(), ranges.tolist(), strict=True)
        if len(known := column.dropna().to_numpy()) and _is_far(known, low, high).mean() > MOST
    ]


def _is_far(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.bool_]:
    if low == high:  # of a factor that never varied nothing is known
        return np.zeros(len(values), dtype=bool)
    least = low * (low / high) if low > 0 else -np.inf
    range_ = high - low
    is_small = (values > 0) & (values < least)
    return (values > high + range_) | (values < low - range_) | is_small
