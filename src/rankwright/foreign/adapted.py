"""A model of another package under the contract of rankers."""

from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix, issparse
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.utils import Tags, check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted

from rankwright.base import (
    RankerMixin,
    as_graded,
    as_rows,
    check_array,
    check_pairs,
    finite_or_nan,
    is_cheap_to_score,
    require,
    validate_features,
)
from rankwright.base.parameters import ESTIMATOR, NONE, SEED, Rule, number, whole_number
from rankwright.data import as_frame
from rankwright.foreign.dialects import dialect_of
from rankwright.foreign.held_out import hold_out

__all__ = ["AdaptedRanker", "adapt"]

MOST_TRIED = 100_000  # features: a file of a few bytes can name any number of them


def adapt(
    model: Any,
    *,
    early_stopping: int | None = None,
    validation_fraction: float = 0.1,
    random_state: int | np.random.RandomState | None = None,
) -> "AdaptedRanker":
    """Return a model of another package as a ranker of this one.

    Parameters
    ----------
    model : LGBMRanker, XGBRanker, CatBoostRanker, or a scikit-learn regressor or classifier
        Unfitted, with its parameters.
    early_stopping, validation_fraction, random_state
        As in :class:`AdaptedRanker`.

    Returns
    -------
    AdaptedRanker

    Examples
    --------
    >>> import rankwright as rw
    >>> from sklearn.ensemble import HistGradientBoostingRegressor
    >>> hotels = rw.datasets.make_hotels(random_state=0)
    >>> ranker = rw.adapt(HistGradientBoostingRegressor(random_state=0))
    >>> positions = ranker.fit(hotels.X, hotels.y, hotels.groups).rank(hotels.X, hotels.groups)
    >>> float(positions.min())
    1.0
    """
    return AdaptedRanker(
        model,
        early_stopping=early_stopping,
        validation_fraction=validation_fraction,
        random_state=random_state,
    )


class AdaptedRanker(RankerMixin, BaseEstimator):
    """A model of another package under the contract of rankers.

    ``groups`` are one id for each row, in any order, whatever the package itself wants (sizes of
    sorted groups, sorted ids, pools); they are handed on in pipelines and searches. ``y`` is any
    number, larger is better: for LightGBM and XGBoost, which take grades from 0 to 30, other values
    become up to 31 grades in their order, with linear gains unless the model has gains of its
    own. A regressor learns ``y`` less the mean of its group. A classifier's score is the
    probability of the larger of two labels, and of more labels the expected one.

    Parameters
    ----------
    model : LGBMRanker, XGBRanker, CatBoostRanker, or a scikit-learn regressor or classifier
        Unfitted; it is cloned.
    early_stopping : int, optional
        Stop when the model has not got better for so many rounds on groups that are held out. For
        the three boosted rankers.
    validation_fraction : float
        The share of groups to hold out for early stopping.
    random_state : int, RandomState or None
        Draws the groups that are held out.

    Attributes
    ----------
    model_ : fitted model
        The fitted clone.
    levels_ : (n_levels,) float64
        The labels in ascending order, which a classifier learned by their numbers. Only with one.
    n_features_in_ : int
    feature_names_in_ : (n_features_in_,) array of str
        Only when ``X`` has column names.

    Examples
    --------
    >>> import rankwright as rw
    >>> from sklearn.linear_model import Ridge
    >>> X = [[1.0, 8.0], [2.0, 5.0], [3.0, 9.0], [1.0, 2.0], [4.0, 3.0]]
    >>> y, groups = [2, 1, 3, 1, 2], ["a", "a", "a", "b", "b"]
    >>> rw.AdaptedRanker(Ridge()).fit(X, y, groups).rank(X, groups)
    array([2., 3., 1., 2., 1.])
    """

    _parameter_rules: ClassVar[dict[str, Rule]] = {
        "model": ESTIMATOR,
        "early_stopping": whole_number(1) | NONE,
        "validation_fraction": number(above=0, most=0.9),
        "random_state": SEED,
    }

    def __init__(
        self,
        model: Any,
        *,
        early_stopping: int | None = None,
        validation_fraction: float = 0.1,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.model = model
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any = None,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Fit the model.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix, or Rankings
            A frame of pandas reaches the model as it is, with its categories; one of polars and an
            Arrow table do as frames of pandas.
        y : (n,) array
            Larger is better.
        groups : (n,) array, optional
            Group id of each row.
        sample_weight : (n,) array, optional
            For models that take weights; XGBoost weighs groups, by the mean of their rows.

        Returns
        -------
        self
        """
        self._check_parameters()
        fit_model = dialect_of(self.model)
        X, y, groups = as_graded(X, y, groups)
        X = as_frame(X)
        rows = as_rows(self, X, y, groups, sample_weight=sample_weight, **self._checks(X))
        rows = replace(rows, X=_as_matrix(rows.X))
        check_pairs(rows)
        held_out = None
        if self.early_stopping is not None:
            rng = check_random_state(self.random_state)
            rows, held_out = hold_out(rows, self.validation_fraction, self.early_stopping, rng)
        model = fit_model(clone(self.model), rows, held_out)
        self._forget_fit()
        self.model_ = model
        if is_classifier(model):
            self.levels_ = np.unique(rows.y)
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the scores of rows; larger is better.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix

        Returns
        -------
        (n,) float64
        """
        check_is_fitted(self)
        X = as_frame(X)
        X = _as_matrix(validate_features(self, X, reset=False, **self._checks(X)))
        scores = self._class_scores(X) if is_classifier(self.model) else self.model_.predict(X)
        return np.asarray(scores, dtype=np.float64)

    def _class_scores(self, X: Any) -> Any:
        if hasattr(self.model_, "predict_proba"):
            chances = self.model_.predict_proba(X)
            return chances[:, -1] if chances.shape[1] == 2 else chances @ self.levels_
        if len(self.levels_) == 2 and hasattr(self.model_, "decision_function"):
            return self.model_.decision_function(X)
        return self.levels_[self.model_.predict(X)]

    def _checks(self, X: Any) -> dict[str, Any]:
        """Return how to validate X: a frame is for the model to read."""
        if isinstance(X, pd.DataFrame):
            return {"skip_check_array": True}
        return {
            "accept_sparse": "csr",
            "accept_large_sparse": False,  # CatBoost knows no indices of 64 bits
            "dtype": np.float64,
            "ensure_all_finite": finite_or_nan(self),
        }

    def _check_arrays(self) -> None:
        super()._check_arrays()
        if hasattr(self, "levels_"):
            check_array(self, "levels_", (None,))
        if (
            is_cheap_to_score(getattr(self, "model_", None))
            and not hasattr(self, "feature_names_in_")
            and self.n_features_in_ <= MOST_TRIED
        ):
            # Parts of a model that do not fit together fail here, not when it is needed.
            scores = self.predict(np.zeros((1, self.n_features_in_)))
            require(scores.shape == (1,), self, "its model does not score rows")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.model).input_tags
        tags.input_tags.allow_nan, tags.input_tags.sparse = inner.allow_nan, inner.sparse
        return tags


def _as_matrix(X: Any) -> Any:
    """Return a sparse array as a sparse matrix: not every package knows the former."""
    return csr_matrix(X) if issparse(X) else X  # type: ignore[call-overload]
