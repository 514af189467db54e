"""How far formulas go that are as good as the one found: by the published order, or by scores."""

from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating
from rankwright.reverse.questions import OrderRanges, find_good_formulas
from rankwright.reverse.scores import ScoreFit, ScoreRanges
from rankwright.reverse.solution import RatingSolution

__all__ = ["find_ranges"]


def find_ranges(
    rating: Rating,
    solution: RatingSolution,
    fit: ScoreFit | None,
    *,
    slack: float,
    clock: Clock,
    n_jobs: int,
) -> OrderRanges | ScoreRanges:
    """Return how far formulas go within a slack of the best, or that reproduce the scores."""
    if fit is None:
        good = find_good_formulas(rating, solution, slack=slack, clock=clock, n_jobs=n_jobs)
        return OrderRanges(rating, solution, good)
    if slack:
        raise ValueError(
            f"slack={slack!r}; with objective='scores' every formula that reproduces the scores "
            "counts; leave slack at 0"
        )
    return ScoreRanges(rating, solution, fit)
