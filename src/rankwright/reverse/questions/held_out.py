"""How a formula orders products that it was not fitted to."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from rankwright.metrics import Measures, quality_measures
from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating, RatingProblem
from rankwright.reverse.questions.refit import refit
from rankwright.reverse.search.directions import decide_directions

__all__ = ["HeldOut", "held_out"]

NOTHING_MEASURED = [np.nan] * 3


@dataclass(frozen=True)
class HeldOut:
    """How a formula orders products that it was not fitted to.

    Attributes
    ----------
    measures : Measures
        Means over the folds of M1 (pairs at the top), M2 (all pairs) and M3 (in or out of the top).
    guessed : Measures
        What scores drawn at random would get.
    """

    measures: Measures
    guessed: Measures


def held_out(rating: Rating, *, clock: Clock, n_folds: int = 5, n_repeats: int = 2) -> HeldOut:
    """Return the mean measures of held-out products relative to those fitted."""
    problem, counted = rating.problem, rating.counted
    y, groups = rating.y[counted], rating.groups[counted]
    rng = np.random.default_rng(0)
    n = len(problem.levels)
    tops = dict(zip(groups[problem.offsets[:-1]].tolist(), problem.objective.top, strict=True))

    def measured(one: tuple[NDArray[np.int64], int]) -> list[float]:
        test = one[0] == one[1]
        part = problem.select(np.flatnonzero(~test))
        if not test.any() or not part.has_order:
            return NOTHING_MEASURED
        part = decide_directions(part, rating.asked)  # of all products they would tell the test
        found = refit(part, None, clock, seed=one[1])
        directed = replace(problem, directions=part.directions)
        scores = np.zeros(n) if found.weights is None else directed.exact_places(found.weights)
        tested = quality_measures(y, scores, groups, top=tops, test=test).test
        return NOTHING_MEASURED if tested is None else [tested.m1, tested.m2, tested.m3]

    dealt = [_folds(problem, n_folds, rng) for _ in range(n_repeats)]
    values = clock.answer_each(list(product(dealt, range(n_folds))), measured, "folds")
    shares = np.minimum(np.asarray(problem.objective.top) / problem.sizes, 1)
    in_or_out = float(np.average(shares**2 + (1 - shares) ** 2, weights=problem.sizes))
    return HeldOut(Measures(*_means(values)), Measures(0.5, 0.5, in_or_out))


def _means(values: list[list[float]]) -> list[float]:
    """Return the mean of each measure over the folds in which it counts something."""
    measured = np.array(values, dtype=np.float64).reshape(-1, 3)
    counted = ~np.isnan(measured)
    return [
        float(column[there].mean()) if there.any() else float("nan")
        for column, there in zip(measured.T, counted.T, strict=True)
    ]


def _folds(problem: RatingProblem, n_folds: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Deal the products of each group out to folds; a single product always stays."""
    parts = []
    for size in problem.sizes.tolist():
        dealt = rng.permutation(np.arange(size) % min(n_folds, max(size, 1)))
        parts.append(dealt if size > 1 else np.full(1, -1))
    return np.concatenate(parts)
