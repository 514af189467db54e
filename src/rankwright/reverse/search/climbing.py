"""Look for good formulas: exact line searches from many starts."""

from collections.abc import Iterator
from concurrent.futures import Executor
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.rating.climb import climb
from rankwright.kernels.rating.planes import Pairs
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.problem.planes import count_pairs
from rankwright.reverse.problem.whole_numbers import as_floats, as_whole
from rankwright.reverse.progress import Progress

__all__ = ["climb_from", "climb_on", "least_squares_starts", "search"]

Floats = NDArray[np.float64]
ROUND = 8  # starts that see the same incumbent, so that the result doesn't depend on n_jobs
MOST_SWEPT = 20_000  # pairs: with more, trying formulas finds better ones in the same time
MANY_ROWS = 1_000  # of least squares, which non-negative weights take one by one
SMALL = 1e-12  # of the largest eigenvalue: less is rounding error
N_SAMPLED = 20  # pairs whose crossings say where to try
NO_PAIRS = Pairs(*np.empty((3, 0), dtype=np.int64))


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
    if progress.clock.is_late:
        return
    climbing = partial(climb_from, progress.problem, stop=progress.clock.stop)
    idle = 0
    queue = _endless_starts(progress, starts, rng)
    for _ in range(rounds):
        begin = [next(queue) for _ in range(batch)]
        seeds = rng.integers(2**32, size=batch)
        found = pool.map(climbing, begin, seeds)
        improved = [progress.offer(as_whole(weights)) for weights in found]
        idle = 0 if any(improved) else idle + 1
        if idle == patience or progress.is_proved or progress.clock.is_late:
            return


def climb_on(progress: Progress, pool: Executor) -> None:
    """Improve the best formula; in the pool, so that Ctrl-C finds this thread listening."""
    assert progress.weights is not None
    start, stop = as_floats(progress.weights), progress.clock.stop
    found = pool.submit(climb_from, progress.problem, start, 0, stop).result()
    progress.offer(as_whole(found))


def climb_from(problem: RatingProblem, start: Floats, seed: int, stop: NDArray[np.bool_]) -> Floats:
    """Improve a formula along its coordinates and random directions, until stopped."""
    rng = np.random.default_rng(seed)
    scale = 1.0 / problem.spans
    d = len(scale)
    directions = np.vstack([np.eye(d), rng.normal(size=(2 * d, d))]) * scale
    is_swept = count_pairs(problem.offsets) <= MOST_SWEPT
    weights, _, _ = climb(
        problem.oriented,
        np.ascontiguousarray(start, dtype=np.float64),
        directions,
        problem.listed_pairs if is_swept else NO_PAIRS,
        _sample_pairs(problem.offsets, rng),
        problem.aims,
        problem.objective.by_position,
        problem.free,
        stop,
    )
    return np.asarray(weights)


def _sample_pairs(offsets: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return some pairs of products of the same group, as rows."""
    sizes = np.diff(offsets)
    one = rng.integers(offsets[-1], size=N_SAMPLED)
    group = np.searchsorted(offsets, one, side="right") - 1
    other = offsets[group] + rng.integers(sizes[group])
    return np.column_stack([one, other]).astype(np.int64)


def least_squares_starts(problem: RatingProblem, targets: list[Floats]) -> Iterator[Floats]:
    """Yield the least-squares formulas for some targets, centred in each group."""
    from scipy.optimize import lsq_linear, nnls

    centred = problem.centred(problem.oriented)
    scale = np.sqrt((centred**2).sum(axis=0))
    scale[scale == 0.0] = 1.0
    for target in targets:
        wanted = problem.centred(target[:, None])[:, 0]
        rows, wanted = _fewer_rows(centred / scale, wanted)
        if problem.free.any():
            lower = np.where(problem.free, -np.inf, 0.0)
            solution = lsq_linear(rows, wanted, (lower, np.inf), method="bvls").x
        else:
            solution = nnls(rows, wanted)[0]
        yield solution / scale


def _fewer_rows(rows: Floats, wanted: Floats) -> tuple[Floats, Floats]:
    """Return least squares with the same solution, of one row for each factor if there are many.

    By the root of the Gram matrix, which is quick and, for a start, precise enough.
    """
    if len(rows) <= MANY_ROWS:
        return rows, wanted
    values, vectors = np.linalg.eigh(rows.T @ rows)
    is_kept = values > SMALL * values[-1]
    root, vectors = np.sqrt(values[is_kept]), vectors[:, is_kept].T
    return root[:, None] * vectors, vectors @ (rows.T @ wanted) / root


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
