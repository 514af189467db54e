"""Least squares on scores or ranks (Chang et al. 2012, section 6.1)."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator

from rankwright.base import as_rows, check_features, check_grades
from rankwright.base.parameters import FLAG, WEIGHTS_BY_NAME, Rule, one_of
from rankwright.data import Rows, row_weights
from rankwright.linear.categories import CategoryWeights, category_of_group, category_weights
from rankwright.linear.linear_ranker import LinearRankerMixin
from rankwright.linear.targets import TARGETS, Standing, least_squares, regress
from rankwright.linear.triangle import regress_triangle, triangle_of

__all__ = ["LeastSquaresRanker"]


class LeastSquaresRanker(LinearRankerMixin, BaseEstimator):
    """Learn a linear score by least squares on scores or ranks.

    LS1, LS2 and LS3 of Chang et al. (2012). Minimises the sum over categories of C/N times the
    squared errors of its N rows, with an intercept.

    Parameters
    ----------
    target : {"score", "rank", "group_rank"}
        What is fitted: y itself (LS1); the number of rows with a smaller y in any group whose
        category has a positive weight (LS2); the number in the same group (LS3).
    category_weights : dict, optional
        Weight C of each category, 1 where none is given.
    nonnegative : bool
        Keep all coefficients at zero or above.

    Attributes
    ----------
    coef_ : (n_features_in_,) float64
        The weight of each feature.
    intercept_ : float
        Of the regression; the scores leave it out.
    n_features_in_ : int
    feature_names_in_ : (n_features_in_,) array of str
        Only when ``X`` has column names.

    Examples
    --------
    >>> import rankwright as rw
    >>> X = [[1.0, 8.0], [2.0, 5.0], [3.0, 9.0], [1.0, 2.0], [4.0, 3.0]]
    >>> y = [20, 14, 30, 10, 18]
    >>> groups = ["a", "a", "a", "b", "b"]
    >>> rw.LeastSquaresRanker("group_rank").fit(X, y, groups).rank(X, groups)
    array([2., 3., 1., 2., 1.])
    """

    __metadata_request__fit = {"groups": True, "categories": True}  # noqa: RUF012
    _parameter_rules: ClassVar[dict[str, Rule]] = {
        "target": one_of(TARGETS),
        "category_weights": WEIGHTS_BY_NAME,
        "nonnegative": FLAG,
    }

    def __init__(
        self,
        target: str = "score",
        *,
        category_weights: CategoryWeights | None = None,
        nonnegative: bool = False,
    ) -> None:
        self.target = target
        self.category_weights = category_weights
        self.nonnegative = nonnegative

    def fit(
        self,
        X: Any,
        y: Any = None,
        groups: ArrayLike | None = None,
        categories: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from rows with scores, or from rankings.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix, or Rankings
        y : (n,) array
            Larger is better.
        groups : (n,) array, optional
            Group id of each row.
        categories : (n,) array, optional
            Category of each row; all rows of a group share it.
        sample_weight : (n,) array, optional
            Weights of the rows: a row of weight w counts as w equal rows.

        Returns
        -------
        self
        """
        self._check_parameters()
        rows = as_rows(self, X, y, groups, sample_weight=sample_weight, accept_sparse="csr")
        self._check_sizes(rows)
        names, of_group = category_of_group(categories, rows)
        category = of_group[rows.group_of_row]
        weights = category_weights(names, self.category_weights)
        target = TARGETS[self.target](rows, weights[category] > 0)
        regressor = least_squares(positive=self.nonnegative)
        counts = row_weights(rows)
        sizes = np.bincount(category, counts, minlength=len(names))
        shares = np.divide(weights, sizes, out=np.zeros_like(weights), where=sizes > 0)
        regress(regressor, rows, target, shares[category] * counts)
        self._keep(regressor)
        return self

    def _triangle(self, rows: Rows, standing: Standing | None = None) -> NDArray[np.float64]:
        """Return all that least squares sees of these rows; LS2 takes the standing among all."""
        self._check_sizes(rows)
        everything = np.ones(rows.y.size, dtype=bool)
        target = (
            TARGETS[self.target](rows, everything) if standing is None else standing.below(rows.y)
        )
        return triangle_of(rows.X, target, rows.weights)

    def _fit_triangle(self, triangle: NDArray[np.float64]) -> None:
        """Learn from the triangle of all rows, which are one category."""
        category_weights(np.array(["all"], dtype=object), self.category_weights)
        self._keep(regress_triangle(least_squares(positive=self.nonnegative), triangle))

    def _keep(self, regressor: Any) -> None:
        self._forget_fit()
        self.coef_: NDArray[np.float64] = np.asarray(regressor.coef_, dtype=np.float64)
        self.intercept_ = float(regressor.intercept_)

    def _check_sizes(self, rows: Rows) -> None:
        check_features(self, rows.X)
        if self.target == "score":
            check_grades(rows.y)
