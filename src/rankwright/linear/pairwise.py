"""The pairwise linear ranker: RankSVM and Bradley-Terry with features."""

import warnings
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.base import BaseEstimator, clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _num_samples, check_is_fitted

from rankwright.base import as_rows, check_weights, validate_features
from rankwright.base.parameters import Rule, number, one_of
from rankwright.data import PreferencePairs, Rankings, Rows
from rankwright.data.pairs import PAIR_RULES
from rankwright.linear.existence import warn_if_arbitrary
from rankwright.linear.hinge import minimize_hinge
from rankwright.linear.intervals import CoefficientIntervals, bootstrap, sandwich
from rankwright.linear.linear_ranker import PenalisedRankerMixin
from rankwright.linear.loss import LOSSES, LOSSES_OF_DIFFERENCES, SECOND_DERIVATIVES
from rankwright.linear.origins import near_zero
from rankwright.linear.pairs import (
    PAIR_WEIGHTINGS,
    Pairs,
    block_pairs,
    graded_pairs,
    listed_pairs,
)
from rankwright.linear.parts import Part, Parts, Training
from rankwright.linear.solver import sampled_start

__all__ = ["PAIR_LOSS_RULES", "PairwiseRanker"]

Floats = NDArray[np.float64]

MANY_ROWS = 100_000  # from here on it saves time to minimise over some of the pairs first

PAIR_LOSS_RULES = {
    "loss": one_of(LOSSES),
    "pairs": one_of(PAIR_RULES),
    "pair_weighting": one_of(PAIR_WEIGHTINGS),
    "gap_share": number(least=0),
    "gap": one_of(["deprecated"]) | number(least=0),
}


def _is_logistic(ranker: "PairwiseRanker") -> bool:
    return ranker.loss == "logistic"


class PairwiseRanker(PenalisedRankerMixin, BaseEstimator):
    """Learn a linear score from all pairs of rows, without building the pairs.

    Minimises the mean over pairs (better row i, worse row k of one group) of a loss of the score
    difference d = w · (x_i - x_k), plus alpha |w|²/2. The loss ``"logistic"`` is log(1 + exp(-d)),
    the Bradley-Terry model with features; ``"hinge"``, max(0, 1 - d), and ``"squared_hinge"`` are
    RankSVM. An evaluation takes O(n log n) time and O(n) memory; the optimum is that of
    scikit-learn's ``LogisticRegression`` or ``LinearSVC`` without intercept on the differences,
    with ``C = 1 / (alpha * n_pairs_)``.

    Parameters
    ----------
    loss : {"logistic", "squared_hinge", "hinge"}
        What a pair costs whose difference of scores is d: ``log(1 + exp(-d))``, ``max(0, 1 - d)²``
        or ``max(0, 1 - d)``.
    pairs : {"all", "adjacent"}
        All pairs with different y, or only those of neighbouring distinct values of y.
    alpha : float
        Strength of the penalty. The features are not rescaled: standardise them when their units
        should not matter. The loss ``"hinge"`` needs a positive alpha.
    pair_weighting : {"pair", "group"}
        With ``"pair"`` every pair counts the same, so a ranking of 100 items counts a hundred times
        as much as one of 10; with ``"group"`` every group with a pair counts the same.
    nonnegative : bool
        Keep all coefficients at zero or above.
    tol : float
        The solver stops when no entry of the gradient, in coordinates in which the Hessian is near
        the identity, exceeds this.
    gap_share : float
        For ``"hinge"`` alone: stop when the duality gap is at most this share of the objective.
    max_iter : int
        The most steps of the solver; a warning says when they were not enough.
    warm_start : bool
        Start from the coefficients of the previous ``fit``.
    verbose : int
        Whether to print iteration, objective and gradient norm.
    gap : float
        Deprecated: the former name of ``gap_share``. A gap is a difference in this package.

    Attributes
    ----------
    coef_ : (n_features_in_,) float64
        The weight of each feature.
    n_pairs_ : float
        Number of pairs, or their total weight when there are weights.
    objective_ : float
        The minimum found.
    gap_ : float
        For ``"hinge"`` alone: ``objective_`` is at most this much above the minimum.
    n_iter_ : int
        Steps that the solver took.
    n_features_in_ : int
    feature_names_in_ : (n_features_in_,) array of str
        Only when ``X`` has column names.

    Examples
    --------
    >>> import rankwright as rw
    >>> X = [[1.0, 8.0], [2.0, 5.0], [3.0, 9.0], [1.0, 2.0], [4.0, 3.0]]
    >>> y = [2, 1, 3, 1, 2]
    >>> groups = ["a", "a", "a", "b", "b"]
    >>> ranker = rw.PairwiseRanker(alpha=0.01).fit(X, y, groups)
    >>> ranker.rank(X, groups)
    array([2., 3., 1., 2., 1.])
    >>> print(ranker.explain(X[2], X[1]))
    the item is above the other: score difference +8.15
    x1  +7.063  (9 against 5)
    x0  +1.086  (3 against 2)

    The same from explicit pairs, row 2 above row 0 and row 0 above row 1:

    >>> pairs = rw.PreferencePairs(better=[2, 0], worse=[0, 1])
    >>> ranker = rw.PairwiseRanker(alpha=0.5).fit(X, pairs)
    >>> ranker.predict_proba_pair([X[2]], [X[1]]).round(2)
    array([0.95])
    """

    _parameter_rules: ClassVar[dict[str, Rule]] = {
        **PAIR_LOSS_RULES,
        **PenalisedRankerMixin._parameter_rules,
    }

    def __init__(
        self,
        loss: str = "logistic",
        pairs: str = "all",
        alpha: float = 1e-4,
        *,
        pair_weighting: str = "pair",
        nonnegative: bool = False,
        tol: float = 1e-6,
        gap_share: float = 1e-3,
        max_iter: int = 1000,
        warm_start: bool = False,
        verbose: int = 0,
        gap: float | str = "deprecated",
    ) -> None:
        self.loss = loss
        self.pairs = pairs
        self.alpha = alpha
        self.pair_weighting = pair_weighting
        self.nonnegative = nonnegative
        self.tol = tol
        self.gap_share = gap_share
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.verbose = verbose
        self.gap = gap

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
        X : (n, d) frame, array or sparse matrix, or Rankings
        y : (n,) array, or PreferencePairs
            Larger is better; only the order inside a group matters.
        groups : (n,) array, optional
            Group id of each row; rows of different groups are never compared.
        sample_weight : (n,) array, optional
            Weights of the items: a pair counts the product of its two weights.

        Returns
        -------
        self
        """
        self._check_parameters()
        rows, pairs, _ = self._training_pairs(X, y, groups, sample_weight, reset=True)
        self._solve(Part.of_pairs(rows, pairs))
        self.n_pairs_ = pairs.total
        if self.alpha == 0:
            one_table = isinstance(X, Rankings) or isinstance(y, PreferencePairs)
            bounded = not _is_logistic(self)
            warn_if_arbitrary(rows, pairs, self.coef_, bounded=bounded, one_table=one_table)
        return self

    def _part(self, rows: Rows) -> Part:
        """Return rows of whole groups as one part of a training set."""
        pairs = graded_pairs(rows, self.pairs, self.pair_weighting)
        return Part(near_zero(rows.X, rows.offsets), pairs, pairs, pairs.mass)

    def _fit_parts(self, parts: Parts) -> None:
        """Learn from rows that lie elsewhere."""
        self._solve(parts)
        self.n_pairs_ = parts.n_pairs

    def _solve(self, training: Training) -> None:
        curvature = self._curvature(training, SECOND_DERIVATIVES[self.loss])
        if self.loss == "hinge":
            if self.alpha == 0:
                raise ValueError("loss='hinge' needs alpha > 0: it stops by a duality gap")
            share = self._asked_gap_share()
            found = minimize_hinge(
                training,
                float(self.alpha),
                self._start(training),
                curvature,
                share,
                **self._options(),
            )
            self._forget_fit()
            self.coef_, self.n_iter_ = found.coef, found.n_iter
            self.objective_, self.gap_ = found.value, found.gap
            return
        start = self._start(training)
        if training.n_rows > MANY_ROWS and not start.any():
            start = sampled_start(
                curvature,
                LOSSES_OF_DIFFERENCES[self.loss],
                nonnegative=self.nonnegative,
                max_iter=self.max_iter,
            )
        self._minimize(training, LOSSES[self.loss], curvature, start)

    def predict_proba_pair(self, X: Any, other: Any) -> Floats:
        """Return the probability that each row of ``X`` is before the same row of ``other``.

        Only for the loss ``"logistic"``, whose model this probability is.

        Parameters
        ----------
        X, other : (n, d) frame or array

        Returns
        -------
        (n,) float64
        """
        scores, others = self.predict(X), self.predict(other)
        if len(scores) != len(others):
            raise ValueError(
                f"X has {len(scores)} rows and other {len(others)}; row i of one is compared with "
                "row i of the other, so give as many"
            )
        return np.asarray(expit(scores - others))

    predict_proba_pair = available_if(_is_logistic)(predict_proba_pair)

    def confidence_intervals(
        self,
        X: Any,
        y: Any = None,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        *,
        level: float = 0.95,
        method: str = "sandwich",
        items: ArrayLike | None = None,
        n_resamples: int = 200,
        random_state: int | np.random.RandomState | None = None,
    ) -> CoefficientIntervals:
        """Return confidence intervals for the coefficients, given the training data again.

        ``"sandwich"`` (logistic loss) allows that all pairs of an item move together, as they do
        when one item is judged unusually well or badly, and assumes that items are independent and
        that the penalty is too weak to matter; it needs 8 items, and 2 (d + 1) for d features.
        ``"bootstrap"`` (any loss) draws groups, or listed pairs, with replacement and refits; it
        assumes that groups are independent, and needs 8 of them. A listed pair is drawn as one,
        whatever its weight: list comparisons one by one instead of counting them. The level is
        nominal: of 10 groups of 5 rows, 95% intervals of ``"bootstrap"`` held the true coefficient
        in 88 of 100 simulations, those of ``"sandwich"`` in 95.

        Parameters
        ----------
        X, y, groups, sample_weight
            As given to ``fit``.
        level : float
            Between 0 and 1.
        method : {"sandwich", "bootstrap"}
            From a formula for large samples, or from fits to lists that are drawn again.
        items : (n,) array, optional
            Which item each row is, for ``"sandwich"`` when rows repeat items. By default every row
            is its own item, and ``Rankings`` know their items.
        n_resamples : int
            How many fits, for the bootstrap.
        random_state : int, RandomState or None
            Draws the lists, for the bootstrap.

        Returns
        -------
        CoefficientIntervals

        Examples
        --------
        >>> import numpy as np
        >>> import rankwright as rw
        >>> rng = np.random.default_rng(0)
        >>> X = rng.normal(size=(300, 2))
        >>> y = X @ [1.0, 0.0] + rng.logistic(size=300)
        >>> ranker = rw.PairwiseRanker().fit(X, y)
        >>> intervals = ranker.confidence_intervals(X, y)
        >>> (intervals.lower < 0) & (intervals.upper > 0)
        array([False,  True])
        """
        check_is_fitted(self)
        if not 0 < level < 1:
            raise ValueError(f"level={level}; choose a number between 0 and 1, such as 0.95")
        rows, pairs, order = self._training_pairs(X, y, groups, sample_weight, reset=False)
        if method == "sandwich":
            if not _is_logistic(self):
                raise ValueError(
                    f"the sandwich needs the logistic loss, not {self.loss!r}; "
                    "use method='bootstrap'"
                )
            known = X.rows if isinstance(X, Rankings) and items is None else items
            n_given = len(X.rows) if isinstance(X, Rankings) else _num_samples(X)
            labels = np.arange(n_given) if known is None else np.asarray(known)
            if labels.shape != (n_given,):
                raise ValueError(
                    f"items has shape {labels.shape} but there are {n_given} rows; "
                    "say which item each row is"
                )
            labels = labels if order is None else labels[order]
            alpha = self._at_penalty().alpha
            return sandwich(rows, pairs, self.coef_, alpha, labels, level)
        if method == "bootstrap":
            refit = partial(self._refit, rows)
            return bootstrap(refit, pairs, self.coef_, level, n_resamples, random_state)
        raise ValueError(f"method={method!r}; choose from ['bootstrap', 'sandwich']")

    def _at_penalty(self) -> "PairwiseRanker":
        """Return an unfitted ranker with the penalty that the coefficients were learnt with."""
        ranker: PairwiseRanker = clone(self)
        return ranker

    def _refit(self, X: Any, pairs: Pairs) -> Floats:
        ranker = self._at_penalty().set_params(warm_start=True, verbose=0)
        ranker.coef_ = self.coef_
        ranker._solve(Part.of_pairs(X, pairs))
        return np.asarray(ranker.coef_)

    def _training_pairs(
        self, X: Any, y: Any, groups: ArrayLike | None, sample_weight: ArrayLike | None, reset: bool
    ) -> tuple[Any, Pairs, NDArray[np.int64] | None]:
        """Return the rows, their pairs, and the caller's number of each unless all are as given."""
        if not isinstance(y, PreferencePairs):
            rows = as_rows(
                self, X, y, groups, sample_weight=sample_weight, accept_sparse="csr", reset=reset
            )
            pairs = block_pairs(rows, self.pairs, self.pair_weighting)
            return near_zero(rows.X, rows.offsets), pairs, rows.order
        if groups is not None:
            raise ValueError("PreferencePairs say which rows are compared; leave groups out")
        if self.pairs != "all" or self.pair_weighting != "pair":
            raise ValueError(
                "PreferencePairs carry their own pairs and weights; "
                "use pairs='all' and pair_weighting='pair'"
            )
        valid = validate_features(
            self, X, dtype=np.float64, order="C", accept_sparse="csr", reset=reset
        )
        weights = None if sample_weight is None else check_weights(sample_weight, valid)
        better, worse = y.rows_of(X if hasattr(X, "shape") else valid)
        n_rows = valid.shape[0]
        listed = listed_pairs(better, worse, y.weights, weights, n_rows)
        return near_zero(valid, np.array([0, n_rows])), listed, None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.gap != "deprecated":
            warnings.warn(
                f"gap={self.gap!r} is now called gap_share={self.gap!r}, since every other gap of "
                "this package is a difference; the old name will be removed in 0.2",
                FutureWarning,
                stacklevel=3,
            )

    def _asked_gap_share(self) -> float:
        return float(self.gap_share if self.gap == "deprecated" else self.gap)
