"""Rank sets and tiers of many items, from bounds of their variances."""

import numpy as np
from scipy.stats import norm

from rankwright.kernels.many_items import count_apart, unbeaten
from rankwright.leaderboards.outcomes import FloatArray, IntArray
from rankwright.leaderboards.rank_sets import RankSets

__all__ = ["bounded_sets", "bounded_tiers"]


def bounded_sets(
    strengths: FloatArray, variances: FloatArray, level: float
) -> tuple[RankSets, RankSets]:
    """Return sets for each item and for all at once, by Bonferroni's bound and Holm's steps."""
    n = len(strengths)

    def all_at_once(won: IntArray, lost: IntArray) -> IntArray:
        return np.full(n, n * (n - 1) - won.sum())

    def each(won: IntArray, lost: IntArray) -> IntArray:
        return 2 * (n - 1) - won - lost

    found = []
    for left_open in (each, all_at_once):
        won, lost = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
        while True:
            tests = np.maximum(left_open(won, lost), 1)
            before = won.sum() + lost.sum()
            count_apart(strengths, variances, norm.isf((1 - level) / tests), won, lost)
            if won.sum() + lost.sum() == before:
                break
        found.append(RankSets(1 + lost, n - won))
    return found[0], found[1]


def bounded_tiers(strengths: FloatArray, variances: FloatArray, level: float) -> IntArray:
    """Return the tier of each item: who can't be told apart from the best, then of the rest."""
    found = np.zeros(len(strengths), dtype=np.int64)
    left = np.argsort(-strengths, kind="stable")
    tier = 0
    while len(left):
        tier += 1
        bound = float(norm.isf((1 - level) / max(len(left) - 1, 1)))
        best = unbeaten(strengths[left], variances[left], bound)
        found[left[best]] = tier
        left = left[~best]
    return found
