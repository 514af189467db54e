"""Fit a changed problem quickly: what audits, folds and shuffles do many times."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.bound import prove, whole_space
from rankwright.reverse.clock import Clock, threads
from rankwright.reverse.problem import Rating, RatingProblem
from rankwright.reverse.progress import Progress
from rankwright.reverse.search import least_squares_starts, search
from rankwright.reverse.search.directions import UNDECIDED, leave_open
from rankwright.reverse.whole_numbers import as_floats

__all__ = ["directions_by_factor", "open_signs", "refit", "refit_anew"]

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
    starts = list(least_squares_starts(problem, [problem.levels.astype(np.float64)], clock))
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


def open_signs(rating: Rating) -> RatingProblem:
    """Return the problem with the signs open that the data decided.

    They stay as they are with constraints, which are about the sizes of weights, and with pieces,
    which have one direction for each factor.
    """
    return rating.problem if rating.is_limited else leave_open(rating.problem, rating.asked)


def refit_anew(rating: Rating, part: RatingProblem, clock: Clock, *, seed: int = 0) -> Progress:
    """Search for a formula of a part of a rating, with signs that this part decides.

    Where constraints or pieces need directions, these are those of a formula without constraints,
    found first. What is found has the problem with its directions.
    """
    undecided = rating.asked == UNDECIDED
    if not (rating.is_limited and undecided.any()):
        opened = part if rating.is_limited else leave_open(part, rating.asked)
        return refit(opened, None, clock, seed=seed)
    opened = leave_open(replace(part, cone=None), rating.asked)
    weights = refit(opened, None, clock, seed=seed).weights
    if weights is not None:
        found = directions_by_factor(rating, opened.directions * as_floats(weights) * opened.spans)
        part = part.turned(np.where(undecided, found, part.directions))
    return refit(part, None, clock, seed=seed)


def directions_by_factor(rating: Rating, shares: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the direction of each term: that of its factor's shares in sum."""
    number = {name: k for k, name in enumerate(dict.fromkeys(rating.piece_of))}
    factors = np.array([number[name] for name in rating.piece_of] or np.arange(len(shares)))
    return np.where(np.bincount(factors, shares)[factors] < 0, -1, 1).astype(np.int64)
