"""ℓp reverse-engineering: push low items down, pull high items up (Chang et al. 2012)."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator

from rankwright.base import as_rows
from rankwright.base.parameters import WEIGHTS_BY_NAME, Rule, number
from rankwright.data import row_weights
from rankwright.data.levels import Levels, sort_levels
from rankwright.linear.categories import CategoryWeights, category_of_group, category_weights
from rankwright.linear.existence import warn_if_arbitrary
from rankwright.linear.linear_ranker import PenalisedRankerMixin
from rankwright.linear.loss import Loss, exponential_curvature
from rankwright.linear.origins import near_zero
from rankwright.linear.pairs import block_pairs
from rankwright.linear.parts import Part

__all__ = ["PushRanker", "push_loss"]

Floats = NDArray[np.float64]


class PushRanker(PenalisedRankerMixin, BaseEstimator):
    """Learn a linear score that concentrates on the ends of the list.

    ℓp-RE of Chang et al. (2012), section 6.2. With the exponential loss exp(-(f_i - f_k)) of each
    pair (better i, worse k): low is the p-norm over k of the losses of k's pairs, so that p > 1
    pushes down bad items that stand high; high is the p-norm over i, which pulls up good items that
    stand low. Minimises low + pull * high, summed over the groups of each category, divided by its
    value at equal scores and weighted by category, plus alpha |w|²/2. Convex, O(n log n).

    Parameters
    ----------
    p : float
        At least 1.
    pull : float
        C_high of the paper; with p = 1 it changes nothing.
    category_weights : dict, optional
        Weight of each category, 1 where none is given.
    alpha : float
        Strength of the penalty. The paper has none; without it the coefficients of data that can be
        ordered perfectly grow until the loss vanishes.
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
    >>> X = [[1.0, 8.0], [2.0, 5.0], [3.0, 9.0], [1.0, 2.0], [4.0, 3.0]]
    >>> y = [2, 1, 3, 1, 2]
    >>> groups = ["a", "a", "a", "b", "b"]
    >>> rw.PushRanker(p=2, pull=0.5).fit(X, y, groups).rank(X, groups)
    array([2., 3., 1., 2., 1.])
    """

    __metadata_request__fit = {"groups": True, "categories": True}  # noqa: RUF012
    _parameter_rules: ClassVar[dict[str, Rule]] = {
        "p": number(least=1),  # below it the loss is not convex
        "pull": number(least=0),
        "category_weights": WEIGHTS_BY_NAME,
        **PenalisedRankerMixin._parameter_rules,
    }

    def __init__(
        self,
        p: float = 2.0,
        pull: float = 0.0,
        *,
        category_weights: CategoryWeights | None = None,
        alpha: float = 1e-4,
        nonnegative: bool = False,
        tol: float = 1e-6,
        max_iter: int = 1000,
        warm_start: bool = False,
        verbose: int = 0,
    ) -> None:
        self.p = p
        self.pull = pull
        self.category_weights = category_weights
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
        categories: ArrayLike | None = None,
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
        categories : (n,) array, optional
            Category of each row; all rows of a group share it.
        sample_weight : (n,) array, optional
            Weights of the rows: a row of weight w counts as w equal rows.

        Returns
        -------
        self
        """
        self._check_parameters()
        rows = as_rows(self, X, y, groups, sample_weight=sample_weight, accept_sparse="csr")
        pairs = block_pairs(rows)
        levels = sort_levels(rows.y, rows.offsets)
        names, of_group = category_of_group(categories, rows)
        weights = category_weights(names, self.category_weights)
        loss = push_loss(levels, row_weights(rows), self.p, self.pull, weights, of_group)
        near = near_zero(rows.X, rows.offsets)
        training = Part(near, pairs, loss, pairs.total)
        curvature = self._curvature(training, exponential_curvature)
        self._minimize(training, lambda own: own, curvature, self._start(training))
        if self.alpha == 0:
            warn_if_arbitrary(near, pairs, self.coef_)
        return self


def push_loss(
    levels: Levels,
    counts: Floats,
    p: float,
    pull: float,
    weights: Floats,
    category: NDArray[np.int64],
) -> Loss:
    """Return the objective of ℓp-RE without penalty, as a loss of the scores.

    Each group's norms are scaled by C_s / N_s, where N_s is the sum of the norms at equal scores
    over the groups of its category. A row counts as so many rows.
    """
    from rankwright.kernels.push import push_and_pull

    n_rows = levels.order.size
    gradient = np.empty(n_rows)
    # Only the ratios of counts matter: by a power of two, which changes no digit, their p-th powers
    # are numbers.
    ordered = np.ldexp(counts, -np.frexp(counts.max())[1])[levels.order]

    def evaluate(scores: Floats, scale: Floats) -> float:
        value: float = push_and_pull(
            scores, ordered, levels.offsets, levels.groups, scale, p, pull, gradient
        )
        return value

    at_equal = [
        evaluate(np.zeros(n_rows), (category == c).astype(float)) for c in range(len(weights))
    ]
    per_category = np.divide(
        weights, at_equal, out=np.zeros_like(weights), where=np.array(at_equal) > 0
    )
    scale = per_category[category]

    def loss(scores: Floats) -> tuple[float, Floats]:
        value = evaluate(scores[levels.order], scale)
        unsorted = np.empty(n_rows)
        unsorted[levels.order] = gradient
        return value, unsorted

    return loss
