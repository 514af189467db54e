"""Find a formula and prove it: the order in which the methods are tried."""

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankwright.kernels.compilation import time_compiling
from rankwright.reverse.bound import prove, whole_space
from rankwright.reverse.bound.milp import solve_milp
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.problem.whole_numbers import Weights, as_whole
from rankwright.reverse.progress import FitStatus, Progress, State
from rankwright.reverse.search import search
from rankwright.reverse.search.baselines import baseline_starts
from rankwright.reverse.search.margin import central_weights, separating_weights

__all__ = ["FitOptions", "Outcome", "SOLVERS", "solve"]

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
class FitOptions:
    """How much work to put into a fit."""

    solver: str
    time_limit: float
    gap: float
    seed: int
    n_jobs: int
    callback: Any = None

    def __post_init__(self) -> None:
        if self.solver not in SOLVERS:
            raise ValueError(f"solver={self.solver!r}; choose from {sorted(SOLVERS)}")
        if not self.time_limit > 0:
            raise ValueError(f"time_limit={self.time_limit!r}; give a positive number of seconds")


@dataclass(frozen=True)
class Outcome:
    """The best formula, what is proved about it, and how.

    Attributes
    ----------
    weights : (d,) array of int
        On the whole, oriented factors; central among its equals.
    value, bound, achievable : int
        Objective, what no formula can exceed, and what single pairs allow.
    status : FitStatus
    proof : str
        What the bound rests on.
    history : list of State
    """

    weights: Weights
    value: int
    bound: int
    achievable: int
    status: FitStatus
    proof: str
    history: list[State]


def solve(problem: RatingProblem, options: FitOptions) -> Outcome:
    """Search for the best formula and prove it as far as the options allow."""
    achievable = whole_space(problem)
    progress = Progress(problem, options.time_limit, options.callback)
    progress.limit(achievable)
    proof, status = "pairs that no formula can win", FitStatus.SEARCHED
    try:
        with _threads(options.n_jobs) as pool, time_compiling() as progress.compiling:
            if _reproduces_everything(progress):
                proof = "a formula that reproduces every published order"
            else:
                _search(progress, options, pool)
                if options.solver == "milp" and not progress.is_proved:
                    proof = solve_milp(progress, options.gap)
                elif options.solver != "search" and not progress.is_proved:
                    proof = PROOFS[problem.objective.by_position]
                    prove(progress, gap=problem.whole_gap(options.gap), pool=pool)
        status = _status(progress, options)
    except KeyboardInterrupt:
        status = FitStatus.INTERRUPTED
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


def _search(progress: Progress, options: FitOptions, pool: Executor) -> None:
    problem = progress.problem
    d = len(problem.directions)
    effort = "long" if options.solver == "search" or d >= MANY_FACTORS else EFFORT.get(d, "short")
    rounds, patience = ROUNDS[effort]
    search(
        progress,
        baseline_starts(problem),
        rounds=rounds,
        patience=patience,
        rng=np.random.default_rng(options.seed),
        pool=pool,
    )


def _status(progress: Progress, options: FitOptions) -> FitStatus:
    if progress.is_proved:
        return FitStatus.OPTIMAL
    if options.solver == "search":
        return FitStatus.SEARCHED
    if progress.bound - progress.value <= progress.problem.whole_gap(options.gap):
        return FitStatus.GAP
    return FitStatus.TIME_LIMIT if progress.is_late else FitStatus.WORK_LIMIT


def _central(problem: RatingProblem, weights: Weights, value: int) -> Weights:
    central = central_weights(problem, weights)
    if central is not None and problem.value(as_whole(central)) >= value:
        return as_whole(central)
    return weights
