"""Minimise a convex objective with SciPy's L-BFGS-B, in coordinates made for the problem.

The coordinates are those in which the Hessian, estimated from a sample of pairs, is the identity;
they are renewed as the coefficients settle. So an objective takes about ten evaluations, whatever
the scales and correlations of the features, and the tolerance has a meaning: half the square of the
gradient's norm in these coordinates is the distance from the minimum. With many rows the sampled
pairs are more, and their own minimum is the start: about four evaluations are left.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, solve_triangular
from scipy.optimize import OptimizeResult
from scipy.optimize import minimize as scipy_minimize
from sklearn.exceptions import ConvergenceWarning

from rankwright.linear.loss import Loss
from rankwright.linear.objective import Objective
from rankwright.linear.parts import Training

__all__ = ["Curvature", "Minimum", "minimize", "sample_curvature", "sampled_start"]

Floats = NDArray[np.float64]
SmoothObjective = Callable[[Floats], tuple[float, Floats]]

SAMPLED_PAIRS = 4096
ROWS_PER_SAMPLED_PAIR = 16  # of many rows: the sample then costs less than one evaluation saved
ROUGH = 1e-3  # the tolerance for sampled pairs, whose minimum is no nearer to that of all
MOST_WHITENED = 1000  # features; beyond this a Cholesky factor costs more than it saves
# Pairs are given at least this share of the largest curvature, and a hundred times as much when the
# solver can't move: pairs that do not count now may count after a step.
LEAST_CURVATURE = 1e-4
COLLINEAR = 1e-10  # added to the diagonal of correlations: keeps collinear features harmless
SMALLEST = 1e-9  # a mean loss below this counts as zero: separable pairs have no other minimum
ROUND_GAIN = 0.02  # decrease of the gradient after which the coordinates are renewed
ROUNDING = 4 * np.finfo(np.float64).eps  # relative decrease of the objective that means nothing
HIDDEN = 1e-6  # gradients below this may be at the minimum: rounding errors hide the decrease
MOST_ROUNDS = 100


@dataclass(frozen=True)
class Curvature:
    """Second moments of feature differences, weighted by the second derivative of a pair's loss."""

    differences: Any  # (m, d) array or CSR matrix of better minus worse rows
    weights: Floats  # (m,), sum to one
    second_derivative: Callable[[Floats], Floats]  # of the score differences
    largest: float  # second derivative of a pair
    alpha: float
    diagonal: bool

    def thinned(self, step: int) -> "Curvature":
        """Return the curvature of every ``step``-th sampled pair."""
        weights = self.weights[::step]
        return replace(self, differences=self.differences[::step], weights=weights / weights.sum())

    def factor(self, coef: Floats, scale: float, least: float) -> Floats:
        """Return a Cholesky factor of scale * Hessian at ``coef``, or its diagonal's root."""
        weights = self.second_derivative(self.differences @ coef)
        weights = np.maximum(weights, least * self.largest)
        weights *= scale * self.weights
        dense = isinstance(self.differences, np.ndarray)
        squares = self.differences**2 if dense else self.differences.power(2)
        diagonal = np.asarray(squares.T @ weights) + scale * self.alpha
        root = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))  # a constant feature may have any
        if self.diagonal or coef.size > MOST_WHITENED:
            return root
        if dense:
            hessian = self.differences.T @ (weights[:, None] * self.differences)
        else:
            hessian = (self.differences.T @ self.differences.multiply(weights[:, None])).toarray()
        correlations = hessian / np.outer(root, root)
        np.fill_diagonal(correlations, 1.0 + COLLINEAR)
        return root[:, None] * cholesky(correlations, lower=True, check_finite=False)


def sample_curvature(
    training: Training,
    second_derivative: Callable[[Floats], Floats],
    alpha: float,
    *,
    diagonal: bool,
) -> Curvature:
    """Return the curvature of a loss over pairs, from a sample of them."""
    wanted = max(SAMPLED_PAIRS, 4 * training.n_features, training.n_rows // ROWS_PER_SAMPLED_PAIR)
    differences, weights = training.sample(wanted)
    largest = float(second_derivative(np.zeros(1))[0])
    return Curvature(differences, weights, second_derivative, largest, alpha, diagonal)


@dataclass(frozen=True)
class Minimum:
    """Where the solver stopped, and the largest entry of the gradient there."""

    coef: Floats
    n_iter: int
    value: float
    gradient: float

    def warn_if_not_reached(self, tol: float, max_iter: int) -> None:
        """Warn where the gradient is too large to be that of the minimum."""
        if self.gradient > max(tol, HIDDEN):
            warnings.warn(
                f"the solver stopped after {self.n_iter} iterations with a gradient of "
                f"{self.gradient:.1e}, above tol={tol}; increase max_iter={max_iter} or alpha",
                ConvergenceWarning,
                stacklevel=4,
            )


def minimize(
    objective: SmoothObjective,
    start: Floats,
    curvature: Curvature,
    *,
    nonnegative: bool = False,
    tol: float = 1e-6,
    max_iter: int = 1000,
    verbose: int = 0,
) -> Minimum:
    """Minimise until the gradient, in the coordinates above and relative to the value, is small.

    Stops when no entry exceeds ``tol`` times the root of the value, so that the value is above the
    minimum by a share near tol². Nonnegative coefficients need a diagonal curvature.

    Where the penalty holds the minimum so near zero that zero would do, but the pairs alone ask for
    more, it is reached by a step of Newton's: coefficients of zero have no order.
    """
    problem = _Problem(objective, start, nonnegative, verbose)
    norm = problem.approach(curvature, tol, max_iter)
    if norm <= tol and not problem.coef.any():
        problem.leave_zero(curvature, tol)
    return Minimum(problem.coef, problem.n_iter, float(problem.value), norm)


def sampled_start(
    curvature: Curvature,
    loss_of_differences: Callable[[Floats], Loss],
    *,
    nonnegative: bool = False,
    max_iter: int = 1000,
) -> Floats:
    """Return coefficients near the minimum over the sampled pairs, from zero.

    A part of the sample finds the start for all of it, as the sample does for all pairs.
    """
    coef = np.zeros(curvature.differences.shape[1])
    for part in (curvature.thinned(ROWS_PER_SAMPLED_PAIR), curvature):
        loss = loss_of_differences(part.weights)
        problem = _Problem(
            Objective(part.differences, loss, part.alpha), coef, nonnegative, verbose=0
        )
        problem.approach(part, ROUGH, max_iter)
        coef = problem.coef
    return coef


class _Problem:
    """The objective around the current coefficients: w = coef + L⁻ᵀ u, divided by its value."""

    def __init__(
        self, objective: SmoothObjective, start: Floats, nonnegative: bool, verbose: int
    ) -> None:
        self.objective = objective
        self.nonnegative = nonnegative
        self.verbose = verbose
        self.n_iter = self.reported = 0
        self.coef = start
        self.value, self.gradient = objective(start)

    def approach(self, curvature: Curvature, tol: float, max_iter: int) -> float:
        """Descend in renewed coordinates and return the norm of the last gradient."""
        least = LEAST_CURVATURE
        for _ in range(MOST_ROUNDS):
            norm = self.renew(curvature, least)
            if norm <= tol or self.n_iter >= max_iter:
                break
            before = self.value
            self.descend(max(tol, ROUND_GAIN * norm), max_iter - self.n_iter)
            if self.value >= before:
                if least >= 1.0:
                    break
                least *= 100.0
        return norm

    def renew(self, curvature: Curvature, least: float) -> float:
        """Renew the coordinates and return the norm of the gradient in them."""
        self.scale = 1.0 / max(self.value, SMALLEST)
        self.factor = curvature.factor(self.coef, self.scale, least)
        gradient = self._to_coordinates(self.scale * self.gradient)
        if self.nonnegative:
            gradient = np.where(self.coef > 0, gradient, np.minimum(gradient, 0.0))
        norm = float(np.abs(gradient).max())
        # L-BFGS-B's first step has length one: stretch the coordinates so that it is Newton's.
        self.stretch = 1.0 / (float(np.linalg.norm(gradient)) or 1.0)
        self.factor = self.factor * self.stretch
        self.scale *= self.stretch * self.stretch  # 0 where ** is an error
        return norm

    def leave_zero(self, curvature: Curvature, tol: float) -> None:
        """Move by Newton's step, if it is the penalty alone that makes the gradient small.

        The decrease of the value would be lost in rounding errors, so that L-BFGS-B can't move.
        """
        if self.renew(replace(curvature, alpha=0.0), LEAST_CURVATURE) <= tol:
            return
        self.renew(curvature, LEAST_CURVATURE)
        u = -self._to_coordinates(self.scale * self.gradient)
        self.coef = self.coef + self._from_coordinates(u)
        if self.nonnegative:
            self.coef = np.maximum(self.coef, 0.0)
        self.value, self.gradient = self.objective(self.coef)
        self.n_iter += 1

    def descend(self, tol: float, max_iter: int) -> None:
        """Run L-BFGS-B from the current coefficients and move them."""
        origin = self.coef
        lower = -origin * self.factor if self.nonnegative else None
        self.latest = np.zeros(origin.size), self.value, self.gradient

        def evaluate(u: Floats) -> tuple[float, Floats]:
            if u.any():
                value, gradient = self.objective(origin + self._from_coordinates(u))
            else:
                value, gradient = self.value, self.gradient
            self.latest = u.copy(), value, gradient
            return self.scale * value, self._to_coordinates(self.scale * gradient)

        result = scipy_minimize(
            evaluate,
            np.zeros(origin.size),
            jac=True,
            method="L-BFGS-B",
            bounds=None if lower is None else [(least, None) for least in lower],
            callback=self._report if self.verbose else None,
            options={
                "gtol": tol * self.stretch,
                "ftol": ROUNDING,
                "maxiter": max_iter,
                "maxls": 20,
            },
        )
        if not np.array_equal(self.latest[0], result.x):
            evaluate(result.x)
        _, self.value, self.gradient = self.latest
        self.coef = origin + self._from_coordinates(result.x)
        if self.nonnegative:
            self.coef = np.maximum(self.coef, 0.0)
        self.n_iter += int(result.nit)

    def _from_coordinates(self, u: Floats) -> Floats:
        if self.factor.ndim == 1:
            return u / self.factor
        return np.asarray(solve_triangular(self.factor, u, trans=1, lower=True, check_finite=False))

    def _to_coordinates(self, gradient: Floats) -> Floats:
        if self.factor.ndim == 1:
            return gradient / self.factor
        return np.asarray(solve_triangular(self.factor, gradient, lower=True, check_finite=False))

    def _report(self, intermediate_result: OptimizeResult) -> None:
        _, value, gradient = self.latest
        norm = np.abs(self._to_coordinates(self.scale * gradient)).max() / self.stretch
        self.reported += 1
        print(f"iteration {self.reported}: objective {value:.9g}, gradient norm {norm:.1e}")
