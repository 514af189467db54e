"""Weights with few digits: what a person would write into a spreadsheet."""

from collections.abc import Iterator
from fractions import Fraction
from math import floor, gcd, lcm, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.problem.whole_problem import RatingProblem

__all__ = ["from_own_scale", "round_weights", "to_own_scale"]

TOTAL = 100  # weights times ranges, the shares, sum to 100 %
MOST_PLACES = 12
LONG = 10**6  # whole numbers from here on are harder to read than fractions


def to_own_scale(problem: RatingProblem, weights: NDArray[Any]) -> list[Fraction]:
    """Return weights for the factors as published, with shares that sum to 100."""
    steps = problem.factors.steps
    turned = [int(w) * int(s) for w, s in zip(weights, problem.directions, strict=True)]
    own = [Fraction(w) / step for w, step in zip(turned, steps, strict=True)]
    total = sum(abs(w) * r for w, r in zip(own, problem.factors.ranges, strict=True))
    return [TOTAL * w / total for w in own] if total else own


def from_own_scale(problem: RatingProblem, own: list[Fraction]) -> NDArray[np.object_]:
    """Return the whole-number weights of the problem that a published-scale formula means."""
    steps, signs = problem.factors.steps, problem.directions.tolist()
    parts = [w * step * sign for w, step, sign in zip(own, steps, signs, strict=True)]
    common = lcm(*(part.denominator for part in parts))
    return np.array([int(part * common) for part in parts], dtype=object)


def round_weights(
    problem: RatingProblem, own: list[Fraction], value: int, least_places: int = 0
) -> list[Fraction]:
    """Return the weights with the fewest digits that keep the objective.

    Shares have at least so many decimal places.

    Where it rests on a tie that no decimal number keeps, their exact proportion in whole numbers,
    so that a spreadsheet can have it; fractions if these are too long.
    """
    is_allowed = (lambda whole: True) if problem.cone is None else problem.cone.contains
    for rounded in _roundings(problem, own, least_places):
        whole = from_own_scale(problem, rounded)
        if any(whole) and is_allowed(whole) and problem.value(whole) >= value:
            return rounded
    return _whole_proportion(problem, own) or own


def _whole_proportion(problem: RatingProblem, own: list[Fraction]) -> list[Fraction] | None:
    """Return the weights as short whole numbers, moved by tens to where shares sum to about 100."""
    common = lcm(*(w.denominator for w in own))
    divisor = gcd(*(int(w * common) for w in own))
    if divisor == 0:
        return None
    whole = [w * common / divisor for w in own]
    if max(map(abs, whole)) >= LONG:
        return None
    total = sum(abs(w) * r for w, r in zip(whole, problem.factors.ranges, strict=True))
    return [w * Fraction(10) ** round(log10(TOTAL / total)) for w in whole]


def _roundings(
    problem: RatingProblem, own: list[Fraction], least_places: int
) -> Iterator[list[Fraction]]:
    # Each weight is rounded where its share is: a factor of range 1000 has three places more.
    magnitudes = [floor(log10(float(r))) if r else 0 for r in problem.factors.ranges]
    for places in range(least_places, MOST_PLACES + 1):
        yield [round(w, places + size) for w, size in zip(own, magnitudes, strict=True)]
