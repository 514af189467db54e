"""Ranks of all items with rank sets and tiers, strengths that are not finite included."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from rankwright.leaderboards.certainty import Certainty
from rankwright.leaderboards.outcomes import FloatArray, IntArray
from rankwright.leaderboards.rank_sets import (
    MOST_DRAWN,
    Bonferroni,
    Critical,
    MaxT,
    RankSets,
    differences,
    draw_strengths,
    marginal_sets,
    simultaneous_sets,
)
from rankwright.leaderboards.tiers import tiers

__all__ = ["Ranked", "rank_items"]

N_DRAWS = 4000
ENOUGH_RESAMPLES = 1000  # to take quantiles of them; fewer give only the covariance


@dataclass(frozen=True, eq=False)
class Ranked:
    """Ranks, sets of ranks for each item and for all at once, and tiers."""

    ranks: FloatArray
    marginal: RankSets
    simultaneous: RankSets
    tiers: IntArray
    method: str


def rank_items(
    strengths: FloatArray, certainty: Certainty | None, level: float, rng: np.random.Generator
) -> Ranked:
    """Rank the items; those without a finite strength may have any rank.

    They widen the other items' sets by as many ranks as there are of them.
    """
    n, finite = len(strengths), np.isfinite(strengths)
    ranks = rankdata(-strengths, nan_policy="omit")
    unknown = RankSets(np.ones(n, dtype=np.int64), np.full(n, n))
    if certainty is None or finite.sum() < 2:
        return Ranked(ranks, unknown, unknown, np.zeros(n, dtype=np.int64), "none")
    n_finite = int(finite.sum())
    covariance = certainty.covariance[:n_finite, :n_finite]
    studentised, inverse = differences(strengths[finite], covariance)
    critical, method = _critical(certainty, covariance, inverse, level, rng)
    found = np.zeros(n, dtype=np.int64)
    found[finite] = tiers(studentised, critical, level, certainty.degrees)
    return Ranked(
        ranks,
        _among_all(marginal_sets(studentised, critical), finite),
        _among_all(simultaneous_sets(studentised, critical), finite),
        found,
        method,
    )


def _critical(
    certainty: Certainty,
    covariance: FloatArray,
    inverse: FloatArray,
    level: float,
    rng: np.random.Generator,
) -> tuple[Critical, str]:
    n = len(covariance)
    if n > MOST_DRAWN:
        return Bonferroni(certainty.degrees, level), "bonferroni"
    resamples = certainty.resamples
    if resamples is not None and len(resamples) >= ENOUGH_RESAMPLES:
        draws = np.ascontiguousarray(resamples[:, :n].T)
    else:
        draws = draw_strengths(covariance, N_DRAWS, rng)
    return MaxT(draws, inverse, certainty.degrees, level), "max-t"


def _among_all(sets: RankSets, finite: "np.ndarray") -> RankSets:
    n = len(finite)
    low, high = np.ones(n, dtype=np.int64), np.full(n, n)
    low[finite] = sets.low
    high[finite] = sets.high + int((~finite).sum())
    return RankSets(low, high)
