"""How a formula orders products that it was not fitted to."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from rankwright.metrics import Measures, quality_measures
from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating, RatingProblem
from rankwright.reverse.refit import refit_anew

__all__ = ["HeldOut", "deal_folds", "held_out"]

NOTHING_MEASURED = [np.nan] * 3
GUESSES = 10  # in each fold


@dataclass(frozen=True)
class HeldOut:
    """How a formula orders products that it was not fitted to.

    Attributes
    ----------
    measures : Measures
        Means over the folds of M1 (pairs at the top), M2 (all pairs) and M3 (in or out of the top).
    guessed : Measures
        The same means when each held-out product takes the score of any product of its group.
        More than half for pairs: the fitted products, which they are compared with, are in order.
    n_products : int
        How many products this rests on, each counted as often as it was held out.
    """

    measures: Measures
    guessed: Measures
    n_products: int


def held_out(rating: Rating, *, clock: Clock, n_folds: int = 5, n_repeats: int = 2) -> HeldOut:
    """Return the mean measures of held-out products relative to those fitted."""
    problem, counted = rating.problem, rating.counted
    y, groups = rating.y[counted], rating.groups[counted]
    rng = np.random.default_rng(0)
    n = len(problem.levels)
    tops = dict(zip(groups[problem.offsets[:-1]].tolist(), problem.objective.top, strict=True))

    def measures(scores: NDArray[np.float64], test: NDArray[np.bool_]) -> list[float]:
        tested = quality_measures(y, scores, groups, top=tops, test=test).test
        return NOTHING_MEASURED if tested is None else [tested.m1, tested.m2, tested.m3]

    def measured(one: tuple[NDArray[np.int64], int]) -> list[float]:
        test = one[0] == one[1]
        part = problem.select(np.flatnonzero(~test))
        if not test.any() or not part.has_order:
            return 2 * NOTHING_MEASURED
        # Signs that all products decided would tell the test.
        found = refit_anew(rating, part, clock, seed=one[1])
        directed = replace(problem, directions=found.problem.directions)
        scores = np.zeros(n) if found.weights is None else directed.exact_places(found.weights)
        guesses = [_guess(problem, scores, test, rng) for _ in range(GUESSES)]
        guessed = _means([measures(guess, test) for guess in guesses])
        return [*measures(scores, test), *guessed]

    dealt = [deal_folds(problem, n_folds, rng) for _ in range(n_repeats)]
    steps = list(product(dealt, range(n_folds)))
    values = clock.answer_each(steps, measured, "folds")
    means = _means(values)
    n_products = sum(int((folds == fold).sum()) for folds, fold in steps[: len(values)])
    return HeldOut(Measures(*means[:3]), Measures(*means[3:]), n_products)


def _guess(
    problem: RatingProblem,
    scores: NDArray[np.float64],
    test: NDArray[np.bool_],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Put each held-out product just above or below any product of its group."""
    drawn = [rng.integers(begin, end, size=end - begin) for begin, end in problem.bounds]
    beside = rng.uniform(-0.5, 0.5, size=len(scores))  # places are whole numbers
    return np.where(test, scores[np.concatenate(drawn)] + beside, scores)


def _means(values: list[list[float]]) -> list[float]:
    """Return the mean of each measure over the folds in which it counts something."""
    measured = np.array(values, dtype=np.float64)
    counted = ~np.isnan(measured)
    return [
        float(column[there].mean()) if there.any() else float("nan")
        for column, there in zip(measured.T, counted.T, strict=True)
    ]


def deal_folds(problem: RatingProblem, n_folds: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Deal the products of each group out to folds; a single product always stays."""
    parts = []
    for size in problem.sizes.tolist():
        dealt = rng.permutation(np.arange(size) % min(n_folds, max(size, 1)))
        parts.append(dealt if size > 1 else np.full(1, -1))
    return np.concatenate(parts)
