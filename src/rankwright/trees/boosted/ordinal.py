"""Boosted trees for labels on an ordered scale."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import ClassifierTags, Tags, check_random_state
from sklearn.utils.validation import check_is_fitted

from rankwright.base import check_array, require
from rankwright.base.parameters import Rule, number
from rankwright.data import Rankings
from rankwright.metrics import rank_loss
from rankwright.trees.boosted.booster import Booster
from rankwright.trees.boosted.cumulative import FIRST_STEPS, CumulativeLogit, label_shares
from rankwright.trees.boosted.problem import HoldOut, Problem
from rankwright.trees.features import check_features
from rankwright.trees.label_scale import LabelScale
from rankwright.trees.rows import TrainingRows, read_rows

__all__ = ["BoostedOrdinal"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class HeldOutRows:
    """Rows that no tree sees."""

    loss: CumulativeLogit
    weights: Floats  # zero for all others

    def __call__(self, scores: Floats) -> float:
        """Return the mean log-probability of the labels."""
        return self.loss.log_likelihood(scores, self.weights) / float(self.weights.sum())


class BoostedOrdinal(Booster):
    """Predict a label on an ordered scale by a sum of trees and thresholds between the labels.

    The cumulative logit: a row of score s has a label up to c with the probability
    1 / (1 + exp(s - t_c)). Trees are Newton steps of its likelihood in the scores; the thresholds
    t_c are fitted between the trees and kept in order. ``predict`` returns the median label, the
    one of least expected absolute error, and rows are ranked by the score.

    Parameters
    ----------
    n_estimators, tree, learning_rate, max_depth, max_leaf_nodes, l2, min_samples_leaf
        As in :class:`BoostedRanker`.
    max_features, max_bins, monotone, interactions, categorical_features
        As in :class:`BoostedRanker`.
    row_fraction : float
        Part of the rows that a tree sees.
    early_stopping : "auto", True or False
        Hold out rows, and keep the trees that make their labels most probable. ``"auto"``: with
        more than 10,000 rows.
    validation_fraction, n_iter_no_change, warm_start, n_jobs, random_state
        As in :class:`BoostedRanker`.

    Attributes
    ----------
    trees_ : TreeSum
        The nodes of all trees, in one structured array.
    thresholds_ : (k - 1,) float64
        Between the labels, on the scale of the scores; increasing.
    labels_, classes_ : (k,) array
        The labels that occur, worst first.
    label_values_, label_scale_
        As in :class:`OrdinalTree`.
    n_iter_ : int
        Number of trees.
    validation_scores_ : (n_grown,) float64
        Mean log-probability of the labels held out, after each tree; empty if none were.
    pairs_, feature_importances_, categories_, has_missing_, n_features_in_, feature_names_in_
        As in :class:`BoostedRanker`.

    Examples
    --------
    >>> import rankwright as rw
    >>> data = rw.datasets.make_ordinal_squares(500, random_state=0)
    >>> ranker = rw.BoostedOrdinal(50, random_state=0).fit(data.X, data.y)
    >>> bool(ranker.rank_loss(data.X, data.y) < 0.2)
    True
    >>> ranker.predict_proba(data.X[:2]).sum(axis=1).round(6).tolist()
    [1.0, 1.0]
    """

    __metadata_request__fit: ClassVar[dict[str, bool]] = {"groups": False}
    __metadata_request__score: ClassVar[dict[str, bool]] = {"groups": True}

    _parameter_rules: ClassVar[dict[str, Rule]] = {
        "row_fraction": number(above=0, most=1),
        **Booster._parameter_rules,
    }

    def __init__(
        self,
        n_estimators: int = 300,
        *,
        tree: str = "symmetric",
        learning_rate: float = 0.1,
        max_depth: int | None = None,
        max_leaf_nodes: int = 31,
        l2: float = 3.0,
        min_samples_leaf: int = 1,
        max_features: float | str | None = "auto",
        row_fraction: float = 0.7,
        max_bins: int = 255,
        monotone: Mapping[Any, int] | Sequence[int] | None = None,
        interactions: int | None = None,
        categorical_features: Sequence[Any] | str | None = "from_dtype",
        early_stopping: bool | str = "auto",
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 30,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.tree = tree
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.l2 = l2
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.row_fraction = row_fraction
        self.max_bins = max_bins
        self.monotone = monotone
        self.interactions = interactions
        self.categorical_features = categorical_features
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any = None,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from rows with labels.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix
            Missing values and categories are welcome.
        y : (n,) array
            Numbers, larger is better, or an ordered categorical.
        groups : None
            A label means the same in every group; BoostedRanker compares rows inside groups.
        sample_weight : (n,) array, optional
            Rows of weight zero are left out.

        Returns
        -------
        self
        """
        self._check_parameters()
        if groups is not None or isinstance(X, Rankings):
            raise ValueError(
                "BoostedOrdinal predicts labels, which mean the same in every group; "
                "BoostedRanker learns the order inside groups, and from Rankings"
            )
        random = check_random_state(self.random_state)
        scale = LabelScale.of(y)
        data = read_rows(
            self, X, scale.to_values(y), sample_weight=sample_weight, max_bins=self.max_bins
        )
        problem, loss = self._problem(data, random)
        scores = self._boost(problem, self.row_fraction, random)
        loss.fit_thresholds(scores, FIRST_STEPS)
        self.thresholds_ = loss.thresholds
        self.label_scale_, self.label_values_ = scale, data.labels.values
        self.labels_ = scale.to_labels(self.label_values_, y)
        return self

    def _problem(
        self, data: TrainingRows, random: np.random.RandomState
    ) -> tuple[Problem, CumulativeLogit]:
        n_rows, codes = data.n_rows, data.labels.codes.astype(np.int64)
        weights = np.ones(n_rows) if data.weights is None else data.weights
        held = np.zeros(n_rows, dtype=np.bool_)
        hold_out: HoldOut | None = self._hold_out(n_rows, random)
        if hold_out is not None:
            held[hold_out.choose(np.arange(n_rows))] = True
        loss = CumulativeLogit(codes, weights * ~held, data.labels.values.size)
        judge = HeldOutRows(loss, weights * held) if held.any() else None
        numbers = np.arange(n_rows)
        return Problem(data.X, data.bins, data.categories, loss, numbers, held, judge), loss

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels that occur, under the name by which scikit-learn asks for them."""
        check_is_fitted(self)
        classes: NDArray[Any] = self.labels_
        return classes

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the median label of each row, the one of least expected absolute error.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix

        Returns
        -------
        (n,) array
            Labels as they were given to ``fit``.
        """
        codes = self._label_codes(X)
        return self.labels_[codes]

    def decision_function(self, X: Any) -> Floats:
        """Return the score, by which ``rank`` and ``score`` order the rows.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix

        Returns
        -------
        (n,) float64
        """
        features = check_features(self, X)
        return self._tree_scores(features, self.trees_)

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each of ``labels_`` for each row.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix

        Returns
        -------
        (n, k) float64
        """
        scores = self.decision_function(X)
        return label_shares(scores, self.thresholds_)

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Yield the scores after each tree.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix

        Yields
        ------
        (n,) float64
        """
        return self._staged_scores(X)

    def rank_loss(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the mean distance between predicted and true label.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix
        y : (n,) array
            True labels.
        sample_weight : (n,) array, optional
            Weights of the rows.

        Returns
        -------
        float
        """
        codes = self._label_codes(X)
        predicted = self.label_values_[codes]
        return rank_loss(self.label_scale_.to_values(y), predicted, sample_weight=sample_weight)

    def score(
        self,
        X: Any,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Return Kendall's tau-b between ``y`` and the scores of ``X``; see ``RankerMixin``."""
        check_is_fitted(self)
        return super().score(X, self.label_scale_.to_values(y), groups, sample_weight)

    def _label_codes(self, X: Any) -> NDArray[np.int64]:
        # Half of the probability lies below a threshold that equals the score.
        scores = self.decision_function(X)
        return np.searchsorted(self.thresholds_, scores)

    def _check_arrays(self) -> None:
        super()._check_arrays()
        if hasattr(self, "trees_"):
            check_array(self, "label_values_", (None,))
            check_array(self, "labels_", (self.label_values_.size,), None)
            check_array(self, "thresholds_", (max(self.label_values_.size - 1, 0),))
            in_order = bool((np.diff(self.thresholds_) > 0).all())
            require(in_order, self, "its thresholds are not in order")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags()  # predict_proba has a column for each label
        return tags
