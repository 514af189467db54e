"""Items that few clusters compared: the sandwich knows too little about them.

At the maximum the scores of an item's comparisons add up to zero. If they all come from one cluster
its sum is zero too, and the sandwich takes the item for as sure as those that it met. Such items
get at least the variance of independent comparisons: V becomes V + C D C', where C subtracts the
mean of all strengths and D is diagonal and not negative. A sum of covariances is a covariance, its
rows still add up to zero, and because C'(e_i - e_k) = e_i - e_k the variance of each difference
grows by just d_i + d_k: by nothing for two items that many clusters compared.
"""

from dataclasses import replace

import numpy as np
from scipy.linalg import cho_solve

from rankwright.leaderboards.ballots import Ballots
from rankwright.leaderboards.battles import Battles
from rankwright.leaderboards.certainty import Certainty, Errors
from rankwright.leaderboards.few_rankings import allow_for_few
from rankwright.leaderboards.outcomes import BoolArray, FloatArray, IntArray, Weights
from rankwright.leaderboards.solver import Fit, Problem, factored

__all__ = ["ENOUGH_CLUSTERS", "lift_few", "lifted", "lifts"]

ENOUGH_CLUSTERS = 10  # of an item's own, from which the sandwich is trusted


def lift_few(
    certainty: Certainty,
    problem: Problem,
    fit: Fit,
    data: Battles | Ballots,
    rng: np.random.Generator,
) -> Certainty:
    """Raise variances of items that few clusters compared to those of independent comparisons.

    Without clusters the sandwich knows as little about items that few comparisons are about.
    Strengths that are made of features rest on the comparisons of all items, and stay.
    """
    knows_little = data.weights.clusters is not None or certainty.errors == Errors.ROBUST
    if not knows_little or problem.basis is not None:
        return certainty
    few = _n_independent(data) < ENOUGH_CLUSTERS
    if not few.any():
        return certainty
    n = len(few)
    floor, information = _independent(problem, fit, data.weights)
    added = lifts(certainty.covariance[:n, :n], floor[:n, :n], information[:n], few)
    return lifted(certainty, added, rng)


def lifted(certainty: Certainty, added: FloatArray, rng: np.random.Generator) -> Certainty:
    """Return the covariance with an error of its own for each item."""
    n, covariance, resamples = len(added), certainty.covariance.copy(), certainty.resamples
    shares = added / n
    covariance[:n, :n] += np.diag(added) - shares[:, None] - shares + shares.mean()  # C D C'
    if resamples is not None:
        noise = rng.standard_normal((len(resamples), n)) * np.sqrt(added)
        resamples = resamples.copy()
        resamples[:, :n] += noise - noise.mean(axis=1, keepdims=True)
    return replace(certainty, covariance=covariance, resamples=resamples, lifts=added)


def _n_independent(data: Battles | Ballots) -> FloatArray:
    """Return how many clusters, or comparisons, each item was compared by.

    Of comparisons with weights it is the number of equal ones that would say as much.
    """
    clusters, part = data.weights.clusters, data.took_part()
    if clusters is not None:
        met = clusters.weights.sign() @ part
        return np.asarray(met.sign().sum(axis=0), dtype=np.float64)
    total, squares = data.weights.total @ part, data.weights.squares @ part
    return np.asarray(total**2 / np.maximum(squares, 1e-300))


def lifts(
    covariance: FloatArray, floor: FloatArray, information: FloatArray, few: BoolArray
) -> FloatArray:
    """Return what to add to items' variances, so that differences vary as much as in the floor.

    Items that many clusters compared get nothing. The others follow, the best known first; each
    takes what its differences from those before it still lack, so that nobody pays for an item that
    is known less.
    """
    added = np.zeros(len(few))
    order = np.lexsort((-information, few))
    for place in range(int((~few).sum()), len(order)):
        item, before = order[place], order[:place]
        lack = _variances(floor, item, before) - _variances(covariance, item, before)
        added[item] = (lack - added[before]).max(initial=0.0)
    return added


def _variances(covariance: FloatArray, item: int, others: IntArray) -> FloatArray:
    """Return the variances of an item's differences from others."""
    diagonal = np.diag(covariance)
    return np.asarray(diagonal[item] + diagonal[others] - 2 * covariance[item, others])


def _independent(problem: Problem, fit: Fit, weights: Weights) -> tuple[FloatArray, FloatArray]:
    """Return a covariance for independent comparisons, up to shifts, and each item's information.

    It is H⁻¹ H₂ H⁻¹, where H₂ counts comparisons by their squared weights: H⁻¹ if they are counts,
    grown as that of independent rankings is.
    """
    hessian = _dense(problem, fit, weights.total)
    inverse = np.asarray(cho_solve(factored(problem, hessian), np.eye(len(hessian))))
    if weights.are_counts:
        return allow_for_few(inverse, problem, fit, weights.total), np.diag(hessian)
    return inverse @ _dense(problem, fit, weights.squares) @ inverse, np.diag(hessian)


def _dense(problem: Problem, fit: Fit, weights: FloatArray) -> FloatArray:
    hessian = problem.curvature(fit.coordinates, weights).hessian
    return hessian if isinstance(hessian, np.ndarray) else hessian.toarray()
