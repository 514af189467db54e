"""Central formulas: among equally good weights, those farthest from changing an order."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.programs import Program, Status
from rankwright.reverse.problem import RatingProblem

__all__ = [
    "central_weights",
    "count_neighbours",
    "keeping_rows",
    "neighbour_rows",
    "separating_weights",
]

Floats = NDArray[np.float64]
SOME_NEIGHBOURS = 2_000  # rows of a linear program that is solved in a moment
MOST_NEIGHBOURS = 100_000  # rows of a linear program: with more, it doesn't end in a minute


def separating_weights(problem: RatingProblem, time_limit: float) -> Floats | None:
    """Return weights that reproduce every published order with the largest margin, if any do.

    None, too, if there are too many neighbours, or if the time is up.
    """
    if count_neighbours(problem) > MOST_NEIGHBOURS:
        return None
    normals = neighbour_rows(problem)
    if not normals.any(axis=1).all():
        return None
    level = normals[:0]
    # What no formula does for some of the rows, none does for all.
    some = normals[:: -(-len(normals) // SOME_NEIGHBOURS)] if len(normals) else normals
    found = _largest_margin(problem, some, level, time_limit)
    if found is None or len(some) == len(normals):
        return found
    return _largest_margin(problem, normals, level, time_limit)


def central_weights(
    problem: RatingProblem, weights: NDArray[Any], time_limit: float
) -> Floats | None:
    """Return the formula with the largest margin among those that keep what this one achieves.

    None if the time is up before it is found.
    """
    above, level = keeping_rows(problem, weights)
    return _largest_margin(problem, above, level, time_limit)


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


def count_neighbours(problem: RatingProblem) -> int:
    """Return how many pairs of products have neighbouring published levels."""
    total = 0
    for begin, end in problem.bounds:
        sizes = np.unique(_distinguished_levels(problem, begin, end), return_counts=True)[1]
        total += int(sizes[1:] @ sizes[:-1])
    return total


def _distinguished_levels(problem: RatingProblem, begin: int, end: int) -> NDArray[np.int64]:
    """Return the levels of a group; for position errors all below the top share one."""
    levels = problem.levels[begin:end]
    if problem.objective.by_position:
        return np.where(problem.aims.position[begin:end] > 0, levels, levels.min() - 1)
    return levels


def neighbour_rows(problem: RatingProblem) -> Floats:
    """Return the differences between products of neighbouring published levels.

    For position errors all products below the top share one level.
    """
    rows = [np.empty((0, problem.oriented.shape[1]))]
    for begin, end in problem.bounds:
        upper, lower = _neighbours(_distinguished_levels(problem, begin, end))
        rows.append(problem.oriented[begin + upper] - problem.oriented[begin + lower])
    return np.concatenate(rows)


def _neighbours(levels: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all pairs of products one of which has the next higher level."""
    order = np.argsort(levels, kind="stable")
    _, starts, sizes = np.unique(levels[order], return_index=True, return_counts=True)
    n_below = np.repeat(
        np.r_[0, sizes[:-1]], sizes
    )  # of each product, the products to pair it with
    first_below = np.repeat(np.r_[0, starts[:-1]], sizes)
    upper = np.repeat(np.arange(len(order)), n_below)
    rank = np.arange(len(upper)) - np.repeat(np.cumsum(n_below) - n_below, n_below)
    return order[upper], order[first_below[upper] + rank]


def _largest_margin(
    problem: RatingProblem, above: Floats, level: Floats, time_limit: float
) -> Floats | None:
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
    solution = program.solve(time_limit=time_limit)
    if solution.status is not Status.OPTIMAL or solution.x is None or solution.x[d] <= 1e-11:
        return None
    weights = solution.x[:d] / problem.spans
    return weights if np.any(weights) else None
