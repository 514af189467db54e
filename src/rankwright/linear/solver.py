"""Minimise a smooth convex objective with SciPy's L-BFGS-B, in well-scaled coordinates."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, solve_triangular
from scipy.optimize import OptimizeResult
from scipy.optimize import minimize as scipy_minimize
from sklearn.exceptions import ConvergenceWarning

from rankwright.linear.pairs import Pairs

__all__ = ["Coordinates", "Solution", "minimize", "pair_coordinates"]

Floats = NDArray[np.float64]

SAMPLED_PAIRS = 4096
MOST_WHITENED = 1000  # features; beyond this a Cholesky factor costs more than it saves
ROUNDING = 4 * np.finfo(np.float64).eps  # relative decrease of the objective that means nothing
FLOOR = 1e-10  # of the largest curvature: keeps constant and collinear features harmless


@dataclass(frozen=True)
class Coordinates:
    """Coordinates u in which the Hessian is near the identity: w = solve(Lᵀ, u) or u / scale."""

    factor: Floats  # lower triangular (d, d), or the diagonal (d,)

    def to_coef(self, u: Floats) -> Floats:
        if self.factor.ndim == 1:
            return u / self.factor
        return np.asarray(solve_triangular(self.factor, u, trans=1, lower=True, check_finite=False))

    def from_coef(self, w: Floats) -> Floats:
        return w * self.factor if self.factor.ndim == 1 else self.factor.T @ w

    def of_gradient(self, g: Floats) -> Floats:
        if self.factor.ndim == 1:
            return g / self.factor
        return np.asarray(solve_triangular(self.factor, g, lower=True, check_finite=False))


@dataclass(frozen=True)
class Solution:
    """Where the solver stopped."""

    coef: Floats
    n_iter: int
    value: float


def pair_coordinates(
    X: Any, pairs: Pairs, curvature: float, alpha: float, *, diagonal: bool
) -> Coordinates:
    """Return coordinates from the second moments of feature differences over a sample of pairs.

    With them an objective needs about ten evaluations, whatever the scales and correlations of
    the features; the optimum does not depend on them.
    """
    better, worse = pairs.sample(max(SAMPLED_PAIRS, 4 * X.shape[1]))
    differences = X[better] - X[worse]
    weight = curvature / len(better)
    if diagonal or X.shape[1] > MOST_WHITENED:
        squares = differences.multiply(differences) if _is_sparse(X) else differences**2
        moments = weight * np.asarray(squares.sum(axis=0)).ravel() + alpha
        return Coordinates(np.sqrt(np.maximum(moments, _floor(moments))))
    moments = differences.T @ differences
    moments = weight * np.asarray(moments.todense() if _is_sparse(X) else moments)
    scale = np.diag(moments) + alpha
    moments[np.diag_indices_from(moments)] = np.maximum(scale * (1.0 + FLOOR), _floor(scale))
    return Coordinates(cholesky(moments, lower=True, check_finite=False))


def _is_sparse(X: Any) -> bool:
    return not isinstance(X, np.ndarray)


def _floor(moments: Floats) -> float:
    return float(FLOOR * moments.max()) or 1.0


def minimize(
    objective: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    coordinates: Coordinates,
    *,
    nonnegative: bool = False,
    tol: float = 1e-6,
    max_iter: int = 1000,
    verbose: int = 0,
) -> Solution:
    """Minimise until the gradient's largest entry, in the given coordinates, is below ``tol``.

    Nonnegative coefficients need diagonal coordinates. Warns when ``max_iter`` is not enough.
    """
    scaled = _Scaled(objective, coordinates)
    result = scipy_minimize(
        scaled,
        coordinates.from_coef(start),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, None)] * start.size if nonnegative else None,
        callback=scaled.report if verbose else None,
        options={"gtol": tol, "ftol": ROUNDING, "maxiter": max_iter, "maxls": 50},
    )
    if result.nit >= max_iter:
        warnings.warn(
            f"the solver stopped after max_iter={max_iter} iterations with a gradient of "
            f"{abs(result.jac).max():.1e}, above tol={tol}; increase max_iter or alpha",
            ConvergenceWarning,
            stacklevel=3,
        )
    return Solution(coordinates.to_coef(result.x), int(result.nit), float(result.fun))


class _Scaled:
    """The objective in the solver's coordinates; remembers its latest gradient for progress."""

    def __init__(
        self, objective: Callable[[Floats], tuple[float, Floats]], coordinates: Coordinates
    ) -> None:
        self.objective = objective
        self.coordinates = coordinates
        self.iteration = 0
        self.gradient_norm = np.inf

    def __call__(self, u: Floats) -> tuple[float, Floats]:
        value, gradient = self.objective(self.coordinates.to_coef(u))
        scaled = self.coordinates.of_gradient(gradient)
        self.gradient_norm = float(np.abs(scaled).max())
        return value, scaled

    def report(self, intermediate_result: OptimizeResult) -> None:
        self.iteration += 1
        print(
            f"iteration {self.iteration}: objective {intermediate_result.fun:.9g}, "
            f"gradient norm {self.gradient_norm:.1e}",
            flush=True,
        )
