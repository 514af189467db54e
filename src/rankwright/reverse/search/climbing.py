"""Look for good formulas: exact line searches from many starts."""

from collections.abc import Iterator
from concurrent.futures import Executor

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.rating_sweep import climb
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.problem.whole_numbers import as_floats, as_whole
from rankwright.reverse.progress import Progress

__all__ = ["climb_from", "least_squares_starts", "search"]

Floats = NDArray[np.float64]
ROUND = 8  # starts that see the same incumbent, so that the result doesn't depend on n_jobs


def search(
    progress: Progress,
    starts: list[Floats],
    *,
    rounds: int,
    patience: int,
    rng: np.random.Generator,
    pool: Executor,
    batch: int = ROUND,
) -> None:
    """Climb from the given starts, then from random and perturbed ones until nothing improves.

    Ends after ``rounds`` rounds of ``batch`` starts, ``patience`` rounds without a better
    formula, a proof, or when the time is up.
    """
    for start in starts:
        if np.any(start):
            progress.offer(as_whole(start))
    idle = 0
    queue = _endless_starts(progress, starts, rng)
    for _ in range(rounds):
        begin = [next(queue) for _ in range(batch)]
        seeds = rng.integers(2**32, size=batch)
        found = pool.map(
            lambda start, seed: climb_from(progress.problem, start, seed), begin, seeds
        )
        improved = [progress.offer(as_whole(weights)) for weights in found]
        idle = 0 if any(improved) else idle + 1
        if idle == patience or progress.is_proved or progress.is_late:
            return


def climb_from(problem: RatingProblem, start: Floats, seed: int) -> Floats:
    """Improve a formula along its coordinates and random directions."""
    rng = np.random.default_rng(seed)
    scale = 1.0 / problem.spans
    d = len(scale)
    directions = np.vstack([np.eye(d), rng.normal(size=(2 * d, d))]) * scale
    weights, _, _ = climb(
        problem.oriented,
        np.ascontiguousarray(start, dtype=np.float64),
        directions,
        problem.planes,
        problem.aims,
        problem.objective.by_position,
        problem.free,
    )
    return np.asarray(weights)


def least_squares_starts(problem: RatingProblem, targets: list[Floats]) -> Iterator[Floats]:
    """Yield the least-squares formulas for some targets, centred in each group."""
    from scipy.optimize import lsq_linear, nnls

    centred = problem.centred(problem.oriented)
    scale = np.sqrt((centred**2).sum(axis=0))
    scale[scale == 0.0] = 1.0
    for target in targets:
        wanted = problem.centred(target[:, None])[:, 0]
        if problem.free.any():
            lower = np.where(problem.free, -np.inf, 0.0)
            solution = lsq_linear(centred / scale, wanted, (lower, np.inf), method="bvls").x
        else:
            solution = nnls(centred / scale, wanted)[0]
        yield solution / scale


def _endless_starts(
    progress: Progress, starts: list[Floats], rng: np.random.Generator
) -> Iterator[Floats]:
    yield from (start for start in starts if np.any(start))
    problem = progress.problem
    scale = 1.0 / problem.spans
    while True:
        mirror = np.where(problem.free, rng.choice([-1.0, 1.0], len(scale)), 1.0)
        yield rng.dirichlet(np.ones(len(scale))) * scale * mirror
        if progress.weights is not None:
            best = as_floats(progress.weights)
            noise = rng.normal(scale=10.0 ** rng.uniform(-2, 0), size=len(scale))
            yield best * np.exp(noise) + 0.02 * rng.dirichlet(np.ones(len(scale))) * scale
