"""How sure the strengths of many items are: variances bounded without the inverse of the Hessian.

The variance of a difference is the resistance between two items of a network whose edges conduct as
much as their comparisons tell. With the items' degrees d, the edges' widths A and
N = D^(-1/2) A D^(-1/2), it is x' (I - N)⁺ x for x = D^(-1/2) (e_i - e_k). Since
(I - N)⁺ = I + N + N (I - N)⁺ N where x lives, it is at most |x|² + x'Nx + |Nx|² / gap, where the
gap is 1 less the second eigenvalue of N. Here |x|² = 1/d_i + 1/d_k, x'Nx is not positive, and
|Nx|² ≤ s_i + s_k with s_i = Σ_k a_ik² / (d_i² d_k): nothing but sums over edges. (Compare
L. Lovász, Random walks on graphs: a survey, 1993, corollary 3.3.)
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, solve_triangular
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from rankwright.kernels.battles import laplacian_product, sum_at_ends
from rankwright.leaderboards.laplacian import Laplacian
from rankwright.leaderboards.outcomes import FloatArray, IntArray, tally
from rankwright.leaderboards.solver import conjugate_gradients

__all__ = ["VarianceBounds", "bound_variances"]

CLOSE = 1e-8  # of the systems solved for effects


@dataclass(frozen=True, eq=False)
class VarianceBounds:
    """What the variances of many strengths are at most.

    Attributes
    ----------
    items : (items,) array
        The variance of a difference is at most the sum of two of them.
    effects : (effects,) array
        Variances of the effects.
    """

    items: FloatArray
    effects: FloatArray


@dataclass(frozen=True, eq=False)
class _Network:
    left: IntArray
    right: IntArray
    width: FloatArray
    degrees: FloatArray


def bound_variances(hessian: Laplacian) -> VarianceBounds | None:
    """Return bounds of all variances; None where the network has no gap, or effects no error."""
    network = _network(hessian)
    gap = _spectral_gap(network)
    if gap <= 0:
        return None
    inverse, n = 1 / network.degrees, len(network.degrees)
    squares = network.width**2
    sums = tally(network.left, squares * inverse[network.right], n)
    sums += tally(network.right, squares * inverse[network.left], n)
    items = (inverse + sums * inverse**2 / gap)[: hessian.n_items]
    try:
        added, effects = _of_effects(hessian)
    except LinAlgError:
        return None
    return VarianceBounds(items + added, effects)


def _network(hessian: Laplacian) -> _Network:
    """Return one edge for each pair; a prior is a comparison with one more item."""
    left, right = hessian.left, hessian.right
    new = np.append(True, (left[1:] != left[:-1]) | (right[1:] != right[:-1]))
    width, n = hessian.width, hessian.n_items
    if not new.all():
        width, left, right = np.add.reduceat(width, np.flatnonzero(new)), left[new], right[new]
    if hessian.ridge.any():
        left, right = np.append(left, np.arange(n)), np.append(right, np.full(n, n))
        width, n = np.append(width, hessian.ridge), n + 1
    degrees = np.zeros(n)
    sum_at_ends(left, right, width, 1.0, degrees)
    return _Network(left, right, width, degrees)


def _spectral_gap(network: _Network) -> float:
    """Return 1 less the second eigenvalue of N, as far as its residual lets one be sure of it."""
    root = np.sqrt(network.degrees)
    first = root / np.linalg.norm(root)  # the eigenvector of the eigenvalue 1
    n = len(root)

    def without_first(vector: FloatArray) -> FloatArray:
        vector = vector.ravel()
        product = np.zeros(n)
        laplacian_product(
            network.left, network.right, network.width, np.ascontiguousarray(vector / root), product
        )
        return np.asarray(vector - product / root - first * (first @ vector))

    operator = LinearOperator((n, n), matvec=without_first, dtype=np.float64)
    start = np.random.default_rng(0).standard_normal(n)
    try:
        values, vectors = eigsh(operator, k=1, which="LA", tol=1e-5, v0=start)
    except ArpackError:
        return 0.0
    residual = np.linalg.norm(without_first(vectors[:, 0]) - values[0] * vectors[:, 0])
    return float(1 - max(values[0], 0.0) - residual)


def _of_effects(hessian: Laplacian) -> tuple[FloatArray, FloatArray]:
    """Return what uncertain effects add to the items' bounds, and the effects' variances.

    With G = L⁺B the variance of a difference grows by (g_i - g_k)' S⁻¹ (g_i - g_k), where
    S = C - B'G; that is at most twice the sum of the items' own parts.
    """
    n, n_effects = hessian.border.shape
    if not n_effects:
        return np.zeros(n), np.empty(0)
    items = Laplacian(
        hessian.left, hessian.right, hessian.width, hessian.ridge, np.empty((n, 0)),
        np.empty((0, 0)),
    )  # fmt: skip
    solved = np.column_stack(
        [conjugate_gradients(items, np.ascontiguousarray(column), CLOSE)
         for column in hessian.border.T]
    )  # fmt: skip
    solved -= solved.mean(axis=0)
    left_over = hessian.corner - hessian.border.T @ solved
    factor, _ = cho_factor((left_over + left_over.T) / 2, lower=True)
    factor = np.tril(factor)
    parts = solve_triangular(factor, solved.T, lower=True)
    inverse = solve_triangular(factor, np.eye(n_effects), lower=True)
    return 2 * (parts**2).sum(axis=0), (inverse**2).sum(axis=0)
