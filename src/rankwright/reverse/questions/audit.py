"""Find the products that a formula misplaces, and how much better it would fit without them."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.reverse.problem import Rating, RatingProblem
from rankwright.reverse.problem.whole_numbers import Weights
from rankwright.reverse.progress import FitStatus
from rankwright.reverse.questions.refit import refit
from rankwright.reverse.solution import RatingSolution

__all__ = ["audit", "lost_pairs"]

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
    rating: Rating, solution: RatingSolution, *, most: int = 20, proof_seconds: float = 0.0
) -> pd.DataFrame:
    """Leave out, or free, one suspicious product at a time, and explain the rest again.

    A rise is proved if the changed rating can't be explained better, nor the given one.
    """
    problem, weights = rating.problem, solution.whole_weights(rating.problem)
    places = problem.exact_places(weights)
    better, worse = lost_pairs(problem, places)
    cost = problem.rates.unit[better] + problem.rates.bonus[better]
    blame = np.bincount(better, cost, len(places)) + np.bincount(worse, cost, len(places))
    suspects = np.argsort(-blame, kind="stable")[: min(most, int((blame > 0).sum()))]
    published, modelled = problem.positions_of(problem.levels), problem.positions_of(places)
    names = [rating.names[i] for i in rating.counted]
    groups = rating.groups[rating.counted]
    is_optimal = solution.status == FitStatus.OPTIMAL
    records = []
    for i in suspects.tolist():
        rest = np.delete(np.arange(len(places)), i)
        lost_to = np.r_[worse[better == i], better[worse == i]]
        without = _Rise.of(problem, problem.select(rest), weights, proof_seconds)
        freed = _Rise.of(problem, problem.freeing(i), weights, proof_seconds)
        records.append(
            {
                "product": names[i],
                "group": groups[i],
                "published": published[i],
                "modelled": modelled[i],
                "rise_without": without.value,
                "rise_freed": freed.value,
                "proved": without.is_proved and freed.is_proved and is_optimal,
                "lost": len(lost_to),
                "against": [names[k] for k in lost_to],
            }
        )
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
    ) -> "_Rise":
        found = refit(changed, weights, proof_seconds=proof_seconds)
        change = changed.normalised(found.value) - problem.normalised(problem.value(weights))
        return cls(-change if problem.objective.by_position else change, found.is_proved)


def lost_pairs(problem: RatingProblem, places: NDArray[np.float64]) -> tuple[Ints, Ints]:
    """Return the published pairs (better, worse) that the scores lose, twins included."""
    planes = problem.planes
    strict = planes.strict > 0
    lost = strict & (places[planes.better] <= places[planes.worse])
    twins = problem.twins
    return (
        np.r_[planes.better[lost], twins[:, 0]],
        np.r_[planes.worse[lost], twins[:, 1]],
    )
