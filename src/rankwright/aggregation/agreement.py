"""How much rankings agree with each other."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.aggregation.votes import read_votes
from rankwright.metrics import probabilistic_kendall_tau, spearman_footrule, spearman_rho

__all__ = ["MEASURES", "agreement"]

FloatArray = NDArray[np.float64]

# Appendix B of the ranking forests paper.
MEASURES: dict[str, Callable[[FloatArray, FloatArray], float]] = {
    "footrule": spearman_footrule,
    "kendall": probabilistic_kendall_tau,
    "spearman": spearman_rho,
}


def agreement(
    rankings: Any,
    reference: ArrayLike | None = None,
    *,
    measure: str = "kendall",
    missing: str = "ignore",
    scores: bool = False,
) -> FloatArray:
    """Return the agreement of rankings with each other, or with a reference.

    Parameters
    ----------
    rankings : matrix, list of orders, or Rankings
        As for ``aggregate``.
    reference : (items,) array, optional
        Positions, for instance of a consensus.
    measure : {"kendall", "spearman", "footrule"}
        The probabilistic Kendall tau, Spearman's rho or Spearman's footrule: 1 for equal rankings;
        the first two are -1 for reversed ones.
    missing, scores
        As for ``aggregate``.

    Returns
    -------
    (voters, voters) array, or (voters,) with a reference
        Over the items that both rank; NaN for fewer than two.

    Examples
    --------
    >>> import rankwright as rw
    >>> votes = [["ann", "bob", "cy"], ["bob", "ann", "cy"], ["cy", "bob", "ann"]]
    >>> rw.agreement(votes, rw.aggregate(votes).positions).round(2)
    array([ 0.33,  1.  , -0.33])
    """
    if measure not in MEASURES:
        raise ValueError(f"measure={measure!r}; choose from {sorted(MEASURES)}")
    votes = read_votes(rankings, scores=scores, missing=missing).positions
    if reference is not None:
        positions = np.asarray(reference, dtype=np.float64)
        if positions.shape != votes.shape[1:]:
            raise ValueError(
                f"reference has shape {positions.shape}; give a position to each of the "
                f"{votes.shape[1]} items"
            )
        return np.array([_between(vote, positions, measure) for vote in votes])
    matrix = np.eye(len(votes))
    for a, b in zip(*np.triu_indices(len(votes), 1), strict=True):
        matrix[a, b] = matrix[b, a] = _between(votes[a], votes[b], measure)
    return matrix


def _between(first: FloatArray, second: FloatArray, measure: str) -> float:
    shared = ~(np.isnan(first) | np.isnan(second))
    return MEASURES[measure](first[shared], second[shared]) if shared.sum() > 1 else np.nan
