"""Least-squares formulas: quick starts, which see what is published as numbers."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rankwright.programs import nonnegative_least_squares
from rankwright.reverse.problem import RatingProblem

__all__ = ["least_squares_starts"]

Floats = NDArray[np.float64]
MANY_ROWS = 1_000  # of least squares, which non-negative weights take one by one
SMALL = 1e-12  # of the largest eigenvalue: less is rounding error


def least_squares_starts(problem: RatingProblem, targets: list[Floats]) -> Iterator[Floats]:
    """Yield the least-squares formulas for some targets, centred in each group."""
    from scipy.optimize import lsq_linear

    if problem.cone is not None:
        yield from _inside_cone(problem, targets)
        return
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
            solution, _ = nonnegative_least_squares(rows, wanted)
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


def _inside_cone(problem: RatingProblem, targets: list[Floats]) -> Iterator[Floats]:
    """Yield the least-squares formulas of each part of the cone that is allowed."""
    for generators in problem.generators:
        centred = problem.centred(problem.oriented @ generators.T)
        for target in targets:
            rows, wanted = _fewer_rows(centred, problem.centred(target[:, None])[:, 0])
            yield nonnegative_least_squares(rows, wanted)[0] @ generators
