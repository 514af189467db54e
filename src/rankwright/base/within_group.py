"""Ranks within the group as further features."""

from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from rankwright.base.validation import validate_features
from rankwright.data import group_rows

__all__ = ["WithinGroupRanks"]


class WithinGroupRanks(TransformerMixin, BaseEstimator):
    """Add to each feature its rank within the group: how a row compares with its own list.

    The cheapest hotel of an expensive city is no cheap hotel, but it is the cheapest there. A rank
    is (position - 1/2) / (number of rows with a value), between 0 and 1, ties share the mean, and a
    missing value has none. The score of a ranker on these features depends on the whole list that a
    row is in: give whole lists to ``transform``, with their groups.

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : (n_features_in_,) array of str
        Only when ``X`` has column names.

    Examples
    --------
    >>> import rankwright as rw
    >>> X = [[30.0], [20.0], [90.0], [80.0]]
    >>> rw.WithinGroupRanks().fit_transform(X, groups=["a", "a", "b", "b"])
    array([[30.  ,  0.75],
           [20.  ,  0.25],
           [90.  ,  0.75],
           [80.  ,  0.25]])
    """

    # With metadata routing enabled, pipelines hand groups on without being asked to.
    __metadata_request__fit: ClassVar[dict[str, bool]] = {"groups": True}
    __metadata_request__transform: ClassVar[dict[str, bool]] = {"groups": True}

    def fit(self, X: Any, y: Any = None, groups: ArrayLike | None = None) -> Self:
        """Learn the names of the features, and nothing else.

        Parameters
        ----------
        X : (n, d) frame or array
        y, groups
            Not needed.

        Returns
        -------
        self
        """
        validate_features(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        return self

    def transform(self, X: Any, groups: ArrayLike | None = None) -> NDArray[np.float64]:
        """Return the features, and behind them their ranks.

        Parameters
        ----------
        X : (n, d) frame or array
            Whole lists.
        groups : (n,) array, optional
            Group id of each row; without it all rows are one group.

        Returns
        -------
        (n, 2 d) float64
        """
        check_is_fitted(self)
        values = validate_features(
            self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False
        )
        grouping = group_rows(groups, len(values))
        lists = pd.DataFrame(grouping.sort(values)).groupby(grouping.group_of_row)
        ranks = (lists.rank() - 0.5) / lists.transform("count")
        return np.hstack([values, grouping.unsort(ranks.to_numpy())])

    def fit_transform(
        self, X: Any, y: Any = None, groups: ArrayLike | None = None
    ) -> NDArray[np.float64]:
        """Return the features and their ranks; see ``transform``."""
        return self.fit(X, y).transform(X, groups)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[Any]:
        """Return the names of the features, and of their ranks.

        Parameters
        ----------
        input_features : list of str, optional
            Names of the columns, where the fit saw none.

        Returns
        -------
        (2 d,) array of str
        """
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        return np.array([*names, *(f"{name} within group" for name in names)], dtype=object)

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
