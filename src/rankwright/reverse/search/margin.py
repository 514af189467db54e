"""Central formulas: among equally good weights, those farthest from changing an order."""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.programs import Program, Status
from rankwright.reverse.problem import RatingProblem

__all__ = ["central_weights", "keeping_rows", "neighbour_rows", "separating_weights"]

Floats = NDArray[np.float64]


def separating_weights(problem: RatingProblem) -> Floats | None:
    """Return weights that reproduce every published order with the largest margin, if any do."""
    normals = neighbour_rows(problem)
    if not normals.any(axis=1).all():
        return None
    return _largest_margin(problem, normals, np.empty((0, normals.shape[1])))


def central_weights(problem: RatingProblem, weights: NDArray[Any]) -> Floats | None:
    """Return the formula with the largest margin among those that keep what this one achieves."""
    above, level = keeping_rows(problem, weights)
    return _largest_margin(problem, above, level)


def keeping_rows(problem: RatingProblem, weights: NDArray[Any]) -> tuple[Floats, Floats]:
    """Return differences that must stay positive, and zero, so that the objective can't fall.

    For the statistic: the pairs won, and those that lift a product to the top. For position
    errors: every place of a product at the top relative to another.
    """
    places = problem.exact_places(weights)
    positive, zero = [], []
    for begin, end in problem.bounds:
        scores, levels = places[begin:end], problem.levels[begin:end]
        factors = problem.oriented[begin:end]
        is_above = scores[:, None] > scores[None, :]
        if problem.objective.by_position:
            matters = problem.aims.position[begin:end] > 0
            is_kept = is_above & (matters[:, None] | matters[None, :])
            tie = (scores[:, None] == scores[None, :]) & matters[:, None]
            one, other = np.nonzero(np.triu(tie | tie.T, 1))
            zero.append(factors[one] - factors[other])
        else:
            threshold = problem.aims.threshold[begin:end]
            at_top = is_above.sum(axis=1) >= threshold
            is_kept = is_above & ((levels[:, None] > levels[None, :]) | at_top[:, None])
        # A pair that follows from two others needs no row of its own.
        follows = is_kept.astype(np.float32) @ is_kept.astype(np.float32) > 0
        one, other = np.nonzero(is_kept & ~follows)
        positive.append(factors[one] - factors[other])
    empty = np.empty((0, problem.oriented.shape[1]))
    rows = np.concatenate([empty, *positive]), np.concatenate([empty, *zero])
    return rows[0][rows[0].any(axis=1)], rows[1][rows[1].any(axis=1)]


def neighbour_rows(problem: RatingProblem) -> Floats:
    """Return the differences between products of neighbouring published levels.

    For position errors all products below the top share one level.
    """
    rows = [np.empty((0, problem.oriented.shape[1]))]
    by_position, wanted = problem.objective.by_position, problem.aims.position
    for begin, end in problem.bounds:
        levels, factors = problem.levels[begin:end], problem.oriented[begin:end]
        if by_position:
            levels = np.where(wanted[begin:end] > 0, levels, levels.min() - 1)
        distinct = np.unique(levels)
        for low, high in pairwise(distinct):
            upper, lower = factors[levels == high], factors[levels == low]
            rows.append((upper[:, None, :] - lower[None, :, :]).reshape(-1, factors.shape[1]))
    return np.concatenate(rows)


def _largest_margin(problem: RatingProblem, above: Floats, level: Floats) -> Floats | None:
    """Maximise the smallest distance to a plane, with weights times ranges summing to one."""
    d = len(problem.spans)
    above, level = above / problem.spans, level / problem.spans
    size = np.sqrt((above**2).sum(axis=1))
    lower = np.where(problem.free, -1.0, 0.0)
    program = Program(
        np.r_[np.zeros(d), -1.0], lower=np.r_[lower, 0.0], upper=np.r_[np.ones(d), 10.0]
    )
    if len(above):
        program.add_rows(np.column_stack([above, -size]), lower=0.0)
    if len(level):
        program.add_rows(np.column_stack([level, np.zeros(len(level))]), lower=0.0, upper=0.0)
    if not problem.free.any():
        program.add_rows(np.r_[np.ones(d), 0.0][None, :], lower=1.0, upper=1.0)
    solution = program.solve()
    if solution.status is not Status.OPTIMAL or solution.x is None or solution.x[d] <= 1e-11:
        return None
    weights = solution.x[:d] / problem.spans
    return weights if np.any(weights) else None
