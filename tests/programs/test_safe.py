"""Limits from multipliers that need not be exact."""

from math import inf

import numpy as np
import pytest

from rankwright.programs import Program, safe_minimum


def shares(rng, rows, sizes):
    """Draw shares that add up to one and satisfy the rows."""
    drawn = rng.dirichlet(np.full(len(sizes), 0.5), 20_000)
    return drawn[(rows @ (drawn / sizes).T >= 0).all(axis=0)]


@pytest.mark.parametrize("seed", range(6))
def test_no_shares_are_below_a_safe_minimum_that_is_near_the_optimum(seed):
    rng = np.random.default_rng(seed)
    rows, sizes = rng.integers(-3, 6, (5, 4)).astype(float), rng.integers(1, 30, 4).astype(float)
    costs = rng.integers(-2, 3, 4).astype(float)
    program = Program(costs, upper=1.0)
    program.add_rows(np.ones((1, 4)), 1.0, 1.0)
    program.add_rows(rows / sizes, 0.0)
    solution = program.solve()
    if solution.duals is None:
        pytest.skip("no shares satisfy these rows")
    safe = safe_minimum(costs, sizes, rows, solution.duals[1:])
    assert solution.objective - 1e-6 <= safe <= solution.objective + 1e-12
    assert (shares(rng, rows, sizes) @ costs >= safe).all()


@pytest.mark.parametrize("multipliers", [[0.0, 0.0], [0.3, 9.0], [-5.0, 0.2]])
def test_what_multipliers_prove_holds_however_wrong_they_are(multipliers):
    rng = np.random.default_rng(0)
    rows, sizes = np.array([[1.0, -1, 0], [0, 2, -1]]), np.array([1.0, 2, 5])
    least = safe_minimum([1, 0, 0], sizes, rows, multipliers)
    assert (shares(rng, rows, sizes)[:, 0] >= least).all()


def test_an_entry_without_size_leaves_no_limit_where_it_could_pay():
    rows = np.array([[1.0, -1.0]])
    assert safe_minimum([1, 0], [1, 0], rows, [1.0]) == 0.0
    assert safe_minimum([1, 0], [1, 0], -rows, [1.0]) == -inf


def test_multipliers_of_equations_may_be_negative():
    rows = np.array([[-1.0, 1.0]])  # both are equal
    assert safe_minimum([1, 0], [1, 1], rows, [-0.5], n_equations=1) == 0.5
    assert safe_minimum([1, 0], [1, 1], rows, [-0.5]) == 0.0
