"""How sure the coefficients of the pairwise logistic model are."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm
from sklearn.utils import check_random_state

from rankwright.linear.pairs import CURVATURE, SLOPE, SQUARED_SLOPE, LogisticShape, Pairs

__all__ = ["CoefficientIntervals", "bootstrap", "sandwich"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CoefficientIntervals:
    """Confidence intervals for the coefficients, in the order of the features.

    Attributes
    ----------
    estimate, standard_error, lower, upper : (d,) float64
    level : float
        Share of intervals that cover the true coefficient when the method's assumptions hold.
    method : {"sandwich", "bootstrap"}

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

    With g_ik the gradient of pair (i, k), Ω = sum over items i of (sum_k g_ik)(sum_k g_ik)ᵀ, less
    the sum over pairs of g_ik g_ikᵀ, which the first sum contains twice.
    """
    scores = X @ coef
    X = X.toarray() if not isinstance(X, np.ndarray) else X
    X = X - X.mean(axis=0)
    hessian = X.T @ _laplacian(pairs, scores, CURVATURE, X) + alpha * np.eye(X.shape[1])
    slopes = pairs.logistic(scores, SLOPE, None, -1.0)[1]
    seen = np.column_stack([pairs.logistic(scores, SLOPE, x, -1.0)[1] for x in X.T])
    of_row = slopes[:, None] * X - seen
    _, item = np.unique(items, return_inverse=True)
    of_item = np.zeros((item.max() + 1, X.shape[1]))
    np.add.at(of_item, item, of_row)
    omega = of_item.T @ of_item
    omega -= X.T @ _laplacian(pairs.squared(), scores, SQUARED_SLOPE, X)
    values, vectors = np.linalg.eigh(omega)
    root = np.linalg.solve(hessian, vectors * np.sqrt(np.maximum(values, 0.0)))
    error = np.sqrt((root**2).sum(axis=1))
    half = norm.ppf(0.5 + level / 2) * error
    return CoefficientIntervals(coef, error, coef - half, coef + half, level, "sandwich")


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
    """Return percentile intervals of refits on groups drawn with replacement."""
    rng = check_random_state(random_state)
    draws = np.array([refit(pairs.resample(rng)) for _ in range(n_resamples)])
    lower, upper = np.quantile(draws, [0.5 - level / 2, 0.5 + level / 2], axis=0)
    return CoefficientIntervals(coef, draws.std(axis=0, ddof=1), lower, upper, level, "bootstrap")
