"""Look for good formulas: exact line searches from many starts."""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from functools import partial

import numpy as np
from joblib import Parallel, delayed
from joblib.parallel import get_active_backend
from numpy.typing import NDArray

from rankwright.kernels.rating.climb import climb
from rankwright.kernels.rating.planes import Pairs
from rankwright.programs import nonnegative_least_squares
from rankwright.reverse.clock import Clock
from rankwright.reverse.knowledge.cone import Cone
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.progress import Progress
from rankwright.reverse.whole_numbers import as_floats, as_whole

__all__ = ["climb_from", "climb_on", "search"]

Floats = NDArray[np.float64]
ROUND = 8  # starts that see the same incumbent, so that the result doesn't depend on n_jobs
# Pairs, at all and for each product: with more, trying formulas finds better ones in the same time.
MOST_SWEPT, SWEPT_EACH = 20_000, 20
MOST_LINES = 100  # of each kind, through a formula inside a cone of many rays
TURNED = (0.1, 0.9)  # shares of the signs that a random start turns and keeps
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
    idle = 0
    queue = _endless_starts(progress, starts, rng)
    for _ in range(rounds):
        begin = [next(queue) for _ in range(batch)]
        seeds = rng.integers(2**32, size=batch)
        found = _climb_each(progress, begin, seeds.tolist(), pool)
        # A climb that time did not suffice to begin has nothing to offer.
        climbed = (end for start, end in zip(begin, found, strict=True) if end is not start)
        improved = [progress.offer(as_whole(weights)) for weights in climbed]
        idle = 0 if any(improved) else idle + 1
        if idle == patience or progress.is_proved or progress.clock.is_late:
            return


def _climb_each(
    progress: Progress, starts: list[Floats], seeds: list[int], pool: Executor
) -> Iterable[Floats]:
    """Climb from each start: in the pool, or where the caller's backend of joblib's has processes.

    A climb depends on its start and its seed alone. The clock of another process is not seen from
    there: it gets a clock of its own for the time that is left.
    """
    problem, clock = progress.problem, progress.clock
    backend = get_active_backend(prefer="threads")[0]
    if getattr(backend, "supports_sharedmem", False):  # Dask's does not say
        return pool.map(partial(climb_from, problem, stop=clock.stop), starts, seeds)
    found: list[Floats] = Parallel()(
        delayed(_climb_elsewhere)(problem, start, seed, max(clock.left, 1e-3))
        for start, seed in zip(starts, seeds, strict=True)
    )
    return found


def _climb_elsewhere(problem: RatingProblem, start: Floats, seed: int, limit: float) -> Floats:
    with Clock(limit) as clock:
        return climb_from(problem, start, seed, clock.stop)


def climb_on(progress: Progress, pool: Executor) -> None:
    """Improve the best formula; in the pool, so that Ctrl-C finds this thread listening."""
    assert progress.weights is not None
    start, stop = as_floats(progress.weights), progress.clock.stop
    found = pool.submit(climb_from, progress.problem, start, 0, stop).result()
    progress.offer(as_whole(found))


def climb_from(problem: RatingProblem, start: Floats, seed: int, stop: NDArray[np.bool_]) -> Floats:
    """Improve a formula along its coordinates and random directions, until stopped.

    The start itself comes back if it is too late to begin.
    """
    if stop[0]:
        return start
    rng = np.random.default_rng(seed)
    if problem.cone is not None:
        return _climb_inside(problem, problem.cone, start, rng, stop)
    scale = 1.0 / problem.spans
    d = len(scale)
    directions = np.vstack([np.eye(d), rng.normal(size=(2 * d, d))]) * scale
    return _climb(problem, problem.oriented, start, directions, problem.free, rng, stop)


def _climb_inside(
    problem: RatingProblem,
    cone: Cone,
    start: Floats,
    rng: np.random.Generator,
    stop: NDArray[np.bool_],
) -> Floats:
    """Improve a formula inside a cone: its multipliers of generators are not negative."""
    face = cone.face_of(start) or cone.faces[rng.integers(len(cone.faces))]
    generators = face.generators
    multipliers, _ = nonnegative_least_squares(generators.T, start)
    k = len(generators)
    directions = np.vstack([np.eye(k)[:MOST_LINES], rng.normal(size=(min(2 * k, MOST_LINES), k))])
    found = _climb(
        problem,
        np.ascontiguousarray(problem.oriented @ generators.T),
        multipliers if multipliers.any() else np.ones(k),
        directions,
        np.zeros(k, dtype=np.bool_),
        rng,
        stop,
    )
    return np.asarray(found @ generators)


def _climb(
    problem: RatingProblem,
    factors: Floats,
    start: Floats,
    directions: Floats,
    free: NDArray[np.bool_],
    rng: np.random.Generator,
    stop: NDArray[np.bool_],
) -> Floats:
    is_swept = 0 < problem.n_pairs <= max(MOST_SWEPT, SWEPT_EACH * len(problem.levels))
    sample = _sample_pairs(problem.offsets, rng)
    weights, _, _ = climb(
        factors,
        np.ascontiguousarray(start, dtype=np.float64),
        directions,
        problem.listed_pairs if is_swept else NO_PAIRS,
        None if is_swept else sample,
        problem.aims,
        problem.objective.by_position,
        free,
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


def _endless_starts(
    progress: Progress, starts: list[Floats], rng: np.random.Generator
) -> Iterator[Floats]:
    yield from (start for start in starts if np.any(start))
    problem = progress.problem
    if problem.cone is not None:
        yield from _endless_inside(progress, problem.cone, rng)
    scale = 1.0 / problem.spans
    while True:
        best = None if progress.weights is None else as_floats(progress.weights)
        mirror = np.where(problem.free, _signs_to_try(best, len(scale), rng), 1.0)
        yield rng.dirichlet(np.ones(len(scale))) * scale * mirror
        if best is not None:
            noise = rng.normal(scale=10.0 ** rng.uniform(-2, 0), size=len(scale))
            yield best * np.exp(noise) + 0.02 * rng.dirichlet(np.ones(len(scale))) * scale * mirror


def _signs_to_try(best: Floats | None, d: int, rng: np.random.Generator) -> Floats:
    """Return the signs of the best formula with a few turned: of many orthants, few are any good.

    A factor without weight, or without a formula yet, counts either way.
    """
    signs = rng.choice([-1.0, 1.0], d)
    if best is None:
        return signs
    return np.where(best == 0, signs, np.sign(best) * rng.choice([-1.0, 1.0], d, p=TURNED))


def _endless_inside(progress: Progress, cone: Cone, rng: np.random.Generator) -> Iterator[Floats]:
    """Yield random formulas of a cone, and the best one moved towards them."""
    while True:
        generators = cone.faces[rng.integers(len(cone.faces))].generators
        drawn = rng.dirichlet(np.ones(len(generators))) @ generators
        yield drawn
        if progress.weights is not None:
            best = as_floats(progress.weights)
            face = cone.face_of(best) or cone.faces[0]
            towards = rng.dirichlet(np.ones(len(face.generators))) @ face.generators
            yield best + 10.0 ** rng.uniform(-2, 0) * towards
