"""How sure the coefficients of the pairwise logistic model are."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm
from scipy.stats import t as student
from sklearn.utils import check_random_state

from rankwright.linear.pairs import CURVATURE, SLOPE, SQUARED_SLOPE, LogisticShape, Pairs

__all__ = ["CoefficientIntervals", "bootstrap", "sandwich"]

Floats = NDArray[np.float64]

FEWEST_ITEMS = 8
FEWEST_DRAWN = 8
FLATTEST = 1e-13  # a scaled curvature that rounding errors can make


@dataclass(frozen=True)
class CoefficientIntervals:
    """Confidence intervals for the coefficients, in the order of the features.

    Attributes
    ----------
    estimate : (d,) float64
        The fitted coefficients.
    standard_error : (d,) float64
        Of the estimates.
    lower, upper : (d,) float64
        The ends of the intervals.
    level : float
        Share of intervals that cover the true coefficient when the method's assumptions hold.
    method : {"sandwich", "bootstrap"}
        How they were found.

    Examples
    --------
    >>> import numpy as np
    >>> import rankwright as rw
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 1))
    >>> y = 2.0 * X[:, 0] + rng.logistic(size=200)
    >>> intervals = rw.PairwiseRanker().fit(X, y).confidence_intervals(X, y)
    >>> bool(intervals.lower[0] > 0), intervals.level
    (True, 0.95)
    """

    estimate: Floats
    standard_error: Floats
    lower: Floats
    upper: Floats
    level: float
    method: str


def sandwich(
    X: Any, pairs: Pairs, coef: Floats, alpha: float, items: NDArray[Any], level: float
) -> CoefficientIntervals:
    """Return intervals from H⁻¹ Ω H⁻¹, where Ω adds up what pairs that share an item do together.

    With g_ik the gradient of pair (i, k) and u_i = sum_k g_ik, Ω = sum over items of u_i u_iᵀ, less
    the sum over pairs of g_ik g_ikᵀ, which the first sum contains twice. The coefficients fit the m
    items they were learnt from, so u_i is too short, by (d + 1)/m in the mean: it is divided by
    1 - (d + 1)/m, and Student's t with m - d - 1 degrees of freedom gives the intervals.
    """
    scores = X @ coef
    X = X.toarray() if not isinstance(X, np.ndarray) else X
    X = X - X.mean(axis=0)
    _, item = np.unique(items, return_inverse=True)
    compared = pairs.logistic(np.zeros_like(scores), CURVATURE, None, 1.0)[1] > 0
    n_items = np.unique(item[compared]).size
    freedom = _freedom(n_items, X.shape[1])
    if pairs.separates(scores):
        raise ValueError(
            "the scores order every pair correctly, so the likelihood has no maximum and the "
            "sandwich no meaning; use fewer features or more data, or method='bootstrap'"
        )
    of_item = _gradients(X, pairs, scores, item) * (n_items / freedom)
    omega = of_item.T @ of_item
    omega -= X.T @ _laplacian(pairs.squared(), scores, SQUARED_SLOPE, X)
    values, vectors = np.linalg.eigh(omega)
    curvature = X.T @ _laplacian(pairs, scores, CURVATURE, X)
    flat = np.diag(curvature) <= FLATTEST * (X**2).max(axis=0)  # it never differs in a pair
    curvature[flat] = curvature[:, flat] = 0.0
    root = _solve(curvature, alpha, vectors * np.sqrt(np.maximum(values, 0.0)))
    error = np.where(flat, np.inf, np.sqrt((root**2).sum(axis=1)))
    half = student.ppf(0.5 + level / 2, freedom) * error
    return CoefficientIntervals(coef, error, coef - half, coef + half, level, "sandwich")


def _gradients(X: Floats, pairs: Pairs, scores: Floats, item: NDArray[np.int64]) -> Floats:
    """Return the sum of the gradients of each item's pairs."""
    slopes = pairs.logistic(scores, SLOPE, None, -1.0)[1]
    seen = np.column_stack([pairs.logistic(scores, SLOPE, x, -1.0)[1] for x in X.T])
    of_item = np.zeros((item.max() + 1, X.shape[1]))
    np.add.at(of_item, item, slopes[:, None] * X - seen)
    return of_item


def _freedom(n_items: int, n_features: int) -> int:
    """Return the degrees of freedom, and refuse where simulated coverage was not trusted."""
    least = max(FEWEST_ITEMS, 2 * (n_features + 1))
    if n_items < least:
        raise ValueError(
            f"the sandwich needs at least {least} compared items for {n_features} features, and "
            f"there are {n_items}; use method='bootstrap' if there are {FEWEST_DRAWN} groups or "
            "listed pairs"
        )
    return n_items - n_features - 1


def _solve(curvature: Floats, alpha: float, right: Floats) -> Floats:
    """Return (curvature + alpha I)⁻¹ right, computed in the features' own units."""
    hessian = curvature + alpha * np.eye(len(curvature))
    diagonal = np.diag(hessian)
    scale = 1.0 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    values, vectors = np.linalg.eigh(hessian * np.outer(scale, scale))
    if values[0] <= FLATTEST:
        flat = int(np.argmax(np.abs(vectors[:, 0])))
        raise ValueError(
            f"the pairs do not determine the coefficients: feature {flat} never differs in a pair, "
            "or others add up to it; leave it out, or set alpha > 0"
        )
    inverse = vectors / values @ vectors.T
    return np.asarray(scale[:, None] * (inverse @ (scale[:, None] * right)))


def _laplacian(pairs: Pairs, scores: Floats, shape: LogisticShape, X: Floats) -> Floats:
    """Return for each row the sum over its partners k of c_ik h_ik (x_i - x_k)."""
    degree = pairs.logistic(scores, shape, None, 1.0)[1]
    seen = np.column_stack([pairs.logistic(scores, shape, x, 1.0)[1] for x in X.T])
    return degree[:, None] * X - seen


def bootstrap(
    refit: Callable[[Pairs], Floats],
    pairs: Pairs,
    coef: Floats,
    level: float,
    n_resamples: int,
    random_state: int | np.random.RandomState | None,
) -> CoefficientIntervals:
    """Return percentile intervals of refits on groups (or listed pairs) drawn with replacement.

    A resample of n units varies less than their population, by (n - 1)/n, and knows no
    uncertainty of its own spread; the percentiles are stretched around the estimate by
    sqrt(n/(n - 1)) and the ratio of Student's to the normal quantile (Hesterberg 2015).
    """
    n_drawn = pairs.n_drawn
    if n_drawn < FEWEST_DRAWN:
        raise ValueError(
            f"a bootstrap draws groups (or listed pairs), and {n_drawn} with a pair are too few; "
            f"it needs {FEWEST_DRAWN}; use method='sandwich' if there are {FEWEST_ITEMS} items"
        )
    if n_resamples < 2:
        raise ValueError(f"n_resamples={n_resamples}; draw at least 2, better 200")
    rng = check_random_state(random_state)
    draws = np.array([refit(pairs.resample(rng)) for _ in range(n_resamples)])
    tails = np.array([0.5 - level / 2, 0.5 + level / 2])
    stretch = np.sqrt(n_drawn / (n_drawn - 1))
    wider = stretch * student.ppf(tails[1], n_drawn - 1) / norm.ppf(tails[1])
    lower, upper = coef + wider * (np.quantile(draws, tails, axis=0) - coef)
    error = stretch * draws.std(axis=0, ddof=1)
    return CoefficientIntervals(coef, error, lower, upper, level, "bootstrap")
