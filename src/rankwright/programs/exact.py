"""Linear programs in rational arithmetic: what floating point guesses is proved, or repaired.

They are to minimise ``costs @ x`` for ``rows @ x >= lower``, with whole numbers in the rows, and x
of any sign. A basis is as many independent rows as x has entries, and x the point where they hold
with equality. The basis that HiGHS ends with is mostly the right one; if it is not, exact steps of
the simplex method lead on from there (dual ones to a feasible point, primal ones to the least).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from operator import itemgetter
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.programs.solution import Status

__all__ = [
    "Basis",
    "ExactSolution",
    "independent_rows",
    "invert",
    "minimize_exactly",
    "null_space",
]

Numbers = NDArray[np.object_]  # whole numbers or fractions of any size
QUICK_STEPS = 50  # per entry of x: after these, Bland's rule makes sure that steps end


@dataclass(frozen=True)
class ExactSolution:
    """What is proved about a linear program.

    Attributes
    ----------
    status : Status
        ``OPTIMAL``, ``INFEASIBLE`` or ``UNBOUNDED``.
    x : list of Fraction or None
        The optimum; of an unbounded program, a feasible point.
    objective : Fraction or None
        Its value.
    rows : list of int
        The rows that prove it: with the ``multipliers``, which are positive, they add up to the
        costs, or, of an infeasible program, to a contradiction.
    multipliers : list of Fraction
    """

    status: Status
    x: list[Fraction] | None
    objective: Fraction | None
    rows: list[int]
    multipliers: list[Fraction]


def minimize_exactly(
    costs: Sequence[Fraction | int],
    rows: Numbers,
    lower: Sequence[int],
    guess: Iterable[int] = (),
    stop: Event | None = None,
) -> ExactSolution:
    """Solve a linear program in rational arithmetic.

    Parameters
    ----------
    costs : (m,) numbers
    rows : (n, m) array of int, as objects
        Of rank m: without that there is no corner to end at.
    lower : (n,) int
    guess : row numbers, optional
        Rows that probably hold with equality at the optimum.
    stop : threading.Event, optional
        Once it is set, nothing is proved: the status is ``INTERRUPTED``.

    Examples
    --------
    >>> import numpy as np
    >>> from rankwright.programs.exact import minimize_exactly
    >>> rows = np.array([[3, 1], [1, 3], [-1, -1]], dtype=object)
    >>> found = minimize_exactly([1, 1], rows, [1, 1, -9])
    >>> str(found.objective), found.rows
    ('1/2', [0, 1])
    """
    exact = [Fraction(c) for c in costs]
    try:
        if stop is not None and stop.is_set():
            raise InterruptedError
        return _solve(exact, Basis(rows, lower, guess, stop))
    except InterruptedError:
        return ExactSolution(Status.INTERRUPTED, None, None, [], [])


def _solve(exact: list[Fraction], basis: "Basis") -> ExactSolution:
    multipliers = basis.combine(exact)
    # Costs for which the basis is dual feasible: their own where that holds.
    first = [max(m, Fraction(0)) for m in multipliers]
    conflict = basis.make_feasible(basis.add_up(first))
    if conflict is not None:
        return ExactSolution(Status.INFEASIBLE, None, None, *_positive(conflict))
    if not basis.make_least(exact):
        return ExactSolution(Status.UNBOUNDED, basis.x, None, [], [])
    proof = _positive(dict(zip(basis.members, basis.combine(exact), strict=True)))
    objective = sum((c * v for c, v in zip(exact, basis.x, strict=True)), Fraction(0))
    return ExactSolution(Status.OPTIMAL, basis.x, objective, *proof)


def null_space(rows: Numbers) -> list[list[Fraction]]:
    """Return vectors that span all x with ``rows @ x = 0``.

    Examples
    --------
    >>> [list(map(int, v)) for v in null_space(np.array([[1, 1, 0], [0, 0, 1]], dtype=object))]
    [[-1, 1, 0]]
    """
    n_columns = rows.shape[1]
    reduced: dict[int, list[Fraction]] = {}  # by the column of its leading one
    for row in rows:
        rest = _eliminate([Fraction(v) for v in row], reduced)
        pivot = next((c for c, v in enumerate(rest) if v), None)
        if pivot is None:
            continue
        rest = [v / rest[pivot] for v in rest]
        for column, other in reduced.items():
            if other[pivot]:
                factor = other[pivot]
                reduced[column] = [a - factor * b for a, b in zip(other, rest, strict=True)]
        reduced[pivot] = rest
        if len(reduced) == n_columns:
            return []
    vectors = []
    for free in (c for c in range(n_columns) if c not in reduced):
        vector = [Fraction(int(c == free)) for c in range(n_columns)]
        for column, row in reduced.items():
            vector[column] = -row[free]
        vectors.append(vector)
    return vectors


class Basis:
    """Independent rows that hold with equality, and the point where they do."""

    def __init__(
        self,
        rows: Numbers,
        lower: Sequence[int],
        guess: Iterable[int] = (),
        stop: Event | None = None,
    ) -> None:
        self.stop = stop
        self.rows, self.lower = rows, np.array([int(v) for v in lower], dtype=object)
        self.members = independent_rows(rows, guess)
        if len(self.members) < rows.shape[1]:
            raise ValueError(
                f"the rows have rank {len(self.members)}, x has {rows.shape[1]} entries; fix some"
            )
        self.inverse = invert(rows[self.members])
        self.steps = 0

    @property
    def x(self) -> list[Fraction]:
        """Return the point where all members hold with equality."""
        sides = [self.lower[r] for r in self.members]
        return [_dot(row, sides) for row in self.inverse]

    def combine(self, vector: Sequence[Any]) -> list[Fraction]:
        """Return the multipliers with which the members add up to a vector."""
        return [_dot(vector, column) for column in zip(*self.inverse, strict=True)]

    def add_up(self, multipliers: list[Fraction]) -> list[Fraction]:
        """Return the sum of the members with multipliers."""
        columns = self.rows[self.members].T
        return [_dot(column, multipliers) for column in columns]

    def make_feasible(self, costs: list[Fraction]) -> dict[int, Fraction] | None:
        """Step to a feasible point that is the least by costs with non-negative multipliers.

        Return the multipliers of rows that contradict each other if there is none.
        """
        while True:
            excess = self._excess(self.x, self.lower)
            short = np.flatnonzero(excess < 0)
            if not len(short):
                return None
            entering = int(short[0] if self._is_slow() else short[np.argmin(excess[short])])
            shares = self.combine(self.rows[entering])
            multipliers = self.combine(costs)
            ratios = [
                (multipliers[i] / share, self.members[i], i)
                for i, share in enumerate(shares)
                if share > 0
            ]
            if not ratios:
                conflict = {r: -s for r, s in zip(self.members, shares, strict=True)}
                return {**conflict, entering: Fraction(1)}
            self._replace(min(ratios)[2], entering, shares)

    def make_least(self, costs: list[Fraction]) -> bool:
        """Step from a feasible point to the least one; False if there is none."""
        while True:
            multipliers = self.combine(costs)
            negative = [
                (m, r, i)
                for i, (m, r) in enumerate(zip(multipliers, self.members, strict=True))
                if m < 0
            ]
            if not negative:
                return True
            rule = itemgetter(1 if self._is_slow() else 0)
            leaving = min(negative, key=rule)[2]
            direction = [row[leaving] for row in self.inverse]
            slopes = self._excess(direction)
            blocking = np.flatnonzero(slopes < 0)
            if not len(blocking):
                return False
            excess = self._excess(self.x, self.lower)
            entering = min((Fraction(excess[r], -slopes[r]), int(r)) for r in blocking)[1]
            self._replace(leaving, entering, self.combine(self.rows[entering]))

    def make_least_sum(self, n_soft: int) -> bool:
        """Step to a point where the first ``n_soft`` rows miss their limits by the least sum.

        The other rows have to hold here, and do at the end. True if multipliers prove that no point
        misses by less: between 0 and 1 for soft rows that hold with equality, 1 for missed ones.
        False where more rows than members hold with equality and steps would go round in circles.
        """
        seen: set[frozenset[int]] = set()
        while frozenset(self.members) not in seen:
            seen.add(frozenset(self.members))
            excess = self._excess(self.x, self.lower)
            missed = np.flatnonzero(excess[:n_soft] < 0)
            multipliers = self.combine([-sum(column) for column in self.rows[missed].T])
            steps = [(m, i, 1) for i, m in enumerate(multipliers) if m < 0]
            steps += [
                (1 - m, i, -1)
                for i, (m, r) in enumerate(zip(multipliers, self.members, strict=True))
                if m > 1 and r < n_soft
            ]
            if not steps:
                return True
            slope, leaving, side = min(steps)
            entering = self._least_on_line(slope, leaving, side, n_soft, excess)
            if entering is None:
                return False
            self._replace(leaving, entering, self.combine(self.rows[entering]))
        return False

    def _least_on_line(
        self, slope: Fraction, leaving: int, side: int, n_soft: int, excess: Numbers
    ) -> int | None:
        """Return the row where the sum of misses stops falling as a member lets go."""
        direction = [side * row[leaving] for row in self.inverse]
        scale = lcm(*(v.denominator for v in direction))
        rates = self._excess(direction)
        is_soft = np.arange(len(rates)) < n_soft
        crosses = (excess >= 0) & (rates < 0) | is_soft & (excess < 0) & (rates > 0)
        crosses[self.members[leaving]] = False
        crossings = ((Fraction(excess[r], -rates[r]), int(r)) for r in np.flatnonzero(crosses))
        for _, r in sorted(crossings):
            slope += Fraction(abs(rates[r]), scale)
            if slope >= 0 or r >= n_soft:
                return r
        return None

    def _excess(self, x: list[Fraction], lower: Numbers | None = None) -> Numbers:
        """Return by how much each row exceeds its limit, times a common denominator."""
        common = lcm(*(v.denominator for v in x))
        values = self.rows @ np.array([int(v * common) for v in x], dtype=object)
        return np.asarray(values if lower is None else values - common * lower)

    def _replace(self, leaving: int, entering: int, shares: list[Fraction]) -> None:
        """Let a row take the place of a member; ``shares`` are its multipliers."""
        if self.stop is not None and self.stop.is_set():
            raise InterruptedError
        pivot = shares[leaving]
        for row in self.inverse:
            row[leaving] /= pivot
            if head := row[leaving]:
                for i, share in enumerate(shares):
                    if share and i != leaving:
                        row[i] -= share * head
        self.members[leaving] = entering
        self.steps += 1

    def _is_slow(self) -> bool:
        return self.steps > QUICK_STEPS * len(self.members)


def _positive(multipliers: dict[int, Fraction]) -> tuple[list[int], list[Fraction]]:
    kept = {row: m for row, m in sorted(multipliers.items()) if m > 0}
    return list(kept), list(kept.values())


def _dot(one: Iterable[Any], other: Iterable[Any]) -> Fraction:
    return sum((a * b for a, b in zip(one, other, strict=True) if a and b), Fraction(0))


def _eliminate(row: list[Fraction], reduced: dict[int, list[Fraction]]) -> list[Fraction]:
    for column, other in reduced.items():
        if factor := row[column]:
            row = [a - factor * b for a, b in zip(row, other, strict=True)]
    return row


def independent_rows(rows: Numbers, guess: Iterable[int] = ()) -> list[int]:
    """Return independent rows, as many as there are, those guessed first."""
    reduced: dict[int, list[Fraction]] = {}
    members: list[int] = []
    for r in dict.fromkeys([*guess, *range(len(rows))]):
        rest = _eliminate([Fraction(v) for v in rows[r]], reduced)
        pivot = next((c for c, v in enumerate(rest) if v), None)
        if pivot is None:
            continue
        reduced[pivot] = [v / rest[pivot] for v in rest]
        members.append(int(r))
        if len(members) == rows.shape[1]:
            break
    return members


def invert(matrix: Numbers) -> list[list[Fraction]]:
    """Return the inverse of a square matrix of whole numbers.

    Each step divides by the pivot before, without a remainder: what is left are minors of the
    matrix, and fractions are made once, at the end (Bareiss 1968).

    Examples
    --------
    >>> [[str(v) for v in row] for row in invert(np.array([[2, 1], [4, 4]], dtype=object))]
    [['1', '-1/4'], ['-1', '1/2']]
    """
    size, before = len(matrix), 1
    wide = np.column_stack([matrix, np.eye(size, dtype=np.int64).astype(object)])
    for c in range(size):
        pivot = next(r for r in range(c, size) if wide[r, c])
        wide[[c, pivot]] = wide[[pivot, c]]
        own = wide[c].copy()
        wide = (own[c] * wide - np.outer(wide[:, c], own)) // before
        wide[c] = own
        before = own[c]
    return [[Fraction(v, before) for v in row[size:]] for row in wide]
