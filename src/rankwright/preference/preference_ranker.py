"""Any classifier as a ranker: it learns pairs, and an item's score is its expected wins."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.linear_model import LogisticRegression
from sklearn.utils import Tags, check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted, validate_data

from rankwright.base import RankerMixin, as_rows, check_array, require
from rankwright.data import PreferencePairs
from rankwright.preference.pair_sample import pair_sample

__all__ = ["PreferenceRanker"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PAIRS_AT_ONCE = 100_000


def _difference(first: Floats, second: Floats) -> Floats:
    return first - second


def _concatenation(first: Floats, second: Floats) -> Floats:
    return np.hstack([first, second])


FEATURES = {"concatenation": _concatenation, "difference": _difference}


class PreferenceRanker(RankerMixin, BaseEstimator):
    """Rank with any scikit-learn classifier that learns which of two items is preferred.

    The classifier sees pairs of rows in both orders, as differences of their features or as their
    concatenation (for classifiers that can compare features themselves, such as forests). An item's
    score is the mean probability that it is preferred to the items of a reference sample, drawn
    from the training rows and fixed by ``fit``; so scores are between 0 and 1, are pointwise, and
    equal beyond all reference items. For a linear model ``PairwiseRanker`` is exact and far faster.

    Parameters
    ----------
    classifier : scikit-learn classifier, optional
        Logistic regression by default. Classifiers without ``predict_proba`` cast whole votes.
    features : {"difference", "concatenation"}
    max_pairs : int
        With more pairs than this, so many are drawn at random.
    n_references : int
        Size of the reference sample.
    random_state : int, RandomState or None

    Attributes
    ----------
    classifier_ : fitted classifier
    references_ : (n_references, n_features_in_) float64
    n_features_in_ : int
    feature_names_in_ : (n_features_in_,) array of str
        Only when ``X`` has column names.

    Examples
    --------
    >>> import rankwright as rw
    >>> X = [[1.0, 8.0], [2.0, 5.0], [3.0, 9.0], [1.0, 2.0], [4.0, 3.0]]
    >>> y = [2, 1, 3, 1, 2]
    >>> groups = ["a", "a", "a", "b", "b"]
    >>> ranker = rw.PreferenceRanker(random_state=0).fit(X, y, groups)
    >>> ranker.rank(X, groups)
    array([2., 3., 1., 2., 1.])
    """

    def __init__(
        self,
        classifier: Any = None,
        features: str = "difference",
        *,
        max_pairs: int = 100_000,
        n_references: int = 100,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.classifier = classifier
        self.features = features
        self.max_pairs = max_pairs
        self.n_references = n_references
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, groups: ArrayLike | None = None) -> Self:
        """Learn from rows with grades, from rankings, or from explicit pairs.

        Parameters
        ----------
        X : (n, d) frame or array, or Rankings
        y : (n,) array, or PreferencePairs
            Larger is better; only the order inside a group matters.
        groups : (n,) array, optional
            Group id of each row; rows of different groups are never compared.

        Returns
        -------
        self
        """
        if self.features not in FEATURES:
            raise ValueError(f"features={self.features!r}; choose from {sorted(FEATURES)}")
        rng = check_random_state(self.random_state)
        rows, better, worse, weights = self._training_pairs(X, y, groups, rng)
        join = FEATURES[self.features]
        pairs = np.vstack([join(rows[better], rows[worse]), join(rows[worse], rows[better])])
        preferred = np.repeat([1, 0], len(better))
        classifier = LogisticRegression(fit_intercept=False)
        classifier = classifier if self.classifier is None else clone(self.classifier)
        fit_params = {} if weights is None else {"sample_weight": np.tile(weights, 2)}
        self.classifier_ = classifier.fit(pairs, preferred, **fit_params)
        chosen = rng.permutation(len(rows))[: self.n_references]
        self.references_ = rows[np.sort(chosen)]
        return self

    def _training_pairs(
        self, X: Any, y: Any, groups: ArrayLike | None, rng: np.random.RandomState
    ) -> tuple[Floats, Ints, Ints, Floats | None]:
        if not isinstance(y, PreferencePairs):
            rows = as_rows(self, X, y, groups, ensure_all_finite=self._finite())
            return rows.X, *pair_sample(rows, self.max_pairs, rng), None
        if groups is not None:
            raise ValueError("PreferencePairs say which rows are compared; leave groups out")
        valid = validate_data(self, X, dtype=np.float64, ensure_all_finite=self._finite())
        better, worse = y.rows_of(X if hasattr(X, "shape") else valid)
        return valid, better, worse, y.weights

    def predict(self, X: Any) -> Floats:
        """Return scores: the mean probability to be preferred to a reference item.

        Parameters
        ----------
        X : (n, d) frame or array

        Returns
        -------
        (n,) float64
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False, ensure_all_finite=self._finite())
        at_once = max(PAIRS_AT_ONCE // len(self.references_), 1)
        parts = [self._wins(X[start : start + at_once]) for start in range(0, len(X), at_once)]
        return np.concatenate(parts)

    def _wins(self, X: Floats) -> Floats:
        n_references = len(self.references_)
        items = np.repeat(X, n_references, axis=0)
        references = np.tile(self.references_, (len(X), 1))
        # Both orders, so that the score does not depend on which item the classifier sees first.
        wins = self._preferred(items, references) + 1.0 - self._preferred(references, items)
        mean: Floats = 0.5 * wins.reshape(len(X), n_references).mean(axis=1)
        return mean

    def _preferred(self, first: Floats, second: Floats) -> Floats:
        """Return the probability that the first item of each pair is preferred."""
        pairs = FEATURES[self.features](first, second)
        if hasattr(self.classifier_, "predict_proba"):
            return np.asarray(self.classifier_.predict_proba(pairs)[:, 1])
        return np.asarray(self.classifier_.predict(pairs), dtype=np.float64)

    def _finite(self) -> bool | str:
        return "allow-nan" if get_tags(self).input_tags.allow_nan else True

    def _check_arrays(self) -> None:
        super()._check_arrays()
        if hasattr(self, "references_"):
            check_array(self, "references_", (None, self.n_features_in_))
            require(len(self.references_) > 0, self, "it has no references")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if self.classifier is not None:
            tags.input_tags.allow_nan = get_tags(self.classifier).input_tags.allow_nan
        return tags
