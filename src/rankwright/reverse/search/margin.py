"""Central formulas: among equally good weights, those farthest from changing an order."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.programs import Program, Status, solve_by_rows
from rankwright.reverse.knowledge.cone import Face
from rankwright.reverse.problem import RatingProblem

__all__ = [
    "central_weights",
    "count_neighbours",
    "fewest_turned_weights",
    "keeping_rows",
    "neighbour_pairs",
    "neighbour_rows",
    "separating_weights",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
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


def fewest_turned_weights(
    problem: RatingProblem, counted: NDArray[np.bool_], time_limit: float
) -> Floats | None:
    """Return weights that reproduce every published order, with the least sum below zero.

    The sum of what ``counted`` free factors weigh below zero, times their ranges: a linear program
    has many of them at zero. None if the time is up.
    """
    rows = neighbour_rows(problem) / problem.spans
    size = np.abs(rows).max(axis=1)
    d = len(problem.spans)
    # A weight is the difference of two parts that are not negative, and the second costs.
    negative = np.eye(d)[problem.free]
    costs = np.r_[np.zeros(d), counted[problem.free].astype(np.float64)]
    program = Program(costs)
    program.add_rows((rows / size[:, None]) @ np.vstack([np.eye(d), -negative]).T, lower=1.0)
    solution = program.solve(time_limit=time_limit)
    if solution.status is not Status.OPTIMAL or solution.x is None:
        return None
    weights = (solution.x[:d] - solution.x[d:] @ negative) / problem.spans
    return weights if np.any(weights) else None


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
        if problem.matters is not None:
            above, level = _places_at_top(scores, problem.matters[begin:end])
            positive.append(factors[above[0]] - factors[above[1]])
            zero.append(factors[level[0]] - factors[level[1]])
            continue
        is_above = scores[:, None] > scores[None, :]
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


def _places_at_top(scores: Floats, matters: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Return the pairs that keep each product where it is among those that matter.

    Neighbours suffice: of those that matter one of each score, and of any other product the next
    that matters above and below it. The first array has pairs one of which is above the other, the
    second those that tie.
    """
    values, first = np.unique(scores[matters], return_index=True)
    chosen = np.flatnonzero(matters)[first]
    place = np.searchsorted(values, scores)  # of the lowest that is not below
    ties = np.append(values, np.nan)[place] == scores
    rows = np.arange(len(scores))
    under, over = (rows[~ties & (place < len(values))], rows[~ties & (place > 0)])
    above = np.array(
        [
            np.r_[chosen[1:], chosen[place[under]], over],
            np.r_[chosen[:-1], under, chosen[place[over] - 1]],
        ]
    )
    tied = rows[ties]
    level = np.array([tied, chosen[place[tied]]])
    return above, level[:, level[0] != level[1]]


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
    upper, lower = neighbour_pairs(problem)
    return problem.oriented[upper] - problem.oriented[lower]


def neighbour_pairs(problem: RatingProblem) -> tuple[Ints, Ints]:
    """Return the products of neighbouring published levels, the upper one of each pair first."""
    pairs = [np.empty((2, 0), dtype=np.int64)]
    for begin, end in problem.bounds:
        pairs.append(begin + np.array(_neighbours(_distinguished_levels(problem, begin, end))))
    upper, lower = np.concatenate(pairs, axis=1)
    return upper, lower


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
    if problem.cone is not None:
        return _largest_inside(problem, problem.cone.faces, above, level, time_limit)
    d = len(problem.spans)
    above, level = above / problem.spans, level / problem.spans
    size = np.sqrt((above**2).sum(axis=1))
    lower = np.where(problem.free, -1.0, 0.0)
    program = Program(
        np.r_[np.zeros(d), -1.0], lower=np.r_[lower, 0.0], upper=np.r_[np.ones(d), 10.0]
    )
    if len(level):
        program.add_rows(np.column_stack([level, np.zeros(len(level))]), lower=0.0, upper=0.0)
    if not problem.free.any():
        program.add_rows(np.r_[np.ones(d), 0.0][None, :], lower=1.0, upper=1.0)
    margins = np.column_stack([above, -size])
    solution = solve_by_rows(program, margins, lower=0.0, time_limit=time_limit)
    if solution.status is not Status.OPTIMAL or solution.x is None or solution.x[d] <= 1e-11:
        return None
    weights = solution.x[:d] / problem.spans
    return weights if np.any(weights) else None


def _largest_inside(
    problem: RatingProblem,
    faces: Sequence[Face],
    above: Floats,
    level: Floats,
    time_limit: float,
) -> Floats | None:
    """Maximise the smallest distance to a plane for formulas that are sums of generators."""
    size = np.sqrt(((above / problem.spans) ** 2).sum(axis=1))
    best, found = 1e-11, None
    for face in faces:
        generators = face.generators
        k = len(generators)
        spread = generators @ problem.spans
        program = Program(np.r_[np.zeros(k), -1.0], upper=np.r_[np.full(k, np.inf), 10.0])
        program.add_rows(np.r_[spread, 0.0][None, :], lower=1.0, upper=1.0)
        if len(above):
            program.add_rows(np.column_stack([above @ generators.T, -size]), lower=0.0)
        if len(level):
            rows = np.column_stack([level @ generators.T, np.zeros(len(level))])
            program.add_rows(rows, lower=0.0, upper=0.0)
        solution = program.solve(time_limit=time_limit / len(faces))
        if solution.status is Status.OPTIMAL and solution.x is not None and solution.x[k] > best:
            best, found = float(solution.x[k]), solution.x[:k] @ generators
    return found
