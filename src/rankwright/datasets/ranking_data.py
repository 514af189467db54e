"""What every data set looks like, and the checks on the arguments that draw one."""

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

__all__ = ["GeneratedData", "RankingData"]


@dataclass(frozen=True, kw_only=True, eq=False)
class RankingData:
    """Hold a ranking problem: items, what they are ranked by, and who may be compared with whom.

    Attributes
    ----------
    X : DataFrame of shape (n_items, n_features)
        One row per item.
    y : ndarray of shape (n_items,)
        Larger is better; published ranks (1 = best) appear as their negatives.
    groups : ndarray of shape (n_items,) or None
        Items of different groups are never compared; None when all of them are one group.

    Examples
    --------
    >>> import rankwright as rw
    >>> data = rw.datasets.make_blocks()
    >>> rw.datasets.RankingData(X=data.X, y=data.y, groups=data.groups).X.columns.tolist()
    ['x1', 'x2']
    """

    X: pd.DataFrame
    y: NDArray[np.float64]
    groups: NDArray[Any] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class GeneratedData(RankingData):
    """Hold a generated ranking problem together with the scores that no ranker can beat.

    Attributes
    ----------
    optimal_scores : ndarray of shape (n_items,)
        What `y` was drawn from, before noise and rounding; larger is better.

    Examples
    --------
    >>> import rankwright as rw
    >>> from scipy.stats import kendalltau
    >>> data = rw.datasets.make_hotels(200, random_state=0)
    >>> bool(0.8 < kendalltau(data.optimal_scores, data.y).statistic < 1)
    True
    """

    optimal_scores: NDArray[np.float64]


def check_count(name: str, value: int, *, minimum: int, multiple_of: int = 1) -> int:
    """Return `value`, or say which counts `name` takes."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ValueError(f"{name}={value!r}; give a whole number")
    if value < minimum or value % multiple_of:
        multiple = f", a multiple of {multiple_of}" if multiple_of > 1 else ""
        raise ValueError(f"{name}={value!r}; give at least {minimum}{multiple}")
    return int(value)


def check_counts(name: str, values: int | tuple[int, ...], *, minimum: int) -> tuple[int, ...]:
    """Return one count per part; a single number stands for a single part."""
    parts = values if isinstance(values, tuple | list) else (values,)
    if not parts:
        raise ValueError(f"{name}={values!r}; give at least one count")
    return tuple(check_count(name, part, minimum=minimum) for part in parts)


def check_not_negative(name: str, value: float) -> float:
    """Return `value`, or say that `name` can't be negative."""
    if not np.isfinite(value) or value < 0:
        raise ValueError(f"{name}={value!r}; give a finite number that is 0 or larger")
    return float(value)
