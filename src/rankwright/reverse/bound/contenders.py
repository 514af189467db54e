"""Which products a smaller position error depends on: of thousands, a few hundred."""

import numpy as np

from rankwright.kernels.rating.dominance import find_band
from rankwright.reverse.problem import RatingProblem

__all__ = ["contenders"]


def contenders(problem: RatingProblem, error: int) -> RatingProblem:
    """Return the problem without products that can't count if the position error is smaller.

    A product that others dominate, being at least as good in every factor, is above a product of
    the top only together with all of these. Where they are so many that this alone costs
    ``error``, the product can be left out: for weights of a smaller error, in the one problem or
    in the other, both have the same error. (The proof needs that as many of those that dominate
    it are left in, and they are: see :func:`rankwright.kernels.rating.dominance.find_band`.)
    """
    if problem.cone is not None or problem.freed is not None:
        return problem
    most = error + int(problem.aims.position.max()) - 1
    if most >= problem.sizes.max():
        return problem
    # A free factor counts both ways: who dominates is equal in it.
    whole = problem.factors.whole * problem.directions
    whole = np.ascontiguousarray(np.column_stack([whole, -whole[:, problem.free]]))
    is_kept = problem.aims.position > 0
    for begin, end in problem.bounds:
        # The largest sums first: rounding keeps their order, or makes them equal.
        order = np.argsort(-whole[begin:end].sum(axis=1, dtype=np.float64), kind="stable")
        is_kept[begin:end] |= find_band(whole[begin:end], order, most)
    return problem.select(np.flatnonzero(is_kept))
