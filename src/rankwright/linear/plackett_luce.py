"""Plackett-Luce with features: the likelihood of whole rankings."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator

from rankwright.base import as_rows
from rankwright.data import Rankings, Rows, row_weights
from rankwright.data.float_range import check_row_counts
from rankwright.data.levels import Levels, sort_levels
from rankwright.linear.existence import warn_if_arbitrary
from rankwright.linear.linear_ranker import PenalisedRankerMixin
from rankwright.linear.loss import Loss, logistic_curvature
from rankwright.linear.origins import near_zero
from rankwright.linear.pairs import block_pairs, graded_pairs
from rankwright.linear.parts import Part, Parts, Training

__all__ = ["Choices", "PlackettLuceRanker", "plackett_luce_loss"]

Floats = NDArray[np.float64]


class PlackettLuceRanker(PenalisedRankerMixin, BaseEstimator):
    """Learn a linear score from whole rankings by maximum likelihood.

    The best item is chosen from all with probability proportional to exp(score), the next from the
    rest, and so on. Tied items are chosen together by Efron's rule. Minimises the mean negative
    log-likelihood of a choice (a ranking of n items has n - 1) plus alpha |w|²/2, in O(n log n). An
    item's chance at the top counts most here, all pairs count alike in ``PairwiseRanker``. Ties say
    that items are alike, so a group without any order pulls its scores together.

    Parameters
    ----------
    alpha : float
        Strength of the penalty; standardise features when their units should not matter.
    nonnegative : bool
        Keep all coefficients at zero or above.
    tol : float
        Largest entry of the gradient at the end, in well-scaled coordinates.
    max_iter : int
        The most steps of the solver; a warning says when they were not enough.
    warm_start : bool
        Start from the coefficients of the previous ``fit``.
    verbose : int
        Whether to print iteration, objective and gradient norm.

    Attributes
    ----------
    coef_ : (n_features_in_,) float64
        The weight of each feature.
    objective_ : float
        What was minimised, at its end.
    n_iter_ : int
        Steps that the solver took.
    n_features_in_ : int
    feature_names_in_ : (n_features_in_,) array of str
        Only when ``X`` has column names.

    Examples
    --------
    >>> import rankwright as rw
    >>> hotels = [[3.0, 80.0], [4.0, 95.0], [5.0, 240.0], [4.0, 70.0]]
    >>> rankings = rw.Rankings(hotels, [[3, 1, [0, 2]], [2, 0], [1, 0, 2]])
    >>> ranker = rw.PlackettLuceRanker(alpha=0.01).fit(rankings)
    >>> ranker.rank(hotels)
    array([3., 2., 4., 1.])
    """

    def __init__(
        self,
        alpha: float = 1e-4,
        *,
        nonnegative: bool = False,
        tol: float = 1e-6,
        max_iter: int = 1000,
        warm_start: bool = False,
        verbose: int = 0,
    ) -> None:
        self.alpha = alpha
        self.nonnegative = nonnegative
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.verbose = verbose

    def fit(
        self,
        X: Any,
        y: Any = None,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from rows with grades, or from rankings.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix, or Rankings
        y : (n,) array
            Larger is better; only the order inside a group matters.
        groups : (n,) array, optional
            Group id of each row.
        sample_weight : (n,) array, optional
            Weights of the rows: a row of weight w counts as w equal rows, tied with each other.

        Returns
        -------
        self
        """
        self._check_parameters()
        rows = as_rows(self, X, y, groups, sample_weight=sample_weight, accept_sparse="csr")
        pairs, choices = block_pairs(rows), Choices.of(rows)
        near = near_zero(rows.X, rows.offsets)
        self._solve(Part(near, pairs, choices, choices.count))
        if self.alpha == 0:
            one_table = isinstance(X, Rankings)
            warn_if_arbitrary(near, pairs, self.coef_, tied=choices.levels, one_table=one_table)
        return self

    def _part(self, rows: Rows) -> Part:
        """Return rows of whole groups as one part of a training set."""
        choices = Choices.of(rows)
        near = near_zero(rows.X, rows.offsets)
        return Part(near, graded_pairs(rows), choices, choices.count)

    def _fit_parts(self, parts: Parts) -> None:
        """Learn from rows that lie elsewhere."""
        self._solve(parts)

    def _solve(self, training: Training) -> None:
        # A choice among many is about as curved as two logistic choices between a pair.
        curvature = self._curvature(training, lambda d: 2 * logistic_curvature(d))
        self._minimize(training, plackett_luce_loss, curvature, self._start(training))


@dataclass(frozen=True)
class Choices:
    """The choices that rankings are made of."""

    levels: Levels
    weights: Floats  # of the rows, in sorted order
    count: float

    @classmethod
    def of(cls, rows: Rows) -> "Choices":
        """Find the choices of graded rows."""
        weights = row_weights(rows)
        check_row_counts("sample_weight", weights)  # Efron's rule takes a term for each
        levels = sort_levels(rows.y, rows.offsets)
        ordered = weights[levels.order]
        return cls(levels, ordered, _count_choices(levels, ordered))


def plackett_luce_loss(choices: Choices) -> Loss:
    """Return the mean negative log-likelihood of a choice, as a loss of the scores."""
    levels, count, no_curvature = choices.levels, choices.count or 1.0, np.empty(0)

    def loss(scores: Floats) -> tuple[float, Floats]:
        from rankwright.kernels.plackett_luce import plackett_luce

        sorted_gradient = np.empty(scores.size)
        value = plackett_luce(
            scores[levels.order],
            choices.weights,
            levels.offsets,
            levels.groups,
            sorted_gradient,
            no_curvature,
        )
        gradient = np.empty(scores.size)
        gradient[levels.order] = sorted_gradient
        return value / count, gradient / count

    return loss


def _count_choices(levels: Levels, weights: Floats) -> float:
    """Return how many choices the rankings hold: a ranking of n rows has n - 1.

    The last row is not chosen but left over; where rows weigh less than one, it takes its share.
    """
    starts = levels.offsets[levels.groups[:-1]]
    total = np.add.reduceat(weights, starts)
    rows = np.add.reduceat((weights > 0).astype(np.float64), starts)
    left_over = np.minimum(1.0, total / np.maximum(rows, 1))
    return float((total - left_over).sum())
