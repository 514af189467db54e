"""Fit a changed problem quickly: what audits, folds and shuffles do many times."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.bound import prove, whole_space
from rankwright.reverse.clock import Clock, threads
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.progress import Progress
from rankwright.reverse.search import least_squares_starts, search
from rankwright.reverse.whole_numbers import as_floats

__all__ = ["refit"]

SHARE = 0.25  # of the time for a proof, which planes may take at most


def refit(
    problem: RatingProblem,
    start: NDArray[Any] | None,
    clock: Clock,
    *,
    seed: int = 0,
    proof_seconds: float = 0.0,
) -> Progress:
    """Search from a known formula, from least squares and from a random one, once each.

    What is found is then proved, or improved, in ``proof_seconds`` at most.
    """
    progress = Progress(problem, clock)
    starts = list(least_squares_starts(problem, [problem.levels.astype(np.float64)]))
    if start is not None:
        progress.offer(start)  # in whole numbers: floating point would break its ties
        starts.insert(0, as_floats(start))
    with threads(1, clock) as pool:
        rng = np.random.default_rng(seed)
        search(progress, starts, rounds=1, patience=1, rng=rng, pool=pool, batch=len(starts) + 1)
        if problem.has_planes and problem.plane_seconds < SHARE * proof_seconds:
            with Clock(max(min(proof_seconds, clock.left), 1e-3)) as progress.clock:
                progress.limit(whole_space(problem, progress.clock))
                prove(progress, gap=0, pool=pool)
    return progress
