"""Ranks of all items with rank sets and tiers, strengths that are not finite included."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from rankwright.leaderboards.bounds import VarianceBounds
from rankwright.leaderboards.certainty import Certainty
from rankwright.leaderboards.critical import (
    Bonferroni,
    Critical,
    DrawnErrors,
    MaxT,
    draw_strengths,
    draw_studentised,
    selected,
)
from rankwright.leaderboards.many_items import bounded_sets, bounded_tiers
from rankwright.leaderboards.outcomes import BoolArray, FloatArray, IntArray
from rankwright.leaderboards.rank_sets import (
    RankSets,
    differences,
    marginal_sets,
    simultaneous_sets,
)
from rankwright.leaderboards.tiers import tiers

__all__ = ["Ranked", "rank_items"]

MOST_DRAWN = 500  # items whose differences are drawn together; beyond it Bonferroni's bound
DECIMALS = 9  # of strengths that are equal but for rounding errors
N_DRAWS = 4000
FEW_DEGREES = 100  # of freedom: errors are drawn too, of so many items at most
N_DRAWN_ERRORS = 2000
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
    strengths: FloatArray,
    certainty: Certainty | VarianceBounds | None,
    level: float,
    rng: np.random.Generator,
) -> Ranked:
    """Rank the items; those without a finite strength may have any rank.

    They widen the other items' sets by as many ranks as there are of them.
    """
    n, finite = len(strengths), np.isfinite(strengths)
    ranks = rankdata(-np.round(strengths, DECIMALS), nan_policy="omit")
    unknown = RankSets(np.ones(n, dtype=np.int64), np.full(n, n))
    if certainty is None or finite.sum() < 2:
        return Ranked(ranks, unknown, unknown, np.zeros(n, dtype=np.int64), "none")
    found = np.zeros(n, dtype=np.int64)
    if isinstance(certainty, VarianceBounds):
        each, everybody = bounded_sets(strengths[finite], certainty.items, level)
        found[finite] = bounded_tiers(strengths[finite], certainty.items, level)
        method = "bonferroni"
    else:
        n_finite = int(finite.sum())
        covariance = certainty.covariance[:n_finite, :n_finite]
        studentised, inverse = differences(strengths[finite], covariance)
        critical, method = _critical(certainty, studentised, inverse, level, rng)
        each = marginal_sets(studentised, critical)
        everybody = simultaneous_sets(studentised, critical)
        found[finite] = tiers(studentised, critical, certainty.degrees)
    return Ranked(ranks, _among_all(each, finite), _among_all(everybody, finite), found, method)


def _critical(
    certainty: Certainty,
    studentised: FloatArray,
    inverse: FloatArray,
    level: float,
    rng: np.random.Generator,
) -> tuple[Critical, str]:
    """Choose how bounds are found: by draws where they are affordable and known to hold."""
    n, degrees = len(studentised), certainty.degrees
    covariance, resamples = certainty.covariance[:n, :n], certainty.resamples
    none = np.zeros_like(studentised)
    few = degrees <= FEW_DEGREES
    if n > (FEW_DEGREES if few else MOST_DRAWN):
        return selected(Bonferroni(degrees, level, none), studentised), "bonferroni"
    if few:
        drawn = draw_studentised(covariance, int(degrees), N_DRAWN_ERRORS, rng)
        return selected(DrawnErrors(drawn, level, none), studentised), "max-t"
    if resamples is not None and len(resamples) >= ENOUGH_RESAMPLES:
        draws = np.ascontiguousarray(resamples[:, :n].T)
    else:
        draws = draw_strengths(covariance, N_DRAWS, rng)
    return selected(MaxT(draws, inverse, degrees, level, none), studentised), "max-t"


def _among_all(sets: RankSets, finite: BoolArray) -> RankSets:
    n = len(finite)
    low, high = np.ones(n, dtype=np.int64), np.full(n, n)
    low[finite] = sets.low
    high[finite] = sets.high + int((~finite).sum())
    return RankSets(low, high)
