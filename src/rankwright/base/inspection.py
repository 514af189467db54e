"""Rankers for scikit-learn's inspection tools, which take only regressors and classifiers."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from rankwright.explanation import scores_of

__all__ = ["ScoreRegressor"]


class ScoreRegressor(RegressorMixin, BaseEstimator):
    """Show a fitted ranker as a regressor of its scores.

    For ``sklearn.inspection.partial_dependence`` and ``PartialDependenceDisplay``, which refuse an
    estimator that is neither a regressor nor a classifier. ``fit`` fits nothing.

    Parameters
    ----------
    ranker : fitted ranker
        Whose scores are handed on.

    Examples
    --------
    >>> import rankwright as rw
    >>> from sklearn.inspection import partial_dependence
    >>> X = [[1.0, 5.0], [2.0, 7.0], [3.0, 6.0], [4.0, 8.0]]
    >>> ranker = rw.ExpectedRankRegressor().fit(X, [1, 2, 3, 4])
    >>> found = partial_dependence(rw.ScoreRegressor(ranker), X, features=[0], kind="average")
    >>> found["average"].shape
    (1, 4)
    """

    def __init__(self, ranker: Any) -> None:
        self.ranker = ranker

    def fit(self, X: Any = None, y: Any = None) -> Self:
        """Do nothing: the ranker is fitted.

        Returns
        -------
        self
        """
        check_is_fitted(self.ranker)
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the ranker's scores.

        Parameters
        ----------
        X : (n, d) frame or array

        Returns
        -------
        (n,) float64
        """
        return scores_of(self.ranker, X)

    def __sklearn_is_fitted__(self) -> bool:
        check_is_fitted(self.ranker)
        return True
