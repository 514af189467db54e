"""Ordinal perceptrons, online, with ordered thresholds: baselines of Xia et al. (2008)."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from rankwright.base import (
    check_array,
    check_features,
    check_weights,
    refuse_pairs,
    validate_features,
)
from rankwright.base.parameters import SEED, Rule, number, whole_number
from rankwright.data import Rankings, check_target
from rankwright.linear.linear_ranker import LinearScoresMixin

__all__ = ["BayesPointPerceptron", "PRankPerceptron"]

Floats = NDArray[np.float64]

MOST_SHOWN = 1e8  # rows in a pass


class _OrdinalPerceptron(LinearScoresMixin, BaseEstimator):
    """The average of one or more perceptrons, each shown its own part of a stream of rows."""

    # Grades mean the same in every row, so there are no groups to hand on.
    __metadata_request__fit: ClassVar[dict[str, bool]] = {"groups": False}

    n_epochs: int
    random_state: int | np.random.RandomState | None

    _parameter_rules: ClassVar[dict[str, Rule]] = {
        "n_epochs": whole_number(1),
        "random_state": SEED,
    }

    def _crew(self) -> tuple[int, float]:
        """Return the number of perceptrons and the share of the rows that each is shown."""
        raise NotImplementedError

    def fit(
        self,
        X: Any,
        y: Any = None,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from rows with grades: in the given order first, then in random orders.

        Parameters
        ----------
        X : (n, d) frame or array
        y : (n,) array
            Grades, larger is better; only their order counts, and it is the same in all rows.
        groups : None
            Refused: grades that mean something else in every group need ``PairwiseRanker``.
        sample_weight : (n,) array, optional
            How many times in a row each row is shown; a fraction is the chance of once more.

        Returns
        -------
        self
        """
        if groups is not None or isinstance(X, Rankings):
            raise ValueError(
                f"{type(self).__name__} learns grades that mean the same in all rows; "
                "leave groups out and give no Rankings, or use PairwiseRanker"
            )
        self._check_parameters()
        X, y, weights = self._validate(X, y, sample_weight, reset=True)
        if weights is not None and weights.sum() < 1:
            raise ValueError(
                f"sample_weight adds up to {weights.sum():.3g} rows to be shown, so that most "
                "passes show none; give weights that add up to 1 at least"
            )
        self._begin(np.unique(y), X.shape[1])
        for _ in range(self.n_epochs):
            self._show(X, y, weights)
        return self

    def partial_fit(
        self,
        X: Any,
        y: Any,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Show further rows, once and in the given order.

        Parameters
        ----------
        X : (n, d) frame or array
        y : (n,) array
        classes : array, optional
            All grades there can be, for the first call; by default those in its ``y``.
        sample_weight : (n,) array, optional
            How many times in a row each row is shown; a fraction is the chance of once more.

        Returns
        -------
        self
        """
        self._check_parameters()
        first = not hasattr(self, "coefs_")
        X, y, weights = self._validate(X, y, sample_weight, reset=first)
        if first:
            self._begin(np.unique(y if classes is None else np.asarray(classes)), X.shape[1])
        self.shown_ = 0  # a new stream: its rows come in their own order
        self._show(X, y, weights)
        return self

    def _validate(
        self, X: Any, y: Any, sample_weight: ArrayLike | None, reset: bool
    ) -> tuple[Floats, Floats, Floats | None]:
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )
        refuse_pairs(self, y)
        X = validate_features(self, X, dtype=np.float64, order="C", reset=reset)
        target = check_target(y, X.shape[0])
        if sample_weight is None:
            check_features(self, X)
            return X, target, None
        weights = check_weights(sample_weight, X)
        if weights.sum() > MOST_SHOWN:
            raise ValueError(
                f"sample_weight adds up to {weights.sum():.3g} rows to be shown; "
                f"give weights that add up to {MOST_SHOWN:.0e} at most"
            )
        X, target, weights = (part[weights > 0] for part in (X, target, weights))
        check_features(self, X)
        return X, target, weights

    def _begin(self, classes: Floats, n_features: int) -> None:
        if classes.size < 2:
            raise ValueError(
                f"y has one class only, {classes[0]}; there is no order to learn from it"
            )
        n_perceptrons, _ = self._crew()
        self._forget_fit()
        self.classes_ = classes.astype(np.float64)
        self.coefs_ = np.zeros((n_perceptrons, n_features))
        self.all_thresholds_ = np.zeros((n_perceptrons, classes.size - 1))
        self.seed_ = int(check_random_state(self.random_state).randint(2**31 - 1))
        self.shown_ = self.n_iter_ = 0

    def _show(self, X: Floats, y: Floats, weights: Floats | None) -> None:
        from rankwright.kernels.prank import prank_pass

        labels = np.searchsorted(self.classes_, y)
        known = self.classes_[np.minimum(labels, self.classes_.size - 1)] == y
        if not known.all():
            raise ValueError(
                f"y has the grade {y[np.argmin(known)]}, but the classes are {self.classes_}; "
                "name all of them in the first call of partial_fit"
            )
        rng = np.random.default_rng([self.seed_, self.n_iter_])
        stream = np.arange(y.size) if self.shown_ == 0 else rng.permutation(y.size)
        if weights is not None:
            # Dice of their own: weights of 1 leave all other draws what they are without weights.
            dice = np.random.default_rng([self.seed_, self.n_iter_, 1])
            times = np.floor(weights[stream] + dice.random(y.size)).astype(np.int64)
            stream = np.repeat(stream, times)
        _, share = self._crew()
        for coef, thresholds in zip(self.coefs_, self.all_thresholds_, strict=True):
            part = stream if share == 1 else stream[rng.random(stream.size) < share]
            prank_pass(X, labels, part, coef, thresholds)
        self.shown_ += 1
        self.n_iter_ += 1
        self.coef_ = self.coefs_.mean(axis=0)
        self.thresholds_ = self.all_thresholds_.mean(axis=0)

    def decision_function(self, X: Any) -> Floats:
        """Return scores, larger is better.

        Parameters
        ----------
        X : (n, d) frame or array

        Returns
        -------
        (n,) float64
        """
        return self._linear_scores(X)

    def predict(self, X: Any) -> Floats:
        """Return the grade of each row: the largest whose threshold its score reaches.

        Parameters
        ----------
        X : (n, d) frame or array

        Returns
        -------
        (n,) float64
        """
        scores = self.decision_function(X)
        return np.asarray(self.classes_[np.searchsorted(self.thresholds_, scores, side="right")])

    def _check_arrays(self) -> None:
        super()._check_arrays()
        if hasattr(self, "coefs_"):
            n_features, n_classes = self.n_features_in_, len(self.classes_)
            check_array(self, "classes_", (n_classes,))
            check_array(self, "coef_", (n_features,))
            check_array(self, "thresholds_", (n_classes - 1,))
            check_array(self, "coefs_", (None, n_features))
            check_array(self, "all_thresholds_", (len(self.coefs_), n_classes - 1))


class PRankPerceptron(_OrdinalPerceptron):
    """Predict grades by a perceptron with ordered thresholds (PRank).

    Crammer & Singer's online rule: every threshold on the wrong side of a row's score moves towards
    it, and the coefficients follow; the thresholds stay ordered. A baseline of Xia et al.
    (2008); give it scaled features, and ``PolynomialFeatures`` where grades are not monotone in
    them.

    Parameters
    ----------
    n_epochs : int
        Passes over the rows; the first in the given order, the others in random orders.
    random_state : int, RandomState or None
        Draws the orders of the rows after the first pass.

    Attributes
    ----------
    classes_ : (k,) float64
        The grades, in order.
    coef_ : (n_features_in_,) float64
        The weight of each feature.
    thresholds_ : (k - 1,) float64
        In ascending order.
    coefs_ : (1, n_features_in_) float64
        Those of each perceptron, whose mean ``coef_`` is.
    all_thresholds_ : (1, k - 1) float64
        Those of each perceptron, whose mean ``thresholds_`` is.
    n_iter_ : int
        Passes so far.
    shown_ : int
        Passes over the rows of the last ``fit`` or ``partial_fit``.
    seed_ : int
        What the orders of the rows are drawn from, with ``n_iter_``.
    n_features_in_ : int
    feature_names_in_ : (n_features_in_,) array of str
        Only when ``X`` has column names.

    Examples
    --------
    >>> import rankwright as rw
    >>> X = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 1.0], [5.0, 0.0]]
    >>> y = [1, 1, 2, 2, 3, 3]
    >>> ranker = rw.PRankPerceptron(n_epochs=50, random_state=0).fit(X, y)
    >>> ranker.predict(X)
    array([1., 1., 2., 2., 3., 3.])
    """

    def __init__(
        self, n_epochs: int = 5, random_state: int | np.random.RandomState | None = None
    ) -> None:
        self.n_epochs = n_epochs
        self.random_state = random_state

    def _crew(self) -> tuple[int, float]:
        return 1, 1.0


class BayesPointPerceptron(_OrdinalPerceptron):
    """Predict grades by the average of many PRanks, each shown a random part of the rows.

    Harrington's online aggregate (OAP-BPM), which approximates the Bayes point: every row of the
    stream is shown to each perceptron with probability ``share``; coefficients and thresholds are
    averaged. A baseline of Xia et al. (2008).

    Parameters
    ----------
    n_perceptrons : int
        How many perceptrons are averaged.
    share : float
        Above 0, at most 1.
    n_epochs : int
        Passes over the rows; the first in the given order, the others in random orders.
    random_state : int, RandomState or None
        Draws the orders of the rows after the first pass, and which of them each perceptron sees.

    Attributes
    ----------
    classes_ : (k,) float64
        The grades, in order.
    coef_ : (n_features_in_,) float64
        The weight of each feature, the mean over the perceptrons.
    thresholds_ : (k - 1,) float64
        In ascending order.
    coefs_ : (n_perceptrons, n_features_in_) float64
        Those of each perceptron, whose mean ``coef_`` is.
    all_thresholds_ : (n_perceptrons, k - 1) float64
        Those of each perceptron, whose mean ``thresholds_`` is.
    n_iter_ : int
        Passes so far.
    shown_ : int
        Passes over the rows of the last ``fit`` or ``partial_fit``.
    seed_ : int
        What the orders of the rows are drawn from, with ``n_iter_``.
    n_features_in_ : int
    feature_names_in_ : (n_features_in_,) array of str
        Only when ``X`` has column names.

    Examples
    --------
    >>> import rankwright as rw
    >>> X = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 1.0], [5.0, 0.0]]
    >>> y = [1, 1, 2, 2, 3, 3]
    >>> ranker = rw.BayesPointPerceptron(n_epochs=50, random_state=0).fit(X, y)
    >>> ranker.predict(X)
    array([1., 1., 2., 2., 3., 3.])
    """

    _parameter_rules: ClassVar[dict[str, Rule]] = {
        "n_perceptrons": whole_number(1),
        "share": number(above=0, most=1),
        **_OrdinalPerceptron._parameter_rules,
    }

    def __init__(
        self,
        n_perceptrons: int = 20,
        share: float = 0.5,
        n_epochs: int = 5,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_perceptrons = n_perceptrons
        self.share = share
        self.n_epochs = n_epochs
        self.random_state = random_state

    def _crew(self) -> tuple[int, float]:
        return self.n_perceptrons, self.share
