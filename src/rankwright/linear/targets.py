"""Regression on grades: rules that turn them into targets, larger is better, and the fit."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LinearRegression

from rankwright.data import Rows, places_as_shares, row_weights
from rankwright.data.levels import sort_levels

__all__ = [
    "Standing",
    "TARGETS",
    "expected_rank_target",
    "fit_in_units",
    "least_squares",
    "regress",
]

Floats = NDArray[np.float64]

# scikit-learn's default leaves out what is below a millionth of the largest singular value: shares
# beside a turnover in euros.
NEGLIGIBLE = 1e-13
FAR_APART = 1e6


def least_squares(*, positive: bool = False) -> LinearRegression:
    """Return a linear regression that does not mind the units of its features."""
    return LinearRegression(positive=positive, tol=NEGLIGIBLE)


def expected_rank_target(rows: Rows) -> Floats:
    """Return 1 - r/(n_j + 1) for the item at position r of a ranking of n_j items.

    Melnikov et al. (2016): when n_j of all items are drawn at random, r/(n_j + 1) is the expected
    place of the item among all, as a fraction. Tied items share the mean position, and an item of
    weight w counts as w items.
    """
    return 1.0 - places_as_shares(rows)


def score_target(rows: Rows, counted: NDArray[np.bool_]) -> Floats:
    """Return y itself (LS1 of Chang et al. 2012)."""
    return rows.y


@dataclass(frozen=True)
class Standing:
    """The distinct values of y, ascending, and the weight of the rows that have each."""

    values: Floats
    weights: Floats

    @classmethod
    def of(cls, y: Floats, weights: Floats) -> "Standing":
        """Find them."""
        values, place = np.unique(y, return_inverse=True)
        return cls(values, np.asarray(np.bincount(place, weights), dtype=np.float64))

    def merged(self, other: "Standing") -> "Standing":
        """Return those of the rows of both."""
        return Standing.of(np.r_[self.values, other.values], np.r_[self.weights, other.weights])

    def below(self, y: Floats) -> Floats:
        """Return the weight of the rows with a smaller value than each of these."""
        up_to = np.r_[0.0, np.cumsum(self.weights)]
        return np.asarray(up_to[np.searchsorted(self.values, y)])


def rank_target(rows: Rows, counted: NDArray[np.bool_]) -> Floats:
    """Return the weight of the rows, of those counted and of any group, with a smaller y (LS2)."""
    return Standing.of(rows.y[counted], row_weights(rows)[counted]).below(rows.y)


def group_rank_target(rows: Rows, counted: NDArray[np.bool_]) -> Floats:
    """Return the weight of the rows of the same group with a smaller y (LS3)."""
    levels = sort_levels(rows.y, rows.offsets)
    up_to = np.r_[0.0, np.cumsum(row_weights(rows)[levels.order])]
    first_of_group = rows.offsets[rows.group_of_row]
    target = np.empty(rows.y.size)
    target[levels.order] = up_to[levels.offsets[levels.of_row]] - up_to[first_of_group]
    return target


TARGETS = {"group_rank": group_rank_target, "rank": rank_target, "score": score_target}


def regress(regressor: Any, rows: Rows, target: Floats, weights: Floats | None) -> Any:
    """Fit a regressor to the target; weights only reach regressors when there are any."""
    given = {} if weights is None else {"sample_weight": weights}
    fit = fit_in_units if isinstance(regressor, LinearRegression) else type(regressor).fit
    return fit(regressor, rows.X, target, **given)


def fit_in_units(regressor: LinearRegression, X: Any, target: Floats, **given: Floats) -> Any:
    """Fit least squares; features whose sizes are far apart are counted in units of their own.

    Directions that are far smaller than the largest one are left out as rounding errors: beside
    nanoseconds since 1970 these would be all other features.
    """
    spread = np.ptp(X, axis=0) if isinstance(X, np.ndarray) else np.ones(X.shape[1])
    if spread.max() <= FAR_APART * spread.min(where=spread > 0, initial=np.inf):
        return regressor.fit(X, target, **given)
    units = 2.0 ** np.ceil(np.log2(np.where(spread > 0, spread, 1.0)))
    regressor.fit(X / units, target, **given)
    regressor.coef_ = regressor.coef_ / units
    return regressor
