"""How sure strengths are: covariances, quasi standard errors, resamples."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from joblib import Parallel, delayed
from scipy.linalg import cho_solve
from scipy.optimize import minimize

from rankwright.leaderboards.outcomes import FloatArray, Weights
from rankwright.leaderboards.solver import Fit, Problem, factored, maximize

__all__ = ["Certainty", "Errors", "bootstrap", "covariance_of", "quasi_variances"]


class Errors(StrEnum):
    """Where standard errors come from."""

    MODEL = "model"
    ROBUST = "robust"
    CLUSTERED = "clustered"
    BOOTSTRAP = "bootstrap"
    BOUNDED = "bounded"


@dataclass(frozen=True, eq=False)
class Certainty:
    """The covariance of all parameters, strengths first and adding up to zero.

    Attributes
    ----------
    covariance : (parameters, parameters) array
    degrees : float
        Of freedom: the number of clusters less one, infinite where comparisons are independent.
    errors : str
        Where the covariance comes from.
    resamples : (resamples, parameters) array or None
        Deviations of bootstrap estimates.
    lifts : (items,) array
        What was added to variances of items that few clusters compared; empty if there are none.
    """

    covariance: FloatArray
    degrees: float
    errors: str
    resamples: FloatArray | None = None
    lifts: FloatArray = field(default_factory=lambda: np.empty(0))


def covariance_of(problem: Problem, fit: Fit, weights: Weights, *, robust: bool) -> Certainty:
    """Return the inverse information, or the sandwich where it does not hold.

    The sandwich sums squared scores of comparisons, or of clusters, whose comparisons need not be
    independent.
    """
    hessian = problem.curvature(fit.coordinates, weights.total).hessian
    dense = hessian if isinstance(hessian, np.ndarray) else hessian.toarray()
    inverse = np.asarray(cho_solve(factored(problem, dense), np.eye(len(dense))))
    basis = np.eye(len(dense)) if problem.basis is None else problem.basis
    centred = _centred(basis, problem.likelihood.n_items)
    clusters = weights.clusters
    if clusters is None and not robust:
        return Certainty(centred @ inverse @ centred.T, np.inf, Errors.MODEL)
    scores = problem.likelihood.scores(problem.parameters(fit.coordinates))
    if clusters is None:
        meat = basis.T @ (scores.T @ scores.multiply(weights.squares[:, None])).toarray() @ basis
        spread = centred @ inverse
        return Certainty(spread @ meat @ spread.T, np.inf, Errors.ROBUST)
    n_clusters = len(clusters.names)
    influence = (clusters.weights @ scores) @ (basis @ inverse.T @ centred.T)
    covariance = influence.T @ influence * (n_clusters / max(n_clusters - 1, 1))
    return Certainty(covariance, max(n_clusters - 1, 1), Errors.CLUSTERED)


def bootstrap(
    problem: Problem, fit: Fit, weights: Weights, n_resamples: int, rng: np.random.Generator
) -> Certainty:
    """Fit resamples of the comparisons, or of the clusters, each from the fit of all of them.

    A resample of N comparisons is one multinomial draw of N over the distinct outcomes.
    """
    n_items = problem.likelihood.n_items
    estimates = []
    fits = (
        delayed(maximize)(problem, drawn, fit.coordinates)
        for drawn in _resampled_weights(weights, n_resamples, rng)
    )
    # One after the other, unless the caller has chosen another backend of joblib's.
    for found in Parallel(return_as="generator")(fits):
        if found.converged:
            parameters = problem.parameters(found.coordinates).copy()
            parameters[:n_items] -= parameters[:n_items].mean()
            estimates.append(parameters)
    if 2 * len(estimates) < n_resamples or len(estimates) < 2:
        raise ValueError(
            f"{n_resamples - len(estimates)} of {n_resamples} resamples have no finite strengths: "
            "some items are compared too rarely; use the default errors, or alpha=1"
        )
    deviations, degrees = np.array(estimates) - np.mean(estimates, axis=0), np.inf
    if weights.clusters is not None:
        # Resampled clusters vary less than the clusters do, as a mean square over G does.
        degrees = max(len(weights.clusters.names) - 1, 1)
        deviations *= np.sqrt((degrees + 1) / degrees)
    covariance = deviations.T @ deviations / (len(deviations) - 1)
    return Certainty(covariance, degrees, Errors.BOOTSTRAP, deviations)


def _resampled_weights(
    weights: Weights, n_resamples: int, rng: np.random.Generator
) -> Iterator[FloatArray]:
    if weights.clusters is not None:
        table = weights.clusters.weights
        n = table.shape[0]
        for _ in range(n_resamples):
            yield table.T @ rng.multinomial(n, np.full(n, 1 / n)).astype(np.float64)
        return
    if not weights.are_counts:
        raise ValueError("comparisons with weights can't be resampled; give counts, or a cluster")
    share = weights.total / weights.total.sum()
    for _ in range(n_resamples):
        yield rng.multinomial(round(weights.total.sum()), share).astype(np.float64)


def quasi_variances(covariance: FloatArray) -> FloatArray:
    """Return variances of independent strengths that explain the variance of every difference.

    They minimise the squared errors of log(q_i + q_k) - log var(i - k) over all pairs (Firth and de
    Menezes 2004). Two items share the variance of their difference.
    """
    diagonal = np.diag(covariance)
    variance = diagonal[:, None] + diagonal - 2 * covariance
    n = len(diagonal)
    if n == 2:
        return np.full(2, variance[0, 1] / 2)
    np.fill_diagonal(variance, 1.0)
    logs = np.log(variance)

    def squares(log_quasi: FloatArray) -> tuple[float, FloatArray]:
        quasi = np.exp(log_quasi)
        sums = quasi[:, None] + quasi
        errors = np.log(sums) - logs
        np.fill_diagonal(errors, 0.0)
        return float((errors**2).sum()) / 2, 2 * quasi * (errors / sums).sum(axis=1)

    np.fill_diagonal(variance, 0.0)
    linear = (variance.sum(axis=1) - variance.sum() / (2 * (n - 1))) / (n - 2)
    start = np.log(np.maximum(linear, diagonal.mean() * 1e-3))
    found = minimize(
        squares, start, jac=True, method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-9}
    )
    return np.exp(found.x)


def _centred(basis: FloatArray, n_items: int) -> FloatArray:
    centred = basis.copy()
    centred[:n_items] -= centred[:n_items].mean(axis=0)
    return centred
