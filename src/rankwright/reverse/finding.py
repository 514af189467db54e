"""From the terms of a formula to its weights: by the published order, or by published scores."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating
from rankwright.reverse.problem.statistic import bound_without_pairs
from rankwright.reverse.progress import FitStatus
from rankwright.reverse.progress_bar import progress_bar
from rankwright.reverse.scores import ScoreFit, fit_signed_scores, judge_by_order
from rankwright.reverse.search.directions import UNDECIDED
from rankwright.reverse.solution import RatingSolution
from rankwright.reverse.solve import FitOptions, solve
from rankwright.reverse.stable import StableFormula, stabilise
from rankwright.reverse.task import Task
from rankwright.reverse.terms import Terms
from rankwright.reverse.values import ValueFunctions

__all__ = ["FoundFormula", "add_stable", "find_formula"]

ACCURATE = 0.6  # of the time, where a stable formula is to be found beside the accurate one


@dataclass(frozen=True, eq=False)
class FoundFormula:
    """What a fit found; every question about a formula is answered from these.

    Attributes
    ----------
    rating : Rating
        With a column for each term, and the directions found.
    solution : RatingSolution
    functions : ValueFunctions or None
        The pieces that the terms are, None if they are the factors.
    scores : ScoreFit or None
        What published scores say, where they were to be reproduced.
    stable : StableFormula or None
        The formula for new products, where it was to be found.
    """

    rating: Rating
    solution: RatingSolution
    functions: ValueFunctions | None
    scores: ScoreFit | None = None
    stable: StableFormula | None = None


def find_formula(terms: Terms, task: Task, clock: Clock) -> FoundFormula:
    """Find the weights of the terms, as the objective asks for."""
    if task.selection == "accurate" or clock.is_interrupted:
        return FINDERS[task.objective](terms, task, clock)
    with Clock(max(ACCURATE * clock.left, 1e-3)) as part:
        return FINDERS[task.objective](terms, task, part)


def add_stable(found: FoundFormula, task: Task, clock: Clock) -> FoundFormula:
    """Find the formula for new products with the time that is left, if one is asked for."""
    if task.selection == "accurate" or found.solution.status == FitStatus.INTERRUPTED:
        return found
    stable = stabilise(found.rating, found.solution, task.selection, clock, task.n_threads)
    return replace(found, stable=stable)


def _by_order(terms: Terms, task: Task, clock: Clock) -> FoundFormula:
    """Search for the formula that orders products best, and prove it."""
    rating, signs = terms.rating, terms.signs
    decided = terms.directed(task, clock) if rating.is_limited else signs
    with progress_bar(task.verbose, task.callback, task.time_limit) as callback:
        options = FitOptions(
            task.solver, clock, task.gap, task.draw_seed(), task.n_threads, callback
        )
        outcome = solve(rating.problem, decided, options)
        while rating.is_limited and (signs == UNDECIDED).any():
            best, anyhow = decided, bound_without_pairs(rating.problem)
            if outcome.status == FitStatus.OPTIMAL:
                best, anyhow = terms.elsewhere(decided, outcome, clock)
            twins = rating.problem.n_twins  # lost to any formula
            outcome = replace(outcome, bound_any_signs=anyhow, pairs_lost=twins)
            if np.array_equal(best, decided):
                break
            decided, outcome = best, solve(rating.problem, best, options)
    directed = rating.directed_as(outcome.problem, signs)
    return FoundFormula(directed, RatingSolution.of(outcome), terms.functions)


def _by_scores(terms: Terms, task: Task, clock: Clock) -> FoundFormula:
    """Find the formulas that reproduce scores as rounded; their order judges the one taken."""
    signs = terms.directed(task, clock) if terms.functions is not None else terms.signs
    fit = fit_signed_scores(terms.rating, signs, task.score_step, clock)
    rating, solution = judge_by_order(terms.rating, signs, fit, clock)
    return FoundFormula(rating, solution, terms.functions, fit)


FINDERS: Mapping[str, Callable[[Terms, Task, Clock], FoundFormula]] = {
    "positions": _by_order,
    "scores": _by_scores,
    "top_auc": _by_order,
}
