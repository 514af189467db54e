"""What other methods make of a rating: formulas to start from, and never to fall short of."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from rankwright.linear import LeastSquaresRanker, PairwiseRanker, PushRanker
from rankwright.programs import Program
from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import RatingProblem, published_wins
from rankwright.reverse.search.least_squares import least_squares_starts
from rankwright.reverse.search.margin import count_neighbours, neighbour_rows

__all__ = ["BASELINES", "baseline_starts"]

Floats = NDArray[np.float64]
# A start needs no more digits than this; the line searches do the rest.
LOOSE: dict[str, Any] = {"nonnegative": True, "tol": 1e-3, "max_iter": 100}
STEEP = 1e-6
MOST_ROWS = 2_000  # of the linear program: with more, it takes longer than all other starts
QUICK = 1_000  # products: with no more, all starts are ready in a moment
MOMENT = 0.1  # seconds
MOST_FITTED = 4_000  # products: more make a start slower, and hardly better

BASELINES: dict[str, Callable[[], LeastSquaresRanker | PairwiseRanker | PushRanker]] = {
    "LS1": lambda: LeastSquaresRanker("score", nonnegative=True),
    "LS2": lambda: LeastSquaresRanker("rank", nonnegative=True),
    "LS3": lambda: LeastSquaresRanker("group_rank", nonnegative=True),
    "push": lambda: PushRanker(p=2.0, **LOOSE),
    "logistic": lambda: PairwiseRanker(**LOOSE),
    # Hardly held back: near the formula where an order has few errors, far from it where many.
    "steep": lambda: PairwiseRanker(alpha=STEEP, **LOOSE),
}


def baseline_starts(problem: RatingProblem, clock: Clock) -> list[Floats]:
    """Return the formulas of least squares, push, pairwise logistic and a linear program.

    They see the share of its group that each product is published above, not ``y``: the values of
    y, and comparisons of it between groups, must not count for the result. The linear program has
    a quarter of the time left, and of the others there are fewer when it is up, unless products are
    so few that none takes more than a moment.
    """
    groups = problem.group_of_row
    wins = np.concatenate(published_wins(problem.levels, problem.offsets))
    target = wins / problem.sizes[groups]
    if not problem.is_convex:  # few factors may count, in many ways: the quickest start for each
        return _distinct(list(least_squares_starts(problem, [target], clock)))
    mirrored = problem.generators[0]
    # Products come sorted by group and level: every k-th of them has its share of both.
    chosen = np.s_[:: -(-len(target) // MOST_FITTED)]
    X = problem.oriented[chosen] @ mirrored.T
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted = [
            make().fit(X, target[chosen], groups[chosen])
            for number, make in enumerate(BASELINES.values())
            if number == 0 or len(X) <= QUICK or not clock.is_late
        ]
    starts = [ranker.coef_ @ mirrored for ranker in fitted]
    if count_neighbours(problem) <= MOST_ROWS:
        rows = neighbour_rows(problem) @ mirrored.T
        starts.append(_least_violation(rows, max(clock.left / 4, MOMENT)) @ mirrored)
    return _distinct(starts)


def _distinct(starts: list[Floats]) -> list[Floats]:
    """Leave out formulas that are none, or that others equal: one group has one least squares."""
    scaled = [start / np.abs(start).max() for start in starts if np.any(start)]
    distinct: list[Floats] = []
    for start in scaled:
        if not distinct or not np.isclose(start, np.array(distinct)).all(axis=1).any():
            distinct.append(start)
    return distinct


def _least_violation(rows: Floats, time_limit: float) -> Floats:
    """Return weights whose differences fall short of one by the least sum."""
    n, d = rows.shape
    program = Program(np.r_[np.zeros(d), np.ones(n)])
    program.add_rows(np.hstack([rows, np.eye(n)]), lower=1.0)
    solution = program.solve(time_limit=time_limit, optional=True)
    return np.zeros(d) if solution.x is None else solution.x[:d]
