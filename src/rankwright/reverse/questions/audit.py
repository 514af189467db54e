"""Find the products that a formula misplaces, and how much better it would fit without them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating, RatingProblem
from rankwright.reverse.problem.whole_numbers import Weights
from rankwright.reverse.progress import FitStatus
from rankwright.reverse.questions.refit import refit
from rankwright.reverse.solution import RatingSolution

__all__ = ["audit", "lost_to"]

Ints = NDArray[np.int64]
COLUMNS = [
    "product",
    "group",
    "published",
    "modelled",
    "rise_without",
    "rise_freed",
    "proved",
    "lost",
    "against",
]


def audit(
    rating: Rating,
    solution: RatingSolution,
    *,
    clock: Clock,
    most: int = 20,
    proof_seconds: float = 0.0,
) -> pd.DataFrame:
    """Leave out, or free, one suspicious product at a time, and explain the rest again.

    A rise is proved if the changed rating can't be explained better, nor the given one. Products
    that the clock leaves no time for are not listed.
    """
    problem, weights = rating.problem, solution.whole_weights(rating.problem)
    places = problem.exact_places(weights)
    # A pair of a group is worth the same whoever wins it.
    cost = problem.rates.unit + problem.rates.bonus
    lost = [
        len(lost_to(problem, places, group, i)) for group in problem.bounds for i in range(*group)
    ]
    blame = cost * np.array(lost)
    suspects = np.argsort(-blame, kind="stable")[: min(most, int((blame > 0).sum()))]
    published, modelled = problem.positions_of(problem.levels), problem.positions_of(places)
    names = [rating.names[i] for i in rating.counted]
    groups = rating.groups[rating.counted]
    is_optimal = solution.status == FitStatus.OPTIMAL

    def examine(i: int) -> dict[str, Any]:
        rest = np.delete(np.arange(len(places)), i)
        against = lost_to(problem, places, problem.bounds[problem.group_of_row[i]], i)
        without = _Rise.of(problem, problem.select(rest), weights, proof_seconds, clock)
        freed = _Rise.of(problem, problem.freeing(i), weights, proof_seconds, clock)
        return {
            "product": names[i],
            "group": groups[i],
            "published": published[i],
            "modelled": modelled[i],
            "rise_without": without.value,
            "rise_freed": freed.value,
            "proved": without.is_proved and freed.is_proved and is_optimal,
            "lost": len(against),
            "against": [names[k] for k in against],
        }

    records = clock.answer_each(suspects.tolist(), examine, "suspicious products")
    frame = pd.DataFrame.from_records(records, columns=COLUMNS)
    return frame.sort_values("rise_without", ascending=False, kind="stable", ignore_index=True)


@dataclass(frozen=True)
class _Rise:
    """How much better a changed rating can be explained, and whether that is all."""

    value: float
    is_proved: bool

    @classmethod
    def of(
        cls,
        problem: RatingProblem,
        changed: RatingProblem,
        weights: Weights,
        proof_seconds: float,
        clock: Clock,
    ) -> "_Rise":
        found = refit(changed, weights, clock, proof_seconds=proof_seconds)
        change = changed.normalised(found.value) - problem.normalised(problem.value(weights))
        return cls(-change if problem.objective.by_position else change, found.is_proved)


def lost_to(
    problem: RatingProblem, places: NDArray[np.float64], group: tuple[int, int], i: int
) -> Ints:
    """Return the products of a group that scores don't order with product i as published.

    Those published below it come first; twins are among them.
    """
    begin, end = group
    levels, scores = problem.levels[begin:end], places[begin:end]
    is_below = (levels < problem.levels[i]) & (scores >= places[i])
    is_above = (levels > problem.levels[i]) & (scores <= places[i])
    found: Ints = np.concatenate([np.flatnonzero(is_below), np.flatnonzero(is_above)])
    return found + begin
