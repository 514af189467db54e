"""Find the products that a formula misplaces, and how much better it would fit without them."""

import warnings
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.metrics.top_auc import strictly_below, won_pairs
from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating, RatingProblem
from rankwright.reverse.problem.statistic import bound_without_pairs
from rankwright.reverse.refit import open_signs, refit
from rankwright.reverse.search import climb_from
from rankwright.reverse.solution import RatingSolution
from rankwright.reverse.whole_numbers import Weights, as_floats, as_whole

__all__ = ["audit", "count_lost", "lost_to"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
SEARCHED = "suspicious products searched again"
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

    By this formula first, for all suspects, which takes sorting alone; then formulas are searched,
    the most suspicious product first, while the clock allows. A rise is proved if the changed
    rating can't be explained better, nor the given one.
    """
    problem = open_signs(rating)
    weights = solution.whole_weights(problem)
    places = problem.exact_places(weights)
    lost = count_lost(problem, places)
    # A pair of a group is worth the same whoever wins it.
    blame = (problem.rates.unit + problem.rates.bonus) * lost
    suspects = np.argsort(-blame, kind="stable")[: min(most, int((blame > 0).sum()))].tolist()
    rises = _find_rises(problem, weights, suspects, proof_seconds, clock)
    is_optimal = solution.bound_any_signs == solution.value
    published, modelled = problem.positions_of(problem.levels), problem.positions_of(places)
    names = [rating.names[i] for i in rating.counted]
    records: list[dict[str, Any]] = []
    for i, (without, freed) in rises.items():
        against = lost_to(problem, places, problem.bounds[problem.group_of_row[i]], i)
        values = (
            names[i],
            rating.groups[rating.counted[i]],
            published[i],
            modelled[i],
            without.value,
            freed.value,
            without.is_proved and freed.is_proved and is_optimal,
            lost[i],
            [names[k] for k in against],
        )
        records.append(dict(zip(COLUMNS, values, strict=True)))
    frame = pd.DataFrame.from_records(records, columns=COLUMNS)
    return frame.sort_values("rise_without", ascending=False, kind="stable", ignore_index=True)


def _find_rises(
    problem: RatingProblem,
    weights: Weights,
    suspects: list[int],
    proof_seconds: float,
    clock: Clock,
) -> dict[int, tuple["_Rise", ...]]:
    """Return the rises without each suspect, and with its rank freed."""
    everybody = np.arange(len(problem.levels))
    known = problem.comparable(problem.value(weights))
    changed = {i: (problem.select(np.delete(everybody, i)), problem.freeing(i)) for i in suspects}
    rises = {i: tuple(_Rise.of(known, c, weights) for c in changed[i]) for i in suspects}
    by_rise = sorted(suspects, key=lambda i: -rises[i][0].value)
    for n_searched, i in enumerate(by_rise):
        if clock.is_late:
            _say_time_is_up(clock, n_searched, len(suspects))
            break
        rises[i] = tuple(
            rise.searched(known, c, weights, proof_seconds, clock)
            for rise, c in zip(rises[i], changed[i], strict=True)
        )
        if clock.tell is not None:
            clock.tell(n_searched + 1, len(suspects), SEARCHED)
    return rises


@dataclass(frozen=True)
class _Rise:
    """How much better a changed rating can be explained, and whether that is all."""

    value: float
    is_proved: bool

    @classmethod
    def of(cls, known: Fraction, changed: RatingProblem, weights: Weights) -> "_Rise":
        """Return how far a formula of the changed rating is above what is known of the given one.

        The rise of the best is no less.
        """
        reached = changed.value(weights)
        # A share of every pair: what the objective is divided by may jump with a product where
        # several share the rank at the cut.
        return cls(
            float(changed.comparable(reached) - known), reached >= bound_without_pairs(changed)
        )

    def searched(
        self,
        known: Fraction,
        changed: RatingProblem,
        weights: Weights,
        proof_seconds: float,
        clock: Clock,
    ) -> "_Rise":
        """Return the rise of a better formula, if one is found."""
        if self.is_proved:
            return self
        is_proved = False
        best = as_whole(climb_from(changed, as_floats(weights), 0, clock.stop))
        if proof_seconds:
            start = max((best, weights), key=changed.value)
            found = refit(changed, start, clock, proof_seconds=proof_seconds)
            assert found.weights is not None
            best, is_proved = found.weights, found.is_proved
        rise = _Rise.of(known, changed, best)
        return _Rise(max(rise.value, self.value), is_proved or rise.is_proved)


def _say_time_is_up(clock: Clock, n_searched: int, n_suspects: int) -> None:
    if clock.tell is not None:
        clock.tell(n_searched, n_suspects, SEARCHED)
        return
    warnings.warn(
        f"time_limit={clock.limit:g} s was only enough to search again for {n_searched} of "
        f"{n_suspects} suspicious products; the rises of the others are those of this formula; "
        "give more time for all",
        UserWarning,
        stacklevel=4,
    )


def count_lost(problem: RatingProblem, places: Floats) -> Ints:
    """Return for each product how many pairs scores don't order as published, by sorting."""
    lost = [np.empty(0, dtype=np.int64)]
    for begin, end in problem.bounds:
        levels, scores = problem.levels[begin:end].astype(np.float64), places[begin:end]
        wins, losses = won_pairs(levels, scores), won_pairs(-levels, -scores)
        lost.append(strictly_below(levels) - wins + strictly_below(-levels) - losses)
    return np.concatenate(lost)


def lost_to(problem: RatingProblem, places: Floats, group: tuple[int, int], i: int) -> Ints:
    """Return the products of a group that scores don't order with product i as published.

    Those published below it come first; twins are among them.
    """
    begin, end = group
    levels, scores = problem.levels[begin:end], places[begin:end]
    is_below = (levels < problem.levels[i]) & (scores >= places[i])
    is_above = (levels > problem.levels[i]) & (scores <= places[i])
    found: Ints = np.concatenate([np.flatnonzero(is_below), np.flatnonzero(is_above)])
    return found + begin
