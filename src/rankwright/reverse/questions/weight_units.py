"""A formula's weights in the units that readers know."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.reverse.problem import Rating

__all__ = ["chosen_unit", "in_percent", "shown_sizes", "shown_unit", "unit_sizes", "weight_table"]

Floats = NDArray[np.float64]
ALIKE = 2.0  # times the smallest of the factors' largest values: more is another scale


def unit_sizes(X: Floats) -> dict[str, Floats]:
    """Return by unit what a weight is multiplied by before all are made to sum to 100."""
    return {
        "percent": np.ones(X.shape[1]),
        "deviation": X.std(axis=0),
        "share": np.ptp(X, axis=0),
    }


def in_percent(weights: Floats, sizes: Floats) -> Floats:
    """Return weights times sizes, in percent of the sum of their absolute values."""
    products = weights * sizes
    total = np.abs(products).sum()
    percent: Floats = 100 * products / (total if total > 0 else 1.0)
    return percent


def chosen_unit(X: Floats) -> str:
    """Return the unit to show first: plain percents if factors share a scale, else shares.

    They share one if none is negative and their largest values are alike: ten points on a scale of
    0 to 100 mean the same for all, whatever the range that the products happen to cover.

    Examples
    --------
    >>> chosen_unit(np.array([[90.0, 55.0], [20.0, 100.0]]))
    'percent'
    >>> chosen_unit(np.array([[90.0, 1500.0], [20.0, 800.0]]))
    'share'
    """
    largest = np.abs(X).max(axis=0)
    shared = bool((X >= 0).all() and largest.max() <= ALIKE * largest.min())
    return "percent" if shared else "share"


def shown_unit(rating: Rating) -> str:
    """Return the unit to show first; of pieces shares, since each piece has a range of its own."""
    return "share" if rating.piece_of else chosen_unit(rating.X)


def shown_sizes(rating: Rating) -> Floats:
    """Return what weights are multiplied by in the unit that is shown first."""
    return unit_sizes(rating.X)[shown_unit(rating)]


def weight_table(X: Floats, weights: Floats, names: list[Any]) -> pd.DataFrame:
    """Return the weight of each factor in every unit, signed, in the order of the factors."""
    columns = {unit: in_percent(weights, sizes) for unit, sizes in unit_sizes(X).items()}
    return pd.DataFrame({"weight": weights, **columns}, index=pd.Index(names, name="factor"))
