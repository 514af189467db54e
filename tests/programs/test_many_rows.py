import numpy as np
import pytest

from rankwright.programs import Program, Status, many_rows, solve_by_rows


@pytest.mark.parametrize("seed", range(12))
def test_rows_added_when_missed_lead_to_the_optimum_of_all_rows(seed, monkeypatch):
    monkeypatch.setattr(many_rows, "FEW", 5)
    rng = np.random.default_rng(seed)
    rows, costs = rng.normal(size=(200, 4)), rng.normal(size=4)
    upper = rng.random(200)
    whole = Program(costs, lower=-5.0, upper=5.0)
    whole.add_rows(rows, upper=upper)
    growing = Program(costs, lower=-5.0, upper=5.0)
    expected, found = whole.solve(), solve_by_rows(growing, rows, upper=upper)
    assert growing.n_rows < 200
    np.testing.assert_allclose(found.objective, expected.objective, atol=1e-6)
    np.testing.assert_allclose(found.duals, expected.duals, atol=1e-5)


def test_duals_of_rows_that_were_there_before_come_first(monkeypatch):
    monkeypatch.setattr(many_rows, "FEW", 2)
    program = Program([1.0, 1.0])
    program.add_rows([[1.0, 0.0]], lower=3.0)
    rows = np.array([[0.0, 1.0]] * 9)
    found = solve_by_rows(program, rows, lower=np.r_[1.0, 2.0, 3.0, 9.0, 3.0, 2.0, 1.0, 0.0, 0.0])
    np.testing.assert_allclose(found.x, [3.0, 9.0])
    np.testing.assert_allclose(found.duals, np.r_[1.0, np.arange(9) == 3])


def test_rows_that_exclude_each_other_are_found_infeasible(monkeypatch):
    monkeypatch.setattr(many_rows, "FEW", 2)
    rows = np.array([[1.0], [1.0], [1.0], [-1.0], [1.0], [1.0]])
    lower = np.array([0.0, 0.0, 0.0, -1.0, 2.0, 0.0])
    assert solve_by_rows(Program([1.0]), rows, lower).status is Status.INFEASIBLE


def test_equations_are_never_left_out(monkeypatch):
    monkeypatch.setattr(many_rows, "FEW", 1)
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    bounds = np.array([[0.0, 2.0, 0.0], [9.0, 2.0, 9.0]])
    found = solve_by_rows(Program([1.0, 1.0]), rows, *bounds)
    np.testing.assert_allclose(found.x, [0.0, 2.0], atol=1e-9)
