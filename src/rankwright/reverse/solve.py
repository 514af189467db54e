"""Find a formula and prove it: the order in which the methods are tried."""

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np

from rankwright.kernels.compilation import time_compiling
from rankwright.reverse.bound import prove, whole_space
from rankwright.reverse.bound.milp import solve_milp
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.problem.whole_numbers import Weights, as_whole
from rankwright.reverse.progress import Progress, State, Status
from rankwright.reverse.search import search
from rankwright.reverse.search.baselines import baseline_starts
from rankwright.reverse.search.margin import central_weights, separating_weights

__all__ = ["Outcome", "Plan", "SOLVERS", "solve"]

SOLVERS = ("auto", "certified", "milp", "search")
MANY_FACTORS = 9  # from here on, time spent on searching pays more than time spent on proving
# Rounds of a search, and how many of them may bring nothing; a proof that is quick finds the
# optimum by itself, a slow one gains more from a good start.
ROUNDS = {"short": (1, 1), "medium": (20, 4), "long": (10_000, 20)}
EFFORT = {7: "medium", 8: "medium"}
PROOFS = {
    False: "branch and bound over cells of weights, in whole numbers",
    True: "branch and bound over cells of weights and orders of the top, in whole numbers",
}


@dataclass(frozen=True)
class Plan:
    """How much work to put into a fit."""

    solver: str
    time_limit: float
    gap: float
    seed: int
    n_jobs: int
    callback: Any = None


@dataclass(frozen=True)
class Outcome:
    """The best formula, what is proved about it, and how.

    Attributes
    ----------
    weights : (d,) array of int
        On the whole, oriented factors; central among its equals.
    value, bound, achievable : int
        Objective, what no formula can exceed, and what single pairs allow.
    status : Status
    proof : str
        What the bound rests on.
    history : list of State
    """

    weights: Weights
    value: int
    bound: int
    achievable: int
    status: Status
    proof: str
    history: list[State]


def solve(problem: RatingProblem, plan: Plan) -> Outcome:
    """Search for the best formula and prove it as far as the plan allows."""
    achievable = whole_space(problem)
    progress = Progress(problem, plan.time_limit, plan.callback)
    progress.limit(achievable)
    proof, status = "pairs that no formula can win", Status.SEARCHED
    try:
        with _threads(plan.n_jobs) as pool, time_compiling() as progress.compiling:
            if _reproduces_everything(progress):
                proof = "a formula that reproduces every published order"
            else:
                _search(progress, plan, pool)
                if plan.solver == "milp" and not progress.is_proved:
                    proof = solve_milp(progress, plan.gap)
                elif plan.solver != "search" and not progress.is_proved:
                    proof = PROOFS[problem.objective.by_position]
                    prove(progress, gap=_whole_gap(problem, plan.gap), pool=pool)
        status = _status(progress, plan)
    except KeyboardInterrupt:
        status = Status.INTERRUPTED
    if progress.weights is None:
        progress.offer(np.ones(len(problem.directions), dtype=np.int64))
    assert progress.weights is not None
    return Outcome(
        weights=_central(problem, progress.weights, progress.value),
        value=progress.value,
        bound=progress.bound,
        achievable=achievable,
        status=status,
        proof=proof,
        history=progress.history,
    )


@contextmanager
def _threads(n_jobs: int) -> Iterator[Executor]:
    pool = ThreadPoolExecutor(n_jobs)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _reproduces_everything(progress: Progress) -> bool:
    weights = separating_weights(progress.problem)
    if weights is not None:
        progress.offer(as_whole(weights))
    return progress.is_proved


def _search(progress: Progress, plan: Plan, pool: Executor) -> None:
    problem = progress.problem
    d = len(problem.directions)
    effort = "long" if plan.solver == "search" or d >= MANY_FACTORS else EFFORT.get(d, "short")
    rounds, patience = ROUNDS[effort]
    search(
        progress,
        baseline_starts(problem),
        rounds=rounds,
        patience=patience,
        rng=np.random.default_rng(plan.seed),
        pool=pool,
    )


def _whole_gap(problem: RatingProblem, gap: float) -> int:
    return floor(gap if problem.objective.by_position else Fraction(gap) * problem.rates.scale)


def _status(progress: Progress, plan: Plan) -> Status:
    if progress.is_proved:
        return Status.OPTIMAL
    if plan.solver == "search":
        return Status.SEARCHED
    if progress.bound - progress.value <= _whole_gap(progress.problem, plan.gap):
        return Status.GAP
    return Status.TIME_LIMIT if progress.is_late else Status.WORK_LIMIT


def _central(problem: RatingProblem, weights: Weights, value: int) -> Weights:
    central = central_weights(problem, weights)
    if central is not None and problem.value(as_whole(central)) >= value:
        return as_whole(central)
    return weights
