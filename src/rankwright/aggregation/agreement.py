"""How much rankings agree with each other."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.aggregation.votes import read_votes
from rankwright.kernels.voters import kendall_distances
from rankwright.metrics import spearman_footrule, spearman_rho

__all__ = ["MEASURES", "agreement"]

FloatArray = NDArray[np.float64]
Measure = Callable[[FloatArray, FloatArray], FloatArray]  # a reference and many votes


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
        return MEASURES[measure](positions, votes)
    matrix = np.eye(len(votes))
    for voter, vote in enumerate(votes[:-1]):
        others = slice(voter + 1, None)
        matrix[voter, others] = matrix[others, voter] = MEASURES[measure](vote, votes[others])
    return matrix


def _kendall(reference: FloatArray, votes: FloatArray) -> FloatArray:
    shared = ~np.isnan(votes) & ~np.isnan(reference)
    counts = shared.sum(axis=1)
    pairs = counts * (counts - 1) / 2
    ranking = np.nan_to_num(reference, nan=np.inf)  # at the end, where no vote is shared
    order = np.argsort(ranking, kind="stable")
    apart: FloatArray = kendall_distances(
        order, ranking, np.where(shared, votes, np.nan), np.ones(len(ranking)), 0.5
    )
    share: FloatArray = np.divide(apart, pairs, out=np.full(len(votes), np.nan), where=pairs > 0)
    return 1 - 2 * share


def _each(metric: Callable[[FloatArray, FloatArray], float]) -> Measure:
    """Turn a metric of two rankings into a measure of one and many."""

    def measure(reference: FloatArray, votes: FloatArray) -> FloatArray:
        shared = ~np.isnan(votes) & ~np.isnan(reference)
        return np.array(
            [
                metric(reference[both], vote[both]) if both.sum() > 1 else np.nan
                for vote, both in zip(votes, shared, strict=True)
            ]
        )

    return measure


# Appendix B of the ranking forests paper.
MEASURES: dict[str, Measure] = {
    "footrule": _each(spearman_footrule),
    "kendall": _kendall,
    "spearman": _each(spearman_rho),
}
