"""Find a formula and prove it: the order in which the methods are tried."""

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankwright.reverse.bound import prove, whole_space
from rankwright.reverse.bound.milp import check_milp, solve_milp
from rankwright.reverse.clock import Clock, threads
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.problem.statistic import bound_without_pairs
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
SHARE = 0.25  # of the time left, for each step that comes before the search
# When time is up, the formula may still be moved to the middle of its equals: for so many seconds,
# and only where the rows of that linear program are found in a moment.
FINISH = 0.2
FEW_ENTRIES = 2**20
TWINS = "products with equal factors, which no formula tells apart"
PAIRS = "pairs that no formula can win"
PROOFS = {
    False: "branch and bound over cells of weights, in whole numbers",
    True: "branch and bound over cells of weights and orders of the top, in whole numbers",
}


@dataclass(frozen=True)
class FitOptions:
    """How much work to put into a fit."""

    solver: str
    clock: Clock
    gap: float
    seed: int
    n_jobs: int
    callback: Any = None

    def __post_init__(self) -> None:
        if self.solver not in SOLVERS:
            raise ValueError(f"solver={self.solver!r}; choose from {sorted(SOLVERS)}")


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
    if options.solver == "milp":
        check_milp(problem)
    progress = Progress(problem, options.clock, options.callback)
    achievable = bound_without_pairs(problem)
    progress.limit(achievable)
    proof, status = TWINS, FitStatus.SEARCHED
    try:
        with threads(options.n_jobs, options.clock) as pool:
            if _has_time_for_planes(progress):
                progress.limit(whole_space(problem, options.clock))
                proof = PAIRS
            achievable = progress.bound
            if _reproduces_everything(progress):
                proof = "a formula that reproduces every published order"
            else:
                _search(progress, options, pool)
                proof = _prove(progress, options, pool) or proof
        status = _status(progress, options, proof)
    except KeyboardInterrupt:
        status = FitStatus.INTERRUPTED
    if progress.weights is None:
        progress.offer(np.ones(len(problem.directions), dtype=np.int64))
    assert progress.weights is not None
    return Outcome(
        weights=_central(progress),
        value=progress.value,
        bound=progress.bound,
        achievable=achievable,
        status=status,
        proof=proof,
        history=progress.history,
    )


def _has_time_for_planes(progress: Progress) -> bool:
    problem = progress.problem
    return problem.has_planes and problem.plane_seconds <= SHARE * progress.clock.left


def _reproduces_everything(progress: Progress) -> bool:
    weights = separating_weights(progress.problem, SHARE * progress.clock.left)
    if weights is not None:
        progress.offer(as_whole(weights))
    return progress.is_proved


def _search(progress: Progress, options: FitOptions, pool: Executor) -> None:
    problem = progress.problem
    d = len(problem.directions)
    is_all = options.solver == "search" or d >= MANY_FACTORS or not _has_time_for_planes(progress)
    rounds, patience = ROUNDS["long" if is_all else EFFORT.get(d, "short")]
    search(
        progress,
        baseline_starts(problem, progress.clock),
        rounds=rounds,
        patience=patience,
        rng=np.random.default_rng(options.seed),
        pool=pool,
    )


def _prove(progress: Progress, options: FitOptions, pool: Executor) -> str | None:
    """Prove the formula as far as time allows, and say how; None where nothing is proved."""
    problem = progress.problem
    if options.solver == "search" or progress.is_proved or not _has_time_for_planes(progress):
        return None
    if options.solver == "milp":
        return solve_milp(progress, options.gap)
    prove(progress, gap=problem.whole_gap(options.gap), pool=pool)
    return PROOFS[problem.objective.by_position]


def _status(progress: Progress, options: FitOptions, proof: str) -> FitStatus:
    if progress.is_proved:
        return FitStatus.OPTIMAL
    if options.solver == "search" or not progress.problem.has_planes:
        return FitStatus.SEARCHED
    if progress.bound - progress.value <= progress.problem.whole_gap(options.gap):
        return FitStatus.GAP
    # Without time for planes, no proof begins.
    is_over = progress.clock.is_late or proof in (TWINS, PAIRS)
    return FitStatus.TIME_LIMIT if is_over else FitStatus.WORK_LIMIT


def _central(progress: Progress) -> Weights:
    """Return the formula that is farthest from losing anything, if there is time to find it."""
    problem, clock, weights = progress.problem, progress.clock, progress.weights
    assert weights is not None
    if not problem.has_planes or (clock.is_late and problem.plane_entries > FEW_ENTRIES):
        return weights
    central = central_weights(problem, weights, max(clock.left, FINISH))
    if central is not None and problem.value(as_whole(central)) >= progress.value:
        return as_whole(central)
    return weights
