"""Newton's method for log-likelihoods that are concave up to a shift of all strengths."""

from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.sparse import csr_array
from scipy.sparse.linalg import LinearOperator, cg, splu

from rankwright.leaderboards.laplacian import Laplacian
from rankwright.leaderboards.outcomes import FloatArray

__all__ = [
    "Curvature",
    "Fit",
    "Likelihood",
    "MOST_DENSE",
    "Matrix",
    "Problem",
    "SingularError",
    "conjugate_gradients",
    "factored",
    "maximize",
]

MOST_DENSE = 2000  # items whose Hessian is factored as a dense matrix
TOLERANCE = 1e-7  # of the last step: Newton's error after it is about its square
MOST_STEPS = 60
MOST_HALVINGS = 30
FEW = 4  # pairs for each item up to which the Hessian's factor stays sparse
CLOSE = 1e-5  # a Newton step's share that is left open: the next step closes it
SINGULAR = 1e-11  # the share of a pivot that the others leave: less is a rounding error

Matrix: TypeAlias = FloatArray | Laplacian


@dataclass(frozen=True, eq=False)
class Curvature:
    """A log-likelihood, its gradient, and its Hessian with the sign that makes it positive."""

    value: float
    gradient: FloatArray
    hessian: Matrix
    prior: float = 0.0  # the logarithm of the prior's share, which the value does not contain


class SingularError(ArithmeticError):
    """The comparisons leave a direction of the parameters open."""


class Likelihood(Protocol):
    """What the solver asks of a model: parameters begin with one strength for each item."""

    @property
    def n_items(self) -> int:
        """The number of strengths."""
        ...

    @property
    def extra_names(self) -> list[str]:
        """The names of the parameters after the strengths."""
        ...

    @property
    def extra_units(self) -> FloatArray:
        """What those parameters are counted per: an effect per unit is one over the unit each."""
        ...

    def start(self) -> FloatArray:
        """Return the parameters to begin with."""
        ...

    def curvature(self, parameters: FloatArray, weights: FloatArray) -> Curvature:
        """Return the log-likelihood of outcomes with these weights, and its derivatives."""
        ...

    def scores(self, parameters: FloatArray) -> csr_array:
        """Return the gradient of each distinct outcome, in rows."""
        ...


@dataclass(frozen=True, eq=False)
class Problem:
    """A likelihood with a prior, and with strengths that are free or made of features.

    Attributes
    ----------
    likelihood : Likelihood
    alpha : float
        The number of pseudo-comparisons of each item with an item of strength 0, half of them won.
    basis : (parameters, coordinates) array or None
        What the coordinates that are searched mean for the parameters; None if they are the same.
    """

    likelihood: Likelihood
    alpha: float = 0.0
    basis: FloatArray | None = None

    @property
    def is_shift_free(self) -> bool:
        """Whether adding a number to all strengths changes nothing."""
        return self.alpha == 0 and self.basis is None

    def parameters(self, coordinates: FloatArray) -> FloatArray:
        """Return the parameters that coordinates stand for."""
        return coordinates if self.basis is None else self.basis @ coordinates

    def curvature(self, coordinates: FloatArray, weights: FloatArray) -> Curvature:
        """Return value, gradient and positive Hessian with respect to the coordinates."""
        parameters, n = self.parameters(coordinates), self.likelihood.n_items
        found = self.likelihood.curvature(parameters, weights)
        gradient, hessian, prior = found.gradient, found.hessian, 0.0
        if self.alpha:
            size = np.abs(parameters[:n])
            prior = -self.alpha * float((size / 2 + np.log1p(np.exp(-size))).sum())
            half = np.tanh(parameters[:n] / 2) / 2  # σ(θ) - ½
            gradient = gradient - self.alpha * np.append(half, np.zeros(len(gradient) - n))
            ridge = self.alpha * (0.25 - half**2)
            if isinstance(hessian, Laplacian):
                hessian = hessian.with_ridge(ridge)
            else:
                hessian = hessian + np.diag(np.append(ridge, np.zeros(len(gradient) - n)))
        if self.basis is not None:
            gradient = self.basis.T @ gradient
            hessian = self.basis.T @ (hessian @ self.basis)
        return Curvature(found.value, gradient, hessian, prior)

    def start(self) -> FloatArray:
        """Return the coordinates of items that are all alike."""
        start = self.likelihood.start()
        if self.basis is None:
            return start
        return np.asarray(np.linalg.lstsq(self.basis, start, rcond=None)[0], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Fit:
    """Where Newton's method ended, and the log-likelihood there."""

    coordinates: FloatArray
    log_likelihood: float
    converged: bool
    steps: int


def maximize(problem: Problem, weights: FloatArray, start: FloatArray | None = None) -> Fit:
    """Return the maximum of the likelihood, from the start or from items that are all alike.

    It has not converged after no step where the first Hessian is singular, and after some where the
    likelihood rises without end.
    """
    at = problem.start() if start is None else start
    now = problem.curvature(at, weights)
    for steps in range(1, MOST_STEPS + 1):
        try:
            step = _newton_step(problem, now)
        except SingularError:
            return Fit(at, now.value, False, steps - 1)
        if np.abs(step).max() <= TOLERANCE * max(1.0, np.abs(at).max()):
            return Fit(at + step, now.value, True, steps)
        # Far from the maximum a whole step can overshoot: halve it until the value rises.
        for _ in range(MOST_HALVINGS):
            reached = problem.curvature(at + step, weights)
            rise = (reached.value + reached.prior) - (now.value + now.prior)
            if rise >= -1e-12 * abs(now.value):
                break
            step = step / 2
        at, now = at + step, reached
    return Fit(at, now.value, False, steps)


def _newton_step(problem: Problem, curvature: Curvature) -> FloatArray:
    if isinstance(curvature.hessian, Laplacian):
        return _sparse_step(curvature.hessian, curvature.gradient, problem.is_shift_free)
    return np.asarray(cho_solve(factored(problem, curvature.hessian), curvature.gradient))


def factored(problem: Problem, hessian: FloatArray) -> tuple[FloatArray, bool]:
    """Return the Cholesky factor of the Hessian, for ``cho_solve``.

    Shifts of all strengths do nothing, so a penalty on them changes no step and no difference, and
    makes the matrix definite.
    """
    n = problem.likelihood.n_items
    if problem.is_shift_free:
        hessian = hessian.copy()
        hessian[:n, :n] += np.trace(hessian[:n, :n]) / n**2
    try:
        factor, lower = cho_factor(hessian, check_finite=False)
        left_over = np.diag(factor) ** 2 / np.diag(hessian)
    except LinAlgError:
        left_over = np.zeros(1)
    if left_over.min() < SINGULAR:
        raise SingularError("the Hessian is singular")
    return factor, lower


def _sparse_step(hessian: Laplacian, gradient: FloatArray, shift_free: bool) -> FloatArray:
    """Solve by conjugate gradients, or factor where comparisons form long chains."""
    n = hessian.n_items
    if shift_free:
        gradient = gradient.copy()
        gradient[:n] -= gradient[:n].mean()  # rounding errors
    if len(hessian.width) <= FEW * n:
        # One item may stay where it is if shifts do nothing: the others' matrix is definite.
        kept = np.delete(np.arange(len(gradient)), [n - 1] if shift_free else [])
        step = np.zeros(len(gradient))
        step[kept] = splu(hessian.tocsc()[kept][:, kept]).solve(gradient[kept])
    else:
        step = conjugate_gradients(hessian, gradient, CLOSE)
    if shift_free:
        step[:n] -= step[:n].mean()
    return step


def conjugate_gradients(hessian: Laplacian, wanted: FloatArray, close: float) -> FloatArray:
    """Solve for a vector that shifts of all strengths have no part in."""
    scale = hessian.diagonal()
    product = LinearOperator(hessian.shape, matvec=hessian.__matmul__, dtype=np.float64)
    scaled = LinearOperator(hessian.shape, matvec=lambda x: x / scale, dtype=np.float64)
    noise = 1e-14 * float(np.linalg.norm(scale))
    found, _ = cg(product, wanted, rtol=close, atol=noise, maxiter=MOST_STEPS**2, M=scaled)
    return np.asarray(found)
