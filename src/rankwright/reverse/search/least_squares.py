"""Least-squares formulas: quick starts, which see what is published as numbers."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rankwright.programs import nonnegative_least_squares
from rankwright.reverse.clock import Clock
from rankwright.reverse.knowledge.cone import Cone
from rankwright.reverse.problem import RatingProblem

__all__ = ["least_squares_starts"]

Floats = NDArray[np.float64]
MANY_ROWS = 1_000  # of least squares, which non-negative weights take one by one
# Of many ways to choose few factors, the least squares of so many are worth a closer look, and
# finding them so much of the time left, or a moment, in seconds.
MOST_WAYS, SHARE, MOMENT = 32, 0.25, 0.02
SMALL = 1e-12  # of the largest eigenvalue: less is rounding error


def least_squares_starts(
    problem: RatingProblem, targets: list[Floats], clock: Clock
) -> Iterator[Floats]:
    """Yield the least-squares formulas for some targets, centred in each group.

    Where few factors may count, in many ways, those of the ways that come nearest, of the ways that
    a part of the time suffices for: first those whose factors weigh most where all may count.
    """
    from scipy.optimize import lsq_linear

    if problem.cone is not None:
        for target in targets:
            yield from _inside_cone(problem, problem.cone, target, clock)
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


def _fewer_rows(rows: Floats, wanted: Floats, few: int = MANY_ROWS) -> tuple[Floats, Floats]:
    """Return least squares with the same solution, of one row for each factor if there are many.

    By the root of the Gram matrix, which is quick and, for a start, precise enough.
    """
    if len(rows) <= few:
        return rows, wanted
    values, vectors = np.linalg.eigh(rows.T @ rows)
    is_kept = values > SMALL * values[-1]
    root, vectors = np.sqrt(values[is_kept]), vectors[:, is_kept].T
    return root[:, None] * vectors, vectors @ (rows.T @ wanted) / root


def _inside_cone(
    problem: RatingProblem, cone: Cone, target: Floats, clock: Clock
) -> Iterator[Floats]:
    rows = problem.centred(problem.oriented) / problem.spans
    few = MANY_ROWS if len(cone.faces) == 1 else len(cone.rows.T)
    rows, wanted = _fewer_rows(rows, problem.centred(target[:, None])[:, 0], few)
    faces = list(cone.faces)
    if len(faces) > 1:
        freely, _ = nonnegative_least_squares(rows @ cone.whole.shares.T, wanted)
        faces = cone.promising(freely @ cone.whole.shares)
    found: list[tuple[float, int, Floats]] = []
    end = clock.seconds + max(SHARE * clock.left, MOMENT)
    for number, face in enumerate(faces):
        multipliers, distance = nonnegative_least_squares(rows @ face.shares.T, wanted)
        found.append((distance, number, multipliers @ face.generators))
        if clock.seconds >= end:
            break
    yield from (formula for _, _, formula in sorted(found)[:MOST_WAYS])
