"""Central formulas: among equally good weights, those farthest from changing an order."""

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.programs import Program, Status, solve_by_rows
from rankwright.reverse.knowledge.cone import Cone
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
SMALLEST = 1e-300  # of what is divided by
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
    solution = program.solve(time_limit=time_limit, optional=True)
    if solution.status is not Status.OPTIMAL or solution.x is None:
        return None
    weights = (solution.x[:d] - solution.x[d:] @ negative) / problem.spans
    return weights if np.any(weights) else None


def central_weights(
    problem: RatingProblem, weights: NDArray[Any], time_limit: float
) -> Floats | None:
    """Return the formula with the largest margin among those that keep what this one achieves.

    Where few factors may count, only those that this one has. None if the time is up before it is
    found.
    """
    above, level = keeping_rows(problem, weights)
    if problem.cone is None:
        return _largest_margin(problem, above, level, time_limit)
    face = problem.cone.face_of(weights) or problem.cone.whole
    return _farthest(problem, face.generators, above, level, time_limit)[1]


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
        return _largest_inside(problem, problem.cone, above, level, time_limit)
    unit = np.diag(1.0 / problem.spans)
    return _farthest(problem, unit, above, level, time_limit)[1]


def _largest_inside(
    problem: RatingProblem, cone: Cone, above: Floats, level: Floats, time_limit: float
) -> Floats | None:
    """Maximise it in the faces of a cone, while there is time.

    What no formula of any number of factors does, none of few factors does.
    """
    deadline = time.monotonic() + time_limit
    _, found = _farthest(problem, cone.whole.generators, above, level, time_limit)
    if found is None or len(cone.faces) == 1:
        return found
    best, formula = 0.0, None
    for face in cone.promising(found * problem.spans):
        left = deadline - time.monotonic()
        if left <= 0:
            break
        margin, found = _farthest(problem, face.generators, above, level, left)
        if margin > best:
            best, formula = margin, found
    return formula


def _farthest(
    problem: RatingProblem, generators: Floats, above: Floats, level: Floats, time_limit: float
) -> tuple[float, Floats | None]:
    """Return the largest smallest distance to a plane of sums of generators, and such a sum.

    Each generator's shares sum to one. 0 and None if there is none, or time or the solver fails.
    """
    k = len(generators)
    free = problem.free if problem.cone is None else np.zeros(k, dtype=np.bool_)
    program = Program(
        np.r_[np.zeros(k), -1.0],
        lower=np.r_[np.where(free, -1.0, 0.0), 0.0],
        upper=np.r_[np.ones(k), 10.0],
    )
    if not free.any():
        program.add_rows(np.r_[np.ones(k), 0.0][None, :], lower=1.0, upper=1.0)
    # Differences of whole numbers have any size: rows of norm one are what the solver can take.
    level = level @ generators.T
    level /= np.maximum(_norms(level), SMALLEST)[:, None]
    margins = np.column_stack([above @ generators.T, -np.ones(len(above))])
    margins[:, :k] /= _norms(above / problem.spans)[:, None]
    program.add_rows(np.column_stack([level, np.zeros(len(level))]), lower=0.0, upper=0.0)
    solution = solve_by_rows(program, margins, lower=0.0, time_limit=time_limit)
    if solution.status is not Status.OPTIMAL or solution.x is None or solution.x[k] <= 1e-11:
        return 0.0, None
    weights = solution.x[:k] @ generators
    return (float(solution.x[k]), weights) if np.any(weights) else (0.0, None)


def _norms(rows: Floats) -> Floats:
    return np.asarray(np.sqrt((rows**2).sum(axis=1)))
