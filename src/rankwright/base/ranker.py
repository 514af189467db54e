"""What every ranker has beside ``fit`` and ``predict``."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import Tags

from rankwright.base.fitted import check_array, require
from rankwright.base.lost_groups import warn_of_lost_groups
from rankwright.base.parameters import Rule, check_parameters
from rankwright.data import positions
from rankwright.explanation import Explanation, scores_of, why_above
from rankwright.metrics import kendall_tau, mean_over_groups

__all__ = ["RankerMixin"]

VALIDATED = {"feature_names_in_", "n_features_in_"}  # set anew with every X


class RankerMixin:
    """Give a ranker ``rank``, ``score``, ``explain`` and the routing of ``groups``.

    A ranker implements ``fit(X, y, groups=None)`` and ``predict(X)``, which returns scores: larger
    is better, and a row's score never depends on the other rows. An ordinal ranker, whose
    ``predict`` returns a label, has its scores in ``decision_function``.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.base import BaseEstimator
    >>> from rankwright.base import RankerMixin
    >>> class Cheapest(RankerMixin, BaseEstimator):
    ...     def fit(self, X, y=None, groups=None):
    ...         return self
    ...
    ...     def predict(self, X):
    ...         return -np.asarray(X)[:, 0]
    >>> Cheapest().fit(None).rank([[30.0], [20.0], [25.0]])
    array([3., 1., 2.])
    """

    # With metadata routing enabled, searches and pipelines hand groups on without being asked to.
    # A ranker that takes none says {"groups": False}.
    __metadata_request__fit: ClassVar[dict[str, bool]] = {"groups": True}
    __metadata_request__score: ClassVar[dict[str, bool]] = {"groups": True}

    # A rule for each parameter of ``__init__``; ``fit`` calls ``_check_parameters`` first.
    _parameter_rules: ClassVar[Mapping[str, Rule]] = {}

    def rank(self, X: Any, groups: ArrayLike | None = None) -> NDArray[np.float64]:
        """Return the position of each row in its group: 1 is best, ties share the mean position.

        Parameters
        ----------
        X : (n, d) frame or array
        groups : (n,) array, optional
            Group id of each row; without it all rows are one group.

        Returns
        -------
        (n,) float64
        """
        return positions(scores_of(self, X), groups)

    def score(
        self,
        X: Any,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Return the mean Kendall tau-b over groups between ``y`` and the scores of ``X``.

        Groups in which all ``y`` are equal have no order to find and are left out; where no group
        is left, the score is undefined: an error. A constant score on a group that has an order
        counts as 0.

        Parameters
        ----------
        X : (n, d) frame or array
        y : (n,) array
            Larger is better.
        groups : (n,) array, optional
            Rows of different groups are not compared.
        sample_weight : (n,) array, optional
            Weights of the items: a pair counts the product of its two weights.

        Returns
        -------
        float
            Between -1 and 1.
        """
        return mean_over_groups(
            kendall_tau, y, scores_of(self, X), groups, sample_weight=sample_weight
        )

    def explain(
        self, item: Any, other: Any, *, n_orders: int = 100, random_state: int = 0
    ) -> Explanation:
        """Say what each feature contributes to the difference of two items' scores.

        Parameters
        ----------
        item, other : one row each
            As in :func:`rankwright.why_above`: a Series or a frame of one row, whose index names
            the item, a mapping, or values in the order of the features.
        n_orders, random_state : int
            As in :func:`rankwright.why_above`, for models whose exact contributions are out of
            reach.

        Returns
        -------
        Explanation
            Contributions, the largest first; they add up to the difference of the scores.
        """
        return why_above(self, item, other, n_orders=n_orders, random_state=random_state)

    def _contributions(self, rows: Any) -> NDArray[np.float64] | None:
        """Return exact contributions to the difference of two rows' scores, None if unknown.

        A ranker that knows how its score is made overrides this; ``why_above`` explains the others
        by scoring hybrids of the two rows.
        """
        return None

    def _check_parameters(self) -> None:
        check_parameters(self, self._parameter_rules)

    def _forget_fit(self, *kept: str) -> None:
        """Remove what an earlier ``fit`` learned, but for attributes that this one has set.

        ``fit`` calls it before it keeps what it found: with other parameters it may learn less.
        """
        learned = {name for name in vars(self) if name.endswith("_") and not name.startswith("_")}
        for name in learned - VALIDATED - {*kept}:
            delattr(self, name)

    def _check_arrays(self) -> None:
        """Check that what ``fit`` learned fits together: called on a ranker read from a file."""
        n_features = getattr(self, "n_features_in_", None)
        if n_features is None:
            return
        require(type(n_features) is int and n_features >= 1, self, "n_features_in_ is no number")
        if hasattr(self, "feature_names_in_"):
            check_array(self, "feature_names_in_", (n_features,), object)
            is_text = all(isinstance(name, str) for name in self.feature_names_in_)
            require(is_text, self, "feature_names_in_ holds more than names")

    def __sklearn_clone__(self) -> Self:
        warn_of_lost_groups(self)
        copy: Self = super().__sklearn_clone__()  # type: ignore[misc]
        return copy

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.target_tags.required = True
        return tags
