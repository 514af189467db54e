"""A rating whose scores are published: its formula, judged by its order like any other."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating
from rankwright.reverse.problem.own_scale import from_own_scale
from rankwright.reverse.problem.statistic import bound_without_pairs
from rankwright.reverse.progress import FitStatus, State
from rankwright.reverse.scores.fitting import fit_scores
from rankwright.reverse.scores.score_fit import ScoreFit
from rankwright.reverse.search.directions import SIGNED
from rankwright.reverse.solution import RatingSolution

__all__ = ["ScoredRating", "solve_scores"]


@dataclass(frozen=True)
class ScoredRating:
    """The rating with the directions found, its solution, and what the scores say."""

    rating: Rating
    solution: RatingSolution
    scores: ScoreFit


def solve_scores(
    rating: Rating, signs: NDArray[np.int64], step: float | None, clock: Clock
) -> ScoredRating:
    """Find the formula of published scores; signs that are free or undecided are what they say."""
    known = np.diag(signs)[np.isin(signs, SIGNED)]
    if rating.problem.cone is not None:
        known = _known_rows(rating, signs, step, clock)
    fit = fit_scores(rating, known, step, clock)
    negative = [w < 0 for w in fit.own_weights]
    found = np.where(np.isin(signs, SIGNED), signs, np.where(negative, -1, 1))
    problem = rating.problem.turned(found).with_free(signs == 0)
    value = problem.value(from_own_scale(problem, fit.own_weights))
    bound = bound_without_pairs(problem)
    objective = problem.normalised(value)
    solution = RatingSolution(
        exact_weights=fit.exact_weights,
        value=value,
        bound=bound,
        achievable=bound,
        bound_any_signs=bound,
        status=FitStatus.OPTIMAL if value == bound else FitStatus.BY_SCORES,
        proof="products with equal factors, which no formula tells apart",
        history=[State(clock.seconds, objective, problem.normalised(bound))],
    )
    return ScoredRating(rating.directed_as(problem, signs), solution, fit)


def _known_rows(
    rating: Rating, signs: NDArray[np.int64], step: float | None, clock: Clock
) -> NDArray[np.int64]:
    """Return the constraints on sizes as rows for weights, with signs that the scores suggest."""
    cone = rating.problem.cone
    assert cone is not None
    if cone.most < len(signs):
        raise ValueError(
            "objective='scores' knows no limit on the number of factors; leave factors out, or "
            "require some of them to be 0%"
        )
    given = np.isin(signs, SIGNED)
    if not given.all():
        free = fit_scores(rating, np.diag(signs)[given], step, clock)
        signs = np.where(given, signs, np.where([w < 0 for w in free.own_weights], -1, 1))
    rows = cone.rows * signs
    return np.vstack([np.diag(signs), rows, -rows[: cone.n_equations]]).astype(np.int64)
