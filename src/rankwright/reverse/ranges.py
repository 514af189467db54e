"""How far formulas go that are as good as the one found: by the published order, or by scores."""

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse import questions
from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating
from rankwright.reverse.questions import AnySignRanges, OrderRanges, find_good_formulas
from rankwright.reverse.refusal import QuestionRefusedError
from rankwright.reverse.scores import ScoreFit, ScoreRanges
from rankwright.reverse.solution import RatingSolution

__all__ = ["find_any_signs", "find_ranges"]


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


def find_any_signs(
    rating: Rating,
    solution: RatingSolution,
    fit: ScoreFit | None,
    *,
    slack: float,
    clock: Clock,
    n_jobs: int,
    sizes: NDArray[np.float64] | None = None,
) -> AnySignRanges:
    """Return how far formulas of any signs go within a slack of the best."""
    if fit is not None:
        raise QuestionRefusedError(
            "any_signs=True is for formulas found by the order; with objective='scores', "
            "score_fit_ has the ranges of the weights, with their signs"
        )
    return questions.find_any_signs(
        rating, solution, slack=slack, clock=clock, n_jobs=n_jobs, sizes=sizes
    )
