"""What a formula does with products, however it was found: it adds up weighted terms."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from rankwright.base import RankerMixin, validate_features
from rankwright.explanation import weighted_difference
from rankwright.metrics import mean_over_groups, somers_d
from rankwright.reverse.values import ValueFunctions

__all__ = ["WeightedSum", "places_kept"]

Floats = NDArray[np.float64]
SCORE_DIGITS = 12  # scores are sums of decimals: past this, digits are noise that would break ties


class WeightedSum(RankerMixin, BaseEstimator):
    """A ranker whose terms are factors or pieces of factors; its ``fit`` sets the attributes.

    Attributes
    ----------
    weights_ : (d,) float64
        One for each term.
    intercept_ : float
    score_places_ : int
        The decimal places that scores are rounded to, so that sums of decimals can tie.
    value_functions_ : ValueFunctions or None
        The pieces that the terms are, None if they are the factors.
    medians_ : float64
        What stands for a missing factor, where ``missing="impute"``; the most frequent of levels.
    """

    missing: str
    weights_: Floats
    intercept_: float
    score_places_: int
    value_functions_: ValueFunctions | None
    medians_: Floats

    def predict(self, X: Any) -> Floats:
        """Return the scores of products; larger is better.

        Parameters
        ----------
        X : (n, d) frame or array

        Returns
        -------
        (n,) float64
        """
        with np.errstate(over="ignore", invalid="ignore"):
            sums = (self._terms(X) * self.weights_).sum(axis=1) + self.intercept_
            rounded = np.round(sums, self.score_places_)
        if not np.isfinite(sums).all():
            rows = np.flatnonzero(~np.isfinite(sums))
            raise ValueError(
                f"the scores of rows {rows[:5].tolist()} are beyond floating point; give X in the "
                "units that the formula was fitted to"
            )
        # Rounding multiplies first: very large scores have no such digits anyway.
        return np.asarray(np.where(np.isfinite(rounded), rounded, sums))

    def score(
        self,
        X: Any,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Return Somers' D between ``y`` and the scores of ``X``, the mean over groups.

        Of the pairs that ``y`` orders, the share ordered alike minus the share ordered otherwise:
        1 where every published order is reproduced, also when products share a rank or a band.

        Parameters
        ----------
        X : (n, d) frame or array
        y : (n,) array
            Larger is better.
        groups : (n,) array, optional
        sample_weight : (n,) array, optional
            Weights of the products: a pair counts the product of its two weights.

        Returns
        -------
        float
            Between -1 and 1.
        """
        return mean_over_groups(somers_d, y, self.predict(X), groups, sample_weight=sample_weight)

    @property
    def _factor_names(self) -> list[str]:
        unnamed = [f"x{j}" for j in range(self.n_features_in_)]
        return [str(name) for name in getattr(self, "feature_names_in_", unnamed)]

    def _terms(self, X: Any) -> Floats:
        """Return what the weights are multiplied by, with medians for factors that are missing."""
        check_is_fitted(self)
        finite = True if self.missing == "refuse" else "allow-nan"
        X = validate_features(self, X, dtype=np.float64, reset=False, ensure_all_finite=finite)
        factors = np.where(np.isnan(X), self.medians_, X)
        functions = self.value_functions_
        return factors if functions is None else functions.expand(factors)

    def _contributions(self, rows: Any) -> Floats:
        by_term = weighted_difference(self.weights_, self._terms(rows))
        functions = self.value_functions_
        return by_term if functions is None else functions.add_up(by_term)


def places_kept(terms: Floats, weights: Floats) -> int:
    """Return the decimal places that the scores of these rows have digits for."""
    largest = float(np.abs(terms * weights).sum(axis=1).max())
    return SCORE_DIGITS - int(np.ceil(np.log10(max(largest, 1e-9))))
