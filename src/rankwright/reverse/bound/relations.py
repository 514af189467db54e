"""Tell whether any formula orders some products in a given way, and if not, prove it.

Linear programs in floating point guess a formula, or multipliers that refute there is one. Both are
then checked in whole numbers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import gcd, lcm
from threading import Event
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankwright.programs import Program, Status, solve_by_rows
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.whole_numbers import Weights

__all__ = [
    "Crowd",
    "Kind",
    "Relation",
    "Witness",
    "find_formula",
    "refutes",
    "solve_nearby",
    "unwinnable",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
SMALL = 1e-9
PENALTY = 1e4  # of a product that scores below one it must at least equal, in margins
DENOMINATOR = 2**40


class Kind(StrEnum):
    """How the score of one product must compare with that of another."""

    ABOVE = "above"
    AT_LEAST = "at least"
    LEVEL = "level"


class Relation(NamedTuple):
    """The score of product ``one`` must be above, at least, or level with that of ``other``."""

    kind: Kind
    one: int
    other: int


class Crowd(NamedTuple):
    """The score of product ``one`` must be at least that of each of the ``others``."""

    one: int
    others: Ints


@dataclass(frozen=True)
class Witness:
    """A formula that is meant to have some relations, and numbers in the order of its scores."""

    weights: Weights
    places: Floats


@dataclass(frozen=True)
class _Rows:
    """Differences of factors: ``n_above`` must be positive, up to ``n_sided`` not negative."""

    whole: Ints
    n_above: int
    n_sided: int


def find_formula(
    problem: RatingProblem,
    signs: Sequence[int],
    relations: Iterable[Relation],
    crowds: Iterable[Crowd] = (),
    stop: Event | None = None,
) -> Witness | list[Relation] | None:
    """Return a formula in an orthant with all relations, or some of them that no formula has.

    A witness may fail where margins are too small for floating point; a refutation never does.
    None says that it was stopped.
    """
    pairs = {kind: [(r.one, r.other) for r in relations if r.kind is kind] for kind in Kind}
    arrays = {kind: np.array(pairs[kind], dtype=np.int64).reshape(-1, 2) for kind in Kind}
    many = [np.column_stack(np.broadcast_arrays(one, others)) for one, others in crowds]
    arrays[Kind.AT_LEAST] = np.concatenate([arrays[Kind.AT_LEAST], *many])
    ordered = np.concatenate([*arrays.values()])
    n_above, n_sided = np.cumsum([len(arrays[kind]) for kind in (Kind.ABOVE, Kind.AT_LEAST)])
    whole = problem.factors.whole * (problem.directions * np.array(signs))
    rows = _Rows(whole[ordered[:, 0]] - whole[ordered[:, 1]], int(n_above), int(n_sided))
    scaled = rows.whole / problem.spans
    sizes = np.sqrt((scaled**2).sum(axis=1))
    sizes[sizes == 0.0] = 1.0
    scaled /= sizes[:, None]
    # With a margin on both kinds of inequality the formula is far from all planes; only if there
    # is none may products tie that must not be below each other.
    for n_wide in (rows.n_sided, rows.n_above):
        found = _widest(scaled, n_wide, rows.n_sided, stop)
        if found is None:
            return None
        margin, solution, duals = found
        if margin > SMALL:
            break
        support = _refutation(rows, duals, sizes)
        if support is not None:
            kinds = np.searchsorted([n_above, n_sided], support, side="right")
            named = zip(kinds.tolist(), ordered[support].tolist(), strict=True)
            return [Relation([*Kind][kind], *pair) for kind, pair in named]
    is_level = np.arange(len(scaled)) >= rows.n_sided
    is_level[n_wide:] |= scaled[n_wide:] @ solution <= SMALL
    exact = solve_nearby(rows.whole[is_level], solution, problem.spans)
    if exact is None or min(exact) < 0:
        guess = (solution / problem.spans).tolist()
        exact = _in_whole_numbers([Fraction(max(w, 0.0)) for w in guess])
    weights = np.array([w * s for w, s in zip(exact, signs, strict=True)], dtype=object)
    return Witness(weights, problem.exact_places(weights))


def unwinnable(rows: Ints, spans: Floats, stop: Event | None = None) -> Ints | None:
    """Return rows of which no non-negative weights make all positive, if a proof is found.

    As few as a corner of the linear program has; None, too, if there is a formula.
    """
    scaled = rows / spans
    sizes = np.sqrt((scaled**2).sum(axis=1))
    found = _widest(scaled / sizes[:, None], len(rows), len(rows), stop)
    if found is None or found[0] > SMALL:
        return None
    return _refutation(_Rows(rows, len(rows), len(rows)), found[2], sizes)


def _widest(
    rows: Floats, n_wide: int, n_sided: int, stop: Event | None
) -> tuple[float, Floats, Floats] | None:
    """Return the largest margin of the first rows, weights that have it, and the rows' duals."""
    n, d = rows.shape
    is_wide = np.arange(n) < n_wide
    program = Program(
        np.r_[np.zeros(d), -1.0, PENALTY],
        lower=np.r_[np.zeros(d), -10.0, 0.0],
        upper=np.r_[np.ones(d), 1.0, np.inf],
    )
    columns = np.where(is_wide, -1.0, 0.0), np.where(is_wide, 0.0, 1.0)
    total = np.r_[np.ones(d), 0.0, 0.0]
    sided = np.column_stack([rows, *columns])
    turned = np.column_stack([-rows, *columns])[n_sided:]
    upper = np.full(1 + len(sided) + len(turned), np.inf)
    upper[0] = 1.0
    rows = np.vstack([total, sided, turned])
    solution = solve_by_rows(program, rows, upper == 1.0, upper, presolve=False, stop=stop)
    if solution.status is Status.INTERRUPTED:
        return None
    if solution.x is None or solution.duals is None:
        # HiGHS has no answer. No margin proves nothing, and a witness may fail.
        return 0.0, np.full(d, 1.0 / d), np.zeros(n)
    duals = solution.duals[1 : n + 1].copy()
    duals[n_sided:] -= solution.duals[n + 1 :]
    return -solution.objective, solution.x[:d], duals


def _refutation(rows: _Rows, duals: Floats, sizes: Floats) -> Ints | None:
    """Return rows that no weights satisfy, if the duals of scaled rows lead to a proof of it."""
    support = np.flatnonzero(np.abs(duals) > SMALL * np.abs(duals).max())
    if not len(support):
        return None
    guess = duals[support] / sizes[support]
    chosen = rows.whole[support]
    rounded = [round(m * DENOMINATOR) for m in (guess / np.abs(guess).max()).tolist()]
    if refutes(rows.whole, rows.n_above, rows.n_sided, support, rounded):
        return support
    # Where the combination must vanish, rounded multipliers miss it.
    is_zero = np.abs(guess @ chosen) <= 1e-7 * (np.abs(guess) @ np.abs(chosen))
    exact = solve_nearby(chosen[:, is_zero].T, duals[support], sizes[support])
    if exact and refutes(rows.whole, rows.n_above, rows.n_sided, support, exact):
        return support
    return None


def refutes(
    rows: Ints, n_above: int, n_sided: int, support: Ints, multipliers: Sequence[int]
) -> bool:
    """Tell whether multipliers prove that no non-negative weights satisfy the rows (Motzkin).

    They are not negative but for equations, and the combination of rows is nowhere positive. So its
    value is at most zero for any weights: it can't have a row that must be positive, and it isn't
    negative in every factor if the weights satisfy the rows.
    """
    numbered = list(zip(support.tolist(), multipliers, strict=True))
    if any(m < 0 for row, m in numbered if row < n_sided):
        return False
    combination = [
        sum(m * a for m, a in zip(multipliers, column, strict=True))
        for column in rows[support].T.tolist()
    ]
    if max(combination) > 0:
        return False
    return max(combination) < 0 or any(m > 0 for row, m in numbered if row < n_above)


def solve_nearby(rows: Ints, guess: Floats, units: Floats) -> list[int] | None:
    """Return whole numbers x with ``rows @ x = 0``, about in proportion to a guess, if any.

    The guess is that of ``x * units``, in which entries compare: where it is about zero, x is, and
    the largest are solved for.
    """
    guess, per = guess / np.abs(guess).max(), [Fraction(unit) for unit in units.tolist()]
    x = [Fraction(0)] * len(guess)
    order = [j for j in np.argsort(-np.abs(guess)) if abs(guess[j]) > SMALL]
    matrix = [
        [a / per[j] for a, j in zip(row, order, strict=True)] for row in rows[:, order].tolist()
    ]
    pivots: list[int] = []
    for c in range(len(order)):
        at = len(pivots)
        pivot = next((r for r in range(at, len(matrix)) if matrix[r][c]), None)
        if pivot is None:
            x[order[c]] = Fraction(float(guess[order[c]])).limit_denominator(10**9)
            continue
        matrix[at], matrix[pivot] = matrix[pivot], matrix[at]
        matrix[at] = [a / matrix[at][c] for a in matrix[at]]
        for r, row in enumerate(matrix):
            if r != at and row[c]:
                matrix[r] = [a - row[c] * b for a, b in zip(row, matrix[at], strict=True)]
        pivots.append(c)
    if len(pivots) == len(order):
        return None
    for row, c in zip(matrix, pivots, strict=False):
        x[order[c]] -= sum((a * x[j] for a, j in zip(row, order, strict=True)), Fraction(0))
    return _in_whole_numbers([value / unit for value, unit in zip(x, per, strict=True)])


def _in_whole_numbers(x: list[Fraction]) -> list[int]:
    common = lcm(*(value.denominator for value in x))
    whole = [int(value * common) for value in x]
    divisor = gcd(*whole)
    return [w // divisor for w in whole]
