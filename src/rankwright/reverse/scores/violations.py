"""Scores that no formula reproduces together: the least total violation, and the fewest rows."""

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from scipy import sparse

from rankwright.programs import Basis, Program, Status, minimize_exactly
from rankwright.reverse.clock import Clock
from rankwright.reverse.scores.polytope import ScorePolytope

__all__ = [
    "Contradictions",
    "LeastViolation",
    "enough_suspects",
    "find_contradictions",
    "least_violation",
    "missed_by",
]

MOST_TIGHT = 40  # rows: with more, multipliers for all of them take too long to find
SECONDS_PER_ENTRY = 1e-6  # of the rows, to set up the program for the least sum
SMALL = 1e-7  # what floating point takes for zero


@dataclass(frozen=True)
class LeastViolation:
    """A formula whose scores miss their intervals by a sum that is the least, or near it.

    Attributes
    ----------
    x : list of Fraction
    total : Fraction
        The sum, in half steps.
    is_proved : bool
        Whether multipliers, found in rational arithmetic, prove that no formula has less; not where
        time, or the number of exact steps, ended that.
    products : list of int
        Those that are missed, the one missed most first.
    """

    x: list[Fraction]
    total: Fraction
    is_proved: bool
    products: list[int]


@dataclass(frozen=True)
class Contradictions:
    """Products without which a formula reproduces all scores.

    Attributes
    ----------
    products : list of int
    at_least : int
        So many no formula reproduces: sets of products that contradict each other, each proved in
        rational arithmetic, need so many to be left out.
    """

    products: list[int]
    at_least: int


def least_violation(polytope: ScorePolytope, time_limit: float) -> LeastViolation | None:
    """Return a formula with the least total violation, None if none was found in time."""
    rows, n_limits = polytope.kept_rows, polytope.n_limits
    n, m = rows.shape
    if SECONDS_PER_ENTRY * rows.size > time_limit:
        return None
    program = Program(
        np.r_[np.zeros(m), np.ones(n_limits)],
        lower=np.r_[np.full(m, -np.inf), np.zeros(n_limits)],
    )
    slack = sparse.eye_array(n, n_limits)
    program.add_rows(
        sparse.hstack([sparse.csr_array(polytope.scaled), slack]), lower=polytope.sides
    )
    solution = program.solve(time_limit=time_limit, stop=polytope.stop, optional=True)
    if solution.status is not Status.OPTIMAL or solution.x is None or solution.duals is None:
        return None
    is_tight = np.abs(polytope.scaled @ solution.x[:m] - polytope.sides) <= SMALL
    # Multipliers strictly between their limits belong to rows that hold with equality.
    middling = np.minimum(solution.duals, np.where(np.arange(n) < n_limits, 1 - solution.duals, 1))
    guess = [r for r in np.argsort(-middling) if is_tight[r]]
    return _least_from(polytope, Basis(rows, polytope.lower, guess, polytope.stop))


def _least_from(polytope: ScorePolytope, corner: Basis) -> LeastViolation | None:
    """Return the least violation, by exact steps from a corner that is near it.

    None for a corner without the signs and constraints that are known: it is no formula to speak
    of.
    """
    excess, _ = polytope.whole_excess(polytope.widen(corner.x))
    if any(value < 0 for value in excess[polytope.n_limits :]):
        return None
    try:
        is_proved = corner.make_least_sum(polytope.n_limits)
    except InterruptedError:  # a formula all the same
        return missed_by(polytope, polytope.widen(corner.x))
    found = missed_by(polytope, polytope.widen(corner.x))
    return replace(found, is_proved=is_proved or _has_multipliers(polytope, found.x))


def _has_multipliers(polytope: ScorePolytope, x: list[Fraction]) -> bool:
    """Tell whether multipliers of all rows that hold with equality prove a sum to be the least.

    One for each limit that is missed, at most one for limits that hold with equality: with them the
    rows add up to nothing.
    """
    excess, _ = polytope.whole_excess(x)
    missed = [r for r in range(polytope.n_limits) if excess[r] < 0]
    tight = [r for r, value in enumerate(excess) if value == 0]
    if len(tight) > MOST_TIGHT:
        return False
    wanted = [-sum(column) for column in polytope.kept_rows[missed].T]
    columns = polytope.kept_rows[tight].T
    unit = np.eye(len(tight), dtype=np.int64).astype(object)
    n_limits = sum(r < polytope.n_limits for r in tight)  # these come first
    rows = np.vstack([columns, -columns, unit, -unit[:n_limits]])
    lower = [*wanted, *(-w for w in wanted), *[0] * len(tight), *[-1] * n_limits]
    found = minimize_exactly([0] * len(tight), rows, lower, stop=polytope.stop)
    return found.status is Status.OPTIMAL


def missed_by(polytope: ScorePolytope, x: list[Fraction]) -> LeastViolation:
    """Return a formula with the products that it misses, the one missed most first."""
    excess, common = polytope.whole_excess(x)
    missed = np.flatnonzero(excess[: polytope.n_limits] < 0).tolist()
    total = Fraction(-sum(excess[missed].tolist()), common)
    ordered = sorted((excess[row], polytope.products[row]) for row in missed)
    return LeastViolation(x, total, False, [p for _, p in ordered if p is not None])


def find_contradictions(
    polytope: ScorePolytope, suspects: list[int], clock: Clock
) -> Contradictions:
    """Return the fewest products without which a formula reproduces all scores.

    Sets of products that contradict each other are collected until products that hit them all are
    enough; no fewer hit them all, so no fewer are enough. The ``suspects`` are products that are
    known to be enough, kept when the time is up.
    """
    polytope = polytope.until(clock.over)
    conflicts = _one_suspect_each(polytope, suspects, clock)
    at_least = len(conflicts)
    while at_least < len(suspects) and not clock.is_late:
        chosen = _fewest_hits(conflicts, clock)
        if chosen is None:
            break
        at_least = max(at_least, len(chosen))
        found = _conflicts_without(polytope, chosen, clock)
        if not found and not clock.is_late:
            return Contradictions(sorted(chosen), len(chosen))
        conflicts += found
    return Contradictions(sorted(suspects), min(at_least, len(suspects)))


def _one_suspect_each(
    polytope: ScorePolytope, suspects: list[int], clock: Clock
) -> list[list[int]]:
    """Return conflicts without common products: each has a suspect, and others that refute it."""
    conflicts: list[list[int]] = []
    used: set[int] = set(suspects)
    for suspect in suspects:
        if clock.is_late:
            break
        try:
            found = polytope.without(sorted(used - {suspect})).tightest()
        except InterruptedError:
            break
        if found.excess > 0:
            conflicts.append(found.products)
            used.update(found.products)
    return conflicts


def _conflicts_without(
    polytope: ScorePolytope, products: list[int], clock: Clock
) -> list[list[int]]:
    """Return conflicts without common products among all but some products."""
    conflicts: list[list[int]] = []
    left_out = list(products)
    while not clock.is_late:
        try:
            found = polytope.without(left_out).tightest()
        except InterruptedError:  # the clock is late: these are not all
            break
        if found.excess <= 0:
            break
        conflicts.append(found.products)
        left_out += found.products
    return conflicts


def enough_suspects(
    polytope: ScorePolytope, least: LeastViolation, clock: Clock
) -> tuple[list[int], list[Fraction]]:
    """Return products without which the others are reproduced, and a formula that does so.

    They are those missed most, by bisection.
    """
    suspects, x, polytope = least.products, least.x, polytope.until(clock.over)
    low, high = 0, len(suspects)  # so many are too few, so many are enough
    while high - low > 1 and not clock.is_late:
        middle = (low + high) // 2
        try:
            tightest = polytope.without(suspects[:middle]).tightest()
        except InterruptedError:
            break
        if tightest.excess <= 0:
            high, x = middle, tightest.x
        else:
            low = middle
    return suspects[:high], x


def _fewest_hits(conflicts: list[list[int]], clock: Clock) -> list[int] | None:
    """Return the fewest products of which each conflict has one, None when the time is up."""
    if not conflicts:
        return []
    products = sorted({product for conflict in conflicts for product in conflict})
    column = {product: c for c, product in enumerate(products)}
    # Among equally few, the product that the most conflicts name.
    named = Counter(product for conflict in conflicts for product in conflict)
    costs = [1 - named[p] / (1 + len(conflicts)) / (1 + len(products)) for p in products]
    program = Program(costs, upper=1.0, integer=True)
    places = [(c, column[product]) for c, conflict in enumerate(conflicts) for product in conflict]
    rows, columns = np.array(places).T
    shape = len(conflicts), len(products)
    program.add_rows(sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape), lower=1.0)
    solution = program.solve(time_limit=max(clock.left, 0.01), stop=clock.over, optional=True)
    if solution.status is not Status.OPTIMAL or solution.x is None:
        return None
    return [product for product, value in zip(products, solution.x, strict=True) if value > 0.5]
