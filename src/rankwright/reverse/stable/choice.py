"""Choose between the accurate formula and steady ones by products that were held out."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankwright.metrics import quality_measures
from rankwright.reverse.clock import Clock, threads
from rankwright.reverse.problem import Rating, RatingProblem
from rankwright.reverse.questions.held_out import deal_folds
from rankwright.reverse.refit import open_signs, refit
from rankwright.reverse.stable.steady import SHORT, reads_as_scores, steady_weights
from rankwright.reverse.whole_numbers import Weights, as_floats

__all__ = ["Blend", "Published", "Trial", "blend", "choose_blend", "published"]

Floats = NDArray[np.float64]
Published = dict[str, Floats | None]
# Many folds: without a fifth of the products, formulas that fit well look worse than they are.
N_FOLDS = 20
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
    """How a blend orders held-out products: means over folds, and how far it is behind.

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
    n_folds : int
        How many times products were held out.
    """

    towards: str
    amount: float
    m1: float
    m2: float
    m3: float
    behind: float
    error: float
    n_folds: int


def published(rating: Rating) -> Published:
    """Return what steady formulas can explain, the most informative first.

    The scores where the values of ``y`` are some, and the order, for which there are no numbers.
    """
    y, problem = rating.y[rating.counted], rating.problem
    is_scored = reads_as_scores(y, problem.offsets)
    return {"scores": y, "order": None} if is_scored else {"order": None}


def blend(problem: RatingProblem, accurate: Weights, steady: Floats, amount: float) -> Floats:
    """Return the weighted mean of two formulas whose scores spread alike inside groups."""
    parts = []
    for weights in (as_floats(accurate), steady):
        spread = float(problem.centred(problem.oriented @ weights[:, None]).std())
        parts.append(weights / max(spread, 1e-300))
    return np.asarray((1.0 - amount) * parts[0] + amount * parts[1])


def choose_blend(rating: Rating, told: Published, clock: Clock, n_jobs: int) -> list[Trial]:
    """Return how blends do for held-out products, the chosen one first.

    Section 8.1 of Chang et al. (2012) chooses by the sum of M1, M2 and M3, and so does this. The
    steady formula of what is most informative is taken unless another one, and after it a
    smaller amount, is better by more than two standard errors. None if time was too short.
    """
    blends = [Blend(towards, amount) for towards in told for amount in AMOUNTS]
    measured = _measure_folds(rating, told, blends, clock, n_jobs)
    if len(measured) < FEWEST_FOLDS:
        return []
    sums = dict(zip(blends, measured.sum(axis=2).T, strict=True))
    first, *others = told
    best = Blend(first, 1.0)
    for towards in others:
        best = _better(sums, best, [Blend(towards, 1.0)])
    best = _better(sums, best, [Blend(best.towards, amount) for amount in AMOUNTS[1:]])
    trials = [
        Trial(*one, *_three(mean), *_mean_and_error(sums[best] - sums[one]), len(measured))
        for one, mean in zip(blends, measured.mean(axis=0), strict=True)
        if one.amount > 0 or one.towards == best.towards  # the accurate one, once
    ]
    return sorted(trials, key=lambda one: (one.towards, one.amount) != best)


def _better(sums: dict[Blend, Floats], best: Blend, others: list[Blend]) -> Blend:
    """Return the best of the others if it is clearly better, else the one that was best."""
    other = max(others, key=lambda one: float(sums[one].mean()))
    gain, error = _mean_and_error(sums[other] - sums[best])
    return other if gain > CLEAR * error else best


def _three(measures: Floats) -> tuple[float, float, float]:
    m1, m2, m3 = measures.tolist()
    return m1, m2, m3


def _mean_and_error(values: Floats) -> tuple[float, float]:
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def _measure_folds(
    rating: Rating, told: Published, blends: list[Blend], clock: Clock, n_jobs: int
) -> Floats:
    """Return M1, M2 and M3 of the held-out products of each fold, for each blend.

    What a fold has nothing to count of is 0 for all of them. Folds that time cut off are left out.
    """
    problem, opened, counted = rating.problem, open_signs(rating), rating.counted
    y, groups = rating.y[counted], rating.groups[counted]
    tops = dict(zip(groups[problem.offsets[:-1]].tolist(), problem.objective.top, strict=True))

    def measures(scores: Floats, test: NDArray[np.bool_]) -> list[float]:
        tested = quality_measures(y, scores, groups, top=tops, test=test).test
        shares = [0.0] * 3 if tested is None else [tested.m1, tested.m2, tested.m3]
        return [*_three(np.nan_to_num(shares))]

    def measure(number: int) -> list[list[float]]:
        test = dealt == number
        train = np.flatnonzero(~test)
        part = opened.select(train)
        if clock.is_late or not test.any() or not part.has_order:
            return []
        seen = {name: None if y is None else y[train] for name, y in told.items()}
        formulas = _fold_formulas(part, seen, blends, clock)
        oriented = replace(problem, directions=part.directions).oriented
        return [] if clock.is_late else [measures(oriented @ w, test) for w in formulas]

    dealt = deal_folds(problem, N_FOLDS, np.random.default_rng(0))
    with threads(n_jobs, clock) as pool:
        measured = list(pool.map(measure, range(N_FOLDS)))
    return np.array([one for one in measured if one], dtype=np.float64)


def _fold_formulas(
    part: RatingProblem, told: Published, blends: list[Blend], clock: Clock
) -> list[Floats]:
    """Return the blends for the products of a fold; none if something could not be fitted."""
    accurate = refit(part, None, clock).weights
    if accurate is None:
        return []
    steady = {
        towards: steady_weights(part, scores, accurate, SHORT, clock.stop)
        for towards, scores in told.items()
    }
    formulas = [
        blend(part, accurate, found, amount)
        for towards, amount in blends
        if (found := steady[towards]) is not None
    ]
    return formulas if len(formulas) == len(blends) else []
