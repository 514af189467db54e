"""A rating whose scores are published: its formula with the signs asked for, and its order."""

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating
from rankwright.reverse.problem.own_scale import from_own_scale
from rankwright.reverse.problem.statistic import bound_without_pairs
from rankwright.reverse.progress import FitStatus, State
from rankwright.reverse.scores.fitting import fit_scores, suggest_signs
from rankwright.reverse.scores.score_fit import ScoreFit
from rankwright.reverse.search.directions import SIGNED
from rankwright.reverse.solution import RatingSolution
from rankwright.reverse.solve import PERFECT, TWINS

__all__ = ["fit_signed_scores", "judge_by_order"]

Ints = NDArray[np.int64]


def fit_signed_scores(rating: Rating, signs: Ints, step: float | None, clock: Clock) -> ScoreFit:
    """Find the formulas of published scores; signs that are free or undecided are what they say."""
    known = np.diag(signs)[np.isin(signs, SIGNED)]
    if rating.problem.cone is not None:
        known = _known_rows(rating, signs, step, clock)
    return fit_scores(rating, known, step, clock)


def judge_by_order(
    rating: Rating, signs: Ints, fit: ScoreFit, clock: Clock
) -> tuple[Rating, RatingSolution]:
    """Return the rating with the directions found, and the formula judged as any other."""
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
        pairs_lost=problem.n_twins,
        status=FitStatus.OPTIMAL if value == bound else FitStatus.BY_SCORES,
        proof=TWINS if problem.n_twins or value != bound else PERFECT,
        history=[State(clock.seconds, objective, problem.normalised(bound))],
    )
    return rating.directed_as(problem, signs), solution


def _known_rows(rating: Rating, signs: Ints, step: float | None, clock: Clock) -> Ints:
    """Return the constraints on sizes as rows for weights, with signs that the scores suggest."""
    cone = rating.problem.cone
    assert cone is not None
    if cone.most < len(signs):
        raise ValueError(
            "objective='scores' can't limit the number of factors; leave factors out, or "
            "require some of them to be 0%"
        )
    given = np.isin(signs, SIGNED)
    if not given.all():
        with Clock(max(clock.left / 2, 1e-3)) as part:
            suggested = suggest_signs(rating, np.diag(signs)[given], step, part)
        signs = np.where(given, signs, suggested)
    rows = cone.rows * signs
    return np.vstack([np.diag(signs), rows, -rows[: cone.n_equations]]).astype(np.int64)
