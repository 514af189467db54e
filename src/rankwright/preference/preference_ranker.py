"""Any classifier as a ranker: it learns pairs, and an item's score is its expected wins."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.base import BaseEstimator, clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Tags, check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from rankwright.base import (
    RankerMixin,
    as_rows,
    check_array,
    check_features,
    check_scores,
    check_weights,
    finite_or_nan,
    is_cheap_to_score,
    require,
    validate_features,
)
from rankwright.base.parameters import ESTIMATOR, NONE, SEED, Rule, one_of, whole_number
from rankwright.data import PreferencePairs, places_as_shares, row_weights
from rankwright.data.float_range import check_row_counts
from rankwright.preference.pair_sample import pair_sample
from rankwright.preference.references import references, share_of_losses

__all__ = ["PreferenceRanker"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PAIRS_AT_ONCE = 100_000


def _difference(first: Floats, second: Floats) -> Floats:
    return first - second


def _concatenation(first: Floats, second: Floats) -> Floats:
    return np.hstack([first, second])


def _scaled_logistic() -> Pipeline:
    """Return the classifier by default: neither units nor the order of two items matter to it."""
    return make_pipeline(StandardScaler(with_mean=False), LogisticRegression(fit_intercept=False))


def _weighted(classifier: Any) -> list[str]:
    """Return the arguments of ``fit`` by which weights of pairs reach a classifier."""
    last = classifier.steps[-1][1] if isinstance(classifier, Pipeline) else classifier
    if not has_fit_parameter(last, "sample_weight"):
        raise ValueError(
            f"{type(last).__name__} takes no sample_weight, so neither rows nor pairs can have "
            "weights; leave them out or choose another classifier"
        )
    if last is classifier:
        return ["sample_weight"]
    return [
        f"{name}__sample_weight"
        for name, step in classifier.steps
        if has_fit_parameter(step, "sample_weight")
    ]


FEATURES = {"concatenation": _concatenation, "difference": _difference}


@dataclass(frozen=True)
class _Known:
    """The training rows, what is known of pairs of them, and where each stands."""

    X: Floats
    better: Ints
    worse: Ints
    pair_weights: Floats | None
    places: Floats  # of the rows, from 0 (best) to 1 (worst)
    weights: Floats  # of the rows


def _known(
    X: Floats,
    better: Ints,
    worse: Ints,
    pair_weights: Floats | None,
    places: Floats,
    weights: Floats,
) -> _Known:
    """Leave pairs without weight out: a classifier may count them as rows."""
    if pair_weights is not None:
        counts = pair_weights > 0
        if not counts.any():
            raise ValueError("there is no pair to learn from: all weights are zero")
        better, worse, pair_weights = better[counts], worse[counts], pair_weights[counts]
    return _Known(X, better, worse, pair_weights, places, weights)


class PreferenceRanker(RankerMixin, BaseEstimator):
    """Rank with any scikit-learn classifier that learns which of two items is preferred.

    The classifier sees pairs of rows in both orders, as differences of their features or as their
    concatenation (for classifiers that can compare features themselves, such as forests). An item's
    score is the mean probability that it is preferred to each of a few training rows, which stand
    at evenly spread places from the best to the worst and are fixed by ``fit``; so scores are
    between 0 and 1 and do not depend on the other rows that are scored. For a linear model
    ``PairwiseRanker`` is exact and far faster.

    Parameters
    ----------
    classifier : scikit-learn classifier, optional
        scikit-learn's logistic regression of scaled features by default. Without
        ``predict_proba``, the sigmoid of its ``decision_function`` counts as a probability; without
        both, it casts whole votes.
    features : {"difference", "concatenation"}
        What the classifier sees of a pair: the first row less the second, or both rows side by
        side.
    max_pairs : int
        With more pairs than this, so many are drawn at random.
    n_references : int
        How many rows an item is compared with. Ten rank as well as a hundred with forests and
        boosted trees; a single tree, whose probabilities are coarse, gains from more.
    random_state : int, RandomState or None
        Draws the pairs, where there are more than ``max_pairs``.

    Attributes
    ----------
    classifier_ : fitted classifier
        Fitted to the pairs.
    references_ : (n_references, n_features_in_) float64
        The rows that every row is compared with.
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

    _parameter_rules: ClassVar[dict[str, Rule]] = {
        "classifier": ESTIMATOR | NONE,
        "features": one_of(FEATURES),
        "max_pairs": whole_number(1),
        "n_references": whole_number(1),
        "random_state": SEED,
    }

    def __init__(
        self,
        classifier: Any = None,
        features: str = "difference",
        *,
        max_pairs: int = 100_000,
        n_references: int = 10,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.classifier = classifier
        self.features = features
        self.max_pairs = max_pairs
        self.n_references = n_references
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any = None,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from rows with grades, from rankings, or from explicit pairs.

        Parameters
        ----------
        X : (n, d) frame or array, or Rankings
        y : (n,) array, or PreferencePairs
            Larger is better; only the order inside a group matters.
        groups : (n,) array, optional
            Group id of each row; rows of different groups are never compared.
        sample_weight : (n,) array, optional
            Weights of the items, for classifiers that take weights: a pair counts the product of
            its two weights.

        Returns
        -------
        self
        """
        self._check_parameters()
        rng = check_random_state(self.random_state)
        if isinstance(y, PreferencePairs):
            known = self._from_pairs(X, y, groups, sample_weight)
        else:
            known = self._from_grades(X, y, groups, sample_weight, rng)
        check_features(self, known.X)
        classifier = self._fit_classifier(known)
        self._forget_fit()
        self.classifier_ = classifier
        self.references_ = references(known.X, known.places, known.weights, self.n_references)
        return self

    def _fit_classifier(self, known: "_Known") -> Any:
        better, worse = known.X[known.better], known.X[known.worse]
        join = FEATURES[self.features]
        pairs = np.vstack([join(better, worse), join(worse, better)])
        preferred = np.repeat([1, 0], len(better))
        classifier = _scaled_logistic() if self.classifier is None else clone(self.classifier)
        if known.pair_weights is None:
            return classifier.fit(pairs, preferred)
        # From there on, StandardScaler takes all features for constant.
        check_row_counts("the product of weights", known.pair_weights, 1e15, "are not told apart")
        weights = np.tile(known.pair_weights, 2)
        return classifier.fit(pairs, preferred, **dict.fromkeys(_weighted(classifier), weights))

    def _from_grades(
        self,
        X: Any,
        y: Any,
        groups: ArrayLike | None,
        sample_weight: ArrayLike | None,
        rng: np.random.RandomState,
    ) -> "_Known":
        rows = as_rows(
            self, X, y, groups, sample_weight=sample_weight, ensure_all_finite=finite_or_nan(self)
        )
        better, worse = pair_sample(rows, self.max_pairs, rng)
        weights = row_weights(rows)
        of_pairs = None if rows.weights is None else weights[better] * weights[worse]
        return _known(rows.X, better, worse, of_pairs, places_as_shares(rows), weights)

    def _from_pairs(
        self,
        X: Any,
        y: PreferencePairs,
        groups: ArrayLike | None,
        sample_weight: ArrayLike | None,
    ) -> "_Known":
        if groups is not None:
            raise ValueError("PreferencePairs say which rows are compared; leave groups out")
        valid = validate_features(self, X, dtype=np.float64, ensure_all_finite=finite_or_nan(self))
        better, worse = y.rows_of(X if hasattr(X, "shape") else valid)
        weights, of_pairs = np.ones(len(valid)), y.weights
        if sample_weight is not None:
            weights = check_weights(sample_weight, valid)
            given = np.ones(len(y)) if of_pairs is None else of_pairs
            of_pairs = given * weights[better] * weights[worse]
        places = share_of_losses(better, worse, of_pairs, len(valid))
        return _known(valid, better, worse, of_pairs, places, weights)

    def predict(self, X: Any) -> Floats:
        """Return scores: the mean probability to be preferred to a reference row.

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
        at_once = max(PAIRS_AT_ONCE // (2 * len(self.references_)), 1)
        parts = [self._wins(X[start : start + at_once]) for start in range(0, len(X), at_once)]
        return check_scores(self, np.concatenate(parts), X)

    def _wins(self, X: Floats) -> Floats:
        n_references = len(self.references_)
        items = np.repeat(X, n_references, axis=0)
        others = np.tile(self.references_, (len(X), 1))
        # Both orders, so that the score does not depend on which item the classifier sees first.
        join = FEATURES[self.features]
        won = self._preferred(np.vstack([join(items, others), join(others, items)]))
        first, second = won.reshape(2, len(X), n_references)
        mean: Floats = 0.5 * (first + 1.0 - second).mean(axis=1)
        return mean

    def _preferred(self, pairs: Floats) -> Floats:
        """Return the probability that the first item of each pair is preferred."""
        if hasattr(self.classifier_, "predict_proba"):
            return np.asarray(self.classifier_.predict_proba(pairs)[:, 1])
        if hasattr(self.classifier_, "decision_function"):
            return np.asarray(expit(self.classifier_.decision_function(pairs)))
        return np.asarray(self.classifier_.predict(pairs), dtype=np.float64)

    def _check_arrays(self) -> None:
        super()._check_arrays()
        if hasattr(self, "references_"):
            check_array(self, "references_", (None, self.n_features_in_))
            require(len(self.references_) > 0, self, "it has no references")
            if is_cheap_to_score(self.classifier_):
                # One whose parts do not fit together fails here, not when it is needed. It is asked
                # for one pair: a file may have as many references as its network has neurons.
                one = self.references_[:1]
                won = self._preferred(FEATURES[self.features](one, one))
                is_decided = won.shape == (1,) and bool(np.isfinite(won[0]))
                require(is_decided, self, "its classifier prefers nothing")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if self.classifier is not None:
            tags.input_tags.allow_nan = get_tags(self.classifier).input_tags.allow_nan
        return tags
