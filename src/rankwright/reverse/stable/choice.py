"""Choose between the accurate formula and steady ones by products that were held out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankwright.metrics import Measures, quality_measures
from rankwright.reverse.clock import Clock, threads
from rankwright.reverse.problem import Rating, RatingProblem
from rankwright.reverse.problem.whole_numbers import Weights, as_floats
from rankwright.reverse.questions.held_out import deal_folds
from rankwright.reverse.questions.refit import refit
from rankwright.reverse.search.directions import leave_open
from rankwright.reverse.stable.steady import (
    LONG,
    SHORT,
    Sampling,
    reads_as_scores,
    steady_weights,
)

__all__ = ["Blend", "Trial", "blend", "choose_blend", "opened", "sources"]

Floats = NDArray[np.float64]
N_FOLDS, N_REPEATS = 5, 2
AMOUNTS = (1.0, 0.75, 0.5, 0.25, 0.0)
CLEAR = 2.0  # standard errors by which a blend has to be better than a steadier one
FEWEST_FOLDS = 3


class Blend(NamedTuple):
    """A formula between the accurate one (amount 0) and a steady one (amount 1).

    ``towards`` is what the steady one explains: "order" or "scores".
    """

    towards: str
    amount: float


@dataclass(frozen=True)
class Trial:
    """How a blend orders held-out products: means over folds, and its advantage.

    Attributes
    ----------
    towards, amount
        As in ``Blend``.
    m1, m2, m3 : float
        Of products held out, relative to those fitted.
    behind : float
        By how much the sum of the three is below that of the chosen blend, in the mean over folds.
    error : float
        The standard error of that, from the differences in the folds.
    """

    towards: str
    amount: float
    m1: float
    m2: float
    m3: float
    behind: float
    error: float


def sources(rating: Rating) -> list[str]:
    """Return what steady formulas can explain, the most informative first."""
    problem = rating.problem
    y = rating.y[rating.counted]
    is_scored = reads_as_scores(y, problem.levels, problem.offsets)
    return ["scores", "order"] if is_scored else ["order"]


def opened(problem: RatingProblem, asked: NDArray[np.int64]) -> RatingProblem:
    """Return the problem with the signs open that the data are to decide.

    With constraints they are decided: these speak of the sizes of weights.
    """
    return leave_open(problem, asked) if problem.cone is None else problem


def choose_blend(
    rating: Rating, known: Sequence[str], clock: Clock, n_jobs: int
) -> tuple[Blend, list[Trial]]:
    """Return the blend that is best for held-out products, and how all of them did.

    Section 8.1 of Chang et al. (2012) chooses by the sum of M1, M2 and M3, and so does this. The
    steady formula of the most informative source is taken unless another source, and after it a
    smaller amount, is better by more than two standard errors. Without trials if time was too short.
    """
    first = Blend(known[0], 1.0)
    blends = [Blend(towards, amount) for towards in known for amount in AMOUNTS]
    measured = _measure_folds(rating, blends, clock, n_jobs)
    if len(measured) < FEWEST_FOLDS:
        return first, []
    sums = dict(zip(blends, measured.sum(axis=2).T, strict=True))
    best = first
    for towards in known[1:]:
        best = _better(sums, best, [Blend(towards, 1.0)])
    best = _better(sums, best, [Blend(best.towards, amount) for amount in AMOUNTS[1:]])
    return best, _trials(blends, measured, sums, best)


def _better(sums: dict[Blend, Floats], best: Blend, others: list[Blend]) -> Blend:
    """Return the best of the others if it is clearly better, else the one that was best."""
    other = max(others, key=lambda one: float(sums[one].mean()))
    gain, error = _mean_and_error(sums[other] - sums[best])
    return other if gain > CLEAR * error else best


def _mean_and_error(values: Floats) -> tuple[float, float]:
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def _trials(
    blends: list[Blend], measured: Floats, sums: dict[Blend, Floats], best: Blend
) -> list[Trial]:
    means = measured.mean(axis=0)
    return [
        Trial(*one, *mean.tolist(), *_mean_and_error(sums[best] - sums[one]))
        for one, mean in zip(blends, means, strict=True)
        if one.amount > 0 or one.towards == blends[-1].towards  # the accurate one, once
    ]


def _measure_folds(rating: Rating, blends: list[Blend], clock: Clock, n_jobs: int) -> Floats:
    """Return M1, M2 and M3 of the held-out products of each fold, for each blend.

    What a fold has nothing to count of is 0 for all of them. Folds that time cut off are left out.
    """
    problem, counted = rating.problem, rating.counted
    y, groups = rating.y[counted], rating.groups[counted]
    tops = dict(zip(groups[problem.offsets[:-1]].tolist(), problem.objective.top, strict=True))
    rng = np.random.default_rng(0)

    def measure(one: tuple[NDArray[np.int64], int]) -> list[list[float]] | None:
        test = one[0] == one[1]
        train = np.flatnonzero(~test)
        part = opened(problem.select(train), rating.asked)
        if clock.is_late or not test.any() or not part.has_order:
            return None
        formulas = _fold_formulas(part, y[train], blends, clock)
        if formulas is None or clock.is_late:
            return None
        oriented = replace(problem, directions=part.directions).oriented
        found = [
            quality_measures(y, oriented @ weights, groups, top=tops, test=test).test
            for weights in formulas
        ]
        return [[0.0] * 3 if one is None else _counted(one) for one in found]

    dealt = [deal_folds(problem, N_FOLDS, rng) for _ in range(N_REPEATS)]
    with threads(n_jobs, clock) as pool:
        measured = list(pool.map(measure, product(dealt, range(N_FOLDS))))
    return np.array([one for one in measured if one is not None], dtype=np.float64)


def _counted(measures: Measures) -> list[float]:
    return np.nan_to_num([measures.m1, measures.m2, measures.m3]).tolist()


def _fold_formulas(
    part: RatingProblem, y: Floats, blends: list[Blend], clock: Clock
) -> list[Floats] | None:
    accurate = refit(part, None, clock).weights
    if accurate is None:
        return None
    formulas = []
    steady: dict[str, Floats | None] = {}
    for towards, amount in blends:
        if towards not in steady:
            steady[towards] = _steady(part, y, towards, accurate, SHORT, clock)
        found = steady[towards]
        if found is None:
            return None
        formulas.append(_between(part, accurate, found, amount))
    return formulas


def _steady(
    problem: RatingProblem,
    y: Floats,
    towards: str,
    accurate: Weights,
    sampling: Sampling,
    clock: Clock,
) -> Floats | None:
    scores = y if towards == "scores" else None
    return steady_weights(problem, scores, accurate, sampling, clock.stop)


def _between(problem: RatingProblem, accurate: Weights, steady: Floats, amount: float) -> Floats:
    """Return the weighted mean of two formulas whose scores spread alike inside groups."""
    parts = []
    for weights in (as_floats(accurate), steady):
        spread = float(problem.centred(problem.oriented @ weights[:, None]).std())
        parts.append(weights / max(spread, 1e-300))
    return np.asarray((1.0 - amount) * parts[0] + amount * parts[1])


def blend(
    problem: RatingProblem, y: Floats, accurate: Weights, chosen: Blend, clock: Clock
) -> Floats | None:
    """Return the blend of an accurate formula and a steady one, None if time was too short.

    Parameters
    ----------
    problem : RatingProblem
        As :func:`opened` returns it.
    y : (n,) array
        What was published, larger is better.
    accurate : (d,) array
        Weights of this problem.
    chosen : Blend
    clock : Clock
    """
    steady = _steady(problem, y, chosen.towards, accurate, LONG, clock)
    return None if steady is None else _between(problem, accurate, steady, chosen.amount)
