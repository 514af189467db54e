"""Expected rank regression (ERR), the pointwise approach of Melnikov et al. (2016)."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.linear_model import LinearRegression
from sklearn.utils import Tags, get_tags
from sklearn.utils.validation import check_is_fitted

from rankwright.base import (
    RankerMixin,
    as_rows,
    check_features,
    check_scores,
    finite_or_nan,
    validate_features,
)
from rankwright.base.parameters import ESTIMATOR, NONE, Rule
from rankwright.data import Rows, row_weights
from rankwright.data.float_range import check_row_counts
from rankwright.explanation import weighted_difference
from rankwright.linear.targets import expected_rank_target, least_squares, regress
from rankwright.linear.triangle import regress_triangle, triangle_of
from rankwright.linear.weighted_sums import weighted_sums

__all__ = ["ExpectedRankRegressor"]


class ExpectedRankRegressor(RankerMixin, BaseEstimator):
    """Rank by regression on the expected rank of each item.

    The item at position r of a ranking of n items gets the target 1 - r/(n + 1), whatever the
    ranking; a regressor learns it from the features. Fast and simple, and a good choice when the
    rankings are long random samples of all items; biased when they are not, for example when only
    the best items are ever ranked (then use ``PairwiseRanker``).

    Parameters
    ----------
    regressor : scikit-learn regressor, optional
        Ordinary least squares by default.

    Attributes
    ----------
    regressor_ : fitted regressor
        Fitted to the rescaled ranks.
    n_features_in_ : int
    feature_names_in_ : (n_features_in_,) array of str
        Only when ``X`` has column names.

    Examples
    --------
    >>> import rankwright as rw
    >>> X = [[1.0, 8.0], [2.0, 5.0], [3.0, 9.0], [1.0, 2.0], [1.0, 3.0]]
    >>> y = [2, 1, 3, 1, 2]
    >>> groups = ["a", "a", "a", "b", "b"]
    >>> ranker = rw.ExpectedRankRegressor().fit(X, y, groups)
    >>> ranker.rank(X, groups)
    array([2., 3., 1., 2., 1.])
    >>> ranker.score(X, y, groups)
    1.0
    """

    _parameter_rules: ClassVar[dict[str, Rule]] = {"regressor": ESTIMATOR | NONE}

    def __init__(self, regressor: RegressorMixin | None = None) -> None:
        self.regressor = regressor

    def fit(
        self,
        X: Any,
        y: Any = None,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from rows with grades, or from rankings.

        Parameters
        ----------
        X : (n, d) frame or array, or Rankings
        y : (n,) array
            Larger is better; only the order inside a group matters.
        groups : (n,) array, optional
            Group id of each row.
        sample_weight : (n,) array, optional
            Weights of the rows, for regressors that take them: a row of weight w counts as w rows.

        Returns
        -------
        self
        """
        self._check_parameters()
        regressor = least_squares() if self.regressor is None else clone(self.regressor)
        rows = as_rows(
            self, X, y, groups, sample_weight=sample_weight, ensure_all_finite=finite_or_nan(self)
        )
        check_features(self, rows.X)
        check_row_counts("sample_weight", row_weights(rows), np.inf)
        self._keep(regress(regressor, rows, expected_rank_target(rows), rows.weights))
        return self

    def _triangle(self, rows: Rows) -> NDArray[np.float64]:
        """Return all that least squares sees of rows of whole groups."""
        check_features(self, rows.X)
        return triangle_of(rows.X, expected_rank_target(rows), rows.weights)

    def _fit_triangle(self, triangle: NDArray[np.float64]) -> None:
        """Learn from the triangle of all rows."""
        self._keep(regress_triangle(least_squares(), triangle))

    def _keep(self, regressor: Any) -> None:
        self._forget_fit()
        self.regressor_ = regressor

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return scores: the expected rank as a fraction, 1 is best.

        Parameters
        ----------
        X : (n, d) frame or array

        Returns
        -------
        (n,) float64
        """
        check_is_fitted(self)
        X = validate_features(
            self, X, dtype=np.float64, reset=False, ensure_all_finite=finite_or_nan(self)
        )
        with np.errstate(over="ignore", invalid="ignore"):
            if isinstance(self.regressor_, LinearRegression):
                scores = weighted_sums(X, self.regressor_.coef_) + self.regressor_.intercept_
            else:
                scores = np.asarray(self.regressor_.predict(X), dtype=np.float64)
        return check_scores(self, scores, X)

    def _contributions(self, rows: Any) -> NDArray[np.float64] | None:
        if not isinstance(self.regressor_, LinearRegression):
            return None
        X = validate_features(self, rows, dtype=np.float64, reset=False)
        return weighted_difference(self.regressor_.coef_, X)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if self.regressor is not None:
            tags.input_tags.allow_nan = get_tags(self.regressor).input_tags.allow_nan
        return tags
