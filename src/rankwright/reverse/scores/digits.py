"""Weights with few digits that reproduce published scores: what the publisher may have written."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor, log10

import numpy as np

from rankwright.programs import Program
from rankwright.reverse.clock import Clock
from rankwright.reverse.scores.polytope import ScorePolytope
from rankwright.reverse.scores.units import OwnScale

__all__ = ["plain_formula", "simplest_between", "write_formula"]

MOST_PLACES = 12
PLAIN_PLACES = 4
MOST_NODES = 300  # of the search for weights with few digits: most ends long before
Range = tuple[Fraction | None, Fraction | None]


def write_formula(
    polytope: ScorePolytope,
    own: OwnScale,
    central: Sequence[Fraction],
    ranges: Sequence[Range],
    clock: Clock,
) -> tuple[list[Fraction], Fraction]:
    """Return weights and intercept with the fewest digits for which all intervals still hold.

    Without time for a search, as many as the central formula needs when it is rounded.
    """
    weights, intercept = own.write(central)
    for units in _grids(own):
        grid = list(zip(weights, units, strict=True))
        if any(_is_between_points(reach, unit) for reach, unit in zip(ranges, units, strict=True)):
            continue
        rounded = [unit * round(w / unit) for w, unit in grid]
        found = _intercepts(polytope, own, rounded)
        if found is None and not clock.is_late:
            seconds = max(clock.left / 10, 0.1)
            rounded = _search_grid(polytope, own, ranges, units, seconds) or rounded
            found = _intercepts(polytope, own, rounded)
        if found is not None:
            return rounded, simplest_between(*found)
    return weights, intercept


def plain_formula(
    polytope: ScorePolytope, own: OwnScale, x: Sequence[Fraction]
) -> tuple[list[Fraction], Fraction]:
    """Return weights and intercept with a few digits more than published scores have.

    Exactly as they are where the signs and constraints that are known would not hold otherwise.
    """
    weights, intercept = own.write(x)
    units = next(grid for k, grid in enumerate(_grids(own)) if k == PLAIN_PLACES)
    rounded = [unit * round(w / unit) for w, unit in zip(weights, units, strict=True)]
    unit = own.half / 10
    plain = rounded, unit * round(intercept / unit)
    excess, _ = polytope.whole_excess(own.read(*plain))
    is_known = all(excess[polytope.n_limits :] >= 0)
    return plain if is_known else (weights, intercept)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """Return zero or the number with the fewest digits in an interval.

    Examples
    --------
    >>> str(simplest_between(Fraction(1, 3), Fraction(2, 5)))
    '2/5'
    """
    if low <= 0 <= high:
        return Fraction(0)
    middle = (low + high) / 2
    size = floor(log10(abs(middle)))
    for places in range(-size, MOST_PLACES - size):
        if low <= (rounded := round(middle, places)) <= high:
            return rounded
    return middle


def _grids(own: OwnScale) -> Iterator[list[Fraction]]:
    """Yield finer and finer units: each weight is rounded where its effect on the score is."""
    ranges = own.factors.ranges
    magnitudes = [floor(log10(float(r))) if r else 0 for r in ranges]
    first = floor(-log10(float(2 * own.half))) - 1
    for places in range(first, first + MOST_PLACES):
        yield [Fraction(10) ** -(places + size) for size in magnitudes]


def _is_between_points(reach: Range, unit: Fraction) -> bool:
    """Tell whether a range lies between two multiples of a unit."""
    low, high = reach
    return low is not None and high is not None and ceil(low / unit) > floor(high / unit)


def _intercepts(
    polytope: ScorePolytope, own: OwnScale, weights: list[Fraction]
) -> tuple[Fraction, Fraction] | None:
    """Return the least and the largest intercept with which the weights are inside."""
    x = own.read(weights, Fraction(0))
    excess, common = polytope.whole_excess(x)
    n_above, n_limits = len(polytope.above), polytope.n_limits
    low = max(-excess[:n_above], default=None)
    high = min(excess[n_above:n_limits], default=None)
    if any(excess[n_limits:] < 0) or low is None or high is None or low > high:
        return None
    return own.half * Fraction(low, common), own.half * Fraction(high, common)


def _search_grid(
    polytope: ScorePolytope,
    own: OwnScale,
    ranges: Sequence[Range],
    units: list[Fraction],
    time_limit: float,
) -> list[Fraction] | None:
    """Look for weights that are multiples of units, by an integer program."""
    if any(end is None for reach in ranges for end in reach):
        return None
    limits = [
        (ceil(low / unit), floor(high / unit))
        for (low, high), unit in zip(ranges, units, strict=True)
        if low is not None and high is not None
    ]
    ratios = [unit / whole for unit, whole in zip(units, own.units(), strict=True)]
    d = len(units)
    # Counted from the smallest multiple: numbers stay small, and so do rounding errors.
    base = polytope.excess(
        [*(low * r for (low, _), r in zip(limits, ratios, strict=True)), Fraction(0)]
    )
    rows = polytope.rows.astype(np.float64) * np.array([*map(float, ratios), 1.0])
    stretch = (np.arange(len(rows)) < polytope.n_limits).astype(np.float64)
    program = Program(
        np.r_[np.zeros(d + 1), 1.0],
        lower=np.r_[np.zeros(d), -np.inf, -1.0],
        upper=np.r_[[high - low for low, high in limits], np.inf, 0.0],
        integer=np.arange(d + 2) < d,
    )
    program.add_rows(np.column_stack([rows, stretch]), lower=[-float(e) for e in base])
    solution = program.solve(
        presolve=False, node_limit=MOST_NODES, time_limit=time_limit, gap=np.inf, optional=True
    )
    if solution.x is None:
        return None
    multiples = [low + round(v) for (low, _), v in zip(limits, solution.x[:d], strict=True)]
    return [unit * k for unit, k in zip(units, multiples, strict=True)]
