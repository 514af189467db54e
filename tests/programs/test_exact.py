from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.programs import Status, minimize_exactly, null_space
from rankwright.programs.exact import Basis


def corners(rows, lower):
    """Return every feasible point where two rows in the plane hold with equality."""
    found = []
    for r, s in combinations(range(len(rows)), 2):
        (a, b), (c, d) = rows[r], rows[s]
        det = a * d - b * c
        if det:
            x = Fraction(d * lower[r] - b * lower[s], det)
            y = Fraction(a * lower[s] - c * lower[r], det)
            if all(p * x + q * y >= low for (p, q), low in zip(rows, lower, strict=True)):
                found.append((x, y))
    return found


small = st.integers(-3, 3)
programs = st.lists(st.tuples(small, small, small), min_size=2, max_size=7)


@settings(max_examples=200, deadline=None)
@given(programs, small, small, st.lists(st.integers(0, 6), max_size=3))
def test_an_exact_program_equals_the_best_corner(data, c, d, guess):
    rows, lower = [row[:2] for row in data], [row[2] for row in data]
    matrix = np.array(rows, dtype=object)
    if np.linalg.matrix_rank(matrix.astype(float)) < 2:
        with pytest.raises(ValueError, match="rank"):
            minimize_exactly([c, d], matrix, lower)
        return
    found = minimize_exactly([c, d], matrix, lower, [g for g in guess if g < len(rows)])
    points = corners(rows, lower)
    assert (found.status is Status.INFEASIBLE) == (not points)
    if found.status is Status.OPTIMAL:
        assert found.objective == min(c * x + d * y for x, y in points)
    combination = [
        sum(m * matrix[r][k] for r, m in zip(found.rows, found.multipliers, strict=True))
        for k in range(2)
    ]
    side = sum(m * lower[r] for r, m in zip(found.rows, found.multipliers, strict=True))
    assert all(m > 0 for m in found.multipliers)
    if found.status is Status.OPTIMAL:
        assert (combination, side) == ([c, d], found.objective)
    if found.status is Status.INFEASIBLE:
        assert combination == [0, 0]
        assert side > 0
    if found.status is Status.UNBOUNDED:
        assert all(np.dot(row, found.x) >= low for row, low in zip(rows, lower, strict=True))
        # Far away along the costs there is a better corner, however far the fence is.
        fence = [*rows, (1, 0), (-1, 0), (0, 1), (0, -1)]
        worth = [
            min(c * x + d * y for x, y in corners(fence, [*lower, *[-far] * 4]))
            for far in (10**3, 10**4)
        ]
        assert worth[1] < worth[0]


def total_miss(x, rows, lower):
    """Return by how much rows miss their limits at a point, in sum."""
    return sum(max(low - np.dot(row, x), 0) for row, low in zip(rows, lower, strict=True))


def test_steps_lead_from_a_corner_to_the_least_sum_of_misses():
    rng, proved = np.random.default_rng(0), 0
    for _ in range(300):
        n_hard, n_soft = rng.integers(0, 3), rng.integers(2, 7)
        rows = rng.integers(-3, 4, (n_soft + n_hard, 2)).astype(object)
        lower = rng.integers(-3, 4, n_soft + n_hard)
        lower[n_soft:] = -5
        if np.linalg.matrix_rank(rows.astype(float)) < 2:
            continue
        corner = Basis(rows, lower, rng.permutation(len(rows)))
        hard = rows[n_soft:], lower[n_soft:]
        if total_miss(corner.x, *hard) > 0:
            continue
        crossings = [
            Basis(rows, lower, pair).x
            for pair in combinations(range(len(rows)), 2)
            if np.linalg.matrix_rank(rows[list(pair)].astype(float)) == 2
        ]
        soft = rows[:n_soft], lower[:n_soft]
        sums = [total_miss(x, *soft) for x in crossings if total_miss(x, *hard) == 0]
        before = total_miss(corner.x, *soft)
        is_proved = corner.make_least_sum(int(n_soft))
        after = total_miss(corner.x, *soft)
        assert min(sums) <= after <= before
        assert total_miss(corner.x, *hard) == 0
        proved += is_proved
        if is_proved:
            assert after == min(sums)
    assert proved > 200


def test_a_null_space_holds_what_all_rows_ignore():
    rows = np.array([[1, 2, 3], [2, 4, 6]], dtype=object)
    vectors = null_space(rows)
    assert len(vectors) == 2
    assert all(
        sum(a * v for a, v in zip(row, vector, strict=True)) == 0
        for row in rows
        for vector in vectors
    )
