"""How much rankings agree with each other."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from rankwright.aggregation.distances import DISTANCES
from rankwright.aggregation.votes import read_votes

__all__ = ["MEASURES", "agreement"]

FloatArray = NDArray[np.float64]

# Appendix B of the ranking forests paper: 1 - factor(K) * distance is 1 for equal rankings of K
# items and -1 for reversed ones (for the footrule about -1/2 at least).
MEASURES: dict[str, tuple[str, Callable[[int], float]]] = {
    "footrule": ("footrule", lambda k: 3 / (k**2 - 1)),
    "kendall": ("kendall", lambda k: 4 / (k * (k - 1))),
    "spearman": ("squared", lambda k: 6 / (k * (k**2 - 1))),
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
        1 for equal rankings; Kendall's tau and Spearman's rho are -1 for reversed ones. Half of a
        tie counts as agreement.
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
    k = int(shared.sum())
    if k < 2:
        return np.nan
    name, factor = MEASURES[measure]
    ranks = rankdata(first[shared]), rankdata(second[shared])
    return 1 - factor(k) * DISTANCES[name](*ranks, np.ones(k), 0.5)
