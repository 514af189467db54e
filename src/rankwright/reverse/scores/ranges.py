"""How far shares and positions go among all formulas that reproduce published scores."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from rankwright.data import group_rows
from rankwright.reverse.problem import Rating
from rankwright.reverse.refusal import QuestionRefusedError
from rankwright.reverse.scores.score_fit import ScoreFit
from rankwright.reverse.solution import RatingSolution

__all__ = ["ScoreRanges", "contradictions"]

Floats = NDArray[np.float64]
ROUNDING = 1e-9  # of the numbers added: outer ranges are widened by it


@dataclass(frozen=True, eq=False)
class ScoreRanges:
    """How far formulas go that reproduce every published score that is not contradicted."""

    rating: Rating
    solution: RatingSolution
    fit: ScoreFit

    def weights(self, sizes: Floats | None = None) -> pd.DataFrame:
        """Return the share of each term, and shares that no formula exceeds.

        A share is a weight times the term's range or, where ``sizes`` are given, times its size. It
        is largest where its own weight is and all others are least: few formulas get there, so the
        outer ranges are generous. The inner ones are the formula itself.
        """
        shares = self.solution.shares(self.rating.problem, sizes)
        low, high = self._outer_shares(sizes)
        columns = {
            "share": shares,
            "inner_low": shares,
            "inner_high": shares,
            "outer_low": np.minimum(100 * low - ROUNDING, shares).clip(0, 100),
            "outer_high": np.maximum(100 * high + ROUNDING, shares).clip(0, 100),
        }
        return pd.DataFrame(columns, index=pd.Index(self.rating.factor_names, name="factor"))

    def polytope(self) -> tuple[Floats, Floats]:
        """Return the weight ranges as ``A`` and ``b``: all formulas have ``A @ weights <= b``."""
        low, high = self.fit.low, self.fit.high
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            raise ValueError(
                "the scores leave some weights without limit, since factors depend on each other "
                "or products are too few; leave out factors, or give constraints"
            )
        unit = np.eye(len(low))
        return np.vstack([unit, -unit]), np.concatenate([high, -low])

    def positions(
        self, X: Floats, groups: ArrayLike | None, position: Floats, names: list[str]
    ) -> pd.DataFrame:
        """Return the position of each row of terms, and positions that no formula exceeds."""
        low, high = self.fit.low, self.fit.high
        grouping = group_rows(groups, len(X))
        terms = grouping.sort(X)
        best, worst = np.empty(len(X)), np.empty(len(X))
        for begin, end in zip(grouping.offsets[:-1], grouping.offsets[1:], strict=True):
            part = terms[begin:end]
            for i, row in enumerate(part):
                lead = part - row
                most = _times(lead, np.where(lead > 0, high, low))
                least = _times(lead, np.where(lead > 0, low, high))
                noise = ROUNDING * np.abs(lead).max(initial=0.0)
                best[begin + i] = 1 + (least > noise).sum()
                worst[begin + i] = 1 + (most > noise).sum()
        columns = {
            "position": position,
            "best": np.minimum(grouping.unsort(best), position),
            "worst": np.maximum(grouping.unsort(worst), position),
        }
        return pd.DataFrame(columns, index=pd.Index(names, name="product"))

    def _outer_shares(self, sizes: Floats | None) -> tuple[Floats, Floats]:
        """Return what each share is at least and at most, of 1."""
        fit, ranges = self.fit, self.rating.problem.factors.ranges
        spans = np.array([float(span) for span in ranges]) if sizes is None else sizes
        crosses = (fit.low < 0) & (fit.high > 0)
        least = np.where(crosses, 0.0, np.minimum(np.abs(fit.low), np.abs(fit.high))) * spans
        # A constant factor has no share, however far its weight can go.
        farthest = np.where(spans > 0, np.maximum(np.abs(fit.low), np.abs(fit.high)), 0.0)
        largest = farthest * np.where(spans > 0, spans, 1.0)
        low = _part(least, largest.sum() - largest if np.isfinite(largest).all() else np.inf)
        return low, _part(largest, least.sum() - least)


def _part(one: Floats, others: ArrayLike) -> Floats:
    """Return what share one is of one and others, 1 where it has no limit."""
    total = one + np.asarray(others)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(np.isinf(one), 1.0, np.where(total > 0, one / total, 0.0))


def _times(lead: Floats, weights: Floats) -> Floats:
    """Return sums of leads with weights, where no lead is nothing however large the weight."""
    with np.errstate(invalid="ignore"):
        products = np.where(lead == 0, 0.0, lead * weights)
    return np.asarray(products.sum(axis=1))


def contradictions(rating: Rating, fit: ScoreFit | None, scores: Floats) -> pd.DataFrame:
    """Return the products whose scores are not reproduced, the farthest off first.

    ``scores`` are those of the formula, in the order of the rating.
    """
    if fit is None:
        raise QuestionRefusedError(
            f"objective={rating.objective!r} does not look at scores; fit objective='scores'"
        )
    place = {int(row): i for i, row in enumerate(rating.rows)}
    chosen = [place[int(row)] for row in fit.contradicted]
    table = pd.DataFrame(
        {
            "product": [rating.names[i] for i in chosen],
            "published": rating.y[chosen],
            "by_formula": scores[chosen],
            "misses_by": fit.misses,
        }
    )
    return table.sort_values("misses_by", ascending=False, ignore_index=True, kind="stable")
